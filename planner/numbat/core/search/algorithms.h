/* The one table of search algorithms: notation, command line, README, tests and search read it from here. */
#pragma once

#include "run.h"

#include <memory>
#include <span>
#include <string_view>

namespace numbat {

/* What distinguishes the runs of one search. */
struct RunOptions {
    const std::vector<QueueOptions> &queues;
    Order order;
    size_t elsewhere;  // bytes that other runs hold
    int weight;
};

struct AlgorithmInfo {
    const char *name;  // as the notation spells it
    const char *summary;
    bool several;     // takes more than one queue
    bool complete;    // exhaustion proves that there is no plan
    bool admissible;  // needs a heuristic that never exceeds the true cost
    bool weighted;    // takes a weight
    bool plans;       // needs a heuristic with relaxed plans
    std::unique_ptr<Run> (*make)(SearchContext &, const RunOptions &);
};

std::span<const AlgorithmInfo> algorithms();

/* Throws std::invalid_argument for a name that is not in the table, or queues that the algorithm cannot use. */
std::unique_ptr<Run> make_run(SearchContext &context, std::string_view algorithm, const RunOptions &options);

}  // namespace numbat
