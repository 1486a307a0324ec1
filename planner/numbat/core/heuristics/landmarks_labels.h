/* What precedes every atom of a task, by propagation from the initial state; how this works is told in landmarks.h. */
#pragma once

#include "achievers.h"

#include <deque>

namespace numbat {

/*
  An atom as labels keep it: the number of its chain, then its rank there, 0 for the strongest condition. Equivalent
  conditions have one entry. Facts and disjunctions are chains of one.
*/
using LabelEntry = uint64_t;
using Label = std::vector<LabelEntry>;  // ascending, of each chain the strongest member

inline uint32_t chain_of(LabelEntry entry) { return static_cast<uint32_t>(entry >> 32); }

class Chains {
public:
    explicit Chains(const Task &task);

    LabelEntry entry(int atom) const { return entries_[atom]; }
    /* The first of the atoms with this entry. */
    int atom(LabelEntry entry) const;
    void label(std::span<const int32_t> atoms, Label &label) const;

private:
    const Task &task_;
    std::vector<LabelEntry> entries_;           // atom
    std::vector<std::vector<int32_t>> members_;  // chain of conditions -> rank -> atom
};

constexpr LabelEntry NO_ENTRY = UINT64_MAX;
/*
  Keeps what both have: of two conditions of a chain the weaker. `other` is taken to have the entry `own`, too. False if
  that is all of `label`.
*/
bool intersect(Label &label, const Label &other, LabelEntry own = NO_ENTRY);
/* What either has: of two conditions of a chain the stronger. */
void unite(const Label &a, const Label &b, Label &both);

class Labels {
public:
    Labels(const Achievers &achievers, const Chains &chains, size_t most_work);

    bool reached(int action) const { return open_[action] == 0; }
    bool initial(int atom) const { return initial_[atom]; }
    /* Were all labels found before the work was used up? */
    bool complete() const { return work_left_ > 0; }
    /* Of an atom that was reached, if they are complete; else empty. */
    const Label &operator[](int atom) const { return labels_[atom]; }

private:
    const Achievers &t_;
    const Chains &chains_;
    std::vector<uint8_t> initial_, reached_;  // atom
    std::vector<Label> labels_;               // atom
    std::vector<int32_t> open_;               // action -> preconditions not reached yet
    std::deque<int32_t> waiting_;             // actions
    std::vector<uint8_t> is_waiting_;
    size_t work_left_;
    Label united_, scratch_;

    void read_initial_state();
    void let_wait(int action);
    void settle(int action);
    void offer(int atom);
    void spend(size_t work);
};

}  // namespace numbat
