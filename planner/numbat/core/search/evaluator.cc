#include "evaluator.h"

#include <cmath>

namespace numbat {

size_t Evaluator::add(const std::string &name) {
    for (size_t number = 0; number < guides_.size(); ++number)
        if (guides_[number].name == name) return number;
    Guide made;
    made.name = name;
    made.heuristic = factory_.make(name);
    guides_.push_back(std::move(made));
    return guides_.size() - 1;
}

bool Evaluator::evaluate(const State &state, StateId id) {
    for (Guide &guide : guides_) {
        guide.value = static_cast<float>(guide.heuristic->evaluate(state));
        if (std::isinf(guide.value)) return false;
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
