#include "packing.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <random>

namespace numbat {

namespace {

constexpr double LARGEST[] = {INT8_MAX, INT16_MAX, INT32_MAX, std::numeric_limits<double>::infinity()};

template <class Packed, class Number>
void store(const std::vector<Number> &numbers, char *place) {
    for (Number number : numbers) {
        // adding 0 makes -0.0 and 0.0 one number
        const auto packed = static_cast<Packed>(number + Number{0});
        std::memcpy(place, &packed, sizeof packed);
        place += sizeof packed;
    }
}

template <class Packed, class Number>
void load(std::vector<Number> &numbers, const char *place) {
    for (Number &number : numbers) {
        Packed packed;
        std::memcpy(&packed, place, sizeof packed);
        number = static_cast<Number>(packed);
        place += sizeof packed;
    }
}

template <class Number>
void store_integers(const std::vector<Number> &numbers, int layout, char *place) {
    switch (layout) {
    case 0: return store<int8_t>(numbers, place);
    case 1: return store<int16_t>(numbers, place);
    case 2: return store<int32_t>(numbers, place);
    default: return store<int64_t>(numbers, place);
    }
}

template <class Number>
void load_integers(std::vector<Number> &numbers, int layout, const char *place) {
    switch (layout) {
    case 0: return load<int8_t>(numbers, place);
    case 1: return load<int16_t>(numbers, place);
    case 2: return load<int32_t>(numbers, place);
    default: return load<int64_t>(numbers, place);
    }
}

template <class Number>
int narrowest_layout(const std::vector<Number> &numbers) {
    Number largest = 0;
    for (Number number : numbers) largest = std::max(largest, number < 0 ? -number : number);
    int layout = 0;
    while (static_cast<double>(largest) > LARGEST[layout]) ++layout;
    return layout;
}

}  // namespace

double Packing::largest(int layout) { return LARGEST[layout]; }

Packing::Packing(const Task &task) : task_(task), fact_words_((task.facts + 31) / 32) {
    for (int i = 0; i < LAYOUTS; ++i) words_[i] = std::max(1, fact_words_ + ((task.variables << i) + 3) / 4);
    std::mt19937_64 random;
    for (int place = 0; place < words_[WIDEST]; ++place) factors_.push_back(random() | 1);
}

int Packing::layout_for(const State &state) const {
    if (!task_.exact()) return WIDEST;
    return task_.wide() ? narrowest_layout(state.whole) : narrowest_layout(state.values);
}

void Packing::pack(const State &state, int layout, uint32_t *words) const {
    words[words_[layout] - 1] = 0;
    if (fact_words_ > 0) std::memcpy(words, state.facts.data(), fact_words_ * sizeof(uint32_t));
    char *place = reinterpret_cast<char *>(words + fact_words_);
    if (task_.numbers == Numbers::narrow) return store_integers(state.values, layout, place);
    return task_.wide() ? store_integers(state.whole, layout, place) : store<double>(state.values, place);
}

void Packing::unpack(const uint32_t *words, int layout, State &state) const {
    state.facts.assign((task_.facts + 63) / 64, 0);
    state.values.resize(task_.variables);
    if (fact_words_ > 0) std::memcpy(state.facts.data(), words, fact_words_ * sizeof(uint32_t));
    const char *place = reinterpret_cast<const char *>(words + fact_words_);
    if (!task_.exact()) return load<double>(state.values, place);
    load_integers(state.values, layout, place);
    if (!task_.wide()) return;
    state.whole.resize(task_.variables);
    load_integers(state.whole, layout, place);
}

uint64_t Packing::sum(const uint32_t *words, int layout) const {
    uint64_t sum = 0;
    for (int place = 0; place < words_[layout]; ++place) sum += factors_[place] * words[place];
    return sum;
}

}  // namespace numbat
