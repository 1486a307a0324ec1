#include "resolution.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace numbat {

namespace {

constexpr double NONE = std::numeric_limits<double>::infinity();

/* By how much a block changes an expression; 0 if it does not, or by an amount that depends on the state. Large changes
   that nearly cancel are told exactly where the task's numbers are integers. */
double constant_change(const Block &block, const Linear &expression, bool exact) {
    double sum = 0;
    Whole whole = 0;
    for (const NumericEffect &effect : block.numeric)
        for (const LinearTerm &term : expression.terms) {
            if (term.variable != effect.variable) continue;
            if (effect.assign || !effect.amount.is_constant()) return 0;
            sum += term.coefficient * effect.amount.constant;
            if (exact) whole += static_cast<Whole>(term.coefficient) * effect.amount.whole;
        }
    return std::abs(exact ? static_cast<double>(whole) : sum);
}

/* How far apart the bounds are that two conditions set to one expression; 0 if they do not enclose it. */
double width(const Linear &a, const Linear &b) {
    if (a.terms.size() != b.terms.size() || a.terms[0].variable != b.terms[0].variable) return 0;
    const double factor = -a.terms[0].coefficient / b.terms[0].coefficient;
    if (factor <= 0) return 0;
    Linear sum = a;
    sum.add(factor, b);
    return sum.terms.empty() ? sum.constant : 0;
}

class Steps {
public:
    explicit Steps(const Task &task) : task_(task), least_(task.conditions.size(), NONE) {}

    void see_changes() {
        std::vector<std::vector<int32_t>> conditions_of(task_.variables);
        for (size_t c = 0; c < task_.conditions.size(); ++c)
            for (const LinearTerm &term : task_.conditions[c].expression.terms)
                conditions_of[term.variable].push_back(static_cast<int32_t>(c));
        for (const Operator &op : task_.operators)
            for (const Block &block : op.blocks)
                for (const NumericEffect &effect : block.numeric)
                    for (int c : conditions_of[effect.variable])
                        see(c, constant_change(block, task_.conditions[c].expression, task_.exact()));
    }

    void see_windows(std::span<const int32_t> conjunction) {
        for (int a : conjunction)
            for (int b : conjunction)
                if (a != b && is_bound(a) && is_bound(b))
                    see(a - task_.first_condition(),
                        width(task_.condition(a).expression, task_.condition(b).expression));
    }

    std::vector<double> found() {
        for (size_t c = 0; c < least_.size(); ++c)
            if (least_[c] == NONE) least_[c] = 1 / task_.conditions[c].unit;
        return least_;
    }

private:
    const Task &task_;
    std::vector<double> least_;

    bool is_bound(int atom) const {
        return task_.is_condition(atom) && !task_.condition(atom).expression.terms.empty();
    }
    void see(int condition, double step) {
        if (step > 0) least_[condition] = std::min(least_[condition], step);
    }
};

}  // namespace

std::vector<double> resolutions(const Task &task) {
    Steps steps(task);
    steps.see_changes();
    for (int row = 0; row < task.conjunctions.size(); ++row) steps.see_windows(task.conjunctions[row]);
    return steps.found();
}

}  // namespace numbat
