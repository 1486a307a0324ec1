#include "saturation.h"

#include <algorithm>

namespace numbat {

namespace {

struct Use {
    bool rises = false, falls = false;
    bool entangled = false;  // changed or read in another way than alone, by constants
    Whole least, greatest;   // thresholds, rounded outwards
};

/* -constant / coefficient, rounded down. */
Whole root_below(const Linear &linear) {
    const Whole numerator = -static_cast<Whole>(linear.whole);
    const auto denominator = static_cast<int64_t>(linear.terms[0].coefficient);
    const Whole quotient = numerator / denominator;
    return quotient - (numerator % denominator != 0 && (numerator < 0) != (denominator < 0));
}

}  // namespace

Saturation::Saturation(const Task &task) : task_(task) {
    if (!task.exact()) return;  // rounding could move a threshold
    std::vector<Use> uses(task.variables);
    for (int v = 0; v < task.variables; ++v)
        uses[v].least = uses[v].greatest = task.whole_value(Linear::of_variable(v), task.initial);
    auto entangle = [&](const Linear &linear) {
        for (const LinearTerm &term : linear.terms) uses[term.variable].entangled = true;
    };
    for (const Condition &condition : task.conditions) {
        const Linear &linear = condition.expression;
        if (linear.terms.size() > 1) {
            entangle(linear);
        } else if (linear.terms.size() == 1) {
            Use &use = uses[linear.terms[0].variable];
            const Whole threshold = root_below(linear);
            use.least = std::min(use.least, threshold);
            use.greatest = std::max(use.greatest, threshold + 1);
        }
    }
    for (const Operator &op : task.operators) {
        entangle(op.cost);
        for (const Block &block : op.blocks)
            for (const NumericEffect &effect : block.numeric) {
                Use &use = uses[effect.variable];
                entangle(effect.amount);
                use.entangled |= effect.assign || !effect.amount.is_constant();
                use.rises |= effect.amount.constant > 0;
                use.falls |= effect.amount.constant < 0;
            }
    }
    for (int v = 0; v < task.variables; ++v) {
        const Use &use = uses[v];
        if (use.entangled || use.rises == use.falls) continue;
        const Whole bound = use.rises ? use.greatest + 1 : use.least - 1;
        if (fits_64_bits(bound)) bounds_.push_back({v, use.rises, nearest(bound), static_cast<int64_t>(bound)});
    }
}

}  // namespace numbat
