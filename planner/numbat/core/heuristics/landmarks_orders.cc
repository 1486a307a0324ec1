#include "landmarks_orders.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace numbat {

namespace {

using Bits = std::vector<uint64_t>;

void set(Bits &bits, size_t bit) { bits[bit >> 6] |= uint64_t{1} << (bit & 63); }

bool has(const Bits &bits, size_t bit) { return bits[bit >> 6] >> (bit & 63) & 1; }

bool is_empty(const Bits &bits) {
    return std::all_of(bits.begin(), bits.end(), [](uint64_t word) { return word == 0; });
}

int count(const Bits &bits) {
    return std::accumulate(bits.begin(), bits.end(), 0,
                           [](int sum, uint64_t word) { return sum + std::popcount(word); });
}

}  // namespace

GoalOrders::GoalOrders(const Achievers &achievers, const Rows<int32_t> &achieving, std::span<const int32_t> goals)
    : before(goals.size()),
      t_(achievers),
      achieving_(achieving),
      goals_(goals),
      groups_(achievers, achieving),
      goal_of_(t_.task.atoms(), -1),
      obstructed_(goals.size()),
      earlier_(goals.size(), Bits((goals.size() + 63) / 64)) {
    for (size_t i = 0; i < goals.size(); ++i) goal_of_[goals[i]] = static_cast<int32_t>(i);
    sequence.resize(goals.size());
    std::iota(sequence.begin(), sequence.end(), 0);
    std::sort(sequence.begin(), sequence.end(), [&](int a, int b) { return goals[a] < goals[b]; });
    for (int i : sequence)
        if (t_.task.is_fact(goals[i]) && goals[i] % 2 == 0) groups_.find(goals[i] / 2);
    for (int i : sequence) obstructed_[i] = obstructed_by(goals[i]);
    for (int second : sequence)
        for (int first : sequence)
            if (has(obstructed_[first], second) && !has(obstructed_[second], first)) put_first(first, second);
    std::stable_sort(sequence.begin(), sequence.end(),
                     [&](int a, int b) { return count(earlier_[a]) < count(earlier_[b]); });
}

/* Adds the goals that cannot hold together with an atom. */
void GoalOrders::exclude(int atom, Bits &goals) const {
    if (!t_.task.is_fact(atom)) return;
    if (const int opposite = goal_of_[atom ^ 1]; opposite >= 0) set(goals, opposite);
    if (atom % 2) return;
    for (int group : groups_.of_facts()[atom / 2])
        for (int fact : groups_.groups()[group])
            if (const int other = goal_of_[2 * fact]; other >= 0 && 2 * fact != atom) set(goals, other);
}

/* The goals that every achiever of an atom excludes by what it needs or makes true; none if nobody achieves it. */
GoalOrders::Bits GoalOrders::obstructed_by(int atom) const {
    const auto actions = achieving_[atom];
    Bits all((goals_.size() + 63) / 64, actions.empty() ? 0 : ~uint64_t{0}), excluded(all.size());
    for (size_t i = 0; i < actions.size() && !is_empty(all); ++i) {
        std::fill(excluded.begin(), excluded.end(), 0);
        for (int other : t_.preconditions[actions[i]]) exclude(other, excluded);
        for (int other : t_.facts[actions[i]]) exclude(other, excluded);
        for (size_t word = 0; word < all.size(); ++word) all[word] &= excluded[word];
    }
    return all;
}

/* Unless it is known already to be the other way round. */
void GoalOrders::put_first(int first, int second) {
    if (first == second || has(earlier_[first], second)) return;
    before[second].push_back(first);
    if (has(earlier_[second], first)) return;
    Bits added = earlier_[first];
    set(added, first);
    for (size_t i = 0; i < goals_.size(); ++i) {
        if (static_cast<int>(i) != second && !has(earlier_[i], second)) continue;
        for (size_t word = 0; word < added.size(); ++word) earlier_[i][word] |= added[word];
    }
}

}  // namespace numbat
