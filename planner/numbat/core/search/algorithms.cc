#include "algorithms.h"

#include "astar.h"
#include "greedy.h"
#include "lazy.h"

#include <stdexcept>
#include <string>

namespace numbat {

namespace {

/* A new algorithm adds one line here. */
constexpr AlgorithmInfo ALGORITHMS[] = {
    // name summary                                                several complete admissible weighted plans make
    {"S", "greedy best-first search with one queue", false, true, false, false, false, make_greedy},
    {"M", "greedy best-first search, several queues in turn", true, true, false, false, false, make_greedy},
    {"L", "lazy greedy search with preferred operators", true, true, false, false, false, make_lazy},
    {"Y", "lazy greedy search that carries out relaxed plans", true, true, false, false, true, make_lookahead},
    {"A", "A* for a cheapest plan, with admissible heuristics", true, true, true, false, false, make_astar},
    {"W", "weighted A* with any heuristic, and with reopening", false, true, false, true, false, make_weighted_astar},
};

void check(const AlgorithmInfo &info, const std::vector<QueueOptions> &queues) {
    if (queues.empty()) throw std::invalid_argument("a search needs at least one queue");
    if (queues.size() > 1 && !info.several)
        throw std::invalid_argument(std::string(info.name) + "(...) takes one heuristic");
}

}  // namespace

std::span<const AlgorithmInfo> algorithms() { return ALGORITHMS; }

std::unique_ptr<Run> make_run(SearchContext &context, std::string_view algorithm, const RunOptions &options) {
    for (const AlgorithmInfo &info : ALGORITHMS)
        if (info.name == algorithm) {
            check(info, options.queues);
            return info.make(context, options);
        }
    throw std::invalid_argument("unknown search algorithm " + std::string(algorithm));
}

}  // namespace numbat
