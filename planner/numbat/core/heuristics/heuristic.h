/* What a heuristic is: an estimate for a state, and for some also advice on what to do next. */
#pragma once

#include "../state_registry.h"
#include "../task.h"
#include "estimate.h"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace numbat {

struct HeuristicOptions {
    bool metric_cost = false;  // operator costs of the metric instead of 1
    bool compat = false;       // the published code's repetitions and unknown effects
    bool keep_costs = false;   // from one state to the next wherever that is possible, whether it pays or not
    bool plus_one = false;     // the task's integer costs plus 1, or the metric's; if all are 1, just that
};

/* Apply the operator up to this many times in a row. */
struct Jump {
    int32_t op;
    int32_t repetitions;
    auto operator<=>(const Jump &) const = default;
};

/* The steps by which a search has come to a state; most often it is one. */
struct Arrival {
    StateId state;
    StateId parent = NO_STATE;  // none: the search begins in this state
    const State *before = nullptr;  // the parent itself
    std::span<const Jump> steps;
};

/* The steps whose preconditions cost least first, or all that leads to one subgoal before what leads to the next. */
enum class PlanOrder { by_cost, by_subgoal };

/* A step of a relaxed plan, and the atom of the task that it is there for; -1: one that only the heuristic knows. */
struct PlannedStep {
    Jump jump;
    int32_t atom;
};

class Heuristic {
public:
    virtual ~Heuristic() = default;
    virtual Estimate evaluate(const State &state) = 0;
    /* Of a state that a search has come to for the first time: a heuristic may depend on the way there. */
    virtual Estimate evaluate_reached(const State &state, const Arrival &arrival) { return evaluate(state); }
    /* A search has come once more to a state that it knows, on another way. */
    virtual void reach_again(const State &state, const Arrival &arrival) {}
    virtual bool depends_on_path() const { return false; }
    /* What it keeps of the states of a search. */
    virtual size_t bytes() const { return 0; }
    /* Advice for the state evaluated last, both lists ascending. */
    virtual void advise(std::vector<int32_t> &helpful, std::vector<Jump> &jumps) {
        helpful.clear();
        jumps.clear();
    }
    /* Of the state evaluated last, if it was no dead end. */
    virtual void relaxed_plan(PlanOrder order, std::vector<PlannedStep> &plan) { plan.clear(); }
};

}  // namespace numbat
