#include "search.h"

#include "greedy_search.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

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

using Queues = std::vector<QueueOptions>;

/* The same heuristic seen the other way: with novelty if it has none, without if it has. */
QueueOptions counterpart(const QueueOptions &queue) {
    const bool plain = queue.measure.empty();
    return {.heuristic = queue.heuristic,
            .helpful = queue.helpful,
            .jumps = queue.jumps,
            .feature = plain ? "B" : "",
            .measure = plain ? "QB" : ""};
}

bool is_goal_distance(const QueueOptions &queue) { return queue.heuristic == "hmd" && queue.measure.empty(); }

/* The search's queues and h_md's, unless it is among them: cheap, and it sees other things than relaxed plans do. */
std::optional<Queues> with_goal_distance(Queues queues) {
    if (std::any_of(queues.begin(), queues.end(), is_goal_distance)) return std::nullopt;
    queues.push_back({.heuristic = "hmd", .feature = "", .measure = ""});
    return queues;
}

Queues with_counterpart(Queues queues) {
    if (queues.size() == 1) queues.push_back(counterpart(queues[0]));
    return queues;
}

/* The first run, and those that share the evaluations with it once it has stalled; see search.h. */
class Runs {
public:
    explicit Runs(SearchContext &context)
        : context_(context), first_(context, context.options.queues, {context.options.ties, context.options.seed}, 0) {}

    Status until_ended() {
        const Status status = take_turns();
        context_.result.bytes = std::max(context_.result.bytes, first_.bytes() + second_bytes());
        return status;
    }

private:
    SearchContext &context_;
    GreedySearch first_;
    std::optional<GreedySearch> second_;
    bool second_made_ = false;
    uint64_t others_ = 0;
    size_t evaluated_by_others_ = 0;

    Status take_turns() {
        size_t patience = context_.options.patience ? context_.options.patience : SIZE_MAX;
        while (true) {
            if (auto ended = run_first(patience)) return *ended;
            if (auto ended = run_second()) return *ended;
            if (auto ended = run_others(patience)) return *ended;
            patience *= 2;
        }
    }

    size_t second_bytes() const { return second_ ? second_->bytes() : 0; }

    std::optional<Status> run_first(size_t patience) {
        const std::optional<Status> ended = first_.run(patience, SIZE_MAX, second_bytes());
        if (ended != Status::out_of_memory || !second_) return ended;
        second_.reset();
        return first_.run(patience, SIZE_MAX, 0);
    }

    /* Kept like the first one, and as long in all, until memory is short. */
    std::optional<Status> run_second() {
        if (!second_made_) {
            second_made_ = true;
            if (const auto queues = with_goal_distance(context_.options.queues)) {
                ++context_.result.restarts;
                second_.emplace(context_, *queues, Order{context_.options.ties, context_.options.seed}, first_.bytes());
            }
        }
        if (!second_) return std::nullopt;
        const std::optional<Status> ended = second_->run(SIZE_MAX, first_.evaluated(), first_.bytes());
        if (ended != Status::out_of_memory) return ended;
        second_.reset();
        return std::nullopt;
    }

    /* Each until it stalls, and as long as the first one all together. */
    std::optional<Status> run_others(size_t patience) {
        while (evaluated_by_others_ < first_.evaluated()) {
            const uint64_t number = ++others_;
            ++context_.result.restarts;
            const Order order{OTHER_TIES[number % OTHER_TIES.size()], (context_.options.seed << 20) + number};
            const Queues &own = context_.options.queues;
            const size_t elsewhere = first_.bytes() + second_bytes();
            GreedySearch other(context_, number % 2 ? with_counterpart(own) : own, order, elsewhere);
            const std::optional<Status> ended = other.run(patience, SIZE_MAX, elsewhere);
            evaluated_by_others_ += other.evaluated();
            if (ended == Status::out_of_memory) return std::nullopt;  // the first run may still have enough
            if (ended) return ended;
        }
        return std::nullopt;
    }
};

}  // namespace

SearchResult search(const Task &task, const SearchOptions &options) {
    SearchContext context(task, options);
    const Status status = Runs(context).until_ended();
    SearchResult &result = context.result;
    result.status = status;
    result.seconds = context.limits.elapsed();
    return std::move(result);
}

}  // namespace numbat
