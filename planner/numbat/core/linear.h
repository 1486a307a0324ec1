/*
  Linear expressions over the variables of a task.

  In an exact task (numbers.h) coefficients are integers that doubles hold; the constant may be any 64-bit integer and
  is therefore kept twice, as `whole` and as the double nearest to it.
*/
#pragma once

#include "numbers.h"
#include "state.h"

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
    int64_t whole = 0;  // the constant, in an exact task

    static Linear of_variable(int variable) { return {{{variable, 1}}, 0, 0}; }

    double value(const std::vector<double> &values) const {
        double sum = constant;
        for (const LinearTerm &term : terms) sum += term.coefficient * values[term.variable];
        return sum;
    }
    /* Exact, for integers: 64-bit ones, or doubles that are. Not inline, to keep the loops of narrow tasks small. */
    template <class Number>
    [[gnu::noinline]] Whole whole_value(const std::vector<Number> &values) const {
        Whole sum = whole;
        for (const LinearTerm &term : terms)
            sum += static_cast<Whole>(static_cast<int64_t>(term.coefficient)) *
                   static_cast<int64_t>(values[term.variable]);
        return sum;
    }
    bool is_constant() const { return terms.empty(); }
    /* Sum of the coefficients' absolute values. */
    double weight() const;
    /* this += factor * other, in doubles; keeps the terms sorted by variable, without zeros. */
    void add(double factor, const Linear &other);
    /* The same in an exact task, by an integer factor; false if the result is too large to be exact. */
    bool add_exactly(double factor, const Linear &other);
    bool operator==(const Linear &) const = default;
};

}  // namespace numbat
