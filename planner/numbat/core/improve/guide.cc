#include "guide.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace numbat {

namespace {

constexpr double NEVER = std::numeric_limits<double>::infinity();
constexpr size_t MOST_HELPS = 20000;  // that are remembered

}  // namespace

Guide::Guide(const Task &task, const Prices &prices)
    : task_(task),
      prices_(prices),
      adding_(task.facts, {NEVER, {}}),
      deleting_(task.facts, {NEVER, {}}),
      changing_(task.variables),
      helped_(task.operators.size(), 0) {
    auto note = [&](FactHelp &help, int op) {
        help.cost = std::min(help.cost, lowest_[op]);
        if (help.operators.empty() || help.operators.back() != op) help.operators.push_back(op);
    };
    for (int o = 0; o < static_cast<int>(task.operators.size()); ++o) {
        const bool known = prices.forms[o].terms.empty() && prices.nonnegative;
        lowest_.push_back(known ? static_cast<double>(prices.forms[o].constant) : 0);
        for (const Block &block : task.operators[o].blocks) {
            for (int f : block.adds) note(adding_[f], o);
            for (int f : block.deletes) note(deleting_[f], o);
            for (const NumericEffect &effect : block.numeric) changing_[effect.variable].push_back(o);
        }
    }
    for (auto &list : changing_) list.erase(std::unique(list.begin(), list.end()), list.end());
}

const Guide::Help &Guide::help_for(const Terms &terms) {
    const auto found = helps_.find(terms);
    return found != helps_.end() ? found->second : helps_.emplace(terms, make_help(terms)).first->second;
}

Guide::Help Guide::make_help(const Terms &terms) const {
    Help help{NEVER, NEVER, NEVER, NEVER};
    std::map<int32_t, int64_t> coefficients;
    std::vector<int32_t> operators;
    for (const Term &term : terms) {
        coefficients[term.variable] = term.coefficient;
        operators.insert(operators.end(), changing_[term.variable].begin(), changing_[term.variable].end());
    }
    std::sort(operators.begin(), operators.end());
    operators.erase(std::unique(operators.begin(), operators.end()), operators.end());
    for (int o : operators) {
        Whole gain = 0;
        bool leaps = false, conditional = false;
        for (const Block &block : task_.operators[o].blocks)
            for (const NumericEffect &effect : block.numeric) {
                const auto place = coefficients.find(effect.variable);
                if (place == coefficients.end()) continue;
                leaps |= effect.assign || !effect.amount.is_constant();
                conditional |= block.condition != 0;
                const Whole part = static_cast<Whole>(place->second) * effect.amount.whole;
                gain += block.condition == 0 ? part : std::max(part, Whole{0});
            }
        if (!leaps && gain <= 0) continue;
        help.operators.push_back(o);
        if (leaps) {
            help.leaps = true;
            help.leap_cost = std::min(help.leap_cost, lowest_[o]);
            continue;
        }
        const auto units = static_cast<double>(gain);
        help.climbs = true;
        help.cost = std::min(help.cost, lowest_[o] / units);
        help.steps = std::min(help.steps, 1 / units);
        help.one_cost = std::min(help.one_cost, lowest_[o]);
        if (!conditional) help.gains.emplace_back(o, gain);
    }
    return help;
}

template <class Visit>
void Guide::each_fact(Visit visit) {
    for (size_t i = 0; i < asked_->must.size(); ++i) {
        for (uint64_t bits = asked_->must[i]; bits; bits &= bits - 1) visit(adding_[64 * i + std::countr_zero(bits)]);
        for (uint64_t bits = asked_->must_not[i]; bits; bits &= bits - 1)
            visit(deleting_[64 * i + std::countr_zero(bits)]);
    }
}

/* How many parts an action helps at most, for each part. */
void Guide::share_out() {
    auto count = [&](const std::vector<int32_t> &operators, int more) {
        for (int o : operators) helped_[o] += more;
    };
    auto largest = [&](const std::vector<int32_t> &operators) {
        int most = 1;
        for (int o : operators) most = std::max(most, helped_[o]);
        return static_cast<double>(most);
    };
    each_fact([&](FactHelp &help) { count(help.operators, 1); });
    for (const Part &part : parts_) count(part.help->operators, 1);
    each_fact([&](FactHelp &help) { help.share = largest(help.operators); });
    for (Part &part : parts_) part.share = largest(part.help->operators);
    each_fact([&](FactHelp &help) { count(help.operators, -1); });
    for (const Part &part : parts_) count(part.help->operators, -1);
}

void Guide::look_at(const Requirement &requirement) {
    if (helps_.size() > MOST_HELPS) helps_.clear();
    asked_ = &requirement;
    parts_.clear();
    gains_.clear();
    for (const Constraint &c : requirement.constraints) {
        const Help &help = help_for(c.terms);
        for (const auto &[op, gain] : help.gains) gains_[op].emplace_back(static_cast<int>(parts_.size()), gain);
        parts_.push_back({&c, &help, 1});
    }
    share_out();
}

void Guide::add_facts(const State &state, Distance &distance) const {
    auto count = [&](const FactHelp &help) {
        distance.fulfilled = false;
        distance.dead |= help.operators.empty();
        distance.least_cost += help.cost / help.share;
        distance.least_steps += 1 / help.share;
        distance.cost += help.cost;
        distance.steps += 1;
    };
    for (size_t i = 0; i < asked_->must.size(); ++i) {
        for (uint64_t bits = asked_->must[i] & ~state.facts[i]; bits; bits &= bits - 1)
            count(adding_[64 * i + std::countr_zero(bits)]);
        for (uint64_t bits = asked_->must_not[i] & state.facts[i]; bits; bits &= bits - 1)
            count(deleting_[64 * i + std::countr_zero(bits)]);
    }
}

Distance Guide::distance(const State &state) const {
    Distance distance;
    add_facts(state, distance);
    for (const auto &[constraint, help, share] : parts_) {
        const Whole missing = constraint->least - value(task_, constraint->terms, state);
        if (missing <= 0) continue;
        distance.fulfilled = false;
        if (!help->climbs && !help->leaps) distance.dead = true;
        if (distance.dead) return distance;
        const auto gap = static_cast<double>(missing);
        double cost = help->leap_cost, steps = 1;
        if (help->climbs) {
            cost = std::min(cost, std::max(help->one_cost, gap * help->cost));
            if (!help->leaps) steps = std::max(1.0, gap * help->steps);
        }
        distance.least_cost += cost / share;
        distance.least_steps += steps / share;
        distance.cost += cost;
        distance.steps += steps;
    }
    return distance;
}

void Guide::jumps(int op, const State &state, std::vector<int> &repetitions) const {
    constexpr Whole MOST = 1000000;
    const auto found = gains_.find(op);
    if (found == gains_.end()) return;
    for (const auto &[part, gain] : found->second) {
        const Constraint &c = *parts_[part].constraint;
        const Whole missing = c.least - value(task_, c.terms, state);
        if (missing <= gain) continue;
        const Whole times = (missing + gain - 1) / gain;
        if (times <= MOST) repetitions.push_back(static_cast<int>(times));
    }
}

}  // namespace numbat
