/*
  Greedy best-first search with one or several queues.

  Each queue orders the states by one heuristic, or by a novelty measure over one; the queues take turns. Every state
  is evaluated once, by each distinct heuristic once, when it is first generated, and enters all queues; nothing is
  reopened, and the goal is tested at generation. A dead end goes no further.

  A queue with helpful-action pruning expands a state by what its heuristic advises only: helpful operators and jumps.
  Expanding fully and expanding by advice are two kinds of expansion; each state undergoes each kind at most once. So
  another queue may still expand the rest, and where all queues prune, the states they expanded wait in a queue of
  their own: when everything else is exhausted, the best of them is expanded fully and the search goes on. Exhaustion
  therefore means that every reachable state was expanded.
*/
#pragma once

#include "algorithms.h"

#include <memory>

namespace numbat {

std::unique_ptr<Run> make_greedy(SearchContext &context, const RunOptions &options);

}  // namespace numbat
