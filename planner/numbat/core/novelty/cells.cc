#include "cells.h"

#include "../resolution.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace numbat {

namespace {

constexpr double CELLS_PER_DOUBLING = 2;
constexpr uint32_t FEW = 4;  // states of a cell that are not yet many
constexpr double LAST_INDEX = 1 << 20;

/* What an operator leaves as it is: the variable's value v with v = amount, or with amount = 0 of an increase. */
std::vector<double> fixpoints(const Task &task, int variable) {
    std::vector<double> found{0};
    for (const Operator &op : task.operators)
        for (const Block &block : op.blocks)
            for (const NumericEffect &effect : block.numeric) {
                const auto &terms = effect.amount.terms;
                if (effect.variable != variable || terms.size() != 1 || terms[0].variable != variable) continue;
                const double rate = terms[0].coefficient - (effect.assign ? 1 : 0);
                if (rate != 0) found.push_back(-effect.amount.constant / rate);
            }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

}  // namespace

Cells::Cells(const Task &task, size_t budget) : task_(task), budget_(budget) {
    const std::vector<double> steps = resolutions(task);
    add_conditions(steps);
    add_variables(steps);
}

void Cells::add_conditions(const std::vector<double> &steps) {
    for (size_t c = 0; c < steps.size(); ++c) axes_.push_back({task_.conditions[c].expression, steps[c]});
}

void Cells::add_variables(const std::vector<double> &steps) {
    std::vector<uint8_t> read(task_.variables, 0);
    for (const Operator &op : task_.operators)
        for (const Block &block : op.blocks)
            for (const NumericEffect &effect : block.numeric)
                for (const LinearTerm &term : effect.amount.terms) read[term.variable] = 1;
    std::vector<double> step(task_.variables, std::numeric_limits<double>::infinity());
    for (size_t c = 0; c < steps.size(); ++c) {
        const auto &terms = task_.conditions[c].expression.terms;
        if (terms.size() != 1) continue;
        double &least = step[terms[0].variable];
        least = std::min(least, steps[c] / std::abs(terms[0].coefficient));
    }
    for (int v = 0; v < task_.variables; ++v) {
        if (!read[v]) continue;
        for (double centre : fixpoints(task_, v)) {
            Linear offset = Linear::of_variable(v);
            offset.constant = -centre;
            axes_.push_back({std::move(offset), std::isinf(step[v]) ? 1 : step[v]});
        }
    }
}

/* A number for the cell; that two cells share one is as good as impossible, and would do no harm. */
uint64_t Cells::cell_of(const State &state) const {
    uint64_t hash = 0;
    auto mix = [&](uint64_t number) {
        hash = (hash ^ number) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    };
    for (uint64_t word : state.facts) mix(word);
    for (const Axis &axis : axes_) {
        const double value = axis.expression.value(state.values);
        const double index = std::floor(CELLS_PER_DOUBLING * std::log2(1 + std::abs(value) / axis.step));
        const auto place = static_cast<uint64_t>(std::min(index, LAST_INDEX));
        mix(value < 0 ? ~place : place);
    }
    return hash;
}

int64_t Cells::evaluate(const State &state, float, const Origin *) {
    const uint64_t cell = cell_of(state);
    const auto place = met_.find(cell);
    if (place != met_.end()) return std::bit_width(place->second++ / FEW);
    if (bytes() < budget_) met_.emplace(cell, 1);
    return 0;
}

}  // namespace numbat
