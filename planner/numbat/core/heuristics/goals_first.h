/*
  h_gmrp: how many goals do not hold, and among states with equally many h_mrp. docs/heuristics.md 4.1

  Both in one number: h_gc * unit + h_mrp, where h_mrp is squeezed into less than a unit. The unit is so small that a
  queue's key, a float, tells neighbouring values of h_mrp apart however many goals there are.
*/
#pragma once

#include "goal_count.h"

#include <memory>

namespace numbat {

class GoalsFirst : public Heuristic {
public:
    GoalsFirst(const Task &task, std::unique_ptr<Heuristic> relaxed_plan);

    Estimate evaluate(const State &state) override;
    void advise(std::vector<int32_t> &helpful, std::vector<Jump> &jumps) override {
        relaxed_plan_->advise(helpful, jumps);
    }
    void relaxed_plan(PlanOrder order, std::vector<PlannedStep> &plan) override {
        relaxed_plan_->relaxed_plan(order, plan);
    }

private:
    GoalCount goal_count_;
    std::unique_ptr<Heuristic> relaxed_plan_;
    double unit_;
};

}  // namespace numbat
