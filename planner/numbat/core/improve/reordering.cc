#include "reordering.h"

#include <algorithm>

namespace numbat {

namespace {

/* What an operator changes: facts, then variables behind them. */
std::vector<int32_t> changed(const Task &task, int op) {
    std::vector<int32_t> list;
    for (const Block &block : task.operators[op].blocks) {
        list.insert(list.end(), block.adds.begin(), block.adds.end());
        list.insert(list.end(), block.deletes.begin(), block.deletes.end());
        for (const NumericEffect &effect : block.numeric) list.push_back(task.facts + effect.variable);
    }
    std::sort(list.begin(), list.end());
    return list;
}

bool overlap(const std::vector<int32_t> &a, const std::vector<int32_t> &b) {
    for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        if (a[i] == b[j]) return true;
        ++(a[i] < b[j] ? i : j);
    }
    return false;
}

class Stretch {
public:
    Stretch(Course &course, int begin, int end) : task_(course.task()) {
        for (int at = begin; at < end; ++at) {
            steps_.push_back(course.plan()[at]);
            states_.push_back(course.state(at));
            changed_.push_back(changed(task_, steps_.back()));
        }
        states_.push_back(course.state(end));
    }

    const Operators &steps() const { return steps_; }
    int size() const { return static_cast<int>(steps_.size()); }

    bool related(int a, int b, Related how) const {
        return how == Related::by_action ? steps_[a] == steps_[b] : overlap(changed_[a], changed_[b]);
    }

    /* Lets a step and the one before it change places; false if that makes a difference. */
    bool swap_with_predecessor(int at) {
        const Operator &first = task_.operators[steps_[at]], &second = task_.operators[steps_[at - 1]];
        bool overflow = false;
        if (!task_.all_hold(first.precondition, states_[at - 1]) ||
            !task_.apply(first, states_[at - 1], between_, overflow) ||
            !task_.all_hold(second.precondition, between_) || !task_.apply(second, between_, after_, overflow) ||
            !(after_ == states_[at + 1]))
            return false;
        std::swap(states_[at], between_);
        std::swap(steps_[at], steps_[at - 1]);
        std::swap(changed_[at], changed_[at - 1]);
        return true;
    }

private:
    const Task &task_;
    Operators steps_;
    std::vector<State> states_;
    std::vector<std::vector<int32_t>> changed_;
    State between_, after_;
};

}  // namespace

void bring_together(Course &course, int begin, int end, Related how, std::mt19937 &chance) {
    Stretch stretch(course, begin, end);
    for (int step = 1; step < stretch.size(); ++step) {
        if (chance() % 4 == 0 || stretch.related(step, step - 1, how)) continue;
        int at = step;
        while (at > 0 && !stretch.related(at, at - 1, how) && stretch.swap_with_predecessor(at)) --at;
        if (at > 0 && stretch.related(at, at - 1, how)) continue;
        for (; at < step; ++at) stretch.swap_with_predecessor(at + 1);  // back to where it was
    }
    if (course.prices().constant) {
        course.replace(begin, end, stretch.steps());
        return;
    }
    const State first = course.state(begin);
    const Operators before(course.plan().begin() + begin, course.plan().begin() + end);
    const auto price = course.rest(begin, first);
    course.replace(begin, end, stretch.steps());
    const auto now = course.rest(begin, first);
    if (!now || (price && *price < *now)) course.replace(begin, end, before);
}

}  // namespace numbat
