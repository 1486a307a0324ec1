/*
  Potentials: a lower bound that is a sum over the state, found once by a linear programme. docs/heuristics.md 10

  Facts have potentials u of either sign, numeric conditions of the goal weights w >= 0, and the heuristic is

      h(s) = k  +  sum of u(f) over the facts of s  +  sum of w(c) * need(c, s) over the conditions

  where need(c, s) is what c lacks in s, less than 0 if it has more than enough. No operator may lower h by more than its
  cost, and no goal state may have more than 0; so h never exceeds the true cost. An operator lowers h by at most the sum of

      u(f)          for a fact that it needs and deletes;         max(0, u(f))    for another one that it deletes
      -u(f)         for a fact that it needs false and adds;      max(0, -u(f))   for another one that it adds
      w(c) * gain   for a condition, where gain is what it adds to it at most, see ranges.h

  with nothing below 0 for effects under a condition. Conditions for which gains have no limit have no weight. k is such that
  no goal state has more than 0, where facts that the goal does not mention count as max(0, u(f)).

  The programme makes h as large as possible in the initial state; a second one, on the average of states that random walks
  lead to. The value is the largest of these two, rounded up, of `blind`, and of two bounds that know what a sum over the
  state cannot: acceleration.h and landmark_weights.h. Solutions are rounded to multiples of a small
  fraction and then checked in integers; one that fails is not used. A task with rounded numbers, without integer costs or
  too large for the programme has none.

  Conditions are those of the goal and the bounds of ranges.h, of all variables, which hold in every goal state that can be
  reached: what is consumed on the way must have been there, or be obtained. A function is for states within the bounds that
  have weights in it. Where the programme would be too large with them, it is made without.
*/
#pragma once

#include "acceleration.h"
#include "blind.h"
#include "landmark_weights.h"

namespace numbat {

class Potentials : public Heuristic {
public:
    explicit Potentials(std::shared_ptr<const Achievers> achievers);
    Estimate evaluate(const State &state) override;

    /* In multiples of 1 / SCALE. */
    struct Function {
        int64_t constant = 0;
        std::vector<int64_t> facts;      // fact -> potential
        std::vector<int64_t> variables;  // variable -> weight
        std::vector<Condition> bounds;   // that a state must be within

        bool is_for(const Task &task, const State &state) const;
    };
    static constexpr int64_t SCALE = int64_t{720720} << 10;  // most fractions in a solution are multiples of 1 / SCALE

private:
    const Task &task_;
    const Ranges ranges_;
    Blind blind_;
    Acceleration acceleration_;
    LandmarkWeights landmarks_;
    std::shared_ptr<const Achievers> achievers_;  // of all of these
    std::vector<Function> functions_;

    void find_functions();
    int64_t rounded_up(const Function &function, const State &state) const;
};

}  // namespace numbat
