/*
  h_lm: how many landmarks are still to come. docs/heuristics.md 11

  A landmark that held somewhere on the way to a state is past. To come are those that are not, and those needed again:
  they do not hold now, and are part of the goal or needed by every achiever of a landmark that is not past. What is past
  depends on the way, so every state that a search evaluates has a bit per landmark here. If a state is reached again,
  past is only what is so on both ways.
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
    GrowingArray<uint64_t> past_;  // state -> words

    // of the state evaluated last
    Bits now_, arrived_;
    Bits to_come_;
    State state_;  // if advising

    State between_, next_;

    uint64_t *past_of(StateId id);
    void find_holding(const State &state);
    void arrive(const State &state, const Arrival &arrival);
    void pass_through(const Arrival &arrival);
    Estimate count(const State &state);
    bool needed_again(int landmark) const;
    bool has(const Bits &bits, int landmark) const { return bits[landmark >> 6] >> (landmark & 63) & 1; }
};

}  // namespace numbat
