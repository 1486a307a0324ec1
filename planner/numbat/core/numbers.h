/*
  How a task keeps its numbers.

  The grounder scales numbers to integers wherever it can; such a task is exact. "Unsolvable" is a claim of proof, and
  it is only true if every number on the way to it was. Speed, on the other hand, wants doubles. So there are three ways,
  from the fastest to the most capable:

  narrow    Doubles. Task::finish bounds the values such that every sum over them stays below 2^53, up to where doubles
            count every integer, and leaves ample room between the bound and the numbers that the task mentions. Nearly
            all tasks are like this.
  wide      64-bit integers, beside the doubles nearest to them. Whatever is claimed (does a condition hold, what is the
            next state, are two states equal, is this a dead end) is computed from the integers, with sums of 128 bits;
            what only estimates goes on reading the doubles.
  rounded   Doubles, with rounding errors. Plans are the referee's to judge, and nothing is proved.

  An operator that leads out of the range of its kind is not applied; the search is told, and what it ends with is no
  proof. If it runs out of states it starts again, with the next way (search/search.cc).
*/
#pragma once

#include <cstdint>
#include <limits>

namespace numbat {

enum class Numbers { narrow, wide, rounded };

/* Sums and products of 64-bit numbers. */
__extension__ using Whole = __int128;

/* Doubles count every integer up to here. Coefficients of exact tasks, summed up, stay below, too. */
constexpr double LAST_COUNTED = 9007199254740992.0;  // 2^53

constexpr bool fits_64_bits(Whole number) {
    constexpr Whole largest = std::numeric_limits<int64_t>::max();
    return number <= largest && number >= -largest;
}

/* The nearest double; it has the sign of the number, so that comparisons with 0 stay exact. */
inline double nearest(Whole number) {
    const auto narrow = static_cast<int64_t>(number);
    return narrow == number ? static_cast<double>(narrow) : static_cast<double>(number);
}

}  // namespace numbat
