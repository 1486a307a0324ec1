#include "greedy.h"

#include "queue_keys.h"

#include <algorithm>
#include <random>

namespace numbat {

namespace {

// So many successors are made before any of them is looked up.
constexpr size_t BATCH = 32;

class GreedySearch : public Run {
public:
    GreedySearch(SearchContext &context, const RunOptions &options);

    size_t bytes() const override;

private:
    struct Queue {
        size_t guide;  // of the evaluator
        bool helpful, jumps;
        OpenList open;
    };
    enum Expansion : uint8_t { FULL = 1, ADVISED = 2 };

    const Order order_;
    Evaluator evaluator_;
    QueueKeys keys_;
    std::vector<Queue> queues_;
    size_t turn_ = 0;
    bool all_prune_ = true;
    OpenList waiting_;                // expanded by advice only, where all queues prune
    GrowingArray<uint8_t> expanded_;  // per state: kinds of expansion done
    std::mt19937_64 random_;
    uint64_t expansions_ = 0;

    // scratch
    std::vector<int32_t> operators_;
    std::vector<Jump> jumps_;

    void begin() override;
    void step() override;
    void begin_expansion(StateId id, Expansion kind);
    void meet_successors(StateId id);
    void expand_fully(StateId id);
    void expand_by_advice(StateId id, Queue &queue);
    void meet_jump(StateId parent, const Jump &jump);
    void meet_staged(StateId parent, size_t place);
    void reach_again(StateId parent);
    void enter(StateId id, StateId parent);
};

GreedySearch::GreedySearch(SearchContext &context, const RunOptions &options)
    : Run(context),
      order_(options.order),
      evaluator_(context.factory),
      keys_(context, options, evaluator_),
      waiting_(options.order.ties),
      random_(options.order.seed) {
    for (size_t number = 0; number < keys_.size(); ++number) {
        const QueueOptions &queue = options.queues[number];
        const bool prunes = queue.helpful || queue.jumps;
        all_prune_ &= prunes;
        queues_.push_back({keys_.guide(number), prunes, queue.jumps, OpenList(order_.ties)});
    }
}

size_t GreedySearch::bytes() const {
    size_t sum = space_.bytes() + evaluator_.bytes() + keys_.bytes() + expanded_.bytes() + waiting_.bytes();
    for (const Queue &queue : queues_) sum += queue.open.bytes();
    return sum;
}

/* A new state was reached: it is the goal, a dead end, or waits in the queues from now on. */
void GreedySearch::enter(StateId id, StateId parent) {
    expanded_.push_back(0);
    if (context_.task.is_goal(space_.reached())) {
        finish_with_plan_to(id);
        return;
    }
    count_evaluation();
    if (!evaluator_.evaluate(space_.reached(), space_.arrival(id, parent))) {
        ++context_.result.dead_ends;
        return;
    }
    note_values(evaluator_.better(), evaluator_.distance(queues_[0].guide));
    for (size_t number = 0; number < queues_.size(); ++number)
        queues_[number].open.push(keys_.key(number, space_, parent, expansions_), id);
}

void GreedySearch::reach_again(StateId parent) {
    evaluator_.reach_again(space_.reached(), space_.arrival(space_.known(), parent));
}

void GreedySearch::meet_jump(StateId parent, const Jump &jump) {
    if (const auto id = space_.successor(parent, jump.op, jump.repetitions))
        enter(*id, parent);
    else if (evaluator_.depends_on_path() && space_.known() != NO_STATE)
        reach_again(parent);
}

void GreedySearch::meet_staged(StateId parent, size_t place) {
    if (const auto id = space_.enter_successor(parent, place)) {
        enter(*id, parent);
    } else if (evaluator_.depends_on_path() && space_.known() != NO_STATE) {
        space_.reach_staged(place);
        reach_again(parent);
    }
}

void GreedySearch::begin_expansion(StateId id, Expansion kind) {
    expanded_[id] |= kind;
    ++context_.result.expanded;
    ++expansions_;
    space_.visit(id);
}

/* Where each of `operators_` leads to. */
void GreedySearch::meet_successors(StateId id) {
    if (order_.seed) std::shuffle(operators_.begin(), operators_.end(), random_);
    for (size_t first = 0; first < operators_.size(); first += BATCH) {
        space_.clear_staged();
        for (size_t i = first; i < std::min(first + BATCH, operators_.size()); ++i)
            space_.stage_successor(id, operators_[i]);
        space_.fetch_staged([](StateId) {});
        for (size_t place = 0; place < space_.staged_successors(); ++place) {
            meet_staged(id, place);
            if (ended()) return;
        }
    }
}

void GreedySearch::expand_fully(StateId id) {
    begin_expansion(id, FULL);
    space_.applicable(operators_);
    meet_successors(id);
}

void GreedySearch::expand_by_advice(StateId id, Queue &queue) {
    begin_expansion(id, ADVISED);
    Heuristic &heuristic = evaluator_.heuristic(queue.guide);
    heuristic.evaluate(space_.current());
    heuristic.advise(operators_, jumps_);
    meet_successors(id);
    if (!queue.jumps) return;
    for (const Jump &jump : jumps_) {
        if (ended()) return;
        meet_jump(id, jump);
    }
}

void GreedySearch::begin() {
    if (const auto id = space_.start()) enter(*id, NO_STATE);
}

void GreedySearch::step() {
    size_t tried = 0;
    while (tried < queues_.size() && queues_[turn_].open.empty()) {
        turn_ = (turn_ + 1) % queues_.size();
        ++tried;
    }
    if (tried == queues_.size()) {
        if (waiting_.empty())
            finish_exhausted();
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

}  // namespace

std::unique_ptr<Run> make_greedy(SearchContext &context, const RunOptions &options) {
    return std::make_unique<GreedySearch>(context, options);
}

}  // namespace numbat
