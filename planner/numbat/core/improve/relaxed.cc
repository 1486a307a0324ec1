#include "relaxed.h"

namespace numbat {

bool RelaxedGuide::look_at(const Requirement &requirement, const char *heuristic) {
    if (original_.disjunctions.size() > 0) return false;  // their numbers follow those of the conditions
    heuristic_.reset();
    factory_.reset();
    if (!task_) task_ = original_;
    Task &task = *task_;
    task.conditions.resize(original_.conditions.size());
    std::vector<int32_t> goal;
    for (int f = 0; f < task.facts; ++f) {
        if (requirement.must[f >> 6] >> (f & 63) & 1) goal.push_back(2 * f);
        if (requirement.must_not[f >> 6] >> (f & 63) & 1) goal.push_back(2 * f + 1);
    }
    for (const Constraint &c : requirement.constraints) {
        if (weight(c.terms) >= static_cast<Whole>(LAST_COUNTED)) return false;
        Linear linear;
        for (const Term &term : c.terms) linear.terms.push_back({term.variable, static_cast<double>(term.coefficient)});
        linear.whole = -c.least;
        linear.constant = static_cast<double>(linear.whole);
        goal.push_back(task.first_disjunction());
        task.conditions.push_back({std::move(linear), false, 1});
    }
    task.conjunctions = original_.conjunctions;
    task.goal = task.conjunctions.size();
    task.conjunctions.push_back(goal);
    task.finish();
    if (task.numbers != original_.numbers) return false;
    factory_ = std::make_unique<HeuristicFactory>(task, HeuristicOptions{});
    heuristic_ = factory_->make(heuristic);
    return true;
}

}  // namespace numbat
