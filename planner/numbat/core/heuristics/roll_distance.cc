#include "roll_distance.h"

#include "../resolution.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace numbat {

namespace {

constexpr double NEVER = std::numeric_limits<double>::infinity();
constexpr double PART = 32;  // an open part of the goal; more than any logarithm below

double logarithm(double distance) { return std::min(std::log2(1 + distance), PART - 1); }

}  // namespace

RollDistance::RollDistance(const Task &task) : task_(task), step_(resolutions(task)), cost_(task.atoms(), 0) {
    for (int atom : task.conjunctions[task.goal]) (task.is_condition(atom) ? numbers_ : parts_).push_back(atom);
    add_ways();
}

/* Backwards from the goal: every way to an atom that matters, and all that matters for it. */
void RollDistance::add_ways() {
    std::vector<std::vector<std::pair<const Operator *, const Block *>>> achievers(task_.first_condition());
    for (const Operator &op : task_.operators)
        for (const Block &block : op.blocks) {
            for (int fact : block.adds) achievers[2 * fact].emplace_back(&op, &block);
            for (int fact : block.deletes)
                if (std::find(block.adds.begin(), block.adds.end(), fact) == block.adds.end())
                    achievers[2 * fact + 1].emplace_back(&op, &block);
        }
    std::vector<uint8_t> known(task_.atoms(), 0);
    std::vector<int32_t> waiting;
    auto need = [&](const std::vector<int32_t> &atoms) {
        for (int atom : atoms)
            if (!std::exchange(known[atom], 1)) waiting.push_back(atom);
    };
    need(parts_);
    while (!waiting.empty()) {
        const int atom = waiting.back();
        waiting.pop_back();
        (task_.is_fact(atom) ? facts_ : task_.is_condition(atom) ? conditions_ : disjunctions_).push_back(atom);
        const size_t before = ways_.size();
        if (task_.is_fact(atom)) {
            for (const auto &[op, block] : achievers[atom])
                ways_.push_back(way_to(atom, 1, {op->precondition, block->condition}));
        } else if (!task_.is_condition(atom)) {
            for (int part : task_.disjunction(atom)) ways_.push_back(way_to(atom, 0, {part}));
        }
        for (size_t way = before; way < ways_.size(); ++way) need(ways_[way].needs);
    }
    std::reverse(ways_.begin(), ways_.end());  // what is needed first is settled first, mostly
}

RollDistance::Way RollDistance::way_to(int atom, double cost, std::initializer_list<int> conjunctions) const {
    Way way{atom, cost, {}};
    for (int conjunction : conjunctions) {
        const auto atoms = task_.conjunctions[conjunction];
        way.needs.insert(way.needs.end(), atoms.begin(), atoms.end());
    }
    std::sort(way.needs.begin(), way.needs.end());
    way.needs.erase(std::unique(way.needs.begin(), way.needs.end()), way.needs.end());
    return way;
}

/* How many steps a numeric condition is from holding; at the boundary of a strict one, one. */
double RollDistance::error(int atom, const State &state) const {
    const Condition &condition = task_.condition(atom);
    const double value = task_.value(condition.expression, state);
    if (condition.holds_for(value)) return 0;
    return value < 0 ? saturated(-value / step_[atom - task_.first_condition()]) : 1;
}

/* The cost of every atom that matters: the greatest numbers that no way undercuts. */
void RollDistance::settle(const State &state) {
    for (int atom : conditions_) cost_[atom] = error(atom, state);
    for (int atom : facts_) cost_[atom] = task_.holds(atom, state) ? 0 : NEVER;
    for (int atom : disjunctions_) cost_[atom] = NEVER;
    for (bool changed = true; changed;) {
        changed = false;
        for (const Way &way : ways_) {
            double sum = way.cost;
            for (size_t i = 0; i < way.needs.size() && sum < cost_[way.atom]; ++i) {
                const double need = cost_[way.needs[i]];
                sum = need == NEVER ? NEVER : added(sum, need);
            }
            if (sum >= cost_[way.atom]) continue;
            cost_[way.atom] = sum;
            changed = true;
        }
    }
}

std::optional<double> RollDistance::of(const State &state) {
    settle(state);
    int open = 0;
    double nearest = NEVER;
    for (int atom : parts_) {
        if (cost_[atom] == NEVER) return std::nullopt;
        if (cost_[atom] == 0) continue;
        nearest = std::min(nearest, cost_[atom]);
        ++open;
    }
    if (open > 0) return PART * open + logarithm(nearest);
    double sum = 0;
    for (int atom : numbers_) sum = added(sum, error(atom, state));
    return logarithm(sum);
}

}  // namespace numbat
