#include "queue_keys.h"

#include <algorithm>

namespace numbat {

namespace {

constexpr double NOVELTY_SHARE = 0.4;  // of the memory, for all tables of pairs together

}  // namespace

QueueKeys::QueueKeys(SearchContext &context, const RunOptions &options, Evaluator &evaluator) : evaluator_(evaluator) {
    const auto novelties = std::count_if(options.queues.begin(), options.queues.end(),
                                         [](const QueueOptions &queue) { return !queue.feature.empty(); });
    const size_t memory = std::max(context.limits.memory(), options.elsewhere) - options.elsewhere;
    const double budget = NOVELTY_SHARE * static_cast<double>(memory) / static_cast<double>(std::max(novelties, 1L));
    for (const QueueOptions &queue : options.queues) {
        const size_t guide = evaluator.add(queue.heuristic);
        std::unique_ptr<Novelty> novelty;
        if (!queue.feature.empty()) {
            novelty = make_novelty(context.task, queue.feature, queue.measure, queue.k, static_cast<size_t>(budget));
            evaluator.remember(guide);  // novelty compares with the parent's value
        }
        queues_.push_back({guide, std::move(novelty)});
    }
}

Key QueueKeys::key(size_t number, const SearchSpace &space, StateId parent, uint64_t expansion) {
    const Queue &queue = queues_[number];
    const float h = evaluator_.value(queue.guide);
    if (!queue.novelty) return heuristic_key(h);
    const auto in_one = queue.novelty->small() ? small_novelty_key : novelty_key;
    if (parent == NO_STATE) return in_one(queue.novelty->evaluate(space.reached(), h, nullptr), h);
    const Origin origin{space.current(), evaluator_.value(queue.guide, parent), expansion};
    return in_one(queue.novelty->evaluate(space.reached(), h, &origin), h);
}

size_t QueueKeys::bytes() const {
    size_t sum = 0;
    for (const Queue &queue : queues_) sum += queue.novelty ? queue.novelty->bytes() : 0;
    return sum;
}

}  // namespace numbat
