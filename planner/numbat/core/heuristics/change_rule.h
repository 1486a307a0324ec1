/*
  Whether to evaluate by change or from scratch. Both give the same; the rule counts steps, not seconds, so that nothing
  depends on the machine.

  After some evaluations from scratch comes a trial by change. As long as it takes less than a GAIN-th of the steps that
  an evaluation from scratch takes, it goes on; otherwise there is a pause, longer after every trial in vain.
*/
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

namespace numbat {

class ChangeRule {
public:
    /* The choice, or the only possibility. */
    enum class Choice { by_steps, by_change, from_scratch };

    /* `from_scratch`: the steps of an evaluation from scratch. */
    ChangeRule(uint64_t from_scratch, Choice choice) : from_scratch_(from_scratch), choice_(choice) {}

    /* Is the next evaluation to be one by change? */
    bool by_change() {
        if (choice_ != Choice::by_steps) return choice_ == Choice::by_change;
        if (left_ == 0) begin_phase();
        --left_;
        return by_change_;
    }

    /* Of an evaluation by change: the steps it took. */
    void note(uint64_t steps) {
        if (!std::exchange(first_, false)) steps_ += steps;
    }
    /* An evaluation by change failed. */
    void note_failure() { steps_ += TRIAL * from_scratch_; }

private:
    static constexpr uint64_t TRIAL = 32, GAIN = 4, SHORTEST_PAUSE = 32, LONGEST_PAUSE = 1 << 16;
    const uint64_t from_scratch_;
    const Choice choice_;
    bool by_change_ = false;
    bool first_ = false;  // the first one of a trial comes from a state of long ago
    uint64_t left_ = SHORTEST_PAUSE;
    uint64_t pause_ = SHORTEST_PAUSE;
    uint64_t steps_ = 0;

    void begin_phase() {
        if (!by_change_) {
            by_change_ = first_ = true;
            left_ = TRIAL + 1;
        } else if (steps_ * GAIN < TRIAL * from_scratch_) {
            left_ = TRIAL;
            pause_ = SHORTEST_PAUSE;
        } else {
            by_change_ = false;
            pause_ = std::min(4 * pause_, LONGEST_PAUSE);
            left_ = pause_;
        }
        steps_ = 0;
    }
};

}  // namespace numbat
