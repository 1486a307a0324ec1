/*
  Takes actions out of a plan that it does not need: single ones, and groups that only serve each other.

  An action is left out, and with it every later one that thereby has become inapplicable, until the state reached is
  one from which the rest of the plan works (Course).

  `run` finds groups for every action first and then takes them out in the order of what they cost, each if it still can
  be. The look-ahead grows from pass to pass, up to the whole plan or, if that is long, a part of it.

  `take_chain` does more for one action: if the plan does not work at its end because of a constraint on numbers, the
  last action that lowers its sum is left out, too, and so on. A counter that was raised only because another one was
  goes down with it.
*/
#pragma once

#include "course.h"

#include <functional>

namespace numbat {

class Elimination {
public:
    Elimination(Course &course, std::function<bool()> expired) : course_(course), expired_(std::move(expired)) {}

    /* Until nothing can go any more, or time is over. Calls `progress` whenever the plan has become cheaper. */
    void run(const std::function<void()> &progress);

    /* Tells what it has saved. */
    Price take_chain(int position);

private:
    /* Steps that can go: their positions, the place behind the last one that matters, and what that saves. */
    struct Group {
        std::vector<int> positions;
        int end = 0;
        Price saved;
    };
    Course &course_;
    std::function<bool()> expired_;

    bool pass(int look_ahead, const std::function<void()> &progress);
    std::optional<Group> group_at(int position, int look_ahead);
    std::optional<Group> chain_at(int position);
    bool follow(Group &group, std::vector<int> &left_out, int last, State &state);
    bool leave_out_one_more(int position, int last, const State &state, std::vector<int> &left_out);
    void take_out(const Group &group);
};

}  // namespace numbat
