#include "relation.h"

#include <algorithm>
#include <limits>
#include <new>

namespace numbat {

namespace {

size_t hash(Tuple tuple) {
    uint64_t code = 0x9E3779B97F4A7C15u;
    for (int32_t entry : tuple) {
        code = (code ^ static_cast<uint32_t>(entry)) * 0xFF51AFD7ED558CCDu;
        code ^= code >> 32;
    }
    return static_cast<size_t>(code);
}

}  // namespace

size_t Relation::slot(Tuple wanted) const {
    const size_t mask = slots_.size() - 1;
    size_t place = hash(wanted) & mask;
    while (slots_[place] != NO_ROW && !std::ranges::equal(tuple(slots_[place]), wanted)) place = (place + 1) & mask;
    return place;
}

void Relation::insert(Tuple tuple) {
    const size_t place = slot(tuple);
    if (slots_[place] != NO_ROW) return;
    // more rows than there are numbers for would not fit into memory either
    if (size_ == std::numeric_limits<int32_t>::max()) throw std::bad_alloc();
    data_.insert(data_.end(), tuple.begin(), tuple.end());
    slots_[place] = size_++;
    if (2 * static_cast<size_t>(size_) > slots_.size()) grow();
}

void Relation::grow() {
    slots_ = std::vector<int32_t>(2 * slots_.size(), NO_ROW);
    for (int row = 0; row < size_; ++row) slots_[slot(tuple(row))] = row;
}

Tuple Index::key_of(int row) {
    key_.clear();
    const Tuple tuple = relation_.tuple(row);
    for (int position : positions_) key_.push_back(tuple[position]);
    return key_;
}

size_t Index::slot(Tuple key) const {
    const size_t mask = slots_.size() - 1;
    auto has_key = [&](int row) {
        const Tuple tuple = relation_.tuple(row);
        for (size_t i = 0; i < key.size(); ++i)
            if (tuple[positions_[i]] != key[i]) return false;
        return true;
    };
    size_t place = hash(key) & mask;
    while (slots_[place] != NO_ROW && !has_key(slots_[place])) place = (place + 1) & mask;
    return place;
}

void Index::add(int row) {
    const size_t place = slot(key_of(row));
    before_.push_back(slots_[place]);
    const bool is_new = slots_[place] == NO_ROW;
    slots_[place] = row;
    if (is_new && 2 * static_cast<size_t>(++keys_) > slots_.size()) grow();
}

void Index::grow() {
    const std::vector<int32_t> old = std::move(slots_);
    slots_ = std::vector<int32_t>(2 * old.size(), NO_ROW);
    for (int row : old)
        if (row != NO_ROW) slots_[slot(key_of(row))] = row;
}

}  // namespace numbat
