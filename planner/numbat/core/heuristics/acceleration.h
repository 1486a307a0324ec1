/*
  Acceleration: what a condition costs at least whose changes have no limit, because other operators make them larger.

  An operator that moves a condition c adds to it L(s), a linear form of the state it is applied in: its rate. Operators that
  add to a rate accelerate; no operator here does both. In a plan from s, let A be what its accelerating operators
  cost and M what its moving ones do. If no operator adds more to L than r for each unit of its cost, L never exceeds
  L(s) + r * A, so that moving adds at most M * max over the moving operators o of (L_o(s) + r_o * A) / cost(o). That must be
  the need of c at least, hence

      A + M  >=  min over o  of  min over A >= 0  of  A + need * cost(o) / (L_o(s) + r_o * A)

  The inner minimum is at L + r * A = sqrt(need * cost(o) * r), and 2 * sqrt(need * cost(o) / r) - L / r; or at A = 0, if L is
  larger than that root. A condition is left out if a moving or accelerating operator is free, if an operator does both, if a
  rate may grow without a limit itself, or if several effect blocks, or assignments, give no single rate.

  For conditions of the goal; states must be within the ranges.
*/
#pragma once

#include "achievers.h"

namespace numbat {

class Acceleration {
public:
    explicit Acceleration(const Achievers &achievers);

    /* An integer that no plan from this state costs less than. */
    double least_cost(const State &state) const;

private:
    struct Mover {
        Linear rate;
        double cost;
        double faster;  // what a unit of cost adds to the rate at most
    };
    struct Moved {
        int32_t condition;
        std::vector<Mover> movers;
    };
    const Achievers &t_;
    std::vector<Moved> moved_;

    std::optional<std::vector<Mover>> movers_of(int condition) const;
    std::optional<Linear> rate_of(const Operator &op, const Linear &expression) const;
    bool accelerated(std::vector<Mover> &movers, const std::vector<uint8_t> &moves) const;
    double gain_of(const Operator &op, const Linear &expression) const;
};

}  // namespace numbat
