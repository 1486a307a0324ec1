/*
  The grounded task as the core reads it; the layout is told in planner/numbat/task/grounded.py, how numbers are kept in
  numbers.h.

  Atoms share one id space: 2f (fact f true), 2f+1 (fact f false), then the numeric conditions, then the disjunctions.
  A conjunction is a row of atoms, a disjunction a row of conjunctions.
*/
#pragma once

#include "linear.h"
#include "rows.h"

#include <cstdint>
#include <span>
#include <vector>

namespace numbat {

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
    Linear cost;                // in doubles, always
    bool simultaneous = false;  // more than one effect on the same variable
};

/* All values of a variable beyond it, above or below, are equal for every plan; see numbat.analyse.saturation. */
struct LastValue {
    int32_t variable;
    bool rises;
    double value;
    int64_t whole;  // the same
};

/* Of one operator; numbat.ground.costs has the same limit. Sums are checked against overflow where they are made. */
constexpr int64_t LARGEST_INTEGER_COST = int64_t{1} << 61;

struct Task {
    Numbers numbers = Numbers::rounded;
    int facts = 0;
    int variables = 0;
    State initial;
    std::vector<Condition> conditions;
    Rows<int32_t> conjunctions;  // -> atoms
    Rows<int32_t> disjunctions;  // -> conjunctions
    int goal = 0;
    std::vector<Operator> operators;
    std::vector<int64_t> integer_costs;  // per operator, see numbat.search.costs; empty if costs are of another kind
    std::vector<LastValue> last_values;  // only of an exact task

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

    bool exact() const { return numbers != Numbers::rounded; }
    bool wide() const { return numbers == Numbers::wide; }
    /* The same task, with its numbers kept in a more capable way. */
    Task kept_as(Numbers kind) const;

    /* Of an expression that `sums_fit`; the sign is exact in exact tasks. */
    double value(const Linear &linear, const State &state) const {
        return wide() ? nearest(linear.whole_value(state.whole)) : linear.value(state.values);
    }
    /* Always exact; only for exact tasks. */
    Whole whole_value(const Linear &linear, const State &state) const {
        return wide() ? linear.whole_value(state.whole) : linear.whole_value(state.values);
    }
    /* Are all sums of this expression exact as doubles, where doubles are used? True for all expressions of the task. */
    bool sums_fit(const Linear &linear) const;

    /* May a number of a narrow or rounded task be this? */
    bool in_range(double value) const { return value <= largest_ && value >= -largest_; }
    /* Sets a number of a state; false if it is out of range. */
    bool put(int variable, double value, State &state) const;
    bool put(int variable, Whole value, State &state) const;
    /* Brings every number that is beyond its last value back to it. */
    void saturate(State &state) const {
        for (const LastValue &last : last_values) {
            const int v = last.variable;
            const bool beyond = wide() ? (last.rises ? state.whole[v] > last.whole : state.whole[v] < last.whole)
                                       : (last.rises ? state.values[v] > last.value : state.values[v] < last.value);
            if (beyond) put(v, Whole{last.whole}, state);
        }
    }

    /*
      Executes an operator whose precondition holds: `after` is overwritten. All effects are read in the old state;
      deletes come before adds, increases of one variable add up, and assignments of one variable must agree.

      False if it is not executable after all: assignments of different values, an assignment and an increase of one
      variable, or a number out of range (then `overflow` is set).
    */
    bool apply(const Operator &op, const State &before, State &after, bool &overflow) const;

private:
    double largest_ = 0;

    void check() const;
    void check_exactness() const;
    double narrow_range() const;
    double largest_mentioned() const;
    bool fires(const Block &block, const State &state) const {
        return block.condition == 0 || all_hold(block.condition, state);
    }
    bool change(const NumericEffect &effect, const State &before, State &after) const;
    template <class Number>
    bool change_together(const Operator &op, const State &before, State &after, bool &overflow) const;
};

}  // namespace numbat
