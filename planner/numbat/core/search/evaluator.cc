#include "evaluator.h"

namespace numbat {

size_t Evaluator::add(const std::string &name) {
    for (size_t number = 0; number < guides_.size(); ++number)
        if (guides_[number].name == name) return number;
    Guide made;
    made.name = name;
    made.heuristic = advice_ ? factory_.make_advising(name) : factory_.make(name);
    guides_.push_back(std::move(made));
    return guides_.size() - 1;
}

bool Evaluator::evaluate(const State &state, StateId id) {
    for (Guide &guide : guides_) {
        const Estimate estimate = guide.heuristic->evaluate(state);
        if (estimate.is_dead_end()) return false;
        guide.distance = estimate.distance();
        guide.value = estimate.rank();
    }
    better_ = false;
    for (Guide &guide : guides_) {
        if (guide.remembered) {
            guide.values.resize(id + size_t{1}, 0);
            guide.values[id] = guide.value;
        }
        if (guide.value < guide.best) {
            guide.best = guide.value;
            better_ = true;
        }
    }
    return true;
}

size_t Evaluator::bytes() const {
    size_t sum = 0;
    for (const Guide &guide : guides_) sum += guide.values.bytes();
    return sum;
}

}  // namespace numbat
