/*
  Linear programmes: the largest objective * x with rows * x <= limits and x >= 0, where no limit is negative.

  The dictionary form of the simplex method, dense: x = 0 is a vertex, and each pivot moves on to a better one. What has
  been reached is feasible at any time, so it may end early: nobody here needs the optimum, only something good. Ratios
  are compared under limits that are a little larger, each by another amount, so that vertices where many rows meet make
  no circles. Results are doubles; whoever needs more than an estimate checks them.
*/
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace numbat {

class Simplex {
public:
    using Row = std::vector<std::pair<int32_t, double>>;  // column, coefficient
    Simplex(int columns, const std::vector<Row> &rows, const std::vector<double> &limits);

    enum class Ending { optimal, unbounded, given_up };
    /* From the vertex that is current; `work` is what may be spent, in multiplications, and is reduced. */
    Ending maximise(const std::vector<double> &objective, size_t &work);
    std::vector<double> solution() const;
    /* If it ended unbounded: a direction, no entry of it negative, in which no row grows and the objective does. */
    std::vector<double> direction() const;
    size_t bytes() const { return table_.size() * sizeof(double); }

private:
    const int columns_, rows_;
    std::vector<double> table_;              // rows_ * columns_: basic = limit - sum of coefficient * other
    std::vector<double> limit_, raised_;     // row -> value of its basic variable; the same under larger limits
    std::vector<int32_t> basic_, other_;     // row, column -> variable: a column of the programme, or a row's slack
    std::vector<double> gain_;               // column -> what the objective grows by per unit
    std::vector<int32_t> used_;              // columns of the pivot's row
    int unbounded_ = 0;                      // column that nothing stopped

    double *row(int r) { return table_.data() + static_cast<size_t>(r) * columns_; }
    const double *row(int r) const { return table_.data() + static_cast<size_t>(r) * columns_; }
    void set_gains(const std::vector<double> &objective);
    int entering() const;
    int leaving(int column) const;
    size_t pivot(int r, int column);
};

}  // namespace numbat
