/*
  The grounded task as the core reads it; the layout is told in planner/numbat/task/grounded.py.

  Atoms share one id space: 2f (fact f true), 2f+1 (fact f false), then the numeric conditions, then the disjunctions.
  A conjunction is a row of atoms, a disjunction a row of conjunctions. Numbers are doubles; in an exact task they are
  integers small enough that all arithmetic on them is exact, which `representable` guards for every new state.
*/
#pragma once

#include "rows.h"
#include "state.h"

#include <cstdint>
#include <span>
#include <vector>

namespace numbat {

struct LinearTerm {
    int32_t variable;
    double coefficient;
    bool operator==(const LinearTerm &) const = default;
};

/* sum of terms + constant */
struct Linear {
    std::vector<LinearTerm> terms;
    double constant = 0;

    double value(const std::vector<double> &values) const {
        double sum = constant;
        for (const LinearTerm &term : terms) sum += term.coefficient * values[term.variable];
        return sum;
    }
    bool is_constant() const { return terms.empty(); }
    /* this += factor * other; keeps the terms sorted by variable, without zeros */
    void add(double factor, const Linear &other);
    bool operator==(const Linear &) const = default;
};

/* expression >= 0, or > 0 */
struct Condition {
    Linear expression;
    bool strict = false;
    double unit = 1;  // worth of one unit of the expression in the user's numbers

    bool holds_for(double value) const { return strict ? value > 0 : value >= 0; }
};

struct NumericEffect {
    int32_t variable;
    bool assign;
    Linear amount;
};

struct Block {
    int32_t condition;  // conjunction
    std::vector<int32_t> adds;
    std::vector<int32_t> deletes;
    std::vector<NumericEffect> numeric;
};

struct Operator {
    int32_t precondition;  // conjunction
    std::vector<Block> blocks;
    Linear cost;
};

struct Task {
    bool exact = false;
    int facts = 0;
    int variables = 0;
    State initial;
    std::vector<Condition> conditions;
    Rows<int32_t> conjunctions;  // -> atoms
    Rows<int32_t> disjunctions;  // -> conjunctions
    int goal = 0;
    std::vector<Operator> operators;

    int first_condition() const { return 2 * facts; }
    int first_disjunction() const { return 2 * facts + static_cast<int>(conditions.size()); }
    int atoms() const { return first_disjunction() + disjunctions.size(); }
    bool is_fact(int atom) const { return atom < first_condition(); }
    bool is_condition(int atom) const { return atom >= first_condition() && atom < first_disjunction(); }
    const Condition &condition(int atom) const { return conditions[atom - first_condition()]; }
    std::span<const int32_t> disjunction(int atom) const { return disjunctions[atom - first_disjunction()]; }

    bool holds(int atom, const State &state) const;
    bool all_hold(int conjunction, const State &state) const;
    bool is_goal(const State &state) const { return all_hold(goal, state); }

    /* Checks what the arrays promise, and computes the derived parts. Throws std::invalid_argument. */
    void finish();

    /* May every number of this state be trusted? Always true for tasks that are not exact. */
    bool representable(double value) const { return value <= largest_ && value >= -largest_; }

    /*
      Executes an operator whose precondition holds: `after` is overwritten. False if it is not executable after all:
      conflicting assignments, or a number outside the exact range (then `overflow` is set).
    */
    bool apply(const Operator &op, const State &before, State &after, bool &overflow) const;

private:
    double largest_ = 0;

    void check() const;
};

}  // namespace numbat
