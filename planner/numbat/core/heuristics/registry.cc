#include "registry.h"

#include "blind.h"
#include "flow.h"
#include "goal_count.h"
#include "goals_first.h"
#include "interval.h"
#include "landmarks_count.h"
#include "lmcut.h"
#include "manhattan.h"
#include "maximum.h"
#include "potential.h"
#include "roll.h"
#include "subgoaling.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace numbat {

namespace {

std::unique_ptr<Heuristic> make_subgoaling(HeuristicFactory &factory, Subgoaling::Kind kind, bool redundant) {
    if (kind == Subgoaling::Kind::add && factory.advising()) kind = Subgoaling::Kind::add_with_plan;
    return std::make_unique<Subgoaling>(factory.tables(redundant), kind, factory.options);
}

using F = HeuristicFactory;

/* A new heuristic adds one line here. */
constexpr HeuristicInfo HEURISTICS[] = {
    // name   summary                                               safe  helpful  admissible  plans  make
    {"hgc", "goal count: goal conditions that do not hold", true, false, false, false,
     [](F &f) -> std::unique_ptr<Heuristic> { return std::make_unique<GoalCount>(f.task); }},
    {"hmd", "Manhattan distance: summed distance of the goal conditions", true, false, false, false,
     [](F &f) -> std::unique_ptr<Heuristic> { return std::make_unique<Manhattan>(f.task, f.options); }},
    {"haibr", "additive interval-based relaxation", true, false, false, false,
     [](F &f) -> std::unique_ptr<Heuristic> { return std::make_unique<IntervalRelaxation>(f.task); }},
    {"hadd", "additive subgoaling", true, false, false, true,
     [](F &f) { return make_subgoaling(f, Subgoaling::Kind::add, false); }},
    {"hradd", "additive subgoaling with redundant constraints", true, false, false, true,
     [](F &f) { return make_subgoaling(f, Subgoaling::Kind::add, true); }},
    {"hmrp", "multi-repetition relaxed plan", true, true, false, true,
     [](F &f) { return make_subgoaling(f, Subgoaling::Kind::relaxed_plan, false); }},
    {"hgmrp", "goals that do not hold, and among equals hmrp", true, true, false, true,
     [](F &f) -> std::unique_ptr<Heuristic> {
         return std::make_unique<GoalsFirst>(f.task, make_subgoaling(f, Subgoaling::Kind::relaxed_plan, false));
     }},
    {"hlm", "landmarks that are still to come", true, false, false, false,
     [](F &f) -> std::unique_ptr<Heuristic> { return std::make_unique<LandmarkCount>(f.landmarks(), f.advising()); }},
    {"blind", "the costliest unmet part of the goal, each by its cheapest achiever", true, false, true, false,
     [](F &f) -> std::unique_ptr<Heuristic> { return std::make_unique<Blind>(f.achievers()); }},
    {"hmax", "the costliest part of the goal, at its cheapest", true, false, true, false,
     [](F &f) -> std::unique_ptr<Heuristic> { return std::make_unique<Maximum>(f.achievers()); }},
    {"hlmcut", "action landmarks by cuts through the relaxed task, at least hmax", true, false, true, false,
     [](F &f) -> std::unique_ptr<Heuristic> { return std::make_unique<LandmarkCut>(f.achievers()); }},
    {"hpot", "potentials of facts and goal conditions by a linear programme, at least blind", true, false, true, false,
     [](F &f) -> std::unique_ptr<Heuristic> { return std::make_unique<Potentials>(f.achievers()); }},
    {"hroll", "distance to the goal where repeating one operator leads", true, false, false, false,
     [](F &f) -> std::unique_ptr<Heuristic> { return std::make_unique<Roll>(f.task); }},
    {"hflow", "potentials in which places and loads count together, by a linear programme", true, false, false, false,
     [](F &f) -> std::unique_ptr<Heuristic> { return std::make_unique<Flow>(f.task); }},
};

}  // namespace

std::span<const HeuristicInfo> heuristics() { return HEURISTICS; }

HeuristicFactory::HeuristicFactory(const Task &t, const HeuristicOptions &o) : task(t), options(o) {}
HeuristicFactory::~HeuristicFactory() = default;

std::shared_ptr<const SubgoalingTables> HeuristicFactory::tables(bool redundant) {
    auto &tables = tables_[redundant];
    if (!tables) tables = std::make_shared<SubgoalingTables>(task, options, redundant);
    return tables;
}

std::shared_ptr<const Achievers> HeuristicFactory::achievers() {
    if (achievers_) return achievers_;
    std::vector<double> costs(task.integer_costs.begin(), task.integer_costs.end());
    if (costs.empty())
        for (const Operator &op : task.operators)
            costs.push_back(options.metric_cost ? std::max(0.0, op.cost.value(task.initial.values)) : 1);
    achievers_ = std::make_shared<Achievers>(task, std::move(costs), Ranges(task));
    return achievers_;
}

std::shared_ptr<const Landmarks> HeuristicFactory::landmarks() {
    if (!landmarks_) landmarks_ = std::make_shared<Landmarks>(task);
    return landmarks_;
}

std::unique_ptr<Heuristic> HeuristicFactory::make(std::string_view name) {
    for (const HeuristicInfo &info : HEURISTICS)
        if (info.name == name) return info.make(*this);
    throw std::invalid_argument("unknown heuristic " + std::string(name));
}

std::unique_ptr<Heuristic> HeuristicFactory::make_advising(std::string_view name) {
    advising_ = true;
    auto heuristic = make(name);
    advising_ = false;
    return heuristic;
}

}  // namespace numbat
