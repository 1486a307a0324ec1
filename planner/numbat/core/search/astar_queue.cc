#include "astar_queue.h"

#include <algorithm>

namespace numbat {

bool AStarQueue::after(const Entry &a, const Entry &b) const {
    if (a.f != b.f) return a.f > b.f;
    if (a.h != b.h) return a.h > b.h;
    return ties_ == Ties::oldest_first ? a.state > b.state : a.state < b.state;
}

void AStarQueue::push(const Entry &entry) {
    ++size_;
    heaped_ ? push_into_heap(entry) : push_into_bucket(entry);
}

AStarQueue::Entry AStarQueue::pop() {
    --size_;
    return heaped_ ? pop_from_heap() : pop_from_bucket();
}

void AStarQueue::push_into_bucket(const Entry &entry) {
    Bucket &bucket = buckets_[{entry.f, entry.h}];
    bucket.states.push_back(entry.state);
    if (bucket.states.size() > bucket.highest) {
        ++bucket.highest;
        ++bucket_entries_;
    }
    if (buckets_.size() > MOST_BUCKETS) move_into_heap();
}

AStarQueue::Entry AStarQueue::pop_from_bucket() {
    auto least = buckets_.begin();
    while (least->second.states.size() == least->second.first) {
        bucket_entries_ -= least->second.highest;
        least = buckets_.erase(least);
    }
    const auto [f, h] = least->first;
    auto &[states, first, highest] = least->second;
    StateId state;
    if (ties_ == Ties::oldest_first) {
        state = states[first++];
        next_ = first < states.size() ? states[first] : NO_STATE;
        after_next_ = first + 1 < states.size() ? states[first + 1] : NO_STATE;
    } else {
        state = states.back();
        states.pop_back();
        const size_t left = states.size() - first;
        next_ = left > 0 ? states[states.size() - 1] : NO_STATE;
        after_next_ = left > 1 ? states[states.size() - 2] : NO_STATE;
    }
    return {f, h, state};
}

void AStarQueue::push_into_heap(const Entry &entry) {
    heap_.push_back(entry);
    std::push_heap(heap_.data(), heap_.data() + heap_.size(), [&](auto &a, auto &b) { return after(a, b); });
}

AStarQueue::Entry AStarQueue::pop_from_heap() {
    std::pop_heap(heap_.data(), heap_.data() + heap_.size(), [&](auto &a, auto &b) { return after(a, b); });
    const Entry best = heap_.back();
    heap_.pop_back();
    next_ = heap_.empty() ? NO_STATE : heap_[0].state;
    after_next_ = NO_STATE;
    return best;
}

void AStarQueue::move_into_heap() {
    heaped_ = true;
    for (const auto &[key, bucket] : buckets_)
        for (size_t i = bucket.first; i < bucket.states.size(); ++i) heap_.push_back({key.f, key.h, bucket.states[i]});
    std::make_heap(heap_.data(), heap_.data() + heap_.size(), [&](auto &a, auto &b) { return after(a, b); });
    buckets_.clear();
    bucket_entries_ = 0;
}

}  // namespace numbat
