/*
  Greedy best-first search with one or several queues.

  Each queue orders the states by one heuristic, or by a novelty measure over one; the queues take turns. Every state
  is evaluated once, by each distinct heuristic once, when it is first generated, and enters all queues; nothing is
  reopened, and the goal is tested at generation. A state with an infinite value is a dead end and goes no further.

  A queue with helpful-action pruning expands a state by what its heuristic advises only: helpful operators and jumps.
  Expanding fully and expanding by advice are two kinds of expansion; each state undergoes each kind at most once. So
  another queue may still expand the rest, and where all queues prune, the states they expanded wait in a queue of
  their own: when everything else is exhausted, the best of them is expanded fully and the search goes on. Exhaustion
  therefore means that every reachable state was expanded.
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
    size_t bytes = 0;
    double seconds = 0;
    double initial_h = 0, best_h = 0;  // of the first queue's heuristic
    std::vector<Improvement> history;
};

SearchResult search(const Task &task, const SearchOptions &options);

}  // namespace numbat
