/* Hash tables of 64-bit numbers, by open addressing. */
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace numbat {

class NumberSet {
public:
    /* True if it was not there. */
    bool insert(uint64_t number) {
        if (4 * (count_ + 1) > 3 * slots_.size()) grow();
        const bool is_new = place(number + 1);
        count_ += is_new;
        return is_new;
    }
    size_t bytes() const { return slots_.size() * sizeof(uint64_t); }
    void clear() { *this = {}; }

private:
    std::vector<uint64_t> slots_;  // number + 1; 0 is empty
    size_t count_ = 0;

    bool place(uint64_t entry);
    void grow();
};

/* The largest value that each number was given. */
class NumberMap {
public:
    /* True if it had none, or a smaller one. */
    bool raise(uint64_t number, double value);
    size_t bytes() const { return slots_.size() * sizeof(Slot); }
    void clear() { *this = {}; }

private:
    struct Slot {
        uint64_t entry = 0;  // number + 1; 0 is empty
        double value = 0;
    };
    std::vector<Slot> slots_;
    size_t count_ = 0;

    Slot &find(uint64_t entry);
    void grow();
};

}  // namespace numbat
