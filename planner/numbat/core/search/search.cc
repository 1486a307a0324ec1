#include "search.h"

#include "algorithms.h"

#include <algorithm>
#include <cstdint>
#include <stdexcept>

namespace numbat {

namespace {

/* A variation and its present run. */
struct Lane {
    const Variation &variation;
    std::unique_ptr<Run> run;
    uint64_t runs_made = 0;
    size_t evaluated_before = 0;  // by runs thrown away

    size_t evaluated() const { return evaluated_before + (run ? run->evaluated() : 0); }
    size_t bytes() const { return run ? run->bytes() : 0; }
    bool given_up() const { return variation.kept && runs_made > 0 && !run; }
    bool joins_early() const { return variation.joins_at > 0; }

    void throw_away() {
        if (run) evaluated_before += run->evaluated();
        run.reset();
    }
};

class Rotation {
public:
    explicit Rotation(SearchContext &context) : context_(context) {
        for (const Variation &variation : context.options.variations) lanes_.push_back({variation, nullptr});
        if (lanes_.empty()) throw std::invalid_argument("a search needs at least one variation");
        for (const Lane &lane : lanes_)
            if (lane.joins_early()) halt_ = std::min(halt_, lane.variation.joins_at);
    }

    Status until_ended() {
        const Status status = take_turns();
        context_.result.bytes = std::max(context_.result.bytes, bytes());
        for (const Lane &lane : lanes_) context_.result.evaluated_by.push_back(lane.evaluated());
        return status;
    }

private:
    SearchContext &context_;
    std::vector<Lane> lanes_;
    size_t halt_ = SIZE_MAX;  // evaluations of the first lane at which those that join early get their share

    size_t bytes() const {
        size_t sum = 0;
        for (const Lane &lane : lanes_) sum += lane.bytes();
        return sum;
    }

    Status take_turns() {
        size_t patience = context_.options.patience ? context_.options.patience : SIZE_MAX;
        while (true) {
            if (auto ended = lead(patience)) return *ended;
            for (size_t i = 1; i < lanes_.size(); ++i)
                if (auto ended = follow(lanes_[i], patience)) return *ended;
            patience = patience > SIZE_MAX / 2 ? SIZE_MAX : 2 * patience;
        }
    }

    /* Until the first lane stalls, or the search ends. */
    std::optional<Status> lead(size_t patience) {
        Lane &first = lanes_[0];
        while (true) {
            if (auto ended = lead_until(halt_, patience)) return ended;
            if (first.evaluated() < halt_) return std::nullopt;
            for (size_t i = 1; i < lanes_.size(); ++i)
                if (lanes_[i].joins_early() && first.evaluated() >= lanes_[i].variation.joins_at)
                    if (auto ended = follow(lanes_[i], patience)) return ended;
            halt_ = halt_ > SIZE_MAX / 2 ? SIZE_MAX : 2 * halt_;
        }
    }

    std::optional<Status> lead_until(size_t most, size_t patience) {
        Lane &first = lanes_[0];
        const std::optional<Status> ended = go_on(first, patience, most);
        if (ended != Status::out_of_memory || bytes() == first.bytes()) return ended;
        for (size_t i = 1; i < lanes_.size(); ++i) lanes_[i].throw_away();
        return go_on(first, patience, most);
    }

    /* Until it has had its share of the evaluations; what a run takes beyond it, the next round takes off. */
    std::optional<Status> follow(Lane &lane, size_t patience) {
        const size_t share = lanes_[0].evaluated() * lane.variation.share / lanes_[0].variation.share;
        while (lane.evaluated() < share && !lane.given_up()) {
            const bool kept = lane.variation.kept;
            const auto ended = go_on(lane, kept ? SIZE_MAX : patience, kept ? share : SIZE_MAX);
            if (ended == Status::out_of_memory) {
                lane.throw_away();
                return std::nullopt;  // the first one may still have enough
            }
            if (ended) return ended;
            if (!kept) lane.throw_away();
        }
        return std::nullopt;
    }

    std::optional<Status> go_on(Lane &lane, size_t patience, size_t most) {
        const size_t elsewhere = bytes() - lane.bytes();
        if (!lane.run) {
            const Variation &v = lane.variation;
            const uint64_t number = lane.runs_made++;
            const Order order{v.ties[number % v.ties.size()], v.seed ? v.seed + number : 0};
            lane.run = make_run(context_, v.algorithm, {v.queues, order, elsewhere, v.weight});
            if (&lane != &lanes_[0]) ++context_.result.restarts;
        }
        return lane.run->go_on({patience, most, elsewhere});
    }
};

/* One search with the numbers as the task keeps them; what earlier ones counted is added to. */
SearchResult search_once(const Task &task, const SearchOptions &options, SearchResult earlier) {
    SearchContext context(task, options);
    SearchResult &result = context.result;
    result = std::move(earlier);
    result.evaluated_by.clear();
    const Status status = Rotation(context).until_ended();
    result.status = status;
    result.exact = task.exact();
    result.seconds += context.limits.elapsed();
    return std::move(result);
}

}  // namespace

SearchResult search(const Task &task, const SearchOptions &options) {
    SearchResult result = search_once(task, options, {});
    size_t out_of_range = 0;  // before the last search
    for (Numbers kind : {Numbers::wide, Numbers::rounded}) {
        if (result.status != Status::exhausted_pruned || result.out_of_range == out_of_range) break;
        if (kind <= task.numbers) continue;
        out_of_range = result.out_of_range;
        SearchOptions rest = options;
        rest.seconds -= result.seconds;
        result = search_once(task.kept_as(kind), rest, std::move(result));
    }
    return result;
}

}  // namespace numbat
