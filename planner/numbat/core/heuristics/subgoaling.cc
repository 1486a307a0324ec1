#include "subgoaling.h"

#include "repetitions.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace numbat {

namespace {

// how far a walk has come with an atom
constexpr uint8_t NOT_MET = 0, MET = 1, ENTERED = 2;

constexpr double MOST_REPETITIONS = 1e6;  // of a jump
constexpr double UNREACHED = std::numeric_limits<double>::infinity();  // no way to the atom is known; no cost is that

/* Costs up to here, any number of them, add up to no more than LARGEST_PLAIN_SUM together with a small step. */
constexpr double LARGEST_SMALL_COST = 0x1p900;

/* Does every step to an atom cost little, however often it must be repeated? In an exact task that is at most 2^127. */
bool steps_are_small(const SubgoalingTables &tables) {
    return tables.task.exact() &&
           std::all_of(tables.unary_cost.begin(), tables.unary_cost.end(), [](double cost) { return cost <= 0x1p700; });
}

/* Does every step to an atom cost a unit or more? */
bool steps_cost_a_unit(const SubgoalingTables &tables, double least_repetition) {
    if (least_repetition < 1) return false;
    for (int unary = 0; unary < tables.preconditions.size(); ++unary)
        if (unary != tables.goal && tables.unary_cost[unary] < 1) return false;
    return true;
}

ChangeRule::Choice choice(const SubgoalingTables &tables, Subgoaling::Kind kind, const HeuristicOptions &options) {
    if (kind == Subgoaling::Kind::add_with_plan || !SubgoalingChanges::possible(tables, options))
        return ChangeRule::Choice::from_scratch;
    return options.keep_costs ? ChangeRule::Choice::by_change : ChangeRule::Choice::by_steps;
}

uint64_t steps_from_scratch(const SubgoalingTables &tables) {
    return tables.atoms + tables.preconditions.size() + tables.uses.data().size() +
           tables.achieved_at_once.data().size() + tables.achieved_by_degrees.data().size();
}

}  // namespace

Subgoaling::Subgoaling(std::shared_ptr<const SubgoalingTables> tables, Kind kind, const HeuristicOptions &options)
    : tables_(std::move(tables)),
      t_(*tables_),
      kind_(kind),
      least_repetition_(options.compat ? 0 : 1),
      rule_(steps_from_scratch(t_), choice(t_, kind, options)),
      queue_(steps_cost_a_unit(t_, least_repetition_)) {
    small_steps_ = steps_are_small(t_);
    some_are_wide_ = std::any_of(t_.conditions.begin(), t_.conditions.end(), [](const auto &c) { return c.wide; });
    for (int u = 0; u < t_.preconditions.size(); ++u) {
        initial_progress_.push_back({0, static_cast<int32_t>(t_.preconditions[u].size()), 0});
        if (t_.preconditions[u].empty()) without_precondition_.push_back(u);
    }
    for (int fact = 0; fact < t_.task.facts; ++fact)
        if (!t_.uses[2 * fact + 1].empty()) negative_atoms_.push_back(2 * fact + 1);
    cost_.resize(t_.atoms);
    satisfied_.resize(t_.atoms);
    visited_.resize(t_.atoms);
    supporter_.resize(t_.atoms);
    supporter_repetitions_.resize(t_.atoms);
    need_.resize(t_.conditions.size());
    value_.resize(t_.conditions.size());
    repetitions_.resize(t_.task.operators.size());
    taken_down_.resize(t_.task.operators.size());
}

inline void Subgoaling::satisfy(int atom) {
    satisfied_[atom] = 1;
    cost_[atom] = 0;
    true_atoms_.push_back(atom);
}

template <bool some_are_wide>
void Subgoaling::read_conditions(const State &state) {
    for (size_t c = 0; c < t_.conditions.size(); ++c) {
        const auto &[condition, repair, wide] = t_.conditions[c];
        value_[c] = t_.value<some_are_wide>(static_cast<int>(c), state);
        if (condition.holds_for(value_[c]))
            satisfy(t_.first_condition() + static_cast<int>(c));
        else
            need_[c] = repair - value_[c];
    }
}

