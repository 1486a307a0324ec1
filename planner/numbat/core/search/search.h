/*
  Search for a plan by several variations that take turns.

  A greedy search leaves open which of equally good states it expands first, and much depends on that: from the same
  task and heuristic one order finds a plan at once and another gets lost on a plateau. So a search is a list of
  variations, and the first is what was asked for. It runs alone until it has seen no better heuristic value for
  `patience` evaluations; then every other variation gets as many evaluations in all, in proportion to its share, and
  the next round begins with the patience doubled: a geometric sequence. A variation that joins early does not wait for
  that: it gets its share when the first has had so many evaluations, twice as many, four times as many, and so on.

  Each variation has one run at a time. A run that is to be kept always goes on. Another one goes on until it has made
  no progress for the patience of the round, and is thrown away; what it took beyond its variation's share is missing in
  the next rounds. When memory is short, the first variation has all of it. Everything counts in evaluations: a search
  does the same on every machine.
*/
#pragma once

#include "options.h"
#include "result.h"

namespace numbat {

SearchResult search(const Task &task, const SearchOptions &options);

}  // namespace numbat
