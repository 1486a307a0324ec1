/*
  h_add, h_radd and h_mrp: one engine. docs/heuristics.md 2, 3, 4

  Every atom gets the cost of the cheapest way to make it true: 0 if it holds, else the least, over the unary actions
  that achieve it, of what their precondition costs plus how often they must be applied. A conjunction costs the sum of
  its parts (h_add, h_radd) or the costliest of them (h_mrp). Costs are settled in ascending order, as in Dijkstra's
  algorithm, until the goal is.

  h_mrp then walks back from the goal along the best achievers and collects a multi-repetition relaxed plan: operators,
  each with the numbers of repetitions that some subgoal asked for. It also gives the advice: helpful are the
  applicable operators that achieve any subgoal met on the walk; jumps repeat an operator of the relaxed plan. Asked for
  advice, h_add walks back in the same way; helpful is then what its relaxed plan can do at once.

  Where it takes fewer steps, the costs are those of the state evaluated before, repaired where they change
  (subgoaling_changes.h). Value and advice are the same.
*/
#pragma once

#include "change_rule.h"
#include "cost_queue.h"
#include "subgoaling_changes.h"

#include <memory>
#include <optional>

namespace numbat {

class Subgoaling : public Heuristic {
public:
    /* add_with_plan: h_add's value, and advice from a relaxed plan along its cheapest achievers. */
    enum class Kind { add, add_with_plan, relaxed_plan };

    Subgoaling(std::shared_ptr<const SubgoalingTables> tables, Kind kind, const HeuristicOptions &options);

    Estimate evaluate(const State &state) override;
    void advise(std::vector<int32_t> &helpful, std::vector<Jump> &jumps) override;
    void relaxed_plan(PlanOrder order, std::vector<PlannedStep> &plan) override;

private:
    struct Repetitions {
        double least = -1, most = -1;  // -1: not in the plan
    };

    std::shared_ptr<const SubgoalingTables> tables_;
    const SubgoalingTables &t_;
    const Kind kind_;
    const double least_repetition_;
    bool small_steps_ = false;    // costs can be added up as they are, for as long as they are not large
    bool some_are_wide_ = false;  // of the conditions

    /* How far a unary action is from being affordable. */
    struct Progress {
        double entry_cost = 0;  // of the preconditions settled so far
        int32_t open = 0;       // preconditions not settled yet
        int32_t broken = 0;     // preconditions settled so far whose cost is not an integer
    };
    std::vector<Progress> initial_progress_;
    std::vector<int32_t> without_precondition_;
    std::vector<int32_t> negative_atoms_;  // "fact is false" atoms that somebody needs

    ChangeRule rule_;
    std::unique_ptr<SubgoalingChanges> changes_;  // made when it is needed
    bool by_change_ = false;                      // the state evaluated last: its costs are in `changes_`

    // of the state evaluated last, if it was from scratch
    std::vector<Progress> progress_;    // unary action
    std::vector<double> cost_;          // atom
    std::vector<uint8_t> satisfied_;    // atom; not for disjunctions
    std::vector<int32_t> true_atoms_;
    std::vector<double> need_;          // condition -> how much is missing
    std::vector<double> value_;         // condition
    std::vector<int32_t> supporter_;    // atom -> unary action
    std::vector<double> supporter_repetitions_;
    CostQueue queue_;                   // atoms to settle; may hold outdated entries
    bool goal_settled_ = false;

    std::vector<uint8_t> visited_;
    std::vector<int32_t> visited_atoms_;  // unsatisfied subgoals of the relaxed plan
    std::vector<int32_t> plan_;           // operators
    std::vector<int32_t> planned_for_;    // the atom that each of them was first needed for
    std::vector<Repetitions> repetitions_;
    std::vector<std::pair<double, int32_t>> by_cost_;  // what the precondition of a supporter costs, and its atom
    std::vector<int32_t> path_;
    std::vector<uint8_t> taken_down_;  // operator

    bool move_by_change(const State &state);
    bool satisfied(int atom) const { return by_change_ ? changes_->holds(atom) : satisfied_[atom]; }
    void satisfy(int atom);
    void read_state(const State &state);
    template <bool some_are_wide>
    void read_conditions(const State &state);
    template <Kind kind>
    Estimate estimate_from_scratch(const State &state);
    Estimate estimate(const State &state);
    template <Kind kind, bool large>
    std::optional<Estimate> propagate();
    template <Kind kind, bool large>
    double entry_cost(int unary) const;
    template <Kind kind, bool large>
    void settle(int unary);
    template <Kind kind>
    void offer(int atom, double cost, int unary, double repetitions);
    double repetitions_of(const Achievement &achievement) const;
    void extract();
    double plan_cost() const;
    int supporter(int atom);
    double entry_cost(int unary) const;
    void order_by_cost(std::vector<PlannedStep> &plan);
    void order_by_subgoal(std::vector<PlannedStep> &plan);
    void add_step(int atom, std::vector<PlannedStep> &plan);
    bool operator_applicable(int op) const;
    void advise_operators(std::vector<int32_t> &helpful) const;
    double sum_of_preconditions(int unary) const;
    int cheapest_part(int disjunction) const;
    bool holds(int atom) const;
    bool applicable(int unary) const;
};

}  // namespace numbat
