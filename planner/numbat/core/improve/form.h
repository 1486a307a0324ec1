/* Linear forms and constraints in exact 64-bit integers, and what plans cost in them. */
#pragma once

#include "../task.h"

#include <compare>
#include <cstdint>
#include <vector>

namespace numbat {

struct Term {
    int32_t variable;
    int64_t coefficient;
    auto operator<=>(const Term &) const = default;
};
using Terms = std::vector<Term>;  // ascending by variable, no coefficient is 0

/* The coefficients of a form that is evaluated add up to less, so that sums over 64-bit values fit into 128 bits. */
constexpr Whole LARGEST_FORM_WEIGHT = Whole{1} << 62;

inline Whole weight(const Terms &terms) {
    Whole sum = 0;
    for (const Term &term : terms) sum += term.coefficient < 0 ? -Whole{term.coefficient} : Whole{term.coefficient};
    return sum;
}

inline Whole value(const Task &task, const Terms &terms, const State &state) {
    Whole sum = 0;
    if (task.wide()) {
        for (const Term &term : terms) sum += static_cast<Whole>(term.coefficient) * state.whole[term.variable];
    } else {
        for (const Term &term : terms)
            sum += static_cast<Whole>(term.coefficient) * static_cast<int64_t>(state.values[term.variable]);
    }
    return sum;
}

/* sum of terms + constant */
struct Form {
    Terms terms;
    int64_t constant = 0;
};

/* sum of terms >= least; the coefficients have no common divisor */
struct Constraint {
    Terms terms;
    int64_t least;
    bool operator==(const Constraint &) const = default;
};

/* What a sequence of actions costs: the metric first, then the number of steps. */
struct Price {
    int64_t cost = 0;
    int64_t steps = 0;
    auto operator<=>(const Price &) const = default;
};

/* Sums up prices; false if the cost leaves 64 bits. */
inline bool add_to(Price &price, const Price &more) {
    price.steps += more.steps;
    return !__builtin_add_overflow(price.cost, more.cost, &price.cost);
}

/* The costs of a task's operators: forms over the state before them. */
struct Prices {
    std::vector<Form> forms;   // per operator
    bool constant = true;      // none depends on the state
    bool nonnegative = false;  // none can be less than 0

    /* Adds what an operator costs in a state; false if the sum leaves 64 bits. */
    bool pay(const Task &task, int op, const State &state, Price &price) const {
        const Form &form = forms[op];
        Whole cost = form.constant;
        if (!form.terms.empty()) cost += value(task, form.terms, state);
        return fits_64_bits(cost) && add_to(price, {static_cast<int64_t>(cost), 1});
    }
};

}  // namespace numbat
