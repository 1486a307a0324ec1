#include "evaluator.h"

namespace numbat {

size_t Evaluator::add(const std::string &name) {
    for (size_t number = 0; number < guides_.size(); ++number)
        if (guides_[number].name == name) return number;
    Guide made;
    made.name = name;
    made.heuristic = advice_ ? factory_.make_advising(name) : factory_.make(name);
    depends_on_path_ |= made.heuristic->depends_on_path();
    guides_.push_back(std::move(made));
    return guides_.size() - 1;
}

bool Evaluator::evaluate(const State &state, const Arrival &arrival) {
    for (Guide &guide : guides_) {
        const Estimate estimate = guide.heuristic->evaluate_reached(state, arrival);
        if (estimate.is_dead_end()) return false;
        guide.distance = estimate.distance();
        guide.value = estimate.rank();
    }
    better_ = false;
    for (Guide &guide : guides_) {
        if (guide.remembered) {
            guide.values.resize(arrival.state + size_t{1}, 0);
            guide.values[arrival.state] = guide.value;
        }
        if (guide.value < guide.best) {
            guide.best = guide.value;
            better_ = true;
        }
    }
    return true;
}

void Evaluator::reach_again(const State &state, const Arrival &arrival) {
    for (Guide &guide : guides_) guide.heuristic->reach_again(state, arrival);
}

size_t Evaluator::bytes() const {
    size_t sum = 0;
    for (const Guide &guide : guides_) sum += guide.values.bytes() + guide.heuristic->bytes();
    return sum;
}

}  // namespace numbat
