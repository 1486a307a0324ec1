/*
  Groups of facts of which at most one holds in any state that is reached: where something is, or what
  lies on it. docs/heuristics.md 11.1

  A set of facts is a group if at most one of them holds initially, no operator adds two of them, and every action that
  adds one gives up one: a fact that it needs and deletes, and that its operator does not add. Here an action adds what
  it does not need. Each step then leaves as many of them true as before, or fewer.

  A group grows from two facts, one that the first action which adds the other gives up. As long as some action adds a
  member and gives up none, the first of them tells who may join: what it gives up, unless an operator would add two
  members, or two would hold initially. Of these the one joins with the least number of such actions afterwards.

  Groups are asked for that have certain facts. The work is limited; groups that would take more are not found.
*/
#pragma once

#include "achievers.h"

namespace numbat {

class FactGroups {
public:
    static constexpr size_t MOST_WORK = 50'000'000;  // effects of actions looked at

    /* `achieving`: atom -> the actions that make it true and can be reached. */
    FactGroups(const Achievers &achievers, const Rows<int32_t> &achieving, size_t most_work = MOST_WORK);

    /* Finds the groups that grow from a fact. */
    void find(int fact);

    const std::vector<std::vector<int32_t>> &groups() const { return groups_; }       // -> facts
    const std::vector<std::vector<int32_t>> &of_facts() const { return of_fact_; }  // fact -> groups

private:
    const Achievers &t_;
    const Rows<int32_t> &achieving_;
    std::vector<int32_t> first_action_;  // operator, and one more
    std::vector<std::vector<int32_t>> groups_, of_fact_;
    size_t work_left_;

    // of the group that grows
    std::vector<int32_t> members_;
    std::vector<uint8_t> is_member_;    // fact
    std::vector<uint8_t> is_open_;      // action: it adds a member and gives up none
    std::vector<int32_t> opened_;       // actions, in the order in which they became open
    std::vector<int32_t> would_close_;  // fact -> how many open actions give it up
    std::vector<int32_t> kept_;         // fact -> how many actions need and add it, of any group
    size_t losing_ = 0;                 // so many actions delete a member, those that delete two counted twice
    size_t front_ = 0;                  // before it, none of opened_ is open
    std::vector<int32_t> given_up_;

    bool spend(size_t work);
    bool needs(int action, int fact) const;
    bool adds_anywhere(int action, int fact) const;
    bool adds_member(int action) const;
    const std::vector<int32_t> &given_up(int action);
    bool gives_up_member(int action);
    bool has_both(int one, int other) const;
    void grow(int one, int other);
    bool join(int fact);
    void set_open(int action, bool open);
    int first_open();
    int next_member();
    int left_open(int fact, int least);
    void clear();
};

}  // namespace numbat
