/*
  Dominance: a state is left out if a known one has everything that it has, and more of what one can only want.

  A variable is wanted if more of it never hurts: every condition on it has a positive coefficient, no effect condition,
  amount or cost reads it, and it is changed by constants or assigned them. With only negative coefficients less of it is
  wanted. What is possible in a state is possible, at the same cost, in one that differs by better values of wanted
  variables only. So a state that is reached at no less cost than such a one need not be kept, and one that meanwhile has
  become like that need not be expanded.

  Known states with equal other parts form a list, of which the last few are compared. It is given up, and its memory with
  it, where it leaves out next to nothing.
*/
#pragma once

#include "../../growing_array.h"
#include "../../state_registry.h"

#include <functional>

namespace numbat {

class Dominance {
public:
    using Read = std::function<void(StateId, State &)>;
    using Cost = std::function<int64_t(StateId)>;
    /* `read` unpacks a known state, `cost` is what it costs to reach it. */
    Dominance(const Task &task, Read read, Cost cost);

    bool on() const { return on_; }
    size_t bytes() const { return slots_.size() * sizeof(uint64_t) + next_.bytes(); }

    /* Is there a known state, other than `self`, that is as good, and reached at no more than this cost? */
    bool dominates(const State &state, int64_t cost, StateId self);
    /* Is told of every new state, in the order of their numbers. */
    void enter(StateId id, const State &state);

private:
    const Task &task_;
    const Read read_;
    const Cost cost_of_;
    bool on_ = false;
    std::vector<int8_t> wanted_;  // variable -> 1: more of it, -1: less of it, 0: neither
    std::vector<uint64_t> slots_;  // hash << 32 | last state of a list, or EMPTY
    GrowingArray<StateId> next_;   // state -> the one before in its list
    size_t lists_ = 0, asked_ = 0, found_ = 0;
    State other_;

    void find_wanted();
    void withdraw(int conjunction, std::vector<uint8_t> &unfit) const;
    uint32_t hash(const State &state) const;
    bool rest_equal(const State &a, const State &b) const;
    bool as_good(const State &a, const State &b) const;
    size_t slot(const State &state);
    void grow();
};

}  // namespace numbat
