/*
  Lazy greedy search with preferred operators.

  The queues hold steps: a state and an operator to be applied in it. Only when a step is taken out is the state that it
  leads to built and, if it is new, evaluated; until then the step is ranked by the state it starts from. So there is
  one evaluation per expansion instead of one per successor. A new state's steps are all its applicable operators.

  Every heuristic, or novelty measure, has two queues: one for all steps and one for those that some heuristic prefers,
  its helpful operators and, with jumps, repeated ones, which come right before the operator itself. Each queue has
  a counter; the one with the least is next, and its counter grows by one. A new least value of any heuristic lowers the
  counters of all preferred queues by 1000. Nothing is pruned: what is not preferred is only later, and exhaustion
  means that every reachable state was expanded.

  Asked to look ahead (Y), it also carries out the relaxed plan of each new state (lookahead.h). Where that leads is a
  successor like any other, evaluated at once, and so on while the first heuristic's value falls; if it does not fall, the
  plan is carried out in another order.

  Steps of one state are ranked alike and would stand in a row, so that a queue holds the state alone, with a cursor;
  the operators are found anew when the state is at the front.
*/
#pragma once

#include "algorithms.h"

#include <memory>

namespace numbat {

std::unique_ptr<Run> make_lazy(SearchContext &context, const RunOptions &options);
std::unique_ptr<Run> make_lookahead(SearchContext &context, const RunOptions &options);

}  // namespace numbat
