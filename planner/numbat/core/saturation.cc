#include "saturation.h"

#include <algorithm>
#include <cmath>

namespace numbat {

namespace {

struct Use {
    bool rises = false, falls = false;
    bool entangled = false;  // changed or read in another way than alone, by constants
    double least, greatest;  // thresholds
};

}  // namespace

Saturation::Saturation(const Task &task) {
    if (!task.exact) return;  // rounding could move a threshold
    std::vector<Use> uses(task.variables);
    for (int v = 0; v < task.variables; ++v) uses[v].least = uses[v].greatest = task.initial.values[v];
    auto entangle = [&](const Linear &linear) {
        for (const LinearTerm &term : linear.terms) uses[term.variable].entangled = true;
    };
    for (const Condition &condition : task.conditions) {
        const Linear &linear = condition.expression;
        if (linear.terms.size() > 1) {
            entangle(linear);
        } else if (linear.terms.size() == 1) {
            Use &use = uses[linear.terms[0].variable];
            const double threshold = -linear.constant / linear.terms[0].coefficient;
            use.least = std::min(use.least, threshold);
            use.greatest = std::max(use.greatest, threshold);
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
        bounds_.push_back({v, use.rises, use.rises ? std::floor(use.greatest) + 1 : std::ceil(use.least) - 1});
    }
}

}  // namespace numbat
