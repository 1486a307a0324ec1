#include "landmarks_count.h"

#include "../repetition.h"

#include <algorithm>
#include <bit>

namespace numbat {

LandmarkCount::LandmarkCount(std::shared_ptr<const Landmarks> landmarks, bool advising)
    : landmarks_(std::move(landmarks)),
      t_(*landmarks_),
      advising_(advising),
      words_((t_.atoms.size() + 63) / 64),
      now_(words_),
      arrived_(words_),
      to_come_(words_) {}

uint64_t *LandmarkCount::past_of(StateId id) {
    past_.resize(std::max(past_.size(), words_ * (id + size_t{1})), 0);
    return past_.data() + words_ * id;
}

void LandmarkCount::find_holding(const State &state) {
    std::fill(now_.begin(), now_.end(), 0);
    for (size_t i = 0; i < t_.atoms.size(); ++i)
        now_[i >> 6] |= uint64_t{t_.task.holds(t_.atoms[i], state)} << (i & 63);
}

/*
  What holds on the way, between the steps and between the applications of a repeated operator. If every application
  changes the numbers by the same amounts, nothing does that holds at neither end, unless it is a disjunction.
*/
void LandmarkCount::pass_through(const Arrival &arrival) {
    if (arrival.steps.size() == 1 && !t_.disjunctive && changes_evenly(t_.task.operators[arrival.steps[0].op])) return;
    between_ = *arrival.before;
    bool overflow = false;
    for (const Jump &step : arrival.steps) {
        for (int i = 0; i < step.repetitions; ++i) {
            if (!t_.task.apply(t_.task.operators[step.op], between_, next_, overflow)) return;
            std::swap(between_, next_);
            find_holding(between_);
            for (size_t word = 0; word < words_; ++word) arrived_[word] |= now_[word];
        }
    }
}

/* Lets `arrived_` be what is past in a state on this way, and `now_` what holds there. */
void LandmarkCount::arrive(const State &state, const Arrival &arrival) {
    std::fill(arrived_.begin(), arrived_.end(), 0);
    if (arrival.parent != NO_STATE) {
        const uint64_t *before = past_of(arrival.parent);
        std::copy(before, before + words_, arrived_.begin());
        if (arrival.steps.size() > 1 || arrival.steps.front().repetitions > 1) pass_through(arrival);
    }
    find_holding(state);
    for (size_t word = 0; word < words_; ++word) arrived_[word] |= now_[word];
}

bool LandmarkCount::needed_again(int landmark) const {
    if (static_cast<size_t>(landmark) < t_.goals) return true;
    const auto needed_by = t_.needed_by[landmark];
    return std::any_of(needed_by.begin(), needed_by.end(), [&](int other) { return !has(arrived_, other); });
}

Estimate LandmarkCount::count(const State &state) {
    int count = 0;
    for (size_t word = 0; word < words_; ++word) {
        to_come_[word] = ~arrived_[word];
        if (word + 1 == words_ && t_.atoms.size() % 64) to_come_[word] &= (uint64_t{1} << t_.atoms.size() % 64) - 1;
        for (uint64_t bits = arrived_[word] & ~now_[word]; bits; bits &= bits - 1)
            if (needed_again(static_cast<int>(64 * word) + std::countr_zero(bits))) to_come_[word] |= bits & -bits;
        count += std::popcount(to_come_[word]);
    }
    if (advising_) state_ = state;
    return count;
}

Estimate LandmarkCount::evaluate(const State &state) {
    find_holding(state);
    arrived_ = now_;
    return count(state);
}

Estimate LandmarkCount::evaluate_reached(const State &state, const Arrival &arrival) {
    arrive(state, arrival);
    std::copy(arrived_.begin(), arrived_.end(), past_of(arrival.state));
    return count(state);
}

void LandmarkCount::reach_again(const State &state, const Arrival &arrival) {
    arrive(state, arrival);
    uint64_t *past = past_of(arrival.state);
    for (size_t word = 0; word < words_; ++word) past[word] &= arrived_[word];
}

/* Whatever can achieve a landmark that is to come. */
void LandmarkCount::advise(std::vector<int32_t> &helpful, std::vector<Jump> &jumps) {
    helpful.clear();
    jumps.clear();
    if (!advising_) return;
    const Task &task = t_.task;
    auto look_at = [&](int row) {
        for (const auto &[landmark, op, condition] : t_.achievers[row])
            if (has(to_come_, landmark) && task.all_hold(task.operators[op].precondition, state_) &&
                task.all_hold(condition, state_))
                helpful.push_back(op);
    };
    for (size_t word = 0; word < state_.facts.size(); ++word)
        for (uint64_t bits = state_.facts[word]; bits; bits &= bits - 1)
            look_at(static_cast<int>(64 * word) + std::countr_zero(bits));
    look_at(task.facts);
    std::sort(helpful.begin(), helpful.end());
    helpful.erase(std::unique(helpful.begin(), helpful.end()), helpful.end());
}

}  // namespace numbat
