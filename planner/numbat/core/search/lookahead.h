/*
  Carries out a relaxed plan in the task itself, as far as that is possible (after Vidal's YAHSP, ICAPS 2004).

  by_cost     The steps are taken in the plan's order, again and again: each that is applicable is taken, except that one
              which destroys what another step still needs waits until nothing else can be done. If no step is
              applicable, the first for which there is an applicable operator with the same purpose, to make a fact true,
              is replaced by it. What can be done together is.
  by_subgoal  Each step, or else an applicable operator with the same purpose, is taken before the next one, again and
              again. One goal after the other: less is begun and not finished where something is used up.

  Each step is taken or replaced once. It ends in a goal state, or when nothing more can be done.
*/
#pragma once

#include "space.h"

#include <span>
#include <vector>

namespace numbat {

class Lookahead {
public:
    explicit Lookahead(SearchContext &context);

    /* `cost` is what it took to come to this state. False: at most one step could be taken, or a number overflowed. */
    bool carry_out(std::span<const PlannedStep> plan, PlanOrder order, const State &from, double cost);

    // what it led to
    std::span<const Jump> steps() const { return steps_; }
    const State &end() const { return state_; }
    double cost() const { return cost_; }

private:
    SearchContext &context_;
    const Task &task_;
    std::vector<PlannedStep> left_;  // what is still to be done
    std::vector<int32_t> needed_;    // fact atom -> steps left that need it
    std::vector<Jump> steps_;
    State state_, next_;
    double cost_ = 0;
    bool overflow_ = false;
    bool over_ = false;  // nothing more is to be done

    // of state_, if known
    bool adders_known_ = false;
    std::vector<int32_t> adders_;  // fact -> the first applicable operator that makes it true, or -1
    std::vector<int32_t> added_, applicable_;

    bool take_what_is_possible();
    bool take_in_turn();
    template <class Taken>
    bool go_through(const Taken &taken, size_t most);
    void need(int op, int change);
    bool destroys_what_is_needed(int op) const;
    bool applicable(const PlannedStep &step) const;
    bool take(PlannedStep &step);
    bool take_another(PlannedStep &step);
    void find_adders();
};

}  // namespace numbat
