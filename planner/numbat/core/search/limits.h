/*
  How long and how large a search may become, and the board it shares with whoever watches it.

  The board is an array of doubles in memory that other processes may see: the search writes its progress there and
  reads whether its memory limit changed and whether it should stop. Each slot is read and written as one atomic value.
*/
#pragma once

#include <atomic>
#include <cstddef>

namespace numbat {

enum Board {
    BOARD_EVALUATED,
    BOARD_EXPANDED,
    BOARD_BEST_H,
    BOARD_MEMORY,
    BOARD_FIRST_STATE,
    BOARD_MEMORY_LIMIT,
    BOARD_STOP,
    BOARD_SIZE
};

/* CPU seconds of this process. */
double cpu_seconds();

class Limits {
public:
    Limits(double seconds, size_t bytes, double *board);

    enum class Verdict { go_on, out_of_time, out_of_memory, stopped };

    /* Is it worth asking `check` now? Cheap enough for every state. */
    bool due();
    Verdict check(size_t bytes_used);
    void post(double evaluated, double expanded, double best_h, size_t bytes_used, double first_state = 0);

    double elapsed() const { return cpu_seconds() - begin_; }
    size_t memory() const;

private:
    double begin_;
    double seconds_;
    size_t bytes_;
    double *board_;  // may be null
    int countdown_ = 1;
    int interval_ = 1;      // states between two looks at the clock
    double last_look_ = 0;  // wall clock

    std::atomic_ref<double> slot(Board place) const { return std::atomic_ref<double>(board_[place]); }
};

}  // namespace numbat
