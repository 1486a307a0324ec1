/*
  Strong stubborn sets: orders of independent operators that lead to the same state are not all tried.

  A set of operators is closed from a state that is no goal as follows. It contains
      whoever may achieve one unsatisfied part of the goal;
      for each of its operators that is not applicable, whoever may achieve one unsatisfied part of its precondition;
      for each that is applicable, whoever interferes with it: one may spoil the precondition of the other, or the two
      do not commute (opposite facts, an assignment and another change of a variable, an amount or an effect condition
      that the other may change).
  Only its applicable operators are expanded. Every plan contains an operator of the set, and the first of them can be
  moved to the front: nothing before it enables, disables or disturbs it. So a cheapest plan of least length starts in
  the set, and what remains of it is one step shorter.

  Where it prunes little, it is switched off to save its time; a state's set does not depend on other states.
*/
#pragma once

#include "../../task.h"

namespace numbat {

class StubbornSets {
public:
    explicit StubbornSets(const Task &task);

    /* Keeps, of the operators applicable in a state that is no goal, those of a stubborn set. */
    void prune(const State &state, std::vector<int32_t> &applicable);

private:
    struct Relations;  // while it is made

    const Task &task_;
    bool on_ = true;
    size_t seen_ = 0, kept_ = 0, calls_ = 0;
    Rows<int32_t> achievers_;    // atom -> operators that may make it true
    Rows<int32_t> interfering_;  // operator -> operators
    std::vector<uint32_t> applicable_, chosen_;  // operator -> the call it was so in
    uint32_t call_ = 0;
    std::vector<int32_t> queue_;

    void add(std::span<const int32_t> operators);
    void add_achievers(int conjunction, const State &state);
};

}  // namespace numbat
