#include "search.h"

#include "limits.h"
#include "novelty/novelty.h"
#include "registry.h"
#include "repetition.h"
#include "successor_generator.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>

namespace numbat {

std::string_view name_of(Status status) {
    switch (status) {
    case Status::solved: return "solved";
    case Status::exhausted_complete: return "exhausted-complete";
    case Status::exhausted_pruned: return "exhausted-pruned";
    case Status::out_of_time: return "out-of-time";
    case Status::out_of_memory: return "out-of-memory";
    case Status::stopped: return "stopped";
    }
    return "";
}

namespace {

constexpr double NOVELTY_SHARE = 0.4;  // of the memory, for all tables of pairs together

class Search {
public:
    Search(const Task &task, const SearchOptions &options);
    SearchResult run();

private:
    /* A heuristic, shared by the queues that build on it, and its values. */
    struct Base {
        std::string name;
        std::unique_ptr<Heuristic> heuristic;
        bool remembered = false;      // some queue's novelty needs the parent's value
        GrowingArray<float> values;   // per state, if remembered
        float value = 0;              // of the state evaluated last
    };
    struct Queue {
        size_t base;
        bool helpful, jumps;
        std::unique_ptr<Novelty> novelty;
        OpenList open;
    };
    enum Expansion : uint8_t { FULL = 1, ADVISED = 2 };

    const Task &task_;
    const SearchOptions &options_;
    Limits limits_;
    SuccessorGenerator generator_;
    Repetition repetition_;
    StateRegistry states_;
    std::vector<Base> bases_;
    std::vector<Queue> queues_;
    bool all_prune_ = true;
    OpenList waiting_;  // expanded by advice only, where all queues prune
    std::mt19937_64 random_;

    // per state
    GrowingArray<StateId> parents_;
    GrowingArray<uint32_t> steps_;   // operator and repetitions
    GrowingArray<uint8_t> expanded_; // kinds of expansion done
    GrowingArray<double> costs_;     // only with a bound

    const int operator_bits_;
    SearchResult result_;
    std::optional<Status> ended_;
    bool lost_states_ = false;  // something was pruned that a proof of unsolvability would need

    // scratch
    State current_, child_;
    std::vector<int32_t> operators_;
    std::vector<Jump> jumps_;
    uint64_t expansions_ = 0;

    void add_queue(const QueueOptions &options, size_t budget, HeuristicFactory &factory);
    bool bounded() const { return options_.bound < INFINITE; }
    size_t bytes() const;
    bool over_limits();
    void finish(Status status) { ended_ = status; }

    void meet(const State &state, StateId parent, uint32_t step, double cost);
    bool evaluate(const State &state, StateId id, StateId parent);
    void note_improvement();
    void expand_fully(StateId id);
    void expand_by_advice(StateId id, Queue &queue);
    void apply_and_meet(StateId parent, int op, int repetitions);
    void extract_plan(StateId goal);

