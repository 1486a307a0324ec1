#include "symmetries.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace numbat {

Symmetries::Symmetries(const Task &task, const std::vector<Swap> &swaps) : task_(task), swaps_(swaps) {
    auto check = [](const Swap::Pairs &pairs, size_t end) {
        int before = -1;
        for (auto [first, second] : pairs) {
            if (first <= before || second <= first || static_cast<size_t>(second) >= end)
                throw std::invalid_argument("a swap needs sorted pairs of known numbers");
            before = first;
        }
    };
    for (const Swap &swap : swaps_) {
        check(swap.facts, task.facts);
        check(swap.variables, task.variables);
        check(swap.operators, task.operators.size());
    }
}

/* Does it make the state smaller, at the first place where it makes a difference? */
bool Symmetries::improves(const Swap &swap, const State &state) const {
    for (auto [first, second] : swap.facts)
        if (state.fact(first) != state.fact(second)) return state.fact(first);
    for (auto [first, second] : swap.variables) {
        if (task_.wide()) {
            if (state.whole[first] != state.whole[second]) return state.whole[first] > state.whole[second];
        } else if (state.values[first] != state.values[second]) {
            return state.values[first] > state.values[second];
        }
    }
    return false;
}

void Symmetries::apply(const Swap &swap, State &state) const {
    for (auto [first, second] : swap.facts) {
        const bool a = state.fact(first), b = state.fact(second);
        if (a == b) continue;
        a ? state.clear(first) : state.set(first);
        b ? state.clear(second) : state.set(second);
    }
    for (auto [first, second] : swap.variables) {
        std::swap(state.values[first], state.values[second]);
        if (task_.wide()) std::swap(state.whole[first], state.whole[second]);
    }
}

void Symmetries::canonicalise(State &state, std::vector<const Swap *> *applied) const {
    for (bool changed = true; changed;) {
        changed = false;
        for (const Swap &swap : swaps_) {
            if (!improves(swap, state)) continue;
            apply(swap, state);
            changed = true;
            if (applied) applied->push_back(&swap);
        }
    }
}

std::vector<int32_t> Symmetries::restored(const std::vector<int32_t> &path) const {
    std::vector<int32_t> image(task_.operators.size());  // operator of the representative -> operator of the true state
    std::iota(image.begin(), image.end(), 0);
    std::vector<const Swap *> applied;
    State state = task_.initial, next;
    auto replace_by_representative = [&] {
        applied.clear();
        canonicalise(state, &applied);
        // back through the swaps: the first one is undone last, so it is composed first
        for (const Swap *swap : applied)
            for (auto [first, second] : swap->operators) std::swap(image[first], image[second]);
    };
    replace_by_representative();
    std::vector<int32_t> plan;
    for (int32_t op : path) {
        plan.push_back(image[op]);
        bool overflow = false;
        task_.apply(task_.operators[op], state, next, overflow);
        task_.saturate(next);
        state = next;
        replace_by_representative();
    }
    return plan;
}

}  // namespace numbat
