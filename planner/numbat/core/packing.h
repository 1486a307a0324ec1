/*
  How a state is packed, and hashed.

  A packed state is a number of 32-bit words: the facts as bits, then the variables. Variables of an exact task are
  stored as integers of 1, 2, 4 or 8 bytes, all of one state alike: as narrow as its largest number allows. Equal states
  are packed alike. Variables of a task with doubles take 8 bytes.

  The hash is a sum modulo 2^64 over the words, each times a number of its place; who changes one word knows the new sum
  without a look at the others. The sum is mixed before any of its bits are used.
*/
#pragma once

#include "task.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

namespace numbat {

class Packing {
public:
    static constexpr int LAYOUTS = 4;  // 1, 2, 4, 8 bytes per variable
    static constexpr int WIDEST = LAYOUTS - 1;

    explicit Packing(const Task &task);

    int words(int layout) const { return words_[layout]; }
    /* The largest absolute value of an integer in a layout. */
    static double largest(int layout);

    int layout_for(const State &state) const;
    void pack(const State &state, int layout, uint32_t *words) const;
    void unpack(const uint32_t *words, int layout, State &state) const;
    /* Puts another word in its place of a packed state, and goes on with the sum. */
    void replace_word(int place, uint32_t word, uint32_t *words, uint64_t &sum) const {
        sum += factors_[place] * (uint64_t{word} - words[place]);
        words[place] = word;
    }
    /* The same for the number of a variable, an integer that the layout holds. */
    void replace(int variable, int64_t number, int layout, uint32_t *words, uint64_t &sum) const {
        const int place = fact_words_ + (variable << layout) / 4;
        if (layout == WIDEST) {
            uint32_t halves[2];
            std::memcpy(halves, &number, sizeof number);
            for (int i : {0, 1}) replace_word(place + i, halves[i], words, sum);
            return;
        }
        // a part of a word is replaced in a register: the processor would wait for a part that was just stored
        const int bits = 8 << layout, before = (variable << layout) % 4 * 8;
        const int shift = std::endian::native == std::endian::little ? before : 32 - bits - before;
        const uint32_t mask = (UINT32_MAX >> (32 - bits)) << shift;
        replace_word(place, (words[place] & ~mask) | (static_cast<uint32_t>(number) << shift & mask), words, sum);
    }

    uint64_t sum(const uint32_t *words, int layout) const;
    static uint32_t mixed(uint64_t sum) {
        return static_cast<uint32_t>(((sum ^ sum >> 32) * 0xc4ceb9fe1a85ec53u) >> 32);
    }

private:
    const Task &task_;
    const int fact_words_;
    int words_[LAYOUTS];
    std::vector<uint64_t> factors_;  // place of a word -> odd number
};

}  // namespace numbat
