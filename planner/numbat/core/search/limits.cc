#include "limits.h"

#include <algorithm>
#include <ctime>

namespace numbat {

namespace {

double seconds_of(clockid_t clock) {
    timespec now;
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

constexpr double LOOK_EVERY = 0.002;
constexpr int LONGEST_INTERVAL = 4096;

}  // namespace

double cpu_seconds() { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); }

Limits::Limits(double seconds, size_t bytes, double *board)
    : begin_(cpu_seconds()), seconds_(seconds), bytes_(bytes), board_(board), last_look_(seconds_of(CLOCK_MONOTONIC)) {}

bool Limits::due() {
    if (--countdown_ > 0) return false;
    // the monotonic clock costs no system call; it steers how often the true one is asked
    const double now = seconds_of(CLOCK_MONOTONIC);
    const double since = now - last_look_;
    last_look_ = now;
    if (since < LOOK_EVERY / 2)
        interval_ = std::min(2 * interval_, LONGEST_INTERVAL);
    else if (since > LOOK_EVERY)
        interval_ = std::max(interval_ / 2, 1);
    countdown_ = interval_;
    return true;
}

size_t Limits::memory() const {
    const double shared = board_ ? slot(BOARD_MEMORY_LIMIT).load() : 0;
    return shared > 0 ? static_cast<size_t>(shared) : bytes_;
}

Limits::Verdict Limits::check(size_t bytes_used) {
    if (board_ && slot(BOARD_STOP).load() != 0) return Verdict::stopped;
    if (bytes_used > memory()) return Verdict::out_of_memory;
    return elapsed() > seconds_ ? Verdict::out_of_time : Verdict::go_on;
}

void Limits::post(double evaluated, double expanded, double best_h, size_t bytes_used, double first_state) {
    if (!board_) return;
    slot(BOARD_EVALUATED).store(evaluated);
    slot(BOARD_EXPANDED).store(expanded);
    slot(BOARD_BEST_H).store(best_h);
    slot(BOARD_MEMORY).store(static_cast<double>(bytes_used));
    slot(BOARD_FIRST_STATE).store(first_state);
}

}  // namespace numbat
