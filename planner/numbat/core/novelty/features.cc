#include "features.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace numbat {

int32_t Records::place(std::vector<double> &records, double distance) {
    if (records.empty() || distance > records.back()) {
        records.push_back(distance);
        return static_cast<int32_t>(records.size());
    }
    return static_cast<int32_t>(std::lower_bound(records.begin(), records.end(), distance) - records.begin()) + 1;
}

int32_t Records::index(double value) {
    if (value > centre_) return place(above_, value - centre_);
    if (value < centre_) return -place(below_, centre_ - value);
    return 0;
}

size_t FeatureNumbers::Hash::operator()(const Name &name) const {
    uint64_t h = std::bit_cast<uint64_t>(name.value) * 0x9e3779b97f4a7c15u;
    h = (h ^ h >> 29 ^ static_cast<uint64_t>(name.variable)) * 0xbf58476d1ce4e5b9u;
    return h ^ h >> 32;
}

int32_t FeatureNumbers::of_value(int variable, double value) {
    auto [place, is_new] = of_value_.try_emplace({variable, value + 0.0}, next_);
    next_ += is_new;
    return place->second;
}

int32_t FeatureNumbers::of_index(int variable, int32_t index) {
    auto &numbers = of_index_[variable];
    const auto place = static_cast<size_t>(index >= 0 ? 2 * index : -2 * index - 1);
    if (place >= numbers.size()) numbers.resize(place + 1, -1);
    if (numbers[place] < 0) numbers[place] = next_++;
    return numbers[place];
}

Features::Features(const Task &task, FeatureKind kind, std::shared_ptr<FeatureNumbers> numbers)
    : task_(task), kind_(kind), numbers_(std::move(numbers)) {
    if (kind == FeatureKind::boundary)
        for (double centre : task.initial.values) records_.emplace_back(centre);
}

void Features::of(const State &state, std::vector<int32_t> &features) {
    features.clear();
    for (size_t word = 0; word < state.facts.size(); ++word)
        for (uint64_t bits = state.facts[word]; bits; bits &= bits - 1)
            features.push_back(static_cast<int32_t>(64 * word) + std::countr_zero(bits));
    for (int v = 0; v < task_.variables; ++v) {
        const double value = state.values[v];
        features.push_back(kind_ == FeatureKind::value ? numbers_->of_value(v, value)
                                                       : numbers_->of_index(v, records_[v].index(value)));
    }
}

size_t Features::bytes() const {
    size_t sum = numbers_->bytes();
    for (const Records &records : records_) sum += records.bytes();
    return sum;
}

}  // namespace numbat