void Subgoaling::read_state(const State &state) {
    std::fill(cost_.begin(), cost_.end(), UNREACHED);
    std::fill(satisfied_.begin(), satisfied_.end(), 0);
    true_atoms_.clear();
    for (size_t word = 0; word < state.facts.size(); ++word)
        for (uint64_t bits = state.facts[word]; bits; bits &= bits - 1)
            satisfy(2 * (static_cast<int>(64 * word) + std::countr_zero(bits)));
    for (int atom : negative_atoms_)
        if (!state.fact(atom / 2)) satisfy(atom);
    if (some_are_wide_)
        read_conditions<true>(state);
    else
        read_conditions<false>(state);
}

inline double Subgoaling::repetitions_of(const Achievement &achievement) const {
    return repetitions_for(need_[achievement.atom - t_.first_condition()],
                           achievement.rate < 0 ? 0 : value_[achievement.rate], achievement.change, least_repetition_);
}

/* A way to make the atom true, if it is cheaper than those known. */
template <Subgoaling::Kind kind>
inline void Subgoaling::offer(int atom, double cost, int unary, double repetitions) {
    if (cost < cost_[atom]) {
        cost_[atom] = cost;
        queue_.push(cost, atom);
    } else if (kind != Kind::relaxed_plan || cost > cost_[atom] || cost <= progress_[unary].entry_cost ||
               satisfied_[atom] || t_.unary_origin[unary] > t_.unary_origin[supporter_[atom]]) {
        return;  // among equals the first action supports; one that costs nothing might close a circle
    }
    if constexpr (kind != Kind::add) {
        supporter_[atom] = unary;
        supporter_repetitions_[atom] = repetitions;
    }
}

/* The sum of two costs; where it may be large it saturates. */
template <bool large>
inline double sum_of(double a, double b) {
    return large ? added(a, b) : a + b;
}

/*
  What the precondition of `unary` costs, all of it being settled. Where the order of a sum matters it is that of the
  precondition, not the one in which its parts were settled.
*/
template <Subgoaling::Kind kind, bool large>
inline double Subgoaling::entry_cost(int unary) const {
    const Progress &progress = progress_[unary];
    if (kind == Kind::relaxed_plan || (!large && !progress.broken)) return progress.entry_cost;
    double sum = 0;
    for (int atom : t_.preconditions[unary]) sum = sum_of<large>(sum, cost_[atom]);
    return sum;
}

/* The precondition of `unary` is settled: what it achieves becomes affordable. */
template <Subgoaling::Kind kind, bool large>
inline void Subgoaling::settle(int unary) {
    const double entry = entry_cost<kind, large>(unary);
    if (kind != Kind::relaxed_plan) progress_[unary].entry_cost = entry;
    if (unary == t_.goal) {
        goal_settled_ = true;
        return;
    }
    const double each = t_.unary_cost[unary];
    const double once = sum_of<large>(entry, each), least = least_repetition_ > 0 ? once : entry;
    for (int atom : t_.achieved_at_once[unary])
        if (once <= cost_[atom]) offer<kind>(atom, once, unary, 1);
    for (const Achievement &achievement : t_.achieved_by_degrees[unary]) {
        if (least > cost_[achievement.atom] || satisfied_[achievement.atom]) continue;
        const double repetitions = repetitions_of(achievement);
        offer<kind>(achievement.atom, sum_of<large>(entry, repetitions * each), unary, repetitions);
    }
}

/* Without `large`: nothing if the costs get so large that they must saturate. */
template <Subgoaling::Kind kind, bool large>
std::optional<Estimate> Subgoaling::propagate() {
    progress_ = initial_progress_;
    queue_.clear();
    goal_settled_ = false;

    for (int unary : without_precondition_) settle<kind, large>(unary);
    for (int atom : true_atoms_)
        for (int unary : t_.uses[atom])
            if (--progress_[unary].open == 0) settle<kind, large>(unary);
    // a relaxed plan compares the parts of disjunctions, for which all of them must be settled
    const bool settle_all = kind == Kind::relaxed_plan && t_.parts.size() > 0;
    while ((!goal_settled_ || settle_all) && queue_.advance()) {
        const CostQueue::Entry next = queue_.pop();
        if (next.cost > cost_[next.atom]) continue;
        if (!large && next.cost > LARGEST_SMALL_COST) return std::nullopt;
        const bool broken = kind != Kind::relaxed_plan && next.cost != std::floor(next.cost);
        for (int unary : t_.uses[next.atom]) {
            Progress &progress = progress_[unary];
            if (broken) ++progress.broken;
            progress.entry_cost = kind == Kind::relaxed_plan ? std::max(progress.entry_cost, next.cost)
                                                             : sum_of<large>(progress.entry_cost, next.cost);
            if (--progress.open == 0) settle<kind, large>(unary);
        }
    }
    return goal_settled_ ? Estimate(progress_[t_.goal].entry_cost) : Estimate::dead_end();
}

