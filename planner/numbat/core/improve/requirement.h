/*
  What the rest of a plan asks of a state.

  The rest a_j ... a_n of a plan can be executed in a state and reaches the goal if and only if certain facts hold,
  others do not, and certain linear constraints over the numbers are met. Regression finds them from the end: the goal
  is what nothing more asks for, and what a_j ... a_n ask for is a_j's precondition together with whatever its effects
  make of what a_{j+1} ... a_n ask for. A linear effect replaces its variable by a linear form, so that a constraint
  stays one; constraints with the same coefficients are merged to the tightest. The same replacement makes the cost of
  the rest a linear form over the state, also where costs depend on it. All numbers are integers: a strict constraint
  is one with the next larger bound.

  Some steps have no such preimage: a disjunction, an effect under a condition that changes what is asked for, numbers
  beyond 64 bits, too many constraints; of a task with rounded numbers, all. Then the part that is known is still necessary, `exact` is false, and Suffixes
  executes the rest to see whether it works.
*/
#pragma once

#include "form.h"

#include <unordered_map>

namespace numbat {

struct Requirement {
    bool impossible = false;                // no state will do
    bool exact = true;                      // sufficient, and `cost` is the cost
    std::vector<uint64_t> must, must_not;   // facts, as in a state
    std::vector<Constraint> constraints;    // ascending by terms
    Form cost;                              // of the rest, as a form over the state
    int64_t steps = 0;                      // of the rest

    /* Is what is known of it fulfilled? */
    bool holds_in(const Task &task, const State &state) const;
    /* Equal for equal ones. */
    uint64_t fingerprint() const;
};

class Regression {
public:
    Regression(const Task &task, const Prices &prices) : task_(task), prices_(prices) {}

    /* What the goal asks for. */
    Requirement goal() const;
    /* From what the steps after an operator ask for to what they ask for with it. */
    void step_back(int op, Requirement &requirement) const;

    const Task &task() const { return task_; }
    const Prices &prices() const { return prices_; }

private:
    struct Change {
        int32_t variable;
        bool assign;
        Form amount;
    };
    /* An operator, seen from behind. */
    struct Image {
        bool certain = true;  // applicable wherever its precondition holds
        std::vector<int32_t> adds, deletes, uncertain_facts;
        std::vector<Change> changes;  // one per variable, ascending
        std::vector<int32_t> uncertain_variables;
    };
    const Task &task_;
    const Prices &prices_;
    mutable std::unordered_map<int, Image> images_;

    const Image &image(int op) const;
    Image make_image(const Operator &op) const;
    void add_changes(const Operator &op, Image &image) const;
    void regress_facts(const Image &image, Requirement &requirement) const;
    void regress_constraints(const Image &image, Requirement &requirement) const;
    void regress_cost(int op, const Image &image, Requirement &requirement) const;
    void require(int conjunction, Requirement &requirement) const;
    void require_condition(const Condition &condition, Requirement &requirement) const;

    enum class Replaced { untouched, shifted, reshaped, unknown };
    Replaced replace(const Image &image, Terms &terms, Whole &constant) const;
};

}  // namespace numbat
