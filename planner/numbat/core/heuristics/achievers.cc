#include "achievers.h"

#include <algorithm>
#include <limits>
#include <map>

namespace numbat {

namespace {

constexpr double UNKNOWN = std::numeric_limits<double>::infinity();

std::vector<int32_t> united(std::span<const int32_t> a, std::span<const int32_t> b) {
    std::vector<int32_t> all(a.begin(), a.end());
    all.insert(all.end(), b.begin(), b.end());
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

/* By how much a block raises an expression: infinity if that is not known, 0 or less if it does not. */
double gain_of(const Task &task, const Ranges &ranges, const Block &block, const Linear &expression) {
    if (ranges.known()) {
        const std::optional<Whole> most = ranges.most(block, expression);
        return most ? nearest(*most) : UNKNOWN;
    }
    double sum = 0;
    Whole exact_sum = 0;  // of numbers that doubles would round, whose sign decides who achieves what
    for (const NumericEffect &effect : block.numeric)
        for (const LinearTerm &term : expression.terms) {
            if (term.variable != effect.variable) continue;
            if (effect.assign || !effect.amount.is_constant()) return UNKNOWN;
            sum += term.coefficient * effect.amount.constant;
            if (task.exact()) exact_sum += static_cast<Whole>(term.coefficient) * effect.amount.whole;
        }
    return task.exact() ? nearest(exact_sum) : sum;
}

std::vector<int32_t> facts_of(const Block &block) {
    std::vector<int32_t> atoms;
    for (int fact : block.adds) atoms.push_back(2 * fact);
    for (int fact : block.deletes)
        if (std::find(block.adds.begin(), block.adds.end(), fact) == block.adds.end()) atoms.push_back(2 * fact + 1);
    return atoms;
}

}  // namespace

Achievers::Achievers(const Task &t, std::vector<double> operator_costs, Ranges known)
    : task(t), ranges(std::move(known)) {
    std::vector<std::vector<int32_t>> conditions_of(task.variables);
    for (size_t c = 0; c < task.conditions.size(); ++c)
        for (const LinearTerm &term : task.conditions[c].expression.terms)
            conditions_of[term.variable].push_back(static_cast<int32_t>(c));

    std::vector<std::vector<Rate>> all_rates(task.conditions.size());
    for (size_t o = 0; o < task.operators.size(); ++o) {
        std::map<int32_t, double> gain_of_all;  // blocks together
        for (const Block &block : task.operators[o].blocks) {
            std::vector<int32_t> touched, raises;
            for (const NumericEffect &effect : block.numeric) touched = united(touched, conditions_of[effect.variable]);
            for (int condition : touched) {
                const double gain = gain_of(task, ranges, block, task.conditions[condition].expression);
                if (gain <= 0) continue;
                gain_of_all[condition] += gain;
                raises.push_back(task.first_condition() + condition);
            }
            op.push_back(static_cast<int32_t>(o));
            cost.push_back(operator_costs[o]);
            preconditions.push_back(
                united(task.conjunctions[task.operators[o].precondition], task.conjunctions[block.condition]));
            facts.push_back(facts_of(block));
            raised.push_back(raises);
        }
        for (const auto &[condition, gain] : gain_of_all) all_rates[condition].push_back({gain, operator_costs[o]});
        for (int action = gains.size(); action < raised.size(); ++action) {
            std::vector<double> row;
            for (int atom : raised[action]) row.push_back(gain_of_all[atom - task.first_condition()]);
            gains.push_back(row);
        }
    }
    add_disjunctions();
    goal = static_cast<int>(cost.size());
    cost.push_back(0);
    preconditions.push_back(united(task.conjunctions[task.goal], {}));
    op.push_back(-1);
    facts.push_back({});
    raised.push_back({});
    gains.push_back({});

    std::vector<std::vector<int32_t>> uses_of(task.atoms());
    for (int action = 0; action <= goal; ++action)
        for (int atom : preconditions[action]) uses_of[atom].push_back(action);
    uses = Rows<int32_t>::from(uses_of);
    set_rates(all_rates);
}

void Achievers::add_disjunctions() {
    for (int d = 0; d < task.disjunctions.size(); ++d)
        for (int part : task.disjunctions[d]) {
            op.push_back(-1);
            cost.push_back(0);
            gains.push_back({});
            preconditions.push_back(united(task.conjunctions[part], {}));
            facts.push_back({task.first_disjunction() + d});
            raised.push_back({});
        }
}

void Achievers::set_rates(std::vector<std::vector<Rate>> &all) {
    for (std::vector<Rate> &list : all) {
        std::sort(list.begin(), list.end(), [](const Rate &a, const Rate &b) {
            return a.cost < b.cost || (a.cost == b.cost && a.gain > b.gain);
        });
        std::vector<Rate> kept;
        for (const Rate &rate : list)
            if (kept.empty() || rate.gain > kept.back().gain) kept.push_back(rate);
        rates.push_back(kept);
    }
}

double Achievers::cheapest_raise(int condition, double need) const {
    double least = std::numeric_limits<double>::infinity();
    for (const Rate &rate : rates[condition]) least = std::min(least, std::max(1.0, need / rate.gain) * rate.cost);
    return least;
}

}  // namespace numbat