template <Subgoaling::Kind kind>
Estimate Subgoaling::estimate_from_scratch(const State &state) {
    read_state(state);
    if (small_steps_) {
        if (const auto found = propagate<kind, false>()) return *found;
        read_state(state);
    }
    return *propagate<kind, true>();
}

/* False: evaluate it from scratch. */
bool Subgoaling::move_by_change(const State &state) {
    if (!rule_.by_change()) return false;
    if (!changes_)
        changes_ = std::make_unique<SubgoalingChanges>(
            tables_, kind_ == Kind::relaxed_plan ? SubgoalingChanges::Fold::maximum : SubgoalingChanges::Fold::sum);
    if (!changes_->move_to(state)) {
        rule_.note_failure();
        return false;
    }
    rule_.note(changes_->work());
    return true;
}

Estimate Subgoaling::estimate(const State &state) {
    by_change_ = move_by_change(state);
    if (by_change_) {
        const double cost = changes_->goal_cost();
        return cost == UNREACHED ? Estimate::dead_end() : Estimate(cost);
    }
    switch (kind_) {
    case Kind::add: return estimate_from_scratch<Kind::add>(state);
    case Kind::add_with_plan: return estimate_from_scratch<Kind::add_with_plan>(state);
    default: return estimate_from_scratch<Kind::relaxed_plan>(state);
    }
}

Estimate Subgoaling::evaluate(const State &state) {
    const Estimate found = estimate(state);
    if (kind_ == Kind::add || found.is_dead_end()) return found;
    extract();
    return kind_ == Kind::relaxed_plan ? Estimate(plan_cost()) : found;
}

/* What the preconditions of a unary action cost together. */
double Subgoaling::sum_of_preconditions(int unary) const {
    double sum = 0;
    for (int atom : t_.preconditions[unary]) {
        if (cost_[atom] == UNREACHED) return UNREACHED;
        sum = added(sum, cost_[atom]);
    }
    return sum;
}

/* Of a disjunction that has been reached. */
int Subgoaling::cheapest_part(int disjunction) const {
    int best = -1;
    double least = UNREACHED;
    for (int part : t_.parts[disjunction - t_.first_disjunction]) {
        const double sum = sum_of_preconditions(part);
        if (sum < least) {
            best = part;
            least = sum;
        }
    }
    return best;
}

void Subgoaling::extract() {
    for (int atom : visited_atoms_) visited_[atom] = NOT_MET;
    for (int op : plan_) repetitions_[op] = {};
    visited_atoms_.clear();
    plan_.clear();
    planned_for_.clear();

    auto visit = [&](int unary) {
        for (int atom : t_.preconditions[unary])
            if (visited_[atom] == NOT_MET && !satisfied(atom)) {
                visited_[atom] = MET;
                visited_atoms_.push_back(atom);
            }
    };
    visit(t_.goal);
    for (size_t i = 0; i < visited_atoms_.size(); ++i) {
        const int atom = visited_atoms_[i];
        const int unary = supporter(atom);
        if (t_.is_disjunction(atom)) {
            visit(unary);
            continue;
        }
        const double repetitions = by_change_ ? changes_->repetitions(atom, unary) : supporter_repetitions_[atom];
        const int op = t_.unary_operator[unary];
        // a hair less than the quotient: rounding must not add a repetition
        const double count = std::max(least_repetition_, std::ceil(repetitions - 1e-9));
        Repetitions &known = repetitions_[op];
        if (known.most < 0) {
            plan_.push_back(op);
            planned_for_.push_back(atom);
            known = {count, count};
        }
        known.least = std::min(known.least, count);
        known.most = std::max(known.most, count);
        visit(unary);
    }
}

double Subgoaling::plan_cost() const {
    double cost = 0;
    for (int op : plan_) cost += repetitions_[op].most * t_.operator_cost[op];
    return cost;
}

/* Of an atom of the relaxed plan: what makes it true there; of a disjunction, one of its parts. */
int Subgoaling::supporter(int atom) {
    if (by_change_) return changes_->supporter(atom);
    return kind_ == Kind::relaxed_plan && t_.is_disjunction(atom) ? cheapest_part(atom) : supporter_[atom];
}

