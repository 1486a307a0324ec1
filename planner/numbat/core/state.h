/* A state, unpacked for reading and writing; the registry keeps the packed ones. */
#pragma once

#include <cstdint>
#include <vector>

namespace numbat {

struct State {
    std::vector<uint64_t> facts;  // one bit per fact, unused bits 0
    std::vector<double> values;   // one number per variable
    std::vector<int64_t> whole;   // the same numbers exactly, in a wide task only (numbers.h)

    bool fact(int f) const { return facts[f >> 6] >> (f & 63) & 1; }
    void set(int f) { facts[f >> 6] |= uint64_t{1} << (f & 63); }
    void clear(int f) { facts[f >> 6] &= ~(uint64_t{1} << (f & 63)); }
    bool operator==(const State &) const = default;
};

}  // namespace numbat
