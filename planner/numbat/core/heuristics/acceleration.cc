#include "acceleration.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace numbat {

namespace {

constexpr double NEVER = std::numeric_limits<double>::infinity();
// More rates, or more work for one condition, are not worth their time.
constexpr size_t MOST_RATES = 256;
constexpr size_t MOST_WORK = 20'000'000;
constexpr double ROUNDING = 1e-9;

/* The least A + work / (rate + faster * A) over A >= 0. */
double least_sum(double work, double rate, double faster) {
    if (faster <= 0) return rate > 0 ? work / rate : NEVER;
    const double best = std::sqrt(work * faster);
    return rate >= best ? work / rate : (2 * best - rate) / faster;
}

}  // namespace

Acceleration::Acceleration(const Achievers &achievers) : t_(achievers) {
    const Task &task = t_.task;
    if (!t_.ranges.known() || task.integer_costs.empty()) return;
    for (int atom : task.conjunctions[task.goal]) {
        if (!task.is_condition(atom)) continue;
        const int condition = atom - task.first_condition();
        // with a limit on all changes the rates of achievers.h, and potentials, say as much
        const auto rates = t_.rates[condition];
        if (std::none_of(rates.begin(), rates.end(), [](const Rate &rate) { return std::isinf(rate.gain); })) continue;
        if (auto movers = movers_of(condition)) moved_.push_back({condition, std::move(*movers)});
    }
}

/* What an operator adds to an expression at most, infinite if that has no limit. */
double Acceleration::gain_of(const Operator &op, const Linear &expression) const {
    double sum = 0;
    for (const Block &block : op.blocks) {
        const std::optional<Whole> most = t_.ranges.most(block, expression);
        if (!most) return NEVER;
        sum += std::max(0.0, nearest(*most));
    }
    return sum;
}

/* What an operator adds to an expression, as a form of the state; nothing if it is not a single one. */
std::optional<Linear> Acceleration::rate_of(const Operator &op, const Linear &expression) const {
    if (op.blocks.size() != 1 || op.blocks[0].condition != 0) return std::nullopt;
    Linear rate;
    for (const NumericEffect &effect : op.blocks[0].numeric)
        for (const LinearTerm &term : expression.terms) {
            if (term.variable != effect.variable) continue;
            if (effect.assign || !rate.add_exactly(term.coefficient, effect.amount)) return std::nullopt;
        }
    if (!t_.task.sums_fit(rate)) return std::nullopt;
    return rate;
}

std::optional<std::vector<Acceleration::Mover>> Acceleration::movers_of(int condition) const {
    const Task &task = t_.task;
    const Linear &expression = task.conditions[condition].expression;
    std::vector<double> cost(task.operators.size());
    for (int action = 0; action < t_.goal; ++action)
        if (t_.op[action] >= 0) cost[t_.op[action]] = t_.cost[action];
    std::vector<Mover> movers;
    std::vector<uint8_t> moves(task.operators.size(), 0);
    for (size_t o = 0; o < task.operators.size(); ++o) {
        const double gain = gain_of(task.operators[o], expression);
        if (gain == 0) continue;
        moves[o] = 1;
        Linear rate;
        if (gain < LAST_COUNTED) {
            rate.constant = gain;
            rate.whole = static_cast<int64_t>(gain);
        } else {
            auto form = gain == NEVER ? rate_of(task.operators[o], expression) : std::nullopt;
            if (!form) return std::nullopt;
            rate = std::move(*form);
        }
        if (cost[o] <= 0) return std::nullopt;
        const bool known = std::any_of(movers.begin(), movers.end(),
                                       [&](const Mover &mover) { return mover.rate == rate && mover.cost <= cost[o]; });
        if (!known) movers.push_back({std::move(rate), cost[o], 0});
        if (movers.size() > MOST_RATES || movers.size() * task.operators.size() > MOST_WORK) return std::nullopt;
    }
    if (!accelerated(movers, moves)) return std::nullopt;
    return movers;
}

/* Sets how much faster they become; false if there is no limit to that, or the same operator moves and accelerates. */
bool Acceleration::accelerated(std::vector<Mover> &movers, const std::vector<uint8_t> &moves) const {
    for (Mover &mover : movers) {
        if (mover.rate.is_constant()) continue;
        for (int action = 0; action < t_.goal; ++action) {
            const int o = t_.op[action];
            if (o < 0) continue;
            const double gain = gain_of(t_.task.operators[o], mover.rate);
            if (gain == 0) continue;
            if (gain == NEVER || moves[o] || t_.cost[action] <= 0) return false;
            mover.faster = std::max(mover.faster, gain / t_.cost[action]);
        }
    }
    return true;
}

double Acceleration::least_cost(const State &state) const {
    double costliest = 0;
    for (const Moved &moved : moved_) {
        const double need =
            t_.need(moved.condition, t_.task.value(t_.task.conditions[moved.condition].expression, state));
        if (need <= 0) continue;
        double least = NEVER;
        for (const Mover &mover : moved.movers)
            least = std::min(least, least_sum(need * mover.cost, t_.task.value(mover.rate, state), mover.faster));
        // without a way there is no proof of it here, as these are doubles
        if (least < NEVER) costliest = std::max(costliest, std::ceil(least - ROUNDING * (1000 + least)));
    }
    return costliest;
}

}  // namespace numbat