    uint32_t encode(int op, int repetitions) const {
        return static_cast<uint32_t>(repetitions) << operator_bits_ | static_cast<uint32_t>(op);
    }
    int most_repetitions() const { return static_cast<int>(std::min(UINT32_MAX >> operator_bits_, 1000000u)); }
};

int bits_for(size_t operators) { return std::max(1, static_cast<int>(std::bit_width(operators))); }

Search::Search(const Task &task, const SearchOptions &options)
    : task_(task),
      options_(options),
      limits_(options.seconds, options.bytes, options.board),
      generator_(task),
      repetition_(task),
      states_(task),
      waiting_(options.ties),
      random_(options.seed),
      operator_bits_(bits_for(task.operators.size())) {
    if (options.queues.empty()) throw std::invalid_argument("a search needs at least one queue");
    HeuristicFactory factory(task, options.heuristic);
    const auto novelties = std::count_if(options.queues.begin(), options.queues.end(),
                                         [](const QueueOptions &queue) { return !queue.measure.empty(); });
    const auto budget = static_cast<size_t>(NOVELTY_SHARE * static_cast<double>(limits_.memory()));
    for (const QueueOptions &queue : options.queues)
        add_queue(queue, novelties ? budget / static_cast<size_t>(novelties) : 0, factory);
}

void Search::add_queue(const QueueOptions &options, size_t budget, HeuristicFactory &factory) {
    auto same = [&](const Base &base) { return base.name == options.heuristic; };
    auto base = std::find_if(bases_.begin(), bases_.end(), same);
    if (base == bases_.end()) {
        Base made;
        made.name = options.heuristic;
        made.heuristic = factory.make(options.heuristic);
        bases_.push_back(std::move(made));
        base = bases_.end() - 1;
    }
    std::unique_ptr<Novelty> novelty;
    if (!options.measure.empty()) {
        novelty = make_novelty(task_, options.feature, options.measure, options.k, budget);
        base->remembered = true;
    }
    const bool prunes = options.helpful || options.jumps;
    all_prune_ &= prunes;
    queues_.push_back({static_cast<size_t>(base - bases_.begin()), prunes, options.jumps, std::move(novelty),
                       OpenList(options_.ties)});
}

size_t Search::bytes() const {
    size_t sum = states_.bytes() + parents_.bytes() + steps_.bytes() + expanded_.bytes() +
                 costs_.bytes() + waiting_.bytes();
    for (const Base &base : bases_) sum += base.values.bytes();
    for (const Queue &queue : queues_) sum += queue.open.bytes() + (queue.novelty ? queue.novelty->bytes() : 0);
    return sum;
}

bool Search::over_limits() {
    if (ended_) return true;
    if (!limits_.due()) return false;
    const size_t used = bytes();
    limits_.post(static_cast<double>(result_.evaluated), static_cast<double>(result_.expanded), result_.best_h, used);
    switch (limits_.check(used + states_.pending_bytes())) {
    case Limits::Verdict::go_on: return false;
    case Limits::Verdict::out_of_time: finish(Status::out_of_time); break;
    case Limits::Verdict::out_of_memory: finish(Status::out_of_memory); break;
    case Limits::Verdict::stopped: finish(Status::stopped); break;
    }
    return true;
}

void Search::note_improvement() {
    const double h = bases_[queues_[0].base].value;
    if (result_.evaluated == 1) result_.initial_h = h;
    if (result_.evaluated > 1 && h >= result_.best_h) return;
    result_.best_h = h;
    result_.history.push_back({limits_.elapsed(), result_.evaluated, h});
}

/* Values of all queues for a new state, or false for a dead end. */
bool Search::evaluate(const State &state, StateId id, StateId parent) {
    ++result_.evaluated;
    for (Base &base : bases_) {
        base.value = static_cast<float>(base.heuristic->evaluate(state));
        if (std::isinf(base.value)) {
            ++result_.dead_ends;
            return false;
        }
    }
    for (Base &base : bases_) {
        if (!base.remembered) continue;
        base.values.resize(id + size_t{1}, 0);
        base.values[id] = base.value;
    }
    note_improvement();
    for (Queue &queue : queues_) {
        const Base &base = bases_[queue.base];
        Key key = heuristic_key(base.value);
        if (queue.novelty && parent != NO_STATE) {
            const Origin origin{current_, base.values[parent], expansions_};
            key = novelty_key(queue.novelty->evaluate(state, base.value, &origin), base.value);
        } else if (queue.novelty) {
            key = novelty_key(queue.novelty->evaluate(state, base.value, nullptr), base.value);
        }
        queue.open.push(key, id);
    }
    return true;
}

/* A state was generated: if it is new, it is the goal, a dead end, or waits in the queues from now on. */
void Search::meet(const State &state, StateId parent, uint32_t step, double cost) {
    ++result_.generated;
    if (bounded() && cost >= options_.bound) {
        lost_states_ = true;
        return;
    }
    const auto [id, is_new] = states_.insert(state);
    if (!is_new) {
        ++result_.duplicates;
        return;
    }
    parents_.push_back(parent);
    steps_.push_back(step);
    expanded_.push_back(0);
    if (bounded()) costs_.push_back(cost);
    if (task_.is_goal(state)) {
        extract_plan(id);
        finish(Status::solved);
        return;
    }
    evaluate(state, id, parent);
}

void Search::apply_and_meet(StateId parent, int op, int repetitions) {
    double cost = bounded() ? costs_[parent] : 0;
    const int done =
        repetition_.apply(op, repetitions, current_, child_, lost_states_, bounded() ? &cost : nullptr);
    if (done > 0 && (done > 1 || repetitions == 1)) meet(child_, parent, encode(op, done), cost);
}

void Search::expand_fully(StateId id) {
    expanded_[id] |= FULL;
    ++result_.expanded;
    ++expansions_;
    states_.get(id, current_);
    operators_.clear();
    generator_.applicable(current_, operators_);
    if (options_.seed) std::shuffle(operators_.begin(), operators_.end(), random_);
    for (int op : operators_) {
        apply_and_meet(id, op, 1);
        if (over_limits()) return;
    }
}

void Search::expand_by_advice(StateId id, Queue &queue) {
    expanded_[id] |= ADVISED;
    ++result_.expanded;
    ++expansions_;
    states_.get(id, current_);
    Heuristic &heuristic = *bases_[queue.base].heuristic;
    heuristic.evaluate(current_);
    heuristic.advise(operators_, jumps_);
    if (options_.seed) std::shuffle(operators_.begin(), operators_.end(), random_);
    for (int op : operators_) {
        apply_and_meet(id, op, 1);
        if (over_limits()) return;
    }
    if (!queue.jumps) return;
    for (const Jump &jump : jumps_) {
        apply_and_meet(id, jump.op, std::min(jump.repetitions, most_repetitions()));
        if (over_limits()) return;
    }
}

void Search::extract_plan(StateId goal) {
    for (StateId id = goal; parents_[id] != NO_STATE; id = parents_[id]) {
        const auto op = static_cast<int32_t>(steps_[id] & ((1u << operator_bits_) - 1));
        result_.plan.insert(result_.plan.end(), steps_[id] >> operator_bits_, op);
    }
    std::reverse(result_.plan.begin(), result_.plan.end());
}

SearchResult Search::run() {
    size_t turn = 0;
    meet(task_.initial, NO_STATE, 0, 0);
    while (!ended_ && !over_limits()) {
        size_t tried = 0;
        while (tried < queues_.size() && queues_[turn].open.empty()) {
            turn = (turn + 1) % queues_.size();
            ++tried;
        }
        if (tried == queues_.size()) {
            if (waiting_.empty()) {
                finish(lost_states_ || !task_.exact ? Status::exhausted_pruned : Status::exhausted_complete);
                break;
            }
            expand_fully(waiting_.pop());
            continue;
        }
        Queue &queue = queues_[turn];
        const Key key = queue.open.first_key();
        const StateId id = queue.open.pop();
        // a state that needs no expansion any more does not cost the queue its turn
        if (expanded_[id] & (queue.helpful ? ADVISED | FULL : FULL)) continue;
        turn = (turn + 1) % queues_.size();
        if (!queue.helpful) {
            expand_fully(id);
            continue;
        }
        if (all_prune_) waiting_.push(key, id);
        expand_by_advice(id, queue);
    }
    result_.status = *ended_;
    result_.bytes = bytes();
    result_.seconds = limits_.elapsed();
    return std::move(result_);
}

}  // namespace

SearchResult search(const Task &task, const SearchOptions &options) { return Search(task, options).run(); }

}  // namespace numbat
