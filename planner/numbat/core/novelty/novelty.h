/* What a novelty measure is: a number for each state of a sequence, smaller for more novel. docs/heuristics.md 8 */
#pragma once

#include "features.h"

#include <cstdint>
#include <memory>
#include <string_view>

namespace numbat {

/* Where a state came from, if that is known: it lets a measure look only at what changed. */
struct Origin {
    const State &parent;
    float parent_h;
    uint64_t expansion;  // equal for states generated from one parent in one go
};

class Novelty {
public:
    virtual ~Novelty() = default;
    /* Novelty of the next state of the sequence, whose heuristic value is h, relative to all before it. */
    virtual int64_t evaluate(const State &state, float h, const Origin *origin) = 0;
    /* Are all values below 2^32? Then queues have room for the whole of the heuristic value. */
    virtual bool small() const { return false; }
    virtual size_t bytes() const = 0;
};

/*
  feature A or B with measure PN or QB, or G with PN, or C with none; k 1 or 2. Tables of pairs are given up when they
  outgrow `budget` bytes, and tables of cells stop growing.
*/
std::unique_ptr<Novelty> make_novelty(const Task &task, std::string_view feature, std::string_view measure, int k,
                                      size_t budget);

}  // namespace numbat
