#include "manhattan.h"

#include <bit>

namespace numbat {

Manhattan::Manhattan(const Task &task, const HeuristicOptions &options) : task_(task) {
    wanted_.resize(task.initial.facts.size());
    unwanted_.resize(task.initial.facts.size());
    for (int atom : task.conjunctions[task.goal]) {
        if (task.is_fact(atom)) {
            const int fact = atom / 2;
            (atom % 2 ? unwanted_ : wanted_)[fact >> 6] |= uint64_t{1} << (fact & 63);
            continue;
        }
        if (!task.is_condition(atom)) {
            disjunctions_.push_back(atom);
            continue;
        }
        const Condition &c = task.condition(atom);
        terms_.insert(terms_.end(), c.expression.terms.begin(), c.expression.terms.end());
        distances_.push_back({&c.expression, static_cast<int32_t>(terms_.size()), c.strict, c.expression.constant,
                              c.unit, options.compat ? 0 : c.unit});
    }
}

Estimate Manhattan::evaluate(const State &state) {
    double sum = 0;
    for (size_t word = 0; word < wanted_.size(); ++word)
        sum += std::popcount((wanted_[word] & ~state.facts[word]) | (unwanted_[word] & state.facts[word]));
    for (int atom : disjunctions_) sum += !task_.holds(atom, state);
    const LinearTerm *term = terms_.data();
    for (const Distance &d : distances_) {
        double value = d.constant;
        for (const LinearTerm *end = terms_.data() + d.terms_end; term != end; ++term)
            value += term->coefficient * state.values[term->variable];
        if (task_.wide()) value = task_.value(*d.expression, state);
        if (value < 0)
            sum -= value * d.unit;
        else if (value == 0 && d.strict)
            sum += d.at_boundary;
    }
    return sum;
}

}  // namespace numbat
