#include "astar.h"

#include "astar_queue.h"
#include "bounds.h"
#include "pruning/dominance.h"
#include "pruning/stubborn.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace numbat {

namespace {

using Cost = int64_t;
constexpr Cost UNLIMITED = std::numeric_limits<Cost>::max();
// A path that costs more is left out like one whose numbers overflow, so that no sum here does.
constexpr Cost LARGEST_G = (Cost{1} << 62) - 1;
constexpr int32_t LARGEST_H = std::numeric_limits<int32_t>::max();
static_assert(LARGEST_G < UNLIMITED - LARGEST_INTEGER_COST - Cost{LARGEST_WEIGHT} * LARGEST_H);
constexpr int32_t DEAD_END = -1;
// So many successors are made before any of them is looked up.
constexpr size_t BATCH = 64;

/* The least integer that the true cost can be, given a lower bound on it up to rounding. */
int32_t rounded_up(double h) {
    const double slack = 1e-6 + 1e-9 * h;
    return static_cast<int32_t>(std::min(std::max(0.0, std::ceil(h - slack)), static_cast<double>(LARGEST_H)));
}

enum Stage : uint8_t { MET, REFINED, CLOSED };  // a state's value is by the first heuristic, by all; it is expanded

/* What is known of a state beside itself, in 12 bytes that lie side by side. */
class Node {
public:
    Node(Cost g, int32_t h, Stage stage) : h_(static_cast<uint32_t>(h)) { set(g, stage); }
    Cost g() const { return static_cast<Cost>(word() & GREATEST); }
    Stage stage() const { return static_cast<Stage>(word() >> 62); }
    int32_t h() const { return static_cast<int32_t>(h_); }
    void set_g(Cost g) { set(g, stage()); }
    void set_stage(Stage stage) { set(g(), stage); }
    void set_h(int32_t h) { h_ = static_cast<uint32_t>(h); }

private:
    static constexpr uint64_t GREATEST = (uint64_t{1} << 62) - 1;
    static_assert(LARGEST_G <= static_cast<Cost>(GREATEST));
    uint32_t low_, high_, h_;  // stage << 62 | g, in two halves

    uint64_t word() const { return uint64_t{high_} << 32 | low_; }
    void set(Cost g, Stage stage) {
        const uint64_t word = uint64_t{stage} << 62 | static_cast<uint64_t>(g);
        low_ = static_cast<uint32_t>(word);
        high_ = static_cast<uint32_t>(word >> 32);
    }
};

bool is_admissible(std::string_view heuristic) {
    return std::ranges::any_of(heuristics(), [&](auto &info) { return info.admissible && info.name == heuristic; });
}

class AStar : public Run {
public:
    enum class Goal { cheapest_plan, first_plan };
    AStar(SearchContext &context, const RunOptions &options, Goal goal);

    size_t bytes() const override {
        return space_.bytes() + nodes_.bytes() + queue_.bytes() + (dominance_ ? dominance_->bytes() : 0);
    }

private:
    std::vector<std::unique_ptr<Heuristic>> heuristics_;  // the first one for new states, the others before expansion
    const Cost weight_;
    const bool admissible_;  // h is part of what a plan costs at least
    const bool first_plan_;  // the first one below the bound will do; else a cheapest one is asked for
    const Cost own_bound_;  // only plans cheaper than this
    const SharedBounds shared_;  // likewise
    const Symmetries symmetries_;
    std::optional<StubbornSets> stubborn_;
    std::optional<Dominance> dominance_;
    bool cut_off_ = false;  // something was left out because of a bound
    Cost least_lost_ = UNLIMITED;  // f of what was left out
    GrowingArray<Node> nodes_;  // state
    AStarQueue queue_;  // f is g + weight * h
    std::vector<int32_t> operators_;  // of the state that is expanded
    struct Step {
        int32_t op;
        Cost g;
    };
    std::vector<Step> steps_;  // that are staged

