/*
  Finds the applicable operators without testing every operator.

  Each operator is filed under one positive fact of its precondition (its pivot: the one that fewest operators need);
  operators without one are filed under "always". For a state only the operators filed under its true facts are looked
  at. Inside a file, operators are kept in a decision list that tests each shared remaining atom once: operators are
  sorted by their remaining atoms, and a failed test skips all that share the same beginning.
*/
#pragma once

#include "../task.h"

#include <cstdint>
#include <vector>

namespace numbat {

class SuccessorGenerator {
public:
    explicit SuccessorGenerator(const Task &task);

    /* Appends the applicable operators, ascending. */
    void applicable(const State &state, std::vector<int32_t> &operators) const;

private:
    /* One test: if the atom does not hold, go on at `otherwise`. A leaf has atom -1 and names an operator. */
    struct Step {
        int32_t atom;
        int32_t target;  // operator of a leaf, else the step to go on with on failure
    };
    const Task &task_;
    std::vector<Step> steps_;
    std::vector<int32_t> file_start_;  // per fact, then "always"; files are contiguous

    using Entry = std::pair<std::vector<int32_t>, int32_t>;  // remaining atoms, operator
    void build(std::span<const Entry> entries, size_t depth);
    void run(int begin, int end, const State &state, std::vector<int32_t> &operators) const;
};

}  // namespace numbat
