/*
  Reasonable orders of the goal's atoms: which of two had better be achieved first. docs/heuristics.md 11.2

  An atom a is in the way of another, b, if every achiever of a needs or makes true what excludes b: whoever has b already
  has to give it up for a. Then a goes first. What excludes what is known of facts of one group (landmarks_groups.h) and of
  opposites. Orders of this kind are good advice, no more: of those that contradict each other some are left out.
*/
#pragma once

#include "landmarks_groups.h"

namespace numbat {

class GoalOrders {
public:
    /* `goals`: atoms; `achieving`: atom -> the actions that make it true and can be reached. */
    GoalOrders(const Achievers &achievers, const Rows<int32_t> &achieving, std::span<const int32_t> goals);

    std::vector<std::vector<int32_t>> before;  // goal -> those that had better be achieved first
    std::vector<int32_t> sequence;             // all goals, each after those
    const FactGroups &groups() const { return groups_; }

private:
    using Bits = std::vector<uint64_t>;  // goal

    const Achievers &t_;
    const Rows<int32_t> &achieving_;
    const std::span<const int32_t> goals_;
    FactGroups groups_;
    std::vector<int32_t> goal_of_;  // atom, or -1
    std::vector<Bits> obstructed_;  // goal -> those that it is in the way of
    std::vector<Bits> earlier_;     // goal -> those that orders put before it, by way of others too

    void exclude(int atom, Bits &goals) const;
    Bits obstructed_by(int atom) const;
    void put_first(int first, int second);
};

}  // namespace numbat
