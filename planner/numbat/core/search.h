/*
  Search for a plan: what is asked for, and what comes of it.

  A greedy best-first search (greedy_search.h) leaves open which of equally good states it expands first, and much
  depends on that: from the same task and heuristic one order finds a plan at once and another gets lost on a plateau.
  So when the first run has stalled, it shares the evaluations, in equal parts, with

      a second run    its queues and one more, by h_md, unless it is there. Kept, like the first one.
      other runs      with other tie-breaking, the operators shuffled, and every other time a second queue: the novelty
                      of its heuristic, or the heuristic under its novelty. Each is given up when it stalls, and its
                      memory is freed.

  The first run goes on in between, for longer each time; when memory is short, the second is given up for it.
  Everything counts in evaluations: a search does the same on every machine.
*/
#pragma once

#include "heuristics/heuristic.h"
#include "open_list.h"

#include <string>
#include <string_view>
#include <vector>

namespace numbat {

struct QueueOptions {
    std::string heuristic;
    bool helpful = false;
    bool jumps = false;
    std::string feature;  // empty: no novelty
    std::string measure;
    int k = 2;
};

struct SearchOptions {
    std::vector<QueueOptions> queues;
    double seconds = 0;
    size_t bytes = 0;
    TieBreaking ties = TieBreaking::heap;
    uint64_t seed = 0;  // 0: operators in the task's order
    size_t patience = 2000;  // evaluations without progress until other runs share the time; 0: one run only
    HeuristicOptions heuristic;
    double bound = INFINITE;  // only plans cheaper than this
    volatile double *board = nullptr;
};

enum class Status { solved, exhausted_complete, exhausted_pruned, out_of_time, out_of_memory, stopped };
std::string_view name_of(Status status);

struct Improvement {
    double seconds;
    size_t evaluated;
    double h;
};

struct SearchResult {
    Status status = Status::exhausted_pruned;
    std::vector<int32_t> plan;
    size_t expanded = 0, evaluated = 0, generated = 0, dead_ends = 0, duplicates = 0;
    size_t restarts = 0;
    size_t bytes = 0;
    double seconds = 0;
    double initial_h = 0, best_h = 0;  // of the first queue's heuristic
    std::vector<Improvement> history;
};

SearchResult search(const Task &task, const SearchOptions &options);

}  // namespace numbat
