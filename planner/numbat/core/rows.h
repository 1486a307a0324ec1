/* Compressed rows: many short lists in two arrays. */
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace numbat {

template <class T>
class Rows {
public:
    Rows() : start_{0} {}
    Rows(std::vector<int32_t> start, std::vector<T> data) : start_(std::move(start)), data_(std::move(data)) {}

    int size() const { return static_cast<int>(start_.size()) - 1; }
    std::span<const T> operator[](int row) const {
        return {data_.data() + start_[row], data_.data() + start_[row + 1]};
    }
    const std::vector<T> &data() const { return data_; }

    void push_back(const std::vector<T> &row) {
        data_.insert(data_.end(), row.begin(), row.end());
        start_.push_back(static_cast<int32_t>(data_.size()));
    }

    /* Turns lists of lists into rows. */
    static Rows from(const std::vector<std::vector<T>> &lists) {
        Rows rows;
        for (const auto &list : lists) rows.push_back(list);
        return rows;
    }

private:
    std::vector<int32_t> start_;
    std::vector<T> data_;
};

}  // namespace numbat
