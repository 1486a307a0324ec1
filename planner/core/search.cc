#include "search.h"

#include "greedy_search.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace numbat {

std::string_view name_of(Status status) {
    switch (status) {
    case Status::solved: return "solved";
    case Status::exhausted_complete: return "exhausted-complete";
    case Status::exhausted_pruned: return "exhausted-pruned";
    case Status::out_of_time: return "out-of-time";
    case Status::out_of_memory: return "out-of-memory";
    case Status::stopped: return "stopped";
    }
    return "";
}

namespace {

constexpr std::array OTHER_TIES{TieBreaking::lifo, TieBreaking::heap, TieBreaking::fifo};

/* Runs in other orders, each until it stalls, with as many evaluations in all as the first run has had. */
class OtherRuns {
public:
    explicit OtherRuns(SearchContext &context) : context_(context) {}

    std::optional<Status> catch_up_with(const GreedySearch &first, size_t patience) {
        while (evaluated_ < first.evaluated()) {
            const size_t number = context_.result.restarts++;
            const Order order{OTHER_TIES[number % OTHER_TIES.size()], (context_.options.seed << 20) + number + 1};
            GreedySearch other(context_, order, first.bytes());
            const std::optional<Status> ended = other.run(patience);
            evaluated_ += other.evaluated();
            if (ended == Status::out_of_memory) return std::nullopt;  // the first run may still have enough
            if (ended) return ended;
        }
        return std::nullopt;
    }

private:
    SearchContext &context_;
    size_t evaluated_ = 0;
};

}  // namespace

SearchResult search(const Task &task, const SearchOptions &options) {
    SearchContext context(task, options);
    GreedySearch first(context, {options.ties, options.seed}, 0);
    OtherRuns others(context);
    size_t patience = options.patience ? options.patience : SIZE_MAX;
    std::optional<Status> ended = first.run(patience);
    while (!ended) {
        ended = others.catch_up_with(first, patience);
        patience *= 2;
        if (!ended) ended = first.run(patience);
    }
    SearchResult &result = context.result;
    result.status = *ended;
    result.bytes = std::max(result.bytes, first.bytes());
    result.seconds = context.limits.elapsed();
    return std::move(result);
}

}  // namespace numbat
