/*
  Orbit search: states that only differ by interchanged objects are one state.

  A swap exchanges two objects: facts, variables and operators in pairs, such that operators, costs and goal stay the
  same (numbat.analyse.symmetries has verified it). What holds of a state then holds of its image, at the same cost. A
  search that replaces every state by a representative of its orbit finds the same optimal cost. Representatives are
  found greedily, by swaps that make the state smaller; two states of an orbit may keep different ones, which is a
  missed chance and no mistake.

  A path of representatives is no plan: each step is one of a state that was replaced. `restored` follows the path and
  keeps the product of all swaps that led from the true state to its representative; applied to the operators of the
  path, it gives those of a plan.
*/
#pragma once

#include "../../task.h"

#include <utility>

namespace numbat {

struct Swap {
    using Pairs = std::vector<std::pair<int32_t, int32_t>>;  // each ascending, sorted
    Pairs facts, variables, operators;
};

class Symmetries {
public:
    /* Throws std::invalid_argument if a number is out of range. */
    Symmetries(const Task &task, const std::vector<Swap> &swaps);

    bool empty() const { return swaps_.empty(); }
    /* Replaces a state by its representative. */
    void canonicalise(State &state) const { canonicalise(state, nullptr); }
    /* From the operators of a path of representatives, starting with the initial state's, to a plan. */
    std::vector<int32_t> restored(const std::vector<int32_t> &path) const;

private:
    const Task &task_;
    const std::vector<Swap> &swaps_;

    bool improves(const Swap &swap, const State &state) const;
    void apply(const Swap &swap, State &state) const;
    void canonicalise(State &state, std::vector<const Swap *> *applied) const;
};

}  // namespace numbat
