/*
  The task as the subgoaling heuristics see it: unary actions that achieve atoms. docs/heuristics.md 2 and 3

  Atoms are those of the task, with more numeric conditions between the task's conditions and the disjunctions:
    sums      (h_radd) the sum of two numeric conditions of one conjunction
    rates     "the change L is positive", for a state-dependent change L of a condition by an action
  Unary actions: one per operator and effect block; one per part of a disjunction (no operator, costs nothing); one per
  action and state-dependent rate at which it changes conditions, with the rate as an extra precondition; and the goal.

  A rate condition is itself changed by actions, perhaps at a rate: conditions are treated level by level, and from
  the third level on a state-dependent change is simply taken to help. So is one that an exact task cannot compute
  exactly: a change overlooked would be a dead end that is none.
*/
#pragma once

#include "heuristic.h"

#include <map>

namespace numbat {

/* A numeric condition that takes several applications. */
struct Achievement {
    int32_t atom;
    int32_t rate;   // condition whose value, where positive, is the change per application; or -1
    double change;  // change per application, if the rate does not tell; 0: not known, one application is enough
};

struct SubgoalingCondition {
    Condition condition;
    double repair;  // added to the need of an unsatisfied strict condition
    bool wide;      // doubles might round its value: sum up integers
};

class SubgoalingTables {
public:
    SubgoalingTables(const Task &task, const HeuristicOptions &options, bool redundant);

    const Task &task;
    std::vector<SubgoalingCondition> conditions;
    int atoms = 0;
    int first_disjunction = 0;

    std::vector<int32_t> unary_operator;  // -1: no operator
    std::vector<int32_t> unary_origin;    // the action itself, or the one it is with an extra precondition
    std::vector<double> unary_cost;
    std::vector<double> operator_cost;
    Rows<int32_t> preconditions;          // unary action -> atoms
    Rows<int32_t> achieved_at_once;       // unary action -> atoms that one application makes true
    Rows<Achievement> achieved_by_degrees;
    Rows<int32_t> uses;                   // atom -> unary actions that need it
    Rows<int32_t> achievers;              // atom -> unary actions that achieve it
    Rows<int32_t> parts;                  // disjunction -> unary actions of its parts
    int goal = 0;                         // unary action

    int first_condition() const { return task.first_condition(); }
    /* Of a condition; without `some_are_wide` no condition is. */
    template <bool some_are_wide = true>
    double value(int condition, const State &state) const {
        const SubgoalingCondition &c = conditions[condition];
        return some_are_wide && c.wide ? nearest(task.whole_value(c.condition.expression, state))
                                       : c.condition.expression.value(state.values);
    }
    bool is_disjunction(int atom) const { return atom >= first_disjunction; }
    /* The atom here that is `atom` in the task. */
    int translate(int atom) const {
        return atom >= task.first_disjunction() ? atom - task.first_disjunction() + first_disjunction : atom;
    }

private:
    const bool compat_;
    std::vector<std::vector<int32_t>> preconditions_;
    std::vector<std::vector<int32_t>> at_once_;
    std::vector<std::vector<Achievement>> by_degrees_;
    std::vector<std::vector<int32_t>> conditions_of_variable_;
    std::vector<std::vector<int32_t>> changers_;  // variable -> unary actions
    std::map<std::pair<int32_t, int32_t>, int32_t> with_rate_;
    std::vector<const Block *> blocks_;  // of the unary actions that have one

    int add_unary(int op, double cost, std::vector<int32_t> precondition, const Block *block = nullptr);
    void add_condition(Condition condition, double repair);
    int find_or_add_condition(Condition condition, double repair);
    int atom_of(int condition) const;
    void add_sums(std::vector<int32_t> &conjunction);
    void add_facts(int unary);
    void add_numeric(int level_begin, int level_end, bool last_level);
    void add_pair(int unary, int condition, bool last_level);
    int with_rate(int unary, int rate);
    void number_disjunctions();
    void finish();
    bool opposed(const Linear &a, const Linear &b) const;

    struct Change {
        Linear amount;
        bool assigned = false;         // the amount is a new value, at least in part
        bool state_dependent = false;  // of some effect
        bool known = true;
    };
    Change change_of(const Linear &expression, const Block &block) const;
    bool add(double factor, const Linear &linear, Linear &sum) const;
};

}  // namespace numbat
