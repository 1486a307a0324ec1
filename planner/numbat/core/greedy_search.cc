#include "greedy_search.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

namespace numbat {

namespace {

constexpr double NOVELTY_SHARE = 0.4;  // of the memory, for all tables of pairs together

int bits_for(size_t operators) { return std::max(1, static_cast<int>(std::bit_width(operators))); }

}  // namespace

SearchContext::SearchContext(const Task &t, const SearchOptions &o)
    : task(t),
      options(o),
      limits(o.seconds, o.bytes, o.board),
      generator(t),
      repetition(t),
      saturation(t),
      factory(t, o.heuristic) {}

GreedySearch::GreedySearch(SearchContext &context, const std::vector<QueueOptions> &queues, Order order,
                           size_t elsewhere)
    : context_(context),
      task_(context.task),
      result_(context.result),
      order_(order),
      elsewhere_(elsewhere),
      states_(context.task),
      waiting_(order.ties),
      random_(order.seed),
      operator_bits_(bits_for(context.task.operators.size())) {
    if (queues.empty()) throw std::invalid_argument("a search needs at least one queue");
    const auto novelties = static_cast<size_t>(std::count_if(
        queues.begin(), queues.end(), [](const QueueOptions &queue) { return !queue.measure.empty(); }));
    const size_t memory = std::max(context.limits.memory(), elsewhere) - elsewhere;
    const auto budget = static_cast<size_t>(NOVELTY_SHARE * static_cast<double>(memory));
    for (const QueueOptions &queue : queues) add_queue(queue, novelties ? budget / novelties : 0);
}

void GreedySearch::add_queue(const QueueOptions &options, size_t budget) {
    auto same = [&](const Base &base) { return base.name == options.heuristic; };
    auto base = std::find_if(bases_.begin(), bases_.end(), same);
    if (base == bases_.end()) {
        Base made;
        made.name = options.heuristic;
        made.heuristic = context_.factory.make(options.heuristic);
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
                       OpenList(order_.ties)});
}

size_t GreedySearch::bytes() const {
    size_t sum = states_.bytes() + parents_.bytes() + steps_.bytes() + expanded_.bytes() +
                 costs_.bytes() + waiting_.bytes();
    for (const Base &base : bases_) sum += base.values.bytes();
    for (const Queue &queue : queues_) sum += queue.open.bytes() + (queue.novelty ? queue.novelty->bytes() : 0);
    return sum;
}

bool GreedySearch::over_limits() {
    if (ended_) return true;
    if (!context_.limits.due()) return false;
    const size_t used = bytes() + elsewhere_;
    result_.bytes = std::max(result_.bytes, used);
    context_.limits.post(static_cast<double>(result_.evaluated), static_cast<double>(result_.expanded),
                         result_.best_h, used);
    switch (context_.limits.check(used + states_.pending_bytes())) {
    case Limits::Verdict::go_on: return false;
    case Limits::Verdict::out_of_time: finish(Status::out_of_time); break;
    case Limits::Verdict::out_of_memory: finish(Status::out_of_memory); break;
    case Limits::Verdict::stopped: finish(Status::stopped); break;
    }
    return true;
}

/* Keeps account of the best values, of this run and of all. */
void GreedySearch::note_values() {
    for (Base &base : bases_)
        if (base.value < base.best) {
            base.best = base.value;
            improved_at_ = evaluated_;
        }
    const double h = bases_[queues_[0].base].value;
    if (result_.history.empty()) result_.initial_h = h;
    if (!result_.history.empty() && h >= result_.best_h) return;
    result_.best_h = h;
    result_.history.push_back({context_.limits.elapsed(), result_.evaluated, h});
}

/* A new state enters the queues, unless it is a dead end. */
void GreedySearch::evaluate(const State &state, StateId id, StateId parent) {
    ++result_.evaluated;
    ++evaluated_;
    for (Base &base : bases_) {
        base.value = static_cast<float>(base.heuristic->evaluate(state));
        if (std::isinf(base.value)) {
            ++result_.dead_ends;
            return;
        }
    }
    for (Base &base : bases_) {
        if (!base.remembered) continue;
        base.values.resize(id + size_t{1}, 0);
        base.values[id] = base.value;
    }
    note_values();
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
}

