/*
  h_lm: how many landmarks are still to come, and then how far the nearest is. docs/heuristics.md 11

  A landmark that held somewhere on the way to a state is past. To come are those that are not past, the atoms of the goal
  that are not in place, and, if these are not ordered, what is needed again: it does not hold now, and every achiever of a
  landmark that is not past needs it. In place is what holds, as does all that had better be achieved first.

  What is past depends on the way, so every state that a search evaluates has a bit per landmark here. If a state is reached
  again, past is only what is so on both ways.
*/
#pragma once

#include "../growing_array.h"
#include "heuristic.h"
#include "landmarks.h"

#include <memory>

namespace numbat {

class LandmarkCount : public Heuristic {
public:
    /* `advising`: it will be asked for the operators that achieve what is to come. */
    LandmarkCount(std::shared_ptr<const Landmarks> landmarks, bool advising);

    /* Of a state without a history: what does not hold is to come. */
    Estimate evaluate(const State &state) override;
    Estimate evaluate_reached(const State &state, const Arrival &arrival) override;
    void reach_again(const State &state, const Arrival &arrival) override;
    bool depends_on_path() const override { return true; }
    void advise(std::vector<int32_t> &helpful, std::vector<Jump> &jumps) override;
    size_t bytes() const override { return past_.bytes(); }

private:
    using Bits = std::vector<uint64_t>;  // landmark

    std::shared_ptr<const Landmarks> landmarks_;
    const Landmarks &t_;
    const bool advising_;
    const size_t words_;
    const bool goals_are_ordered_;
    GrowingArray<uint64_t> past_;  // state -> words

    // of the state evaluated last
    Bits now_, arrived_;
    Bits in_place_;
    Bits to_come_;
    State state_;  // if advising

    State between_, next_;

    // for distances
    std::vector<int32_t> current_;  // group -> its fact that holds, or -1
    std::vector<uint64_t> seen_;    // atom -> the number of the last search that has met it
    std::vector<int32_t> queue_;
    uint64_t searches_ = 0;

    uint64_t *past_of(StateId id);
    void find_holding(const State &state);
    void arrive(const State &state, const Arrival &arrival);
    void pass_through(const Arrival &arrival);
    Estimate count(const State &state);
    void find_in_place();
    bool is_next(int landmark) const;
    int nearest(const State &state);
    int distance(int atom, const State &state, int most);
    bool needed_again(int landmark) const;
    bool has(const Bits &bits, int landmark) const { return bits[landmark >> 6] >> (landmark & 63) & 1; }
};

}  // namespace numbat
