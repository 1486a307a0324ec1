#include "subgoaling_tables.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

namespace numbat {

namespace {

constexpr int LEVELS = 3;
constexpr size_t ALL_PAIRS_UP_TO = 2000;

std::vector<int32_t> united(std::span<const int32_t> a, std::span<const int32_t> b) {
    std::vector<int32_t> all(a.begin(), a.end());
    all.insert(all.end(), b.begin(), b.end());
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

/* The least positive value of an expression with integers over integers. */
double least_positive(const Linear &expression) {
    int64_t divisor = std::abs(expression.whole);
    for (const LinearTerm &term : expression.terms)
        divisor = std::gcd(divisor, static_cast<int64_t>(std::abs(term.coefficient)));
    return static_cast<double>(divisor);
}

/*
  Two small integers in about the proportion of two units. Any two positive factors make a valid sum of two conditions;
  integers keep it exact, and the right proportion gives each condition the weight it has in the user's numbers.
*/
std::pair<double, double> proportion(double a, double b) {
    constexpr double MOST = 1 << 20, CLOSE = 1e-12;
    const double ratio = a / b;
    if (!(ratio > 1 / MOST && ratio < MOST)) return {1, 1};
    // continued fraction
    double p = 1, q = 0, p_before = 0, q_before = 1, rest = ratio;
    while (q == 0 || std::abs(p / q - ratio) > CLOSE * ratio) {
        const double digit = std::floor(rest);
        const double p_next = digit * p + p_before, q_next = digit * q + q_before;
        if (p_next > MOST || q_next > MOST) break;
        p_before = std::exchange(p, p_next);
        q_before = std::exchange(q, q_next);
        if (rest == digit) break;
        rest = 1 / (rest - digit);
    }
    return {p, q};
}

std::vector<double> operator_costs(const Task &task, const HeuristicOptions &options) {
    std::vector<double> costs(task.operators.size(), 1);
    if (!options.metric_cost && !options.plus_one) return costs;
    for (size_t o = 0; o < costs.size(); ++o)
        costs[o] = options.plus_one && !task.integer_costs.empty()
                       ? static_cast<double>(task.integer_costs[o])
                       : saturated(std::max(0.0, task.operators[o].cost.value(task.initial.values)));
    const bool alike = std::ranges::all_of(costs, [](double cost) { return cost == 1; });
    if (options.plus_one && !alike)
        for (double &cost : costs) cost = saturated(cost + 1);
    return costs;
}

}  // namespace

/*
  While the tables are built, atoms carry the task's numbers: the number of conditions, and with it the number of the
  first disjunction, is known only at the end. New conditions get numbers from `task.atoms()` on until then.
*/
SubgoalingTables::SubgoalingTables(const Task &t, const HeuristicOptions &options, bool redundant)
    : task(t), compat_(options.compat), conditions_of_variable_(t.variables), changers_(t.variables) {
    operator_cost = operator_costs(task, options);
    for (const Condition &c : task.conditions) add_condition(c, c.strict && task.exact() && !compat_ ? 1 : 0);

    auto conjunction = [&](int row) { return united(task.conjunctions[row], {}); };
    for (size_t o = 0; o < task.operators.size(); ++o) {
        const Operator &op = task.operators[o];
        for (const Block &block : op.blocks)
            add_unary(static_cast<int>(o), operator_cost[o],
                      united(task.conjunctions[op.precondition], task.conjunctions[block.condition]), &block);
    }
    const int plain = static_cast<int>(preconditions_.size());
    for (int d = 0; d < task.disjunctions.size(); ++d) {
        std::vector<int32_t> unaries;
        for (int part : task.disjunctions[d]) {
            int unary = add_unary(-1, 0, conjunction(part));
            at_once_[unary].push_back(task.first_disjunction() + d);
            unaries.push_back(unary);
        }
        parts.push_back(unaries);
    }
    goal = add_unary(-1, 0, conjunction(task.goal));
    if (redundant)
        for (auto &precondition : preconditions_) add_sums(precondition);

    for (int unary = 0; unary < plain; ++unary) add_facts(unary);
    for (int level = 0, begin = 0; level <= LEVELS; ++level) {
        int end = static_cast<int>(conditions.size());
        add_numeric(begin, end, level == LEVELS);
        begin = end;
    }
    finish();
}

int SubgoalingTables::add_unary(int op, double cost, std::vector<int32_t> precondition, const Block *block) {
    unary_operator.push_back(op);
    unary_cost.push_back(cost);
    preconditions_.push_back(std::move(precondition));
    at_once_.emplace_back();
    by_degrees_.emplace_back();
    blocks_.push_back(block);
    const int unary = static_cast<int>(preconditions_.size()) - 1;
    unary_origin.push_back(unary);
    if (block)
        for (const NumericEffect &effect : block->numeric) changers_[effect.variable].push_back(unary);
    return unary;
}

void SubgoalingTables::add_condition(Condition condition, double repair) {
    for (const LinearTerm &term : condition.expression.terms)
        conditions_of_variable_[term.variable].push_back(static_cast<int32_t>(conditions.size()));
    const bool wide = task.wide() || !task.sums_fit(condition.expression);
    conditions.push_back({std::move(condition), repair, wide});
}

/* A condition like this one, made if there is none yet. */
int SubgoalingTables::find_or_add_condition(Condition condition, double repair) {
    for (int other : conditions_of_variable_[condition.expression.terms.front().variable]) {
        const SubgoalingCondition &known = conditions[other];
        if (known.condition.expression == condition.expression && known.condition.strict == condition.strict &&
            known.repair == repair)
            return other;
    }
    add_condition(std::move(condition), repair);
    return static_cast<int>(conditions.size()) - 1;
}

/* The condition's atom in the numbering used while building. */
int SubgoalingTables::atom_of(int condition) const {
    const int known = static_cast<int>(task.conditions.size());
    return condition < known ? task.first_condition() + condition : task.atoms() + condition - known;
}

/* Does some action move the two expressions in opposite directions? */
bool SubgoalingTables::opposed(const Linear &a, const Linear &b) const {
    auto change = [](const Block &block, const Linear &expression) {
        double sum = 0;
        for (const NumericEffect &effect : block.numeric)
            for (const LinearTerm &term : expression.terms)
                if (term.variable == effect.variable && !effect.assign && effect.amount.is_constant())
                    sum += term.coefficient * effect.amount.constant;
        return sum;
    };
    return std::any_of(blocks_.begin(), blocks_.end(),
                       [&](const Block *block) { return block && change(*block, a) * change(*block, b) < 0; });
}

void SubgoalingTables::add_sums(std::vector<int32_t> &conjunction) {
    std::vector<int32_t> numeric;
    for (int atom : conjunction)
        if (task.is_condition(atom)) numeric.push_back(atom);
    const bool thin = numeric.size() * (numeric.size() - 1) / 2 > ALL_PAIRS_UP_TO;
    for (size_t i = 0; i < numeric.size(); ++i)
        for (size_t j = i + 1; j < numeric.size(); ++j) {
            const Condition &a = task.condition(numeric[i]), &b = task.condition(numeric[j]);
            if (thin && !opposed(a.expression, b.expression)) continue;
            Condition sum;
            const auto [p, q] = task.exact() ? proportion(a.unit, b.unit) : std::pair(a.unit, b.unit);
            if (!add(p, a.expression, sum.expression) || !add(q, b.expression, sum.expression)) continue;
            sum.strict = a.strict && b.strict;
            if (sum.expression.terms.size() + (sum.expression.constant != 0) < 2) continue;
            const int atom = atom_of(find_or_add_condition(std::move(sum), 0));
            if (std::find(conjunction.begin(), conjunction.end(), atom) == conjunction.end())
                conjunction.push_back(atom);
        }
}

void SubgoalingTables::add_facts(int unary) {
    const Block &block = *blocks_[unary];
    for (int fact : block.adds) at_once_[unary].push_back(2 * fact);
    for (int fact : block.deletes)
        if (std::find(block.adds.begin(), block.adds.end(), fact) == block.adds.end())
            at_once_[unary].push_back(2 * fact + 1);
}

/* Pairs the conditions of this level with every action that changes one of their variables. */
void SubgoalingTables::add_numeric(int level_begin, int level_end, bool last_level) {
    for (int condition = level_begin; condition < level_end; ++condition) {
        std::vector<int32_t> changers;
        for (const LinearTerm &term : conditions[condition].condition.expression.terms)
            changers.insert(changers.end(), changers_[term.variable].begin(), changers_[term.variable].end());
        std::sort(changers.begin(), changers.end());
        changers.erase(std::unique(changers.begin(), changers.end()), changers.end());
        for (int unary : changers) add_pair(unary, condition, last_level);
    }
}

/* sum += factor * linear; false if that cannot be known exactly in an exact task. */
bool SubgoalingTables::add(double factor, const Linear &linear, Linear &sum) const {
    if (task.exact()) return sum.add_exactly(factor, linear);
    sum.add(factor, linear);
    return true;
}

/* How one application changes a condition. */
SubgoalingTables::Change SubgoalingTables::change_of(const Linear &expression, const Block &block) const {
    Change change;
    auto take = [&](const LinearTerm &term, const NumericEffect &effect) {
        change.known &= add(term.coefficient, effect.amount, change.amount);
        change.state_dependent |= !effect.amount.is_constant();
        change.assigned |= effect.assign;
    };
    for (const LinearTerm &term : expression.terms) {
        // where a variable is assigned to, all other effects on it agree, or nothing is executed
        const auto assignment = std::find_if(
            block.numeric.begin(), block.numeric.end(),
            [&](const NumericEffect &effect) { return effect.variable == term.variable && effect.assign; });
        if (assignment != block.numeric.end()) {
            take(term, *assignment);
            continue;
        }
        for (const NumericEffect &effect : block.numeric)
            if (effect.variable == term.variable) take(term, effect);
    }
    return change;
}

void SubgoalingTables::add_pair(int unary, int index, bool last_level) {
    const Condition &condition = conditions[index].condition;
    const int atom = atom_of(index);
    const Change change = change_of(condition.expression, *blocks_[unary]);
    const Linear &amount = change.amount;
    if (change.known && change.assigned && condition.expression.terms.size() == 1 && amount.is_constant() && !compat_) {
        Linear reached = condition.expression;
        reached.terms.clear();
        if (add(1, amount, reached) && !condition.holds_for(reached.constant)) return;
        at_once_[unary].push_back(atom);
    } else if (!change.known || change.assigned ||
               (compat_ ? change.state_dependent : !amount.is_constant() && last_level)) {
        at_once_[unary].push_back(atom);
    } else if (amount.is_constant()) {
        if (amount.constant > 0) by_degrees_[unary].push_back({atom, -1, amount.constant});
    } else {
        const int rate = find_or_add_condition({amount, true, 1}, task.exact() ? 1 : 0);
        by_degrees_[with_rate(unary, rate)].push_back({atom, rate, task.exact() ? least_positive(amount) : 0});
    }
}

/* The action under the extra precondition that the rate is positive; the action itself if that is one already. */
int SubgoalingTables::with_rate(int unary, int rate) {
    const int rate_atom = atom_of(rate);
    const auto &precondition = preconditions_[unary];
    if (std::find(precondition.begin(), precondition.end(), rate_atom) != precondition.end()) return unary;
    auto [place, is_new] = with_rate_.try_emplace({unary, rate}, -1);
    if (is_new) {
        place->second = add_unary(unary_operator[unary], unary_cost[unary], united(precondition, {&rate_atom, 1}));
        unary_origin.back() = unary;
    }
    return place->second;
}

/* From building numbers to final ones: conditions contiguous, disjunctions last. */
void SubgoalingTables::number_disjunctions() {
    const int known = static_cast<int>(task.conditions.size());
    first_disjunction = task.first_condition() + static_cast<int>(conditions.size());
    atoms = first_disjunction + task.disjunctions.size();
    auto renumber = [&](int32_t &atom) {
        if (atom >= task.atoms())
            atom = task.first_condition() + known + atom - task.atoms();
        else
            atom = translate(atom);
    };
    for (auto &row : preconditions_) std::for_each(row.begin(), row.end(), renumber);
    for (auto &row : at_once_) std::for_each(row.begin(), row.end(), renumber);
    for (auto &row : by_degrees_)
        for (Achievement &achievement : row) renumber(achievement.atom);
}

void SubgoalingTables::finish() {
    number_disjunctions();
    std::vector<std::vector<int32_t>> uses_of(atoms), achievers_of(atoms);
    for (size_t u = 0; u < preconditions_.size(); ++u)
        for (int atom : preconditions_[u]) uses_of[atom].push_back(static_cast<int32_t>(u));
    std::vector<size_t> achieved_by(atoms, SIZE_MAX);  // the last one
    for (size_t u = 0; u < preconditions_.size(); ++u) {
        // nobody asks for an atom that no action needs; each is listed once
        std::erase_if(at_once_[u],
                      [&](int atom) { return uses_of[atom].empty() || std::exchange(achieved_by[atom], u) == u; });
        std::erase_if(by_degrees_[u], [&](const Achievement &a) { return uses_of[a.atom].empty(); });
        for (int atom : at_once_[u]) achievers_of[atom].push_back(static_cast<int32_t>(u));
        for (const Achievement &a : by_degrees_[u]) achievers_of[a.atom].push_back(static_cast<int32_t>(u));
    }
    preconditions = Rows<int32_t>::from(preconditions_);
    achieved_at_once = Rows<int32_t>::from(at_once_);
    achieved_by_degrees = Rows<Achievement>::from(by_degrees_);
    uses = Rows<int32_t>::from(uses_of);
    achievers = Rows<int32_t>::from(achievers_of);
    preconditions_.clear();
    at_once_.clear();
    by_degrees_.clear();
    conditions_of_variable_.clear();
    changers_.clear();
    with_rate_.clear();
}

}  // namespace numbat
