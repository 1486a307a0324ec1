/*
  C: how many states share a state's part of the space. docs/heuristics.md 8.8

  Where numbers are real, every state is new, and nearly all are nearly the same. So the space is cut into cells: two
  states share one if their facts agree and every number that matters is about as far from where it matters. Those are
  the expressions of the conditions, around zero, and the variables that amounts depend on, around zero and where
  repeating an operator would leave them; distances are counted in steps (resolution.h), by their logarithm. The first
  four states of a cell are worth 0, the next four 1, the next eight 2, and so on: none is lost, full cells
  wait.
*/
#pragma once

#include "novelty.h"

namespace numbat {

class Cells : public Novelty {
public:
    Cells(const Task &task, size_t budget);

    int64_t evaluate(const State &state, float h, const Origin *origin) override;
    bool small() const override { return true; }
    size_t bytes() const override { return met_.size() * BYTES_PER_CELL; }

private:
    static constexpr size_t BYTES_PER_CELL = 48;

    struct Axis {
        Linear expression;  // in doubles
        double step;
    };
    const Task &task_;
    const size_t budget_;
    std::vector<Axis> axes_;
    std::unordered_map<uint64_t, uint32_t> met_;  // cell -> states seen in it

    void add_conditions(const std::vector<double> &steps);
    void add_variables(const std::vector<double> &steps);
    uint64_t cell_of(const State &state) const;
};

}  // namespace numbat
