/* Tuples of objects, each once, and indices over them. Rows are numbered as they come and never move. */
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace numbat {

using Tuple = std::span<const int32_t>;

constexpr int NO_ROW = -1;

class Relation {
public:
    explicit Relation(int arity) : arity_(arity), slots_(16, NO_ROW) {}

    int arity() const { return arity_; }
    int size() const { return size_; }
    Tuple tuple(int row) const {
        return {data_.data() + static_cast<size_t>(row) * arity_, static_cast<size_t>(arity_)};
    }
    /* The row of a tuple, or NO_ROW. */
    int find(Tuple tuple) const { return slots_[slot(tuple)]; }
    /* Appends a tuple unless it is there. It must not be part of this relation's own memory. */
    void insert(Tuple tuple);

private:
    int arity_;
    int size_ = 0;
    std::vector<int32_t> data_;
    std::vector<int32_t> slots_;  // hash table of rows

    size_t slot(Tuple tuple) const;
    void grow();
};

/* The rows of a relation that have given values at given positions; knows the rows it was told of. */
class Index {
public:
    Index(const Relation &relation, std::vector<int> positions)
        : relation_(relation), positions_(std::move(positions)), slots_(16, NO_ROW) {}

    const std::vector<int> &positions() const { return positions_; }
    int keys() const { return keys_; }
    /* Rows must be added in their order. */
    void add(int row);
    /* The last row with these values, or NO_ROW; `before` goes on from there. */
    int last(Tuple key) const { return slots_[slot(key)]; }
    int before(int row) const { return before_[row]; }

private:
    const Relation &relation_;
    std::vector<int> positions_;
    int keys_ = 0;
    std::vector<int32_t> before_;
    std::vector<int32_t> slots_;
    std::vector<int32_t> key_;

    size_t slot(Tuple key) const;
    Tuple key_of(int row);
    void grow();
};

}  // namespace numbat
