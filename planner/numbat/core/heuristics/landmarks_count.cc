#include "landmarks_count.h"

#include "../repetition.h"

#include <algorithm>
#include <bit>

namespace numbat {

namespace {

// A distance is worth less than one landmark.
constexpr int FARTHEST = 255;
constexpr float SCALE = 256;

}  // namespace

LandmarkCount::LandmarkCount(std::shared_ptr<const Landmarks> landmarks, bool advising)
    : landmarks_(std::move(landmarks)),
      t_(*landmarks_),
      advising_(advising),
      words_((t_.atoms.size() + 63) / 64),
      goals_are_ordered_(!t_.better_after.data().empty()),
      now_(words_),
      arrived_(words_),
      in_place_(words_),
      to_come_(words_),
      current_(t_.groups.size()),
      seen_(t_.task.atoms()) {}

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

/* Goals that hold, as do those that had better come first. */
void LandmarkCount::find_in_place() {
    std::fill(in_place_.begin(), in_place_.end(), 0);
    for (int goal : t_.goal_sequence)
        if (has(now_, goal) && is_next(goal)) in_place_[goal >> 6] |= uint64_t{1} << (goal & 63);
}

/* Is what had better come before it in place? */
bool LandmarkCount::is_next(int landmark) const {
    if (static_cast<size_t>(landmark) >= t_.goals) return true;
    const auto earlier = t_.better_after[landmark];
    return std::all_of(earlier.begin(), earlier.end(), [&](int other) { return has(in_place_, other); });
}

bool LandmarkCount::needed_again(int landmark) const {
    if (static_cast<size_t>(landmark) < t_.goals) return !has(in_place_, landmark);
    if (has(now_, landmark) || goals_are_ordered_) return false;
    const auto needed_by = t_.needed_by[landmark];
    return std::any_of(needed_by.begin(), needed_by.end(), [&](int other) { return !has(arrived_, other); });
}

Estimate LandmarkCount::count(const State &state) {
    find_in_place();
    int count = 0;
    for (size_t word = 0; word < words_; ++word) {
        to_come_[word] = ~arrived_[word];
        if (word + 1 == words_ && t_.atoms.size() % 64) to_come_[word] &= (uint64_t{1} << t_.atoms.size() % 64) - 1;
        for (uint64_t bits = arrived_[word]; bits; bits &= bits - 1)
            if (needed_again(static_cast<int>(64 * word) + std::countr_zero(bits))) to_come_[word] |= bits & -bits;
        count += std::popcount(to_come_[word]);
    }
    if (advising_) state_ = state;
    return static_cast<float>(count) + static_cast<float>(nearest(state)) / SCALE;
}

/* The distance of the nearest landmark to come that may be next; 0 if none is to come. */
int LandmarkCount::nearest(const State &state) {
    std::fill(current_.begin(), current_.end(), -1);
    for (size_t word = 0; word < state.facts.size(); ++word)
        for (uint64_t bits = state.facts[word]; bits; bits &= bits - 1) {
            const int fact = static_cast<int>(64 * word) + std::countr_zero(bits);
            for (int group : t_.groups_of[fact]) current_[group] = fact;
        }
    int least = FARTHEST;
    bool any = false;
    for (size_t word = 0; word < words_; ++word)
        for (uint64_t bits = to_come_[word] & ~now_[word]; bits; bits &= bits - 1) {
            const int landmark = static_cast<int>(64 * word) + std::countr_zero(bits);
            if (!is_next(landmark)) continue;
            any = true;
            least = std::min(least, distance(t_.atoms[landmark], state, least));
        }
    return any ? least : 0;
}

/*
  How many atoms that do not hold are seen to be needed for this one: by all achievers of it, or to make way for it, that
  is, a fact of one of its groups holds and has to go. If they are at least `most`, some number that is not less.
*/
int LandmarkCount::distance(int atom, const State &state, int most) {
    ++searches_;
    queue_.clear();
    auto meet = [&](int other) {
        if (seen_[other] == searches_) return;
        seen_[other] = searches_;
        if (!t_.task.holds(other, state)) queue_.push_back(other);
    };
    meet(atom);
    for (size_t i = 0; i < queue_.size() && static_cast<int>(queue_.size()) < most; ++i) {
        const int next = queue_[i];
        for (int other : t_.needs[next]) meet(other);
        if (!t_.task.is_fact(next) || next % 2) continue;
        for (int group : t_.groups_of[next / 2])
            if (current_[group] >= 0) meet(2 * current_[group] + 1);
    }
    return static_cast<int>(queue_.size());
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

/* Whatever can achieve a landmark that is to come and may be next. */
void LandmarkCount::advise(std::vector<int32_t> &helpful, std::vector<Jump> &jumps) {
    helpful.clear();
    jumps.clear();
    if (!advising_) return;
    const Task &task = t_.task;
    auto look_at = [&](int row) {
        for (const auto &[landmark, op, condition] : t_.achievers[row])
            if (has(to_come_, landmark) && is_next(landmark) &&
                task.all_hold(task.operators[op].precondition, state_) && task.all_hold(condition, state_))
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
