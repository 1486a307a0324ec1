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
    struct Step {
        int32_t op;
        Cost g;
    };
    struct LeftOut {
        bool cut_off = false;
        size_t overflows = 0;
        Cost least_lost = UNLIMITED;
    };
    /* A state that is expanded, or probably will be next, and some of its successors. */
    struct Expansion {
        StateId id = NO_STATE;
        Cost g = 0;
        State state;
        std::vector<int32_t> operators;
        size_t next = 0;  // operator that leads to the first successor that has not been staged
        std::vector<Step> steps;
        StateBatch batch;  // where the steps lead
        LeftOut left_out;  // by staging them
    };
    Expansion now_, ahead_;

    void begin() override;
    void step() override;
    void visit(StateId id, Expansion &expansion);
    void expand();
    void look_ahead();
    bool is_ahead(StateId id) const { return ahead_.id == id && ahead_.g == nodes_[id].g(); }
    Cost priority(const Node &node) const { return node.g() + weight_ * node.h(); }
    /* No plan through the state, as it was reached so far, costs less. */
    Cost least(StateId id) const { return nodes_[id].g() + (admissible_ ? nodes_[id].h() : 0); }
    /* What is expanded next has the least bound of all that is queued. */
    bool in_order_of_bounds() const { return admissible_ && weight_ == 1; }
    void end_with(StateId goal);
    void stage_some(Expansion &expansion);
    void stage(Expansion &expansion, int op);
    void settle(Expansion &expansion);
    void enter(size_t place);
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
      symmetries_(context.task, context.options.swaps),
      queue_(options.order.ties == TieBreaking::fifo ? AStarQueue::Ties::oldest_first
                                                     : AStarQueue::Ties::newest_first) {
    for (const QueueOptions &queue : options.queues) heuristics_.push_back(context.factory.make(queue.heuristic));
    symmetries_.empty() ? space_.stage_packed() : space_.reduce_by(symmetries_);
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
        const int32_t h = evaluate(*heuristics_[i], now_.state);
        node.set_h(h == DEAD_END ? DEAD_END : std::max(node.h(), h));
    }
    return node.h() != before;
}

/* A successor is left out: what it could have led to costs at least this. */
void AStar::lose(Cost g, StateId parent) { least_lost_ = std::min(least_lost_, std::max(g, least(parent))); }

void AStar::visit(StateId id, Expansion &expansion) {
    expansion.id = id;
    expansion.g = nodes_[id].g();
    expansion.operators.clear();
    expansion.steps.clear();
    expansion.batch.clear();
    expansion.next = 0;
    expansion.left_out = {};
    space_.read(id, expansion.state);
}

/* The state that an operator leads to, unless it is of no interest. */
void AStar::stage(Expansion &expansion, int op) {
    const Cost g = expansion.g + context_.task.integer_costs[op];
    auto lose = [&] { expansion.left_out.least_lost = std::min(expansion.left_out.least_lost, g); };
    if (g > LARGEST_G) return lose();
    if (g >= bound()) {
        expansion.left_out.cut_off = true;
        return;
    }
    switch (space_.stage(op, expansion.batch)) {
    case SearchSpace::Application::impossible: return;
    case SearchSpace::Application::overflow: ++expansion.left_out.overflows; return lose();
    case SearchSpace::Application::done: expansion.steps.push_back({op, g});
    }
}

/* The first or the next few successors. */
void AStar::stage_some(Expansion &expansion) {
    expansion.steps.clear();
    expansion.batch.clear();
    space_.start_from(expansion.id, expansion.state);
    const size_t end = std::min(expansion.next + BATCH, expansion.operators.size());
    for (; expansion.next < end; ++expansion.next) stage(expansion, expansion.operators[expansion.next]);
}

/* What was left out counts only now that the state is indeed expanded. */
void AStar::settle(Expansion &expansion) {
    const auto [cut_off, overflows, least_lost] = expansion.left_out;
    cut_off_ |= cut_off;
    context_.result.out_of_range += overflows;
    if (least_lost < UNLIMITED) lose(least_lost, expansion.id);
    expansion.left_out = {};
}

/* A staged state is new, or reached more cheaply than before, or of no interest after all. */
void AStar::enter(size_t place) {
    const StateId parent = now_.id;
    const auto [op, g] = now_.steps[place];
    if (dominance_ && dominance_->on()) {
        space_.reach(now_.batch, place);
        if (is_dominated(space_.reached(), g, NO_STATE)) {
            ++context_.result.generated;
            ++context_.result.duplicates;
            return;
        }
    }
    const auto [id, is_new] = space_.enter(now_.batch, place, parent, op);
    if (id == NO_STATE) {
        lose(g, parent);
        return;
    }
    if (!is_new && g >= nodes_[id].g()) return;
    if (is_new || first_plan_) space_.reach(now_.batch, place);
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

/* What will probably be expanded next: its successors' look-ups are under way while those of this state are entered. */
void AStar::look_ahead() {
    const StateId id = queue_.next();
    if (id == NO_STATE || nodes_[id].stage() == CLOSED || heuristics_.size() > 1 || stubborn_ || is_ahead(id)) return;
    visit(id, ahead_);
    space_.applicable(ahead_.state, ahead_.operators);
    stage_some(ahead_);
}

void AStar::expand() {
    ++context_.result.expanded;
    if (now_.operators.empty()) {
        space_.applicable(now_.state, now_.operators);
        if (stubborn_) stubborn_->prune(now_.state, now_.operators);
        stage_some(now_);
    }
    for (bool first = true; first || now_.next < now_.operators.size(); first = false) {
        if (!first) stage_some(now_);
        settle(now_);
        space_.fetch(now_.batch, [&](StateId known) { __builtin_prefetch(&nodes_[known]); });
        if (first) look_ahead();
        for (size_t place = 0; place < now_.steps.size(); ++place) {
            enter(place);
            if (ended()) {
                least_lost_ = std::min(least_lost_, least(now_.id));
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
    for (StateId soon : {queue_.next(), queue_.after_next()}) {
        if (soon == NO_STATE) continue;
        __builtin_prefetch(&nodes_[soon]);
        space_.fetch(soon);
    }
    Node &node = nodes_[id];
    if (node.stage() == CLOSED || f != priority(node)) return;
    if (least(id) >= bound()) {
        cut_off_ = true;
        if (in_order_of_bounds()) finish_without_plan();  // so is everything else
        return;
    }
    if (in_order_of_bounds()) raise_lower_bound(f);
    if (is_ahead(id)) {
        std::swap(now_, ahead_);
        ahead_.id = NO_STATE;
    } else {
        visit(id, now_);
    }
    if (node.stage() == MET && refine(id)) {
        if (node.h() != DEAD_END) push(id);
        return;
    }
    node.set_stage(CLOSED);
    if (context_.task.is_goal(now_.state)) {
        end_with(id);
        return;
    }
    if (!is_dominated(now_.state, node.g(), id)) expand();
}

}  // namespace

std::unique_ptr<Run> make_astar(SearchContext &context, const RunOptions &options) {
    return std::make_unique<AStar>(context, options, AStar::Goal::cheapest_plan);
}

std::unique_ptr<Run> make_weighted_astar(SearchContext &context, const RunOptions &options) {
    return std::make_unique<AStar>(context, options, AStar::Goal::first_plan);
}

}  // namespace numbat
