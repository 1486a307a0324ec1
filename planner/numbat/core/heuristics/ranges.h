/*
  Between which numbers a variable stays, and what an effect that depends on variables can therefore add at most.

  Of interest are the variables that amounts read or that are assigned, or all of them. Such a variable never exceeds the
  largest of
      its initial value,
      the constants that it is assigned,
      for each effect that adds a constant d > 0 to it: b + d, where the operator's precondition or the effect's condition
      says that it is at most b;
  and has no bound if it grows in another way: by an amount that depends on the state, without such a condition, or by
  several effects of one operator. Likewise downwards. What lies within all bounds stays there, so whoever relies on them
  asks first whether a state does: those that are reached from the initial state do, others need not.

  Only exact tasks have ranges.
*/
#pragma once

#include "../task.h"

#include <optional>

namespace numbat {

class Ranges {
public:
    Ranges() = default;  // none are known
    enum class Of { amounts, all };
    explicit Ranges(const Task &task, Of which = Of::amounts);

    bool known() const { return task_ != nullptr; }
    bool contain(const State &state) const;
    struct Range {
        std::optional<Whole> lower, upper;
    };
    Range of(int variable) const { return ranges_[variable]; }
    /* What a block adds to an expression at most, if it fires in a state within the ranges; nothing if there is no limit. */
    std::optional<Whole> most(const Block &block, const Linear &expression) const;

    /* The bounds as conditions that hold in every state within the ranges. */
    std::vector<Condition> bounds() const;

private:
    const Task *task_ = nullptr;
    std::vector<Range> ranges_;     // variable
    struct Bounded {
        int32_t variable;
        int64_t lower, upper;  // within 64 bits, as all numbers of states are
    };
    std::vector<Bounded> bounded_;  // variables with a bound

    void find(Of which);
    void extend(const Operator &op, const Block &block, const NumericEffect &effect);
    Range required(int conjunction, int variable, Range range) const;
};

}  // namespace numbat
