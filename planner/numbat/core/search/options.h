/* What is asked of a search, as one record; the bindings fill it from what numbat.search.run sends. */
#pragma once

#include "../heuristics/heuristic.h"
#include "open_list.h"
#include "pruning/symmetries.h"

#include <limits>
#include <string>
#include <vector>

namespace numbat {

constexpr double UNBOUNDED = std::numeric_limits<double>::infinity();

struct QueueOptions {
    std::string heuristic;
    bool helpful = false;
    bool jumps = false;
    std::string feature;  // empty: no novelty
    std::string measure;
    int k = 2;
};

/* Which of equally good states a run takes first. */
struct Order {
    TieBreaking ties = TieBreaking::heap;
    uint64_t seed = 0;  // 0: operators in the task's order; else shuffled
};

/*
  A way to search, made in numbat.search.variations: an algorithm with its queues, and what becomes of its runs. Its n-th
  run breaks ties by the n-th of `ties`, over and over, and shuffles with `seed` + n, or not at all if `seed` is 0.
*/
struct Variation {
    std::string algorithm;
    std::vector<QueueOptions> queues;
    std::vector<TieBreaking> ties;
    uint64_t seed = 0;
    bool kept = true;  // one run that goes on; else a run that makes no progress is thrown away for the next one
    size_t share = 1;  // of the evaluations, in proportion to the other variations
    size_t joins_at = 0;  // evaluations of the search itself after which it joins, stalled or not; 0: once stalled
    int weight = 1;    // of the heuristic, for algorithms that take one
};

struct SearchOptions {
    std::vector<Variation> variations;  // the first is the search itself
    size_t patience = 0;  // evaluations without progress until the others share the time; 0: never
    double seconds = 0;
    size_t bytes = 0;
    HeuristicOptions heuristic;
    double bound = UNBOUNDED;  // only plans cheaper than this
    int64_t integer_bound = 0;  // the same for algorithms that go by the task's integer costs; 0: none
    int64_t *bounds = nullptr;  // see bounds.h, for the same algorithms
    int64_t cost_elsewhere = 0;  // what those bounds contain beside the costs of this task
    std::vector<Swap> swaps;  // of interchangeable objects, see pruning/symmetries.h; likewise
    bool stubborn = false;  // likewise: see pruning/stubborn.h
    bool dominance = false;  // likewise: see pruning/dominance.h
    double *board = nullptr;  // see limits.h
};

}  // namespace numbat
