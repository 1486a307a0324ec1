#include "blind.h"

#include <algorithm>
#include <limits>

namespace numbat {

namespace {

constexpr double NEVER = std::numeric_limits<double>::infinity();

}  // namespace

Blind::Blind(std::shared_ptr<const Achievers> achievers)
    : achievers_(std::move(achievers)), most_(achievers_->task.atoms(), NEVER) {
    for (int action = 0; action < achievers_->goal; ++action)
        for (const auto &atoms : {achievers_->facts[action], achievers_->raised[action]})
            for (int atom : atoms) most_[atom] = std::min(most_[atom], achievers_->cost[action]);
    const Task &task = achievers_->task;
    for (int atom = task.first_disjunction(); atom < task.atoms(); ++atom) {  // inner ones have smaller numbers
        most_[atom] = NEVER;
        for (int part : task.disjunction(atom)) {
            double costliest = 0;
            for (int inner : task.conjunctions[part]) costliest = std::max(costliest, most_[inner]);
            most_[atom] = std::min(most_[atom], costliest);
        }
    }
    const auto goal = task.conjunctions[task.goal];
    goal_.assign(goal.begin(), goal.end());
    std::stable_sort(goal_.begin(), goal_.end(), [&](int a, int b) { return most_[a] > most_[b]; });
}

double Blind::atom_cost(int atom, const State &state) const {
    const Task &task = achievers_->task;
    if (task.holds(atom, state)) return 0;
    if (atom < task.first_disjunction()) return most_[atom];
    double least = NEVER;
    for (int part : task.disjunction(atom)) least = std::min(least, conjunction_cost(part, state));
    return least;
}

double Blind::conjunction_cost(int conjunction, const State &state) const {
    double costliest = 0;
    for (int atom : achievers_->task.conjunctions[conjunction]) costliest = std::max(costliest, atom_cost(atom, state));
    return costliest;
}

Estimate Blind::evaluate(const State &state) {
    if (!achievers_->ranges.contain(state)) return 0;
    double cost = 0;
    for (int atom : goal_) {
        if (cost >= most_[atom]) break;  // so it is for all that follow
        cost = std::max(cost, atom_cost(atom, state));
    }
    return cost == NEVER ? Estimate::dead_end() : Estimate(cost);
}

}  // namespace numbat
