#include "lazy.h"

#include "lookahead.h"
#include "queue_keys.h"

#include <algorithm>
#include <random>

namespace numbat {

namespace {

constexpr int64_t BOOST = 1000;

class LazySearch : public Run {
public:
    LazySearch(SearchContext &context, const RunOptions &options, bool ahead);

    size_t bytes() const override;

private:
    /* States in the order of their keys, each with the number of its steps taken so far. */
    struct Queue {
        bool preferred;
        OpenList states;
        GrowingArray<uint32_t> cursors;  // per state
        int64_t counter = 0;
        // the steps of the state at the front
        StateId front = NO_STATE;
        std::vector<Jump> steps;
    };

    const Order order_;
    std::vector<uint8_t> jumps_;  // per heuristic: does it advise repetitions?
    Evaluator evaluator_;
    QueueKeys keys_;
    std::vector<Queue> queues_;  // all steps, preferred steps, and so on for every heuristic
    GrowingArray<Jump> preferred_;
    GrowingArray<size_t> preferred_end_;  // per state
    StateId visited_ = NO_STATE;
    uint64_t visits_ = 0;
    std::vector<int32_t> operators_;
    std::vector<Jump> repeated_, gathered_;
    std::optional<Lookahead> lookahead_;
    std::vector<PlannedStep> relaxed_plans_[2];  // order
    PlanOrder better_order_ = PlanOrder::by_cost;
    State origin_;
    bool alive_ = false;  // the state evaluated last is no dead end

