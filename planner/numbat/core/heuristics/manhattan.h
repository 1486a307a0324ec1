/*
  h_md: how far the goal's conjuncts are from holding, summed. docs/heuristics.md 1

  A fact or a disjunction counts 1, a numeric condition the distance of its left side from zero in the user's numbers;
  at the boundary of a strict condition that would be 0, so one unit is counted instead (not in compat).
*/
#pragma once

#include "heuristic.h"

namespace numbat {

class Manhattan : public Heuristic {
public:
    Manhattan(const Task &task, const HeuristicOptions &options);
    Estimate evaluate(const State &state) override;

private:
    /* A numeric goal as a row of terms_, for reading in one sweep. */
    struct Distance {
        const Linear *expression;
        int32_t terms_end;
        bool strict;
        double constant, unit, at_boundary;
    };
    const Task &task_;
    std::vector<uint64_t> wanted_, unwanted_;  // facts, a bit each
    std::vector<int32_t> disjunctions_;
    std::vector<Distance> distances_;
    std::vector<LinearTerm> terms_;
};

}  // namespace numbat