    void begin() override;
    void step() override;
    void expand(StateId id);
    Cost priority(const Node &node) const { return node.g() + weight_ * node.h(); }
    /* No plan through the state, as it was reached so far, costs less. */
    Cost least(StateId id) const { return nodes_[id].g() + (admissible_ ? nodes_[id].h() : 0); }
    /* What is expanded next has the least bound of all that is queued. */
    bool in_order_of_bounds() const { return admissible_ && weight_ == 1; }
    void end_with(StateId goal);
    void stage(StateId parent, int op);
    void enter(StateId parent, size_t place);
    void lose(Cost g, StateId parent);
    int32_t evaluate(Heuristic &heuristic, const State &state);
    bool refine(StateId id);
    void keep(StateId id, Cost g);
    bool is_dominated(const State &state, Cost g, StateId self) {
        return dominance_ && dominance_->on() && dominance_->dominates(state, g, self);
    }
    void push(StateId id);
    void raise_lower_bound(Cost least);
    Cost bound() const { return std::min(own_bound_, shared_.upper()); }
    void finish_without_plan();
};

AStar::AStar(SearchContext &context, const RunOptions &options, Goal goal)
    : Run(context),
      weight_(options.weight),
      admissible_(is_admissible(options.queues[0].heuristic)),
      first_plan_(goal == Goal::first_plan),
      own_bound_(context.options.integer_bound ? context.options.integer_bound : UNLIMITED),
      shared_(context.options.bounds, context.options.cost_elsewhere),
      symmetries_(context.task, context.saturation, context.options.swaps),
      queue_(options.order.ties == TieBreaking::fifo ? AStarQueue::Ties::oldest_first
                                                     : AStarQueue::Ties::newest_first) {
    for (const QueueOptions &queue : options.queues) heuristics_.push_back(context.factory.make(queue.heuristic));
    if (!symmetries_.empty()) space_.reduce_by(symmetries_);
    if (context.options.stubborn) stubborn_.emplace(context.task);
    if (context.options.dominance)
        dominance_.emplace(
            context.task, [this](StateId id, State &state) { space_.read(id, state); },
            [this](StateId id) { return nodes_[id].g(); });
    if (context.task.integer_costs.empty() && !context.task.operators.empty())
        throw std::invalid_argument("A* needs integer operator costs");
    if (weight_ < 1 || weight_ > LARGEST_WEIGHT) throw std::invalid_argument("a weight that is too small or too large");
}

/* Nothing that was left out, and no plan that is not cheaper than asked for, may be ruled out by it. */
void AStar::raise_lower_bound(Cost least) {
    Cost &known = context_.result.lower_bound;
    const Cost proved = std::min({least, least_lost_, bound()});
    if (!context_.task.exact() || proved <= known) return;
    known = proved;
    if (proved < UNLIMITED) shared_.raise_lower(proved);
}

int32_t AStar::evaluate(Heuristic &heuristic, const State &state) {
    count_evaluation();
    const Estimate estimate = heuristic.evaluate(state);
    if (estimate.is_dead_end()) {
        ++context_.result.dead_ends;
        return DEAD_END;
    }
    note_values(false, estimate.distance());
    return rounded_up(estimate.distance());
}

/* A new state, in reached(). */
void AStar::keep(StateId id, Cost g) {
    const int32_t h = evaluate(*heuristics_[0], space_.reached());
    nodes_.push_back({g, h, heuristics_.size() > 1 ? MET : REFINED});
    if (dominance_ && dominance_->on()) dominance_->enter(id, space_.reached());
}

void AStar::push(StateId id) {
    if (least(id) >= bound()) {
        cut_off_ = true;
        return;
    }
    queue_.push({priority(nodes_[id]), nodes_[id].h(), id});
}

/* The value of the current state, which would be expanded next, by all heuristics: is it larger than by the first? */
bool AStar::refine(StateId id) {
    Node &node = nodes_[id];
    node.set_stage(REFINED);
    const int32_t before = node.h();
    for (size_t i = 1; i < heuristics_.size() && node.h() != DEAD_END; ++i) {
        const int32_t h = evaluate(*heuristics_[i], space_.current());
        node.set_h(h == DEAD_END ? DEAD_END : std::max(node.h(), h));
    }
    return node.h() != before;
}

/* A successor is left out: what it could have led to costs at least this. */
void AStar::lose(Cost g, StateId parent) { least_lost_ = std::min(least_lost_, std::max(g, least(parent))); }

/* The state that an operator leads to, unless it is of no interest. */
void AStar::stage(StateId parent, int op) {
    const Cost g = nodes_[parent].g() + context_.task.integer_costs[op];
    if (g > LARGEST_G) {
        lose(g, parent);
        return;
    }
    if (g >= bound()) {
        cut_off_ = true;
        return;
    }
    switch (space_.apply(op)) {
    case SearchSpace::Application::impossible: return;
    case SearchSpace::Application::overflow: lose(g, parent); return;
    case SearchSpace::Application::done: break;
    }
    space_.stage();
    steps_.push_back({op, g});
}

/* A staged state is new, or reached more cheaply than before, or of no interest after all. */
void AStar::enter(StateId parent, size_t place) {
    const auto [op, g] = steps_[place];
    if (dominance_ && dominance_->on()) {
        space_.reach_staged(place);
        if (is_dominated(space_.reached(), g, NO_STATE)) {
            ++context_.result.generated;
            ++context_.result.duplicates;
            return;
        }
    }
    const auto [id, is_new] = space_.enter_staged(place, parent, op);
    if (id == NO_STATE) {
        lose(g, parent);
        return;
    }
    if (!is_new && g >= nodes_[id].g()) return;
    if (is_new || first_plan_) space_.reach_staged(place);
    if (is_new) {
        keep(id, g);
    } else {
        nodes_[id].set_g(g);
        if (nodes_[id].stage() == CLOSED) nodes_[id].set_stage(REFINED);
        space_.redirect(id, parent, op);
    }
    if (nodes_[id].h() == DEAD_END) return;
    if (first_plan_ && context_.task.is_goal(space_.reached())) {
        end_with(id);
        return;
    }
    push(id);
}

void AStar::end_with(StateId goal) {
    context_.result.cost = nodes_[goal].g();
    finish_with_plan_to(goal);
    context_.result.plan = symmetries_.restored(context_.result.plan);
}

void AStar::expand(StateId id) {
    ++context_.result.expanded;
    space_.applicable(operators_);
    if (stubborn_) stubborn_->prune(space_.current(), operators_);
    for (size_t first = 0; first < operators_.size(); first += BATCH) {
        steps_.clear();
        space_.clear_staged();
        for (size_t i = first; i < std::min(first + BATCH, operators_.size()); ++i) stage(id, operators_[i]);
        space_.fetch_staged([&](StateId known) { __builtin_prefetch(&nodes_[known]); });
        for (size_t place = 0; place < steps_.size(); ++place) {
            enter(id, place);
            if (ended()) {
                least_lost_ = std::min(least_lost_, least(id));
                return;
            }
        }
    }
}

void AStar::begin() {
    space_.start();
    keep(0, 0);
    if (nodes_[0].h() != DEAD_END) push(0);
}

void AStar::finish_without_plan() {
    raise_lower_bound(UNLIMITED);
    if (least_lost_ < UNLIMITED || cut_off_) space_.lose_states();
    finish_exhausted();
}

void AStar::step() {
    if (queue_.empty()) {
        finish_without_plan();
        return;
    }
    const auto [f, h, id] = queue_.pop();
    if (queue_.next() != NO_STATE) {
        __builtin_prefetch(&nodes_[queue_.next()]);
        space_.fetch(queue_.next());
    }
    Node &node = nodes_[id];
    if (node.stage() == CLOSED || f != priority(node)) return;
    if (least(id) >= bound()) {
        cut_off_ = true;
        if (in_order_of_bounds()) finish_without_plan();  // so is everything else
        return;
    }
    if (in_order_of_bounds()) raise_lower_bound(f);
    space_.visit(id);
    if (node.stage() == MET && refine(id)) {
        if (node.h() != DEAD_END) push(id);
        return;
    }
    node.set_stage(CLOSED);
    if (context_.task.is_goal(space_.current())) {
        end_with(id);
        return;
    }
    if (!is_dominated(space_.current(), node.g(), id)) expand(id);
}

}  // namespace

std::unique_ptr<Run> make_astar(SearchContext &context, const RunOptions &options) {
    return std::make_unique<AStar>(context, options, AStar::Goal::cheapest_plan);
}

std::unique_ptr<Run> make_weighted_astar(SearchContext &context, const RunOptions &options) {
    return std::make_unique<AStar>(context, options, AStar::Goal::first_plan);
}

}  // namespace numbat
