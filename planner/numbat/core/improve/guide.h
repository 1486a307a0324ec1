/*
  How far a state is from fulfilling a requirement, seen one part at a time.

  Every part that is not fulfilled needs actions of its own kind: a fact one that adds (or deletes) it, a constraint
  enough of those that raise its sum. The cheapest such actions give a lower bound for each part. What an action gains
  is looked at without its precondition; one that assigns, or changes by an amount that depends on the state, may close
  any gap at once.

  The sum of these bounds says which state looks nearer: it guides. It counts an action twice that helps two parts, so
  it proves nothing. If every action shares its cost among the parts that it helps, then the sum is a lower bound for
  all parts together: each part's bound is divided by the largest number of parts that one of its actions helps.
*/
#pragma once

#include "requirement.h"

#include <map>

namespace numbat {

struct Distance {
    double least_cost = 0, least_steps = 0;  // no way is cheaper, none is shorter
    double cost = 0, steps = 0;              // a guess
    bool fulfilled = true;                   // all parts are
    bool dead = false;                       // no action helps some part
};

class Guide {
public:
    Guide(const Task &task, const Prices &prices);

    /* What is asked for from now on; it must stay where it is. */
    void look_at(const Requirement &requirement);
    Distance distance(const State &state) const;

    /* How often an operator is to be applied until it has fulfilled some part of what is asked for: those beyond 1. */
    void jumps(int op, const State &state, std::vector<int> &repetitions) const;

private:
    struct Help {
        double cost, steps;      // per unit of the gap, at least
        double one_cost;         // of one application of the cheapest
        double leap_cost;        // of the cheapest that may close any gap
        bool leaps = false;      // there is one
        bool climbs = false;     // there is one that closes it step by step
        std::vector<int32_t> operators = {};
        std::vector<std::pair<int32_t, Whole>> gains = {};  // of those that always gain the same
    };
    struct Part {
        const Constraint *constraint;
        const Help *help;
        double share;
    };
    struct FactHelp {
        double cost;
        std::vector<int32_t> operators;
        double share = 1;
    };
    const Task &task_;
    const Prices &prices_;
    std::vector<double> lowest_;                  // per operator: cost
    std::vector<FactHelp> adding_, deleting_;     // per fact
    std::vector<std::vector<int32_t>> changing_;  // per variable: operators
    std::map<Terms, Help> helps_;
    std::vector<int32_t> helped_;  // per operator: parts of what is asked for
    const Requirement *asked_ = nullptr;
    std::vector<Part> parts_;
    std::map<int32_t, std::vector<std::pair<int, Whole>>> gains_;  // operator -> part, gain

    const Help &help_for(const Terms &terms);
    Help make_help(const Terms &terms) const;
    void share_out();
    template <class Visit>
    void each_fact(Visit visit);
    void add_facts(const State &state, Distance &distance) const;
};

}  // namespace numbat