double Subgoaling::entry_cost(int unary) const {
    return by_change_ ? changes_->entry_cost(unary) : progress_[unary].entry_cost;
}

bool Subgoaling::holds(int atom) const {
    if (!t_.is_disjunction(atom)) return satisfied(atom);
    auto parts = t_.parts[atom - t_.first_disjunction];
    return std::any_of(parts.begin(), parts.end(), [&](int part) { return applicable(part); });
}

bool Subgoaling::applicable(int unary) const {
    if (by_change_) return changes_->applicable(unary);
    auto atoms = t_.preconditions[unary];
    return std::all_of(atoms.begin(), atoms.end(), [&](int atom) { return holds(atom); });
}

bool Subgoaling::operator_applicable(int op) const {
    auto precondition = t_.task.conjunctions[t_.task.operators[op].precondition];
    return std::all_of(precondition.begin(), precondition.end(), [&](int atom) { return holds(t_.translate(atom)); });
}

/* h_mrp: whatever achieves a subgoal now. h_add: what the relaxed plan can begin with. */
void Subgoaling::advise_operators(std::vector<int32_t> &helpful) const {
    if (kind_ == Kind::add_with_plan)
        std::copy_if(plan_.begin(), plan_.end(), std::back_inserter(helpful),
                     [&](int op) { return operator_applicable(op); });
    else
        for (int atom : visited_atoms_)
            for (int unary : t_.achievers[atom])
                if (t_.unary_operator[unary] >= 0 && applicable(unary)) helpful.push_back(t_.unary_operator[unary]);
    std::sort(helpful.begin(), helpful.end());
    helpful.erase(std::unique(helpful.begin(), helpful.end()), helpful.end());
}

void Subgoaling::advise(std::vector<int32_t> &helpful, std::vector<Jump> &jumps) {
    helpful.clear();
    jumps.clear();
    if (kind_ == Kind::add) return;
    advise_operators(helpful);
    for (int op : plan_)
        if (repetitions_[op].least >= 2 && operator_applicable(op))
            jumps.push_back({op, static_cast<int32_t>(std::min(repetitions_[op].least, MOST_REPETITIONS))});
    std::sort(jumps.begin(), jumps.end());
}

/* The operator that is in the plan for the atom. */
void Subgoaling::add_step(int atom, std::vector<PlannedStep> &plan) {
    const int op = t_.unary_operator[supporter(atom)];
    const double repetitions = std::clamp(repetitions_[op].most, 1.0, MOST_REPETITIONS);
    const bool known = atom < t_.first_condition() + static_cast<int>(t_.task.conditions.size());
    plan.push_back({{op, static_cast<int32_t>(repetitions)}, known ? atom : -1});
}

void Subgoaling::order_by_cost(std::vector<PlannedStep> &plan) {
    by_cost_.clear();
    for (size_t i = planned_for_.size(); i-- > 0;)
        by_cost_.push_back({entry_cost(supporter(planned_for_[i])), planned_for_[i]});
    std::stable_sort(by_cost_.begin(), by_cost_.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
    for (const auto &[cost, atom] : by_cost_) add_step(atom, plan);
}

/* A walk in depth from the goal: a subgoal is left, and its operator taken down, when all that this needs has been. */
void Subgoaling::order_by_subgoal(std::vector<PlannedStep> &plan) {
    path_.clear();
    auto meet = [&](int unary) {
        const auto atoms = t_.preconditions[unary];
        for (size_t i = atoms.size(); i-- > 0;)
            if (visited_[atoms[i]] == MET) path_.push_back(atoms[i]);
    };
    meet(t_.goal);
    while (!path_.empty()) {
        const int atom = path_.back(), unary = supporter(atom), op = t_.unary_operator[unary];
        if (visited_[atom] == MET) {
            visited_[atom] = ENTERED;
            meet(unary);
            continue;
        }
        path_.pop_back();
        if (op >= 0 && !taken_down_[op]) {
            taken_down_[op] = 1;
            add_step(atom, plan);
        }
    }
    for (int atom : visited_atoms_) visited_[atom] = MET;
    for (int op : plan_) taken_down_[op] = 0;
}

void Subgoaling::relaxed_plan(PlanOrder order, std::vector<PlannedStep> &plan) {
    plan.clear();
    if (order == PlanOrder::by_cost)
        order_by_cost(plan);
    else
        order_by_subgoal(plan);
}

}  // namespace numbat