    void begin() override;
    void step() override;
    Queue &next_queue();
    void fill(Queue &queue, StateId state);
    void visit(StateId state);
    void enter(StateId id, StateId parent);
    void enter_and_look_ahead(StateId id, StateId parent);
    bool plan_ahead();
    std::optional<StateId> look_ahead(PlanOrder order, StateId from);
    void gather_preferred();
    template <class Steps>
    void shuffle(Steps &steps, StateId state) const;
};

PlanOrder other(PlanOrder order) { return order == PlanOrder::by_cost ? PlanOrder::by_subgoal : PlanOrder::by_cost; }

/* What is asked for in a row comes in a row; "heap" has no meaning of its own here. */
TieBreaking ties_of(const Order &order) {
    return order.ties == TieBreaking::lifo ? TieBreaking::lifo : TieBreaking::fifo;
}

LazySearch::LazySearch(SearchContext &context, const RunOptions &options, bool ahead)
    : Run(context), order_(options.order), evaluator_(context.factory, true), keys_(context, options, evaluator_) {
    if (ahead) lookahead_.emplace(context);
    for (size_t number = 0; number < keys_.size(); ++number) {
        jumps_.resize(std::max(jumps_.size(), keys_.guide(number) + 1), 0);
        jumps_[keys_.guide(number)] |= options.queues[number].jumps;
        for (bool preferred : {false, true}) {
            queues_.push_back(
                {.preferred = preferred, .states = OpenList(ties_of(order_)), .cursors = {}, .steps = {}});
        }
    }
}

size_t LazySearch::bytes() const {
    size_t sum = space_.bytes() + evaluator_.bytes() + keys_.bytes() + preferred_.bytes() + preferred_end_.bytes();
    for (const Queue &queue : queues_) sum += queue.states.bytes() + queue.cursors.bytes();
    return sum;
}

template <class Steps>
void LazySearch::shuffle(Steps &steps, StateId state) const {
    if (order_.seed) std::shuffle(steps.begin(), steps.end(), std::mt19937_64(order_.seed + state));
}

void LazySearch::visit(StateId state) {
    if (visited_ == state) return;
    visited_ = state;
    ++visits_;
    space_.visit(state);
}

/* Finds the steps of the state at a queue's front. */
void LazySearch::fill(Queue &queue, StateId state) {
    if (queue.front == state) return;
    queue.front = state;
    queue.steps.clear();
    if (queue.preferred) {
        const size_t begin = state ? preferred_end_[state - 1] : 0;
        queue.steps.assign(preferred_.data() + begin, preferred_.data() + preferred_end_[state]);
        return;
    }
    visit(state);
    space_.applicable(operators_);
    shuffle(operators_, state);
    for (int op : operators_) queue.steps.push_back({op, 1});
}

/* The steps that some heuristic prefers in the state evaluated last; a repeated operator before the operator itself. */
void LazySearch::gather_preferred() {
    gathered_.clear();
    for (size_t guide = 0; guide < jumps_.size(); ++guide) {
        evaluator_.heuristic(guide).advise(operators_, repeated_);
        for (int op : operators_) gathered_.push_back({op, 1});
        if (jumps_[guide]) gathered_.insert(gathered_.end(), repeated_.begin(), repeated_.end());
    }
    std::sort(gathered_.begin(), gathered_.end(), [](const Jump &a, const Jump &b) {
        return a.op < b.op || (a.op == b.op && a.repetitions > b.repetitions);
    });
    gathered_.erase(std::unique(gathered_.begin(), gathered_.end()), gathered_.end());
}

/* A new state was reached: it is the goal, a dead end, or its steps wait in the queues from now on. */
void LazySearch::enter(StateId id, StateId parent) {
    for (Queue &queue : queues_) queue.cursors.push_back(0);
    count_evaluation();
    const bool dead_end = !evaluator_.evaluate(space_.reached(), space_.arrival(id, parent));
    alive_ = !dead_end;
    if (context_.task.is_goal(space_.reached())) {
        finish_with_plan_to(id);
        return;
    }
    gathered_.clear();
    if (dead_end)
        ++context_.result.dead_ends;
    else
        gather_preferred();
    shuffle(gathered_, id);
    for (const Jump &jump : gathered_) preferred_.push_back(jump);
    preferred_end_.push_back(preferred_.size());
    if (dead_end) return;

    ++context_.result.expanded;
    note_values(evaluator_.better(), evaluator_.distance(keys_.guide(0)));
    for (size_t number = 0; number < keys_.size(); ++number) {
        const Key key = keys_.key(number, space_, parent, visits_);
        queues_[2 * number].states.push(key, id);
        if (!gathered_.empty()) queues_[2 * number + 1].states.push(key, id);
    }
    if (evaluator_.better() && parent != NO_STATE)
        for (Queue &queue : queues_) queue.counter -= queue.preferred ? BOOST : 0;
}

/* Keeps the state evaluated last, which is in reached(), and its relaxed plan in both orders; false: it has none. */
bool LazySearch::plan_ahead() {
    origin_ = space_.reached();
    for (size_t guide = 0; guide < jumps_.size(); ++guide) {
        for (PlanOrder order : {PlanOrder::by_cost, PlanOrder::by_subgoal})
            evaluator_.heuristic(guide).relaxed_plan(order, relaxed_plans_[static_cast<size_t>(order)]);
        if (!relaxed_plans_[0].empty()) return true;
    }
    return false;
}

/* Carries out the plan that was kept of the state `from`; the state that it leads to, if that is new, is entered. */
std::optional<StateId> LazySearch::look_ahead(PlanOrder order, StateId from) {
    const auto &plan = relaxed_plans_[static_cast<size_t>(order)];
    if (!lookahead_->carry_out(plan, order, origin_, space_.cost_of(from))) return std::nullopt;
    visit(from);
    const auto id = space_.follow(from, lookahead_->steps(), lookahead_->end(), lookahead_->cost());
    if (id) enter(*id, from);
    return id;
}

/*
  Where the relaxed plan of a new state leads is a successor of it too, and so on while the values fall. If they do not,
  the plan is carried out in the other order; the order that was better begins the next time.
*/
void LazySearch::enter_and_look_ahead(StateId id, StateId parent) {
    enter(id, parent);
    bool falls = lookahead_.has_value() && alive_;
    while (falls && !ended() && plan_ahead()) {
        const float value = evaluator_.value(0);
        falls = false;
        const PlanOrder first = better_order_;
        for (PlanOrder order : {first, other(first)}) {
            const auto next = look_ahead(order, id);
            if (ended()) return;
            falls = next && alive_ && evaluator_.value(0) < value;
            if (!falls) continue;
            better_order_ = order;
            id = *next;
            break;
        }
    }
}

void LazySearch::begin() {
    if (const auto id = space_.start()) enter_and_look_ahead(*id, NO_STATE);
}

/* Of those that are not empty. */
LazySearch::Queue &LazySearch::next_queue() {
    Queue *next = &queues_[0];
    for (Queue &queue : queues_)
        if (!queue.states.empty() && queue.counter < next->counter) next = &queue;
    return *next;
}

void LazySearch::step() {
    // all steps pass through the first queue, so when it is empty, nothing is left
    if (queues_[0].states.empty()) {
        finish_exhausted();
        return;
    }
    Queue &queue = next_queue();
    ++queue.counter;
    const StateId parent = queue.states.first();
    fill(queue, parent);
    if (queue.cursors[parent] == queue.steps.size()) {
        queue.states.pop();
        --queue.counter;  // nothing was taken
        return;
    }
    const Jump step = queue.steps[queue.cursors[parent]++];
    visit(parent);
    if (const auto id = space_.successor(parent, step.op, step.repetitions)) enter_and_look_ahead(*id, parent);
}

}  // namespace

std::unique_ptr<Run> make_lazy(SearchContext &context, const RunOptions &options) {
    return std::make_unique<LazySearch>(context, options, false);
}

std::unique_ptr<Run> make_lookahead(SearchContext &context, const RunOptions &options) {
    return std::make_unique<LazySearch>(context, options, true);
}

}  // namespace numbat
