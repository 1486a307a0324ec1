/*
  How far a state is from the goal in its numbers, one part of the goal after the other. docs/heuristics.md 1.1

  A numeric condition costs its distance, counted in steps (resolution.h), whoever may change it; a fact costs 1 more
  than the cheapest way to it, which costs the sum of what it needs; a disjunction costs what its cheapest part does. As
  long as facts or disjunctions of the goal are open, their number comes first, then the nearest of them alone: to be
  drawn to all of them at once is to be drawn to none. Numeric conditions of the goal come last, all together.
*/
#pragma once

#include "heuristic.h"

#include <optional>

namespace numbat {

class RollDistance {
public:
    explicit RollDistance(const Task &task);

    /* Nothing: some part of the goal cannot be reached any more, whatever becomes of the numbers. */
    std::optional<double> of(const State &state);

private:
    /* Makes an atom true, if others are. */
    struct Way {
        int32_t atom;
        double cost;
        std::vector<int32_t> needs;
    };
    const Task &task_;
    const std::vector<double> step_;                          // per condition
    std::vector<int32_t> parts_, numbers_;                    // of the goal: facts and disjunctions; conditions
    std::vector<int32_t> facts_, conditions_, disjunctions_;  // that matter for the parts
    std::vector<Way> ways_;
    std::vector<double> cost_;  // per atom, in the state looked at

    void add_ways();
    Way way_to(int atom, double cost, std::initializer_list<int> conjunctions) const;
    double error(int atom, const State &state) const;
    void settle(const State &state);
};

}  // namespace numbat
