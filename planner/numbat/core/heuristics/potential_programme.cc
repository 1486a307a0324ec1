#include "potential_programme.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace numbat {

namespace {

// Of the programme's table, in entries, and of all its pivots, in multiplications.
constexpr size_t LARGEST_TABLE = 8'000'000;
constexpr size_t WORK = 600'000'000;
// What more of them change takes too long and too much memory to write down.
constexpr size_t MOST_OPERATORS = 200'000;
constexpr size_t MOST_GAINS = 20'000'000;
// Larger numbers would not keep their precision beside others.
constexpr int64_t LARGEST_COST_HERE = int64_t{1} << 28;
constexpr int64_t LARGEST_GAIN = int64_t{1} << 40;
constexpr int64_t LARGEST_POTENTIAL = int64_t{1} << 60;
constexpr size_t MOST_UNITS = 16;

bool contains(std::span<const int32_t> atoms, int atom) {
    return std::find(atoms.begin(), atoms.end(), atom) != atoms.end();
}

}  // namespace

PotentialProgramme::PotentialProgramme(const Task &task, const Ranges &ranges, std::vector<Condition> bounds)
    : task_(task), ranges_(ranges), in_goal_(task.facts, InGoal::unmentioned), work_(WORK) {
    const auto &costs = task.integer_costs;
    const size_t parts = task.conjunctions[task.goal].size();
    if (task.operators.size() > MOST_OPERATORS || task.operators.size() * parts > MOST_GAINS) return;
    if (!task.exact() || costs.empty() || *std::max_element(costs.begin(), costs.end()) > LARGEST_COST_HERE) return;
    for (int atom : task.conjunctions[task.goal])
        if (task.is_fact(atom)) in_goal_[atom / 2] = atom % 2 ? InGoal::false_ : InGoal::true_;
    choose_conditions(bounds);
    collect_changes();
    possible_ = changes_.size() * (2 * task.facts + conditions_.size()) <= LARGEST_TABLE;
    if (possible_) make_simplex();
}

Whole PotentialProgramme::gain_of(const Block &block, const Condition &condition) const {
    return *ranges_.most(block, condition.expression);
}

/* Without a limit on what is added a condition is of no use; a bound needs somebody who comes nearer to it. */
PotentialProgramme::Uses PotentialProgramme::uses_of(const Condition &condition) const {
    Uses uses = Uses::goal;
    for (const Operator &op : task_.operators)
        for (const Block &block : op.blocks) {
            const std::optional<Whole> gain = ranges_.most(block, condition.expression);
            if (!gain || *gain > LARGEST_GAIN || *gain < -LARGEST_GAIN) return Uses::no;
            if (*gain < 0) uses = Uses::bound;
        }
    return uses;
}

void PotentialProgramme::choose_conditions(const std::vector<Condition> &bounds) {
    for (int atom : task_.conjunctions[task_.goal])
        if (task_.is_condition(atom) && uses_of(task_.condition(atom)) != Uses::no)
            conditions_.push_back(task_.condition(atom));
    first_bound_ = conditions_.size();
    if (task_.operators.size() * bounds.size() > MOST_GAINS) return;
    for (const Condition &bound : bounds)
        if (uses_of(bound) == Uses::bound) conditions_.push_back(bound);
}

void PotentialProgramme::add_facts(const Block &block, bool certain, std::span<const int32_t> precondition,
                                   Change &change) const {
    for (int fact : block.deletes)
        if (!contains(block.adds, fact))
            change.facts.emplace_back(fact,
                                      certain && contains(precondition, 2 * fact) ? Effect::loses : Effect::may_lose);
    for (int fact : block.adds)
        change.facts.emplace_back(fact,
                                  certain && contains(precondition, 2 * fact + 1) ? Effect::gains : Effect::may_gain);
}

