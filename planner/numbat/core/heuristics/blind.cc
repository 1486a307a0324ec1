#include "blind.h"

#include <algorithm>
#include <limits>

namespace numbat {

namespace {

constexpr double NEVER = std::numeric_limits<double>::infinity();

}  // namespace

Blind::Blind(std::shared_ptr<const Achievers> achievers)
    : achievers_(std::move(achievers)), cheapest_(achievers_->task.atoms(), NEVER) {
    for (int action = 0; action < achievers_->goal; ++action)
        for (const auto &atoms : {achievers_->facts[action], achievers_->raised[action]})
            for (int atom : atoms) cheapest_[atom] = std::min(cheapest_[atom], achievers_->cost[action]);
}

double Blind::atom_cost(int atom, const State &state) const {
    const Task &task = achievers_->task;
    if (task.holds(atom, state)) return 0;
    if (atom < task.first_disjunction()) return cheapest_[atom];
    double least = NEVER;
    for (int part : task.disjunction(atom)) least = std::min(least, conjunction_cost(part, state));
    return least;
}

double Blind::conjunction_cost(int conjunction, const State &state) const {
    double dearest = 0;
    for (int atom : achievers_->task.conjunctions[conjunction]) dearest = std::max(dearest, atom_cost(atom, state));
    return dearest;
}

Estimate Blind::evaluate(const State &state) {
    if (!achievers_->ranges.contain(state)) return 0;
    const double cost = conjunction_cost(achievers_->task.goal, state);
    return cost == NEVER ? Estimate::dead_end() : Estimate(cost);
}

}  // namespace numbat
