/*
  Carriers: a place and a load that belong together, each pair of them a fact of its own. docs/heuristics.md 12

  A sum over the facts and numbers of a state cannot tell a full truck in the north and an empty one in the south from the
  reverse. So a group of facts of which always exactly one holds (where something is) and a number that stays within a
  small range and is only changed where that is known (what it has left, what it carries) are joined: for each fact of
  the group and each value of the number there is a fact that both are so.

  A group is a set of facts that operators exchange, one for one: it is closed under operators that take away one fact
  and add one; no operator does anything else to it than take away a fact that it needs and add another, without
  conditions; and one of its facts holds at first. A number belongs to a group if every operator that changes it does so by a
  constant, without conditions, and needs a fact of the group.
*/
#pragma once

#include "ranges.h"

namespace numbat {

struct Carrier {
    std::vector<int32_t> group;  // facts, ascending
    int32_t variable;
    Whole lowest, step;  // of the variable's values
    int levels;          // how many values it has

    int size() const { return static_cast<int>(group.size()) * levels; }
    /* The number of the pair that holds in a state, below size(), or with the nearest level; -1: no fact of the group does. */
    int place(const Task &task, const State &state) const;
    bool is_at_level(const Task &task, const State &state) const;
};

std::vector<Carrier> find_carriers(const Task &task);

/*
  The task with the pairs of its carriers in place of the groups, as PotentialProgramme reads it: operators with what they
  need and do, the goal and the initial state. Each action costs 1. Facts keep their numbers, those of groups have no part in
  anything any more, and the pairs follow after them, one carrier after the other. An operator that changes a carrier
  becomes one for each level at which it is possible.
*/
class JoinedTask {
public:
    /* Too many operators are no task: see possible(). */
    JoinedTask(const Task &task, std::vector<Carrier> carriers);

    bool possible() const { return possible_; }
    const Task &task() const { return joined_; }
    /* A state of the task as one of the joined task, and what is true there. */
    State joined(const State &state) const;
    void true_facts(const State &state, std::vector<int32_t> &facts) const;
    /* Does it have a pair of every carrier? States that are reached do, unless numbers were forgotten (Task::saturate). */
    bool fits(const State &state) const;

private:
    /* A pair of the carrier that holds before an operator, and the one that holds afterwards. */
    struct Exchange {
        int32_t before, after;  // facts of the joined task
    };
    const Task &original_;
    const std::vector<Carrier> carriers_;
    Task joined_;
    std::vector<uint8_t> in_group_;     // fact
    std::vector<int32_t> first_pair_;   // carrier -> fact of the joined task
    bool possible_ = true;

    int shifted(int atom) const;
    std::vector<int32_t> without_groups(int conjunction) const;
    void join_conjunctions();
    void join_goal();
    bool level_fits(const Carrier &carrier, int level, int conjunction) const;
    std::optional<std::vector<Exchange>> exchanges(const Carrier &carrier, int first, const Operator &op) const;
    void join_operator(const Operator &op);
    void add_operator(const Operator &op, const std::vector<Exchange> &exchanges);
};

}  // namespace numbat