PotentialProgramme::Change PotentialProgramme::change_of(int op) const {
    const Operator &what = task_.operators[op];
    Change change{{}, {}, task_.integer_costs[op]};
    std::vector<int64_t> gains(conditions_.size(), 0);
    for (size_t b = 0; b < what.blocks.size(); ++b) {
        const Block &block = what.blocks[b];
        const bool certain = b == 0 && block.condition == 0;
        add_facts(block, certain, task_.conjunctions[what.precondition], change);
        if (block.numeric.empty()) continue;
        for (size_t c = 0; c < conditions_.size(); ++c) {
            const auto gain = static_cast<int64_t>(gain_of(block, conditions_[c]));
            gains[c] += certain ? gain : std::max(int64_t{0}, gain);
        }
    }
    for (size_t c = 0; c < gains.size(); ++c)
        if (gains[c] != 0) change.conditions.emplace_back(static_cast<int32_t>(c), gains[c]);
    // what one block does twice happens once
    std::sort(change.facts.begin(), change.facts.end());
    change.facts.erase(std::unique(change.facts.begin(), change.facts.end()), change.facts.end());
    return change;
}

/* Of operators that change the same only the cheapest matters. */
void PotentialProgramme::collect_changes() {
    for (size_t op = 0; op < task_.operators.size(); ++op) changes_.push_back(change_of(static_cast<int>(op)));
    std::sort(changes_.begin(), changes_.end());
    const auto same = [](const Change &a, const Change &b) {
        return a.facts == b.facts && a.conditions == b.conditions;
    };
    changes_.erase(std::unique(changes_.begin(), changes_.end(), same), changes_.end());
}

/* Columns: two for each fact, whose difference is its potential, then the weights of the conditions in their units. */
void PotentialProgramme::make_simplex() {
    unit_.assign(conditions_.size(), 1);
    for (const Change &change : changes_)
        for (auto [c, gain] : change.conditions) unit_[c] = std::max(unit_[c], std::abs(static_cast<double>(gain)));
    std::vector<Simplex::Row> rows;
    std::vector<double> limits;
    for (const Change &change : changes_) {
        Simplex::Row row;
        for (auto [fact, effect] : change.facts) {
            const bool lost = effect == Effect::loses || effect == Effect::may_lose;
            row.emplace_back(2 * fact + !lost, 1);
            if (effect == Effect::loses || effect == Effect::gains) row.emplace_back(2 * fact + lost, -1);
        }
        for (auto [c, gain] : change.conditions)
            row.emplace_back(2 * task_.facts + c, static_cast<double>(gain) / unit_[c]);
        rows.push_back(std::move(row));
        limits.push_back(static_cast<double>(change.cost));
    }
    simplex_.emplace(2 * task_.facts + static_cast<int>(conditions_.size()), rows, limits);
}

int64_t PotentialProgramme::need(const Condition &condition, const State &state) const {
    const Whole value = task_.whole_value(condition.expression, state);
    const Whole need = (condition.strict ? 1 : 0) - value;
    return fits_64_bits(need) ? static_cast<int64_t>(need) : 0;
}

/* Of a fact that is true in all the states, in the goal, or may be: 1, and what the goal has is taken off. */
std::vector<double> PotentialProgramme::objective(const std::vector<State> &states) const {
    const double share = 1 / static_cast<double>(states.size());
    std::vector<double> weights(2 * task_.facts + conditions_.size(), 0);
    for (int fact = 0; fact < task_.facts; ++fact) {
        double truth = 0;
        for (const State &state : states) truth += state.fact(fact) * share;
        weights[2 * fact] = truth - (in_goal_[fact] == InGoal::false_ ? 0 : 1);
        weights[2 * fact + 1] = -truth + (in_goal_[fact] == InGoal::true_ ? 1 : 0);
    }
    for (size_t c = 0; c < conditions_.size(); ++c)
        for (const State &state : states)
            weights[2 * task_.facts + c] += share * static_cast<double>(need(conditions_[c], state)) / unit_[c];
    return weights;
}

