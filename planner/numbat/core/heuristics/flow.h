/*
  h_flow: potentials in which places and loads count together. docs/heuristics.md 12

  The programme of potential.h for the task whose carriers are joined (carriers.h), with actions that cost 1. Its dual sends
  a flow of actions from a state to the goal in which a carrier has to be where it loads, with room to spare, and what a trip
  brings is what was carried less what the trip took: so trips are counted. The value is what the potentials come to, not
  rounded: along the flow it falls by 1 with every step, and never faster.

  There is a function for the initial state, and for further states that deserve a second look: more than enough of one
  thing may hide what is missing of another. The largest value counts. Where the programme has no largest value, no flow leads
  to the goal: it gives a function that no operator lowers and that is not positive in any goal state. States where
  it is positive are dead ends, which is checked in integers; that holds for all states that are still to come.

  So the value of a state depends on those evaluated before it. Where the programme is too large it is made without carriers;
  where it still is, the goals that do not hold are counted.
*/
#pragma once

#include "carriers.h"
#include "heuristic.h"
#include "potential_programme.h"

#include <memory>

namespace numbat {

class Flow : public Heuristic {
public:
    explicit Flow(const Task &task);
    Estimate evaluate(const State &state) override;
    size_t bytes() const override { return programme_ ? programme_->bytes() : 0; }

private:
    struct Function {
        double constant;
        std::vector<double> facts;      // of the joined task -> potential
        std::vector<double> variables;  // -> weight
    };
    const Task &task_;
    std::unique_ptr<JoinedTask> joined_;
    std::unique_ptr<Ranges> ranges_;
    std::unique_ptr<PotentialProgramme> programme_;  // none: no more functions are looked for
    std::vector<Function> functions_;
    std::vector<Potentials::Function> barriers_;  // positive only in dead ends

    // who deserves a second look
    int looks_left_;
    size_t evaluated_ = 0, next_time_;
    double least_, next_value_;

    std::vector<int32_t> true_facts_;  // of the state evaluated last, in the joined task

    bool make_programme(std::vector<Carrier> carriers);
    void look_at(const State &state);
    bool deserves_a_look(double value);
    bool behind_a_barrier(const State &state) const;
    double potential(const Function &function, const State &state) const;
    double largest(const State &state) const;
};

}  // namespace numbat