/* A state was generated: if it is new, it is the goal, a dead end, or waits in the queues from now on. */
void GreedySearch::meet(const State &state, StateId parent, uint32_t step, double cost) {
    ++result_.generated;
    if (bounded() && cost >= context_.options.bound) {
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

void GreedySearch::apply_and_meet(StateId parent, int op, int repetitions) {
    double cost = bounded() ? costs_[parent] : 0;
    const int done =
        context_.repetition.apply(op, repetitions, current_, child_, lost_states_, bounded() ? &cost : nullptr);
    if (done == 0 || (done == 1 && repetitions > 1)) return;
    context_.saturation.apply(child_);
    meet(child_, parent, encode(op, done), cost);
}

void GreedySearch::begin_expansion(StateId id, Expansion kind) {
    expanded_[id] |= kind;
    ++result_.expanded;
    ++expansions_;
    states_.get(id, current_);
}

/* Where each of `operators_` leads to. */
void GreedySearch::meet_successors(StateId id) {
    if (order_.seed) std::shuffle(operators_.begin(), operators_.end(), random_);
    for (int op : operators_) {
        apply_and_meet(id, op, 1);
        if (over_limits()) return;
    }
}

void GreedySearch::expand_fully(StateId id) {
    begin_expansion(id, FULL);
    operators_.clear();
    context_.generator.applicable(current_, operators_);
    meet_successors(id);
}

void GreedySearch::expand_by_advice(StateId id, Queue &queue) {
    begin_expansion(id, ADVISED);
    Heuristic &heuristic = *bases_[queue.base].heuristic;
    heuristic.evaluate(current_);
    heuristic.advise(operators_, jumps_);
    meet_successors(id);
    if (ended_ || !queue.jumps) return;
    for (const Jump &jump : jumps_) {
        apply_and_meet(id, jump.op, std::min(jump.repetitions, most_repetitions()));
        if (over_limits()) return;
    }
}

void GreedySearch::extract_plan(StateId goal) {
    for (StateId id = goal; parents_[id] != NO_STATE; id = parents_[id]) {
        const auto op = static_cast<int32_t>(steps_[id] & ((1u << operator_bits_) - 1));
        result_.plan.insert(result_.plan.end(), steps_[id] >> operator_bits_, op);
    }
    std::reverse(result_.plan.begin(), result_.plan.end());
}

void GreedySearch::expand_next() {
    size_t tried = 0;
    while (tried < queues_.size() && queues_[turn_].open.empty()) {
        turn_ = (turn_ + 1) % queues_.size();
        ++tried;
    }
    if (tried == queues_.size()) {
        if (waiting_.empty())
            finish(lost_states_ || !task_.exact ? Status::exhausted_pruned : Status::exhausted_complete);
        else
            expand_fully(waiting_.pop());
        return;
    }
    Queue &queue = queues_[turn_];
    const Key key = queue.open.first_key();
    const StateId id = queue.open.pop();
    // a state that needs no expansion any more does not cost the queue its turn
    if (expanded_[id] & (queue.helpful ? ADVISED | FULL : FULL)) return;
    turn_ = (turn_ + 1) % queues_.size();
    if (!queue.helpful) {
        expand_fully(id);
        return;
    }
    if (all_prune_) waiting_.push(key, id);
    expand_by_advice(id, queue);
}

std::optional<Status> GreedySearch::run(size_t patience, size_t most, size_t elsewhere) {
    elsewhere_ = elsewhere;
    if (ended_ == Status::out_of_memory) {
        ended_.reset();
        lost_states_ = true;  // in the middle of an expansion
    }
    if (states_.size() == 0) meet(task_.initial, NO_STATE, 0, 0);
    while (!ended_ && evaluated_ - improved_at_ < patience && evaluated_ < most && !over_limits()) expand_next();
    return ended_;
}

}  // namespace numbat
