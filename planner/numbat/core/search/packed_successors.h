/*
  Successors made from the packed state itself: most operators change a few words of it.

  That is how an operator is applied whose effects have no conditions, with at most one on each variable, in a task with
  narrow numbers (numbers.h): the words are copied, the few that change are replaced, and the hash follows. For any other
  operator, and where the numbers of the successor need another layout than those of its parent, the caller is told to do it
  with the unpacked state. Whichever way it is done, the packed successor is the same.

  Only numbers that change are saturated; the parent's have been.
*/
#pragma once

#include "../packing.h"
#include "../state_registry.h"

#include <cstdint>
#include <vector>

namespace numbat {

class PackedSuccessors {
public:
    PackedSuccessors(const Task &task, const Packing &packing);

    /* The state whose successors are made until further notice, unpacked and packed; both must stay where they are. */
    void start_from(const State &state, const PackedState &packed);
    /* What an applicable operator leads to, and its hash sum; `overflow`: to a number out of range. */
    enum class Outcome { done, overflow, not_packed };
    Outcome make(int op, uint32_t *words, uint64_t &sum) const;
    int layout() const { return parent_.layout; }

private:
    struct FactChange {
        int32_t place;  // of a word
        uint32_t deleted, added;
    };
    struct NumberChange {
        int32_t variable;
        bool assign;
        double constant;
        const Linear *amount;  // null: the constant
    };
    /* Where the changes of an operator begin; those of the next one begin where they end. */
    struct Effects {
        uint32_t facts, numbers;
        bool packed;
    };
    struct Range {
        double least, greatest;  // beyond which the variable is saturated
    };
    const Task &task_;
    const Packing &packing_;
    std::vector<Effects> effects_;  // operator, and one more
    std::vector<FactChange> fact_changes_;
    std::vector<NumberChange> number_changes_;
    std::vector<Range> ranges_;  // variable

    const State *state_ = nullptr;
    PackedState parent_{};
    uint64_t sum_ = 0;
    double narrower_ = 0, widest_ = 0;  // numbers that the next narrower layout holds at most, and this one
    int wide_numbers_ = 0;              // of the parent, for which the narrower layout would not do

    void add(const Block &block);
    double value_after(const NumberChange &change) const;
};

}  // namespace numbat
