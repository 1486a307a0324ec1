/*
  The task as the admissible heuristics see it: what each action may achieve, never less than it does. docs/heuristics.md 10

  An action here is an operator with one of its effect blocks; a part of a disjunction, which costs nothing; or the goal,
  the last one. It makes facts and disjunctions true at once, and may raise numeric conditions: by a constant; where it
  assigns a variable or adds one to another, by what their ranges allow (ranges.h), or an unknown amount. Blocks of an
  operator may fire together, so a condition's gain per application is what all of them add to it.
*/
#pragma once

#include "ranges.h"

namespace numbat {

/* What an operator adds to a condition for its cost; infinite where that is not known beforehand. */
struct Rate {
    double gain;
    double cost;
};

class Achievers {
public:
    /* With ranges only states within them may be looked at. */
    Achievers(const Task &task, std::vector<double> operator_costs, Ranges ranges = {});

    const Task &task;
    const Ranges ranges;
    std::vector<int32_t> op;       // per action: its operator, -1 if it is none's
    std::vector<double> cost;      // per action
    Rows<int32_t> preconditions;   // action -> atoms
    Rows<int32_t> facts;           // action -> atoms that it makes true at once, disjunctions among them
    Rows<int32_t> raised;          // action -> atoms of numeric conditions that it may raise
    Rows<double> gains;  // action -> what its operator may add to each of those at a time, all blocks together
    Rows<int32_t> uses;  // atom -> actions that need it
    Rows<Rate> rates;  // condition -> who may raise it; none is both costlier and slower than another
    int goal = 0;  // action

    /* What an unsatisfied condition still lacks. */
    double need(int condition, double value) const {
        return (task.conditions[condition].strict && task.exact() ? 1 : 0) - value;
    }
    /* The least that it costs to raise a condition by so much; infinite if nobody raises it. */
    double cheapest_raise(int condition, double need) const;

private:
    void add_disjunctions();
    void set_rates(std::vector<std::vector<Rate>> &all);
};

}  // namespace numbat
