/*
  The heuristics of the searches, asked about a requirement: the task with another goal.

  They see preconditions, which Guide does not, and cost a hundred times as much. They only say which state comes first.
*/
#pragma once

#include "../heuristics/registry.h"
#include "requirement.h"

#include <optional>

namespace numbat {

class RelaxedGuide {
public:
    explicit RelaxedGuide(const Task &task) : original_(task) {}

    /* What is asked for from now on, and the heuristic that judges; false if it cannot be put as a goal. */
    bool look_at(const Requirement &requirement, const char *heuristic);
    Estimate evaluate(const State &state) { return heuristic_->evaluate(state); }

private:
    const Task &original_;
    std::optional<Task> task_;
    std::unique_ptr<HeuristicFactory> factory_;
    std::unique_ptr<Heuristic> heuristic_;
};

}  // namespace numbat
