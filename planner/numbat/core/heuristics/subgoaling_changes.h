/*
  Costs of the subgoaling heuristics, kept from one evaluated state to the next and repaired where they change.

  A state differs from the one evaluated before by a few facts and numbers, and most costs are the same in both. What is
  kept for each atom: its cost, as the actions that need it know it, and its best offer, the least cost at which some
  action achieves it now, with the number of actions that offer it. The two agree, except for the atoms in the queue.
  Atoms are taken out of it by the lesser of the two:

      the offer is less         the cost falls to the offer
      the offer is more         the cost is withdrawn, to infinity, before the offer is taken: the offer may rest on the
                                atom itself, by a circle of actions
      no action offers it       whoever was the last to do so has become costlier; now, not before, all achievers are
                                looked at. By then another one may have come down to the same cost, and nothing is to do

  Each time the actions that need the atom follow, and the atoms that they achieve get another offer. Offers are more
  than the costs they rest on by a unit at least, so whatever is cheaper than the atom taken out is final (Ramalingam
  and Reps 1996: dynamic problems of superior functions). Costs are exactly those of Subgoaling::propagate: each is
  computed anew from others, by the same operations in the same order, never by adding a difference.

  It needs steps that cost a unit or more, for that order, and costs that such a step always changes, for the circles:
  beyond LARGEST_COST_BY_CHANGE it gives up. Disjunctions, whose parts cost nothing, are not treated.
*/
#pragma once

#include "cost_queue.h"
#include "subgoaling_tables.h"

#include <memory>

namespace numbat {

class SubgoalingChanges {
public:
    /* Conjunctions cost the sum of their parts, or the costliest of them. */
    enum class Fold { sum, maximum };

    SubgoalingChanges(std::shared_ptr<const SubgoalingTables> tables, Fold fold);

    /* Are the tables such that costs can be kept? */
    static bool possible(const SubgoalingTables &tables, const HeuristicOptions &options);

    /* Goes on to this state; false if its costs are too large. */
    bool move_to(const State &state);

    // of the state
    double goal_cost() const { return entry_[t_.goal]; }
    bool holds(int atom) const { return cost_[atom] == 0; }
    double entry_cost(int unary) const { return entry_[unary]; }
    bool applicable(int unary) const { return entry_[unary] == 0; }
    /* Of an atom that has been reached and does not hold: the cheapest achiever, of equals the one that comes first. */
    int supporter(int atom);
    /* How often an achiever of the atom is applied. */
    double repetitions(int atom, int unary) const;

    /* What it took to go on to the state, in steps of the innermost loops. */
    uint64_t work() const { return work_; }

private:
    struct Offer {
        double cost;
        int32_t count;      // actions that offer this cost; 0: none any more, all others offer more
        uint32_t all;       // those actions, combined by exclusive or: the action itself where there is one
        int32_t supporter;  // the first of them, or -1: not known
    };
    /* An action that achieves a numeric condition. */
    struct Way {
        int32_t unary;
        int32_t rate;
        double change;
    };

    std::shared_ptr<const SubgoalingTables> tables_;
    const SubgoalingTables &t_;
    const Fold fold_;
    Rows<int32_t> conditions_of_variable_;
    Rows<Way> ways_;       // condition -> who achieves it
    Rows<int32_t> rated_;  // condition -> atoms that some action achieves at this rate

    bool known_ = false;  // the rest is of some state
    State last_;
    std::vector<double> entry_;  // unary action -> what its precondition costs
    std::vector<double> cost_;   // atom
    std::vector<Offer> offers_;  // atom
    std::vector<double> value_;  // condition
    std::vector<double> need_;   // condition, where it does not hold
    CostQueue queue_;
    uint64_t work_ = 0;

    // scratch
    std::vector<uint64_t> seen_in_;  // condition -> move
    uint64_t moves_ = 0;
    std::vector<int32_t> read_, outdated_;

    void find_ways();
    void start();
    void read_facts(const State &state);
    void read_numbers(const State &state);
    void read_condition(int condition, const State &state);
    void set_truth(int atom, bool holds);
    template <Fold fold>
    bool settle_all();
    template <Fold fold>
    void settle(int atom, double due);
    template <Fold fold>
    void lower(int atom);
    void withdraw(int atom);
    template <Fold fold>
    double new_entry_cost(int unary) const;
    void change_entry(int unary, double before, double after);
    void change_offer(int atom, int unary, double before, double after);
    void look_at_achievers(int atom);
    void compare(Offer &best, int unary, double cost) const;
    double step(int condition, int rate, double change, int unary) const;
};

}  // namespace numbat
