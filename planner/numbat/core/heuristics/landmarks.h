/*
  Landmarks: atoms that every plan makes true on its way. docs/heuristics.md 11

  An atom that does not hold initially comes about by one of its achievers, so whatever all of them need comes first. From
  the initial state on, every atom is labelled with what is known to precede it; a label only shrinks, until nothing
  changes:

      label(a)  =  {a}                                                      if a holds initially
                =  {a} and what is in all of the labels of its achievers    otherwise
      label of an achiever  =  all that is in the labels of its precondition

  Achievers are those of achievers.h, without those whose precondition is out of reach. Conditions on one expression form
  a chain in which the stronger ones imply the weaker: what x >= 7 and x >= 5 have in common is x >= 5.

  Landmarks are the atoms of the goal and what is in the labels of landmarks, without what holds initially and for ever.
  Labels take time; when it is used up, the direct needs of the achievers take the place of the labels: fewer landmarks,
  found in one pass.
*/
#pragma once

#include "../task.h"

namespace numbat {

class Landmarks {
public:
    static constexpr size_t MOST_WORK = 50'000'000;  // label entries looked at: a fraction of a second
    static constexpr size_t MOST_LANDMARKS = 2048;   // bits per state

    explicit Landmarks(const Task &task, size_t most_work = MOST_WORK);

    /* A landmark, an operator that achieves it, and the condition of the effect that does. */
    struct Achiever {
        int32_t landmark;
        int32_t op;
        int32_t condition;  // conjunction
    };

    const Task &task;
    std::vector<int32_t> atoms;  // of the landmarks: those of the goal first
    size_t goals = 0;            // so many are atoms of the goal
    bool disjunctive = false;    // some are disjunctions
    Rows<int32_t> needed_by;     // landmark -> those whose achievers all need it
    Rows<int32_t> better_after;          // atom of the goal -> those that had better be achieved before it
    std::vector<int32_t> goal_sequence;  // the atoms of the goal, each after those
    Rows<int32_t> needs;                 // atom -> atoms that all its achievers need
    Rows<int32_t> groups;                // -> facts of which at most one holds at a time
    Rows<int32_t> groups_of;             // fact -> groups
    // who achieves them, if the precondition can be reached, by one of the facts that they need, or in the last row
    Rows<Achiever> achievers;
};

}  // namespace numbat
