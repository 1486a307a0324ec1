/*
  Whether to evaluate by change or from scratch. Both give the same; the rule counts steps, not seconds, so that nothing
  depends on the machine.

  After some evaluations from scratch comes a trial by change. As long as it takes few enough steps it goes on; otherwise
  there is a pause, longer after every one of these. What is few enough was measured. In a small task, where everything
  is at hand, a step by change costs a multiple of one from scratch: a quarter of the steps is the limit. In a large one
  the steps from scratch wait for memory, each time for all of it.
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
    void note_failure() { steps_ += 2 * TRIAL * from_scratch_; }

private:
    static constexpr uint64_t TRIAL = 32, SHORTEST_PAUSE = 32, LONGEST_PAUSE = 1 << 16;
    const uint64_t from_scratch_;
    const Choice choice_;
    bool by_change_ = false;
    bool first_ = false;  // the first one of a trial comes from a state of long ago
    uint64_t left_ = SHORTEST_PAUSE;
    uint64_t pause_ = SHORTEST_PAUSE;
    uint64_t steps_ = 0;

    /* Steps of an evaluation by change. */
    uint64_t few_enough() const {
        constexpr uint64_t MIDDLE = 20'000, LARGE = 200'000;
        return from_scratch_ < MIDDLE  ? from_scratch_ / 4
               : from_scratch_ < LARGE ? from_scratch_ / 2
                                       : 2 * from_scratch_;
    }

    void begin_phase() {
        if (!by_change_) {
            by_change_ = first_ = true;
            left_ = TRIAL + 1;
        } else if (steps_ < TRIAL * few_enough()) {
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
