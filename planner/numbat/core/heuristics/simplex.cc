#include "simplex.h"

#include <cmath>

namespace numbat {

namespace {

// What is smaller is 0 but for rounding.
constexpr double TINY = 1e-9;
constexpr double PERTURBATION = 1e-6;

}  // namespace

Simplex::Simplex(int columns, const std::vector<Row> &rows, const std::vector<double> &limits)
    : columns_(columns),
      rows_(static_cast<int>(rows.size())),
      table_(rows.size() * columns),
      limit_(limits),
      gain_(columns) {
    uint32_t mixed = 1;
    for (int r = 0; r < rows_; ++r) {
        for (auto [column, coefficient] : rows[r]) row(r)[column] += coefficient;
        mixed = mixed * 1664525u + 1013904223u;
        raised_.push_back(limits[r] + PERTURBATION * (1 + (mixed >> 8) * 0x1p-24));
        basic_.push_back(columns_ + r);
    }
    for (int column = 0; column < columns_; ++column) other_.push_back(column);
}

void Simplex::set_gains(const std::vector<double> &objective) {
    auto weight = [&](int variable) { return variable < columns_ ? objective[variable] : 0; };
    for (int column = 0; column < columns_; ++column) gain_[column] = weight(other_[column]);
    for (int r = 0; r < rows_; ++r) {
        const double own = weight(basic_[r]);
        if (own == 0) continue;
        for (int column = 0; column < columns_; ++column) gain_[column] -= own * row(r)[column];
    }
}

int Simplex::entering() const {
    int best = -1;
    double most = TINY;
    for (int column = 0; column < columns_; ++column)
        if (gain_[column] > most) {
            most = gain_[column];
            best = column;
        }
    return best;
}

/* The row that stops the growth of a column's variable first; -1 if none does. */
int Simplex::leaving(int column) const {
    int best = -1;
    double least = 0;
    for (int r = 0; r < rows_; ++r) {
        const double coefficient = row(r)[column];
        if (coefficient <= TINY) continue;
        const double ratio = raised_[r] / coefficient;
        if (best >= 0 && ratio >= least) continue;
        best = r;
        least = ratio;
    }
    return best;
}

/* The variables of the row and the column change places. Tells how many multiplications that took. */
size_t Simplex::pivot(int r, int column) {
    double *const own = row(r);
    const double divisor = own[column];
    own[column] = 1;
    used_.clear();
    for (int c = 0; c < columns_; ++c) {
        if (own[c] == 0) continue;
        own[c] /= divisor;
        if (c != column) used_.push_back(c);
    }
    limit_[r] /= divisor;
    raised_[r] /= divisor;
    auto subtract = [&](double *from, double factor) {
        for (int c : used_) {
            const double rest = from[c] - factor * own[c];
            from[c] = std::abs(rest) < TINY * TINY ? 0 : rest;
        }
        from[column] = -factor * own[column];
    };
    size_t changed = 1;
    for (int i = 0; i < rows_; ++i) {
        const double factor = row(i)[column];
        if (i == r || factor == 0) continue;
        subtract(row(i), factor);
        limit_[i] -= factor * limit_[r];
        raised_[i] -= factor * raised_[r];
        ++changed;
    }
    subtract(gain_.data(), gain_[column]);
    std::swap(basic_[r], other_[column]);
    return changed * used_.size() + rows_ + columns_;
}

Simplex::Ending Simplex::maximise(const std::vector<double> &objective, size_t &work) {
    set_gains(objective);
    for (;;) {
        const int column = entering();
        if (column < 0) return Ending::optimal;
        const int r = leaving(column);
        if (r < 0) {
            unbounded_ = column;
            return Ending::unbounded;
        }
        const size_t spent = pivot(r, column);
        if (spent >= work) {
            work = 0;
            return Ending::given_up;
        }
        work -= spent;
    }
}

std::vector<double> Simplex::direction() const {
    std::vector<double> growth(columns_, 0);
    if (other_[unbounded_] < columns_) growth[other_[unbounded_]] = 1;
    for (int r = 0; r < rows_; ++r)
        if (basic_[r] < columns_ && row(r)[unbounded_] < -TINY) growth[basic_[r]] = -row(r)[unbounded_];
    return growth;
}

std::vector<double> Simplex::solution() const {
    std::vector<double> values(columns_, 0);
    for (int r = 0; r < rows_; ++r)
        if (basic_[r] < columns_) values[basic_[r]] = limit_[r];
    return values;
}

}  // namespace numbat
