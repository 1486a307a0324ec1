/*
  A*: a cheapest plan, and the proof that it is one. Weighted A*: a plan below a bound, soon.

  States are expanded in the order of f = g + h, then h, then the one queued last (ties fifo: first). A state that is
  reached more cheaply is given its new g and parent and expanded again if it already was: heuristics need not be
  consistent. Of several heuristics the largest value counts; those after the first are only asked before a state would be
  expanded, and if the value then is larger the state waits again. The goal is tested at expansion. Costs are the task's
  integer costs and exact; a heuristic value is rounded up, which is free since true costs are integers, after a slack for
  the rounding of doubles has been taken off. All successors of a state are made before any of them is looked up, so that
  the look-ups do not wait for memory one after the other.

  The lower bound is the largest f that was ever the least one in the queue. Whatever is left out limits it: states whose
  numbers overflow and expansions that memory cut short, with their own f. Only if all of that is at least the plan's
  cost is the plan proved optimal; in tasks with rounded numbers nothing is proved. Under an upper bound, its own or one
  shared with others (bounds.h), states with f at or above it are not queued, nor kept if their cost alone is that high;
  when nothing is left, the upper bound is the lower one. Saturation keeps optimal costs: the
  states it makes one have the same futures at the same costs. Jumps and helpful actions have no place here.

  Weighted, states are expanded in the order of g + weight * h, by any heuristic, and the first state reached that is a
  goal below the upper bound ends the search. Then f is no bound on anything: what is pruned, and what limits the lower
  bound, goes by g alone, or by g + h if h is admissible. The lower bound rises only when nothing is left below the upper
  one: every state was expanded at its least g, or is a proved dead end, or costs too much to reach.
*/
#pragma once

#include "algorithms.h"

#include <memory>

namespace numbat {

constexpr int LARGEST_WEIGHT = 1000;

std::unique_ptr<Run> make_astar(SearchContext &context, const RunOptions &options);
std::unique_ptr<Run> make_weighted_astar(SearchContext &context, const RunOptions &options);

}  // namespace numbat