/* What a change lowers a function by at most. */
Whole PotentialProgramme::lowered(const Change &change, const std::vector<int64_t> &facts,
                                  const std::vector<int64_t> &weights) const {
    Whole lowered = 0;
    for (auto [fact, effect] : change.facts) {
        const int64_t potential = facts[fact];
        switch (effect) {
        case Effect::loses: lowered += potential; break;
        case Effect::may_lose: lowered += std::max(int64_t{0}, potential); break;
        case Effect::gains: lowered -= potential; break;
        case Effect::may_gain: lowered += std::max(int64_t{0}, -potential); break;
        }
    }
    for (auto [c, gain] : change.conditions) lowered += Whole{weights[c]} * gain;
    return lowered;
}

/* A solution times a factor, in integers; nothing if some operator lowers it by more than its cost in such units. */
std::optional<Potentials::Function> PotentialProgramme::checked(const std::vector<double> &solution, double factor,
                                                                int64_t unit_cost) const {
    const double scale = factor * static_cast<double>(Potentials::SCALE);
    auto scaled = [&](double value) -> int64_t {
        return std::abs(value * scale) < static_cast<double>(LARGEST_POTENTIAL) ? std::llround(value * scale) : 0;
    };
    Potentials::Function function;
    std::vector<int64_t> weights;
    Whole at_goal = 0;
    for (int fact = 0; fact < task_.facts; ++fact) {
        const int64_t potential = scaled(solution[2 * fact] - solution[2 * fact + 1]);
        function.facts.push_back(potential);
        if (in_goal_[fact] == InGoal::true_) at_goal += potential;
        if (in_goal_[fact] == InGoal::unmentioned) at_goal += std::max(int64_t{0}, potential);
    }
    Whole constant = -at_goal;
    std::vector<Whole> of_variables(task_.variables, 0);
    for (size_t c = 0; c < conditions_.size(); ++c) {
        weights.push_back(std::max(int64_t{0}, scaled(solution[2 * task_.facts + c] / unit_[c])));
        const Condition &condition = conditions_[c];
        if (c >= first_bound_ && weights[c] > 0) function.bounds.push_back(condition);
        constant += Whole{weights[c]} * (Whole{condition.strict ? 1 : 0} - condition.expression.whole);
        for (const LinearTerm &term : condition.expression.terms)
            of_variables[term.variable] -= Whole{weights[c]} * static_cast<int64_t>(term.coefficient);
    }
    for (const Change &change : changes_)
        if (lowered(change, function.facts, weights) > Whole{change.cost} * unit_cost) return std::nullopt;
    for (Whole weight : of_variables) {
        if (weight > LARGEST_POTENTIAL || weight < -LARGEST_POTENTIAL) return std::nullopt;
        function.variables.push_back(static_cast<int64_t>(weight));
    }
    if (constant > LARGEST_POTENTIAL || constant < -LARGEST_POTENTIAL) return std::nullopt;
    function.constant = static_cast<int64_t>(constant);
    return function;
}

std::optional<Potentials::Function> PotentialProgramme::best_for(const std::vector<State> &states) {
    unbounded_ = simplex_->maximise(objective(states), work_) == Simplex::Ending::unbounded;
    const std::vector<double> solution = simplex_->solution();
    // a little less of everything makes up for rounding, unless something is free
    for (double factor : {1.0, 1 - 1e-6, 1 - 1e-3})
        if (auto function = checked(solution, factor, Potentials::SCALE)) return function;
    return std::nullopt;
}

std::optional<Potentials::Function> PotentialProgramme::barrier() const {
    if (!unbounded_) return std::nullopt;
    const std::vector<double> direction = simplex_->direction();
    std::vector<double> units;
    std::copy_if(direction.begin(), direction.end(), std::back_inserter(units), [](double entry) { return entry > 0; });
    std::sort(units.begin(), units.end());
    units.erase(std::unique(units.begin(), units.end()), units.end());
    // any length will do, and with one of its entries as the unit most often all are fractions that integers can express
    for (size_t i = 0; i < std::min(units.size(), MOST_UNITS); ++i)
        if (auto function = checked(direction, 1 / units[i], 0)) return function;
    return std::nullopt;
}

}  // namespace numbat
