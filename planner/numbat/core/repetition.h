/*
  Applies an operator up to m times in a row: as long as it is applicable, and not beyond a goal state.

  Most operators are steady: every application changes the numbers by the same amounts, so that the state after i
  applications is known at once. Numeric preconditions of such an operator, once they fail, fail for good; the last
  application is found by bisection. Others, and those whose numbers the goal looks at, are applied one by one.
*/
#pragma once

#include "task.h"

#include <vector>

namespace numbat {

/* Does every application of the operator change the numbers by the same amounts, whatever it does to the facts? */
bool changes_evenly(const Operator &op);

class Repetition {
public:
    explicit Repetition(const Task &task);

    /*
      `after` becomes the state reached. Returns the number of applications, 0 if the first one fails. `cost` grows by
      what the applications cost, if given.
    */
    int apply(int op, int most, const State &before, State &after, bool &overflow, double *cost);

private:
    const Task &task_;
    std::vector<uint8_t> steady_;  // per operator
    State next_;
    std::vector<double> change_;       // per effect of a steady operator
    std::vector<Whole> whole_change_;  // the same in a wide task

    bool is_steady(const Operator &op, const std::vector<uint8_t> &goal_variables) const;
    bool move_to(int applications, const std::vector<NumericEffect> &effects, const State &after);
    int apply_steadily(const Operator &op, int more, State &after, bool &overflow);
};

}  // namespace numbat
