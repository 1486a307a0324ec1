/* One state at a time: successors, the goal test, heuristics and novelty. */
#include "../heuristics/landmarks_count.h"
#include "../heuristics/registry.h"
#include "../novelty/novelty.h"
#include "../search/lookahead.h"
#include "bindings.h"
#include "task.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <limits>

namespace numbat {

using namespace nb::literals;

namespace {

/* (facts, values, cost), or None where the operator is not applicable. */
nb::object apply(const Task &task, int number, const Bytes &facts, const nb::object &values) {
    if (number < 0 || number >= static_cast<int>(task.operators.size())) throw nb::index_error("no such operator");
    const Operator &op = task.operators[number];
    const State before = make_state(task, facts, values);
    State after;
    bool overflow = false;
    if (!task.all_hold(op.precondition, before) || !task.apply(op, before, after, overflow)) return nb::none();
    const nb::tuple arrays = arrays_of(task, after);
    return nb::make_tuple(arrays[0], arrays[1], op.cost.value(before.values));
}

bool is_goal(const Task &task, const Bytes &facts, const nb::object &values) {
    return task.is_goal(make_state(task, facts, values));
}

std::vector<int32_t> applicable(const Task &task, const Bytes &facts, const nb::object &values) {
    std::vector<int32_t> operators;
    SuccessorGenerator(task).applicable(make_state(task, facts, values), operators);
    return operators;
}

struct Evaluation {
    double value = std::numeric_limits<double>::infinity();  // of a dead end
    float rank = std::numeric_limits<float>::infinity();
    std::vector<int32_t> helpful;
    std::vector<std::pair<int32_t, int32_t>> jumps;
};

/* With the advice that goes with it. */
Evaluation evaluation_of(Heuristic &heuristic, const Estimate &estimate) {
    Evaluation evaluation;
    if (estimate.is_dead_end()) return evaluation;
    evaluation.value = estimate.distance();
    evaluation.rank = estimate.rank();
    std::vector<Jump> jumps;
    heuristic.advise(evaluation.helpful, jumps);
    for (const Jump &jump : jumps) evaluation.jumps.emplace_back(jump.op, jump.repetitions);
    return evaluation;
}

Evaluation evaluation_by(Heuristic &heuristic, const State &state) {
    return evaluation_of(heuristic, heuristic.evaluate(state));
}

std::unique_ptr<Heuristic> make_heuristic(HeuristicFactory &factory, const std::string &name, bool advice) {
    return advice ? factory.make_advising(name) : factory.make(name);
}

Evaluation evaluate(const Task &task, const std::string &name, const Bytes &facts, const nb::object &values,
                    bool metric_cost, bool compat, bool advice, bool plus_one) {
    HeuristicFactory factory(task, {.metric_cost = metric_cost, .compat = compat, .plus_one = plus_one});
    return evaluation_by(*make_heuristic(factory, name, advice), make_state(task, facts, values));
}

/* (relaxed plan, steps, (facts, values)): what a heuristic plans, and what comes of it; None for a dead end. */
nb::object look_ahead(const Task &task, const std::string &name, const Bytes &facts, const nb::object &values,
                      bool by_subgoal) {
    const PlanOrder order = by_subgoal ? PlanOrder::by_subgoal : PlanOrder::by_cost;
    const SearchOptions options;
    SearchContext context(task, options);
    const State state = make_state(task, facts, values);
    const std::unique_ptr<Heuristic> heuristic = context.factory.make_advising(name);
    if (heuristic->evaluate(state).is_dead_end()) return nb::none();
    std::vector<PlannedStep> planned;
    heuristic->relaxed_plan(order, planned);
    Lookahead lookahead(context);
    lookahead.carry_out(planned, order, state, 0);
    std::vector<std::tuple<int32_t, int32_t, int32_t>> plan;
    for (const PlannedStep &step : planned) plan.emplace_back(step.jump.op, step.jump.repetitions, step.atom);
    std::vector<std::pair<int32_t, int32_t>> steps;
    for (const Jump &jump : lookahead.steps()) steps.emplace_back(jump.op, jump.repetitions);
    return nb::make_tuple(plan, steps, arrays_of(task, lookahead.end()));
}

/* A heuristic that sees one state after the other. */
class EvaluationSequence {
public:
    EvaluationSequence(const Task &task, const std::string &name, bool metric_cost, bool advice, bool keep_costs)
        : task_(task),
          factory_(task, {metric_cost, false, keep_costs}),
          heuristic_(make_heuristic(factory_, name, advice)) {}

    Evaluation evaluate(const Bytes &facts, const nb::object &values) {
        return evaluation_by(*heuristic_, make_state(task_, facts, values));
    }

private:
    const Task &task_;
    HeuristicFactory factory_;
    std::unique_ptr<Heuristic> heuristic_;
};

/* The landmarks of a task, and their count along ways through its states. */
class LandmarkWays {
public:
    LandmarkWays(const Task &task, size_t most_work)
        : landmarks_(std::make_shared<Landmarks>(task, most_work)), count_(landmarks_, true) {}

    const std::vector<int32_t> &atoms() const { return landmarks_->atoms; }
    std::vector<std::pair<int32_t, int32_t>> orders() const {
        std::vector<std::pair<int32_t, int32_t>> orders;
        for (size_t i = 0; i < atoms().size(); ++i)
            for (int later : landmarks_->needed_by[static_cast<int>(i)])
                orders.emplace_back(atoms()[i], atoms()[later]);
        return orders;
    }
    std::vector<std::pair<int32_t, int32_t>> reasonable_orders() const {
        std::vector<std::pair<int32_t, int32_t>> orders;
        for (size_t i = 0; i < landmarks_->goals; ++i)
            for (int earlier : landmarks_->better_after[static_cast<int>(i)])
                orders.emplace_back(atoms()[earlier], atoms()[i]);
        return orders;
    }
    std::vector<std::vector<int32_t>> groups() const {
        std::vector<std::vector<int32_t>> groups;
        for (int i = 0; i < landmarks_->groups.size(); ++i)
            groups.emplace_back(landmarks_->groups[i].begin(), landmarks_->groups[i].end());
        return groups;
    }

    Evaluation begin(const Bytes &facts, const nb::object &values) {
        states_ = {make_state(landmarks_->task, facts, values)};
        return evaluation_of(count_, count_.evaluate_reached(states_[0], {.state = 0, .steps = {}}));
    }
    Evaluation reach(StateId parent, int op, int repetitions, const Bytes &facts, const nb::object &values) {
        check(parent, op);
        states_.push_back(make_state(landmarks_->task, facts, values));
        const auto id = static_cast<StateId>(states_.size() - 1);
        const Jump step{op, repetitions};
        const Arrival arrival{id, parent, &states_[parent], {&step, 1}};
        return evaluation_of(count_, count_.evaluate_reached(states_[id], arrival));
    }
    void reach_again(StateId state, StateId parent, int op, int repetitions) {
        check(state, op);
        check(parent, op);
        const Jump step{op, repetitions};
        count_.reach_again(states_[state], {state, parent, &states_[parent], {&step, 1}});
    }

private:
    std::shared_ptr<const Landmarks> landmarks_;
    LandmarkCount count_;
    std::vector<State> states_;

    void check(StateId state, int op) const {
        if (state >= states_.size()) throw nb::index_error("no such state");
        if (op < 0 || op >= static_cast<int>(landmarks_->task.operators.size()))
            throw nb::index_error("no such operator");
    }
};

/* A novelty measure that sees one state after the other. */
class NoveltySequence {
public:
    NoveltySequence(const Task &task, const std::string &feature, const std::string &measure, int k)
        : task_(task), novelty_(make_novelty(task, feature, measure, k, SIZE_MAX)) {}

    double value(const Bytes &facts, const nb::object &values, double h) {
        return static_cast<double>(
            novelty_->evaluate(make_state(task_, facts, values), static_cast<float>(h), nullptr));
    }
    double value_from_parent(const Bytes &facts, const nb::object &values, double h, const Bytes &parent_facts,
                             const nb::object &parent_values, double parent_h) {
        const State parent = make_state(task_, parent_facts, parent_values);
        if (!(parent == parent_) || parent_h != parent_h_) {
            ++expansion_;
            parent_ = parent;
            parent_h_ = parent_h;
        }
        const Origin origin{parent, static_cast<float>(parent_h), expansion_};
        return static_cast<double>(
            novelty_->evaluate(make_state(task_, facts, values), static_cast<float>(h), &origin));
    }

private:
    const Task &task_;
    std::unique_ptr<Novelty> novelty_;
    State parent_;
    double parent_h_ = 0;
    uint64_t expansion_ = 0;
};

nb::list heuristic_table() {
    nb::list list;
    for (const HeuristicInfo &info : heuristics()) {
        nb::dict row;
        row["name"] = info.name;
        row["summary"] = info.summary;
        row["safe"] = info.safe;
        row["helpful"] = info.helpful;
        row["admissible"] = info.admissible;
        row["plans"] = info.plans;
        list.append(row);
    }
    return list;
}

}  // namespace

void bind_states(nb::module_ &m) {
    nb::class_<Evaluation>(m, "Evaluation")
        .def_ro("value", &Evaluation::value)
        .def_ro("rank", &Evaluation::rank)
        .def_ro("helpful", &Evaluation::helpful)
        .def_ro("jumps", &Evaluation::jumps);
    nb::class_<EvaluationSequence>(m, "Evaluations")
        .def(nb::init<const Task &, const std::string &, bool, bool, bool>(), "task"_a, "heuristic"_a, nb::kw_only(),
             "metric_cost"_a = false, "advice"_a = false, "keep_costs"_a = false, nb::keep_alive<1, 2>())
        .def("evaluate", &EvaluationSequence::evaluate, "facts"_a.noconvert(), "values"_a.noconvert());
    nb::class_<NoveltySequence>(m, "Novelty")
        .def(nb::init<const Task &, const std::string &, const std::string &, int>(), "task"_a, "feature"_a,
             "measure"_a, "k"_a, nb::keep_alive<1, 2>())
        .def("value", &NoveltySequence::value, "facts"_a.noconvert(), "values"_a.noconvert(), "h"_a)
        .def("value_from_parent", &NoveltySequence::value_from_parent, "facts"_a.noconvert(), "values"_a.noconvert(),
             "h"_a, "parent_facts"_a.noconvert(), "parent_values"_a.noconvert(), "parent_h"_a);

    nb::class_<LandmarkWays>(m, "Landmarks")
        .def(nb::init<const Task &, size_t>(), "task"_a, "most_work"_a = Landmarks::MOST_WORK, nb::keep_alive<1, 2>())
        .def_prop_ro("atoms", &LandmarkWays::atoms)
        .def_prop_ro("orders", &LandmarkWays::orders)
        .def_prop_ro("reasonable_orders", &LandmarkWays::reasonable_orders)
        .def_prop_ro("groups", &LandmarkWays::groups)
        .def("begin", &LandmarkWays::begin, "facts"_a.noconvert(), "values"_a.noconvert())
        .def("reach", &LandmarkWays::reach, "parent"_a, "operator"_a, "repetitions"_a, "facts"_a.noconvert(),
             "values"_a.noconvert())
        .def("reach_again", &LandmarkWays::reach_again, "state"_a, "parent"_a, "operator"_a, "repetitions"_a);

    m.def("heuristics", &heuristic_table);
    m.def("apply", &apply, "task"_a, "operator"_a, "facts"_a.noconvert(), "values"_a.noconvert());
    m.def("is_goal", &is_goal, "task"_a, "facts"_a.noconvert(), "values"_a.noconvert());
    m.def("applicable", &applicable, "task"_a, "facts"_a.noconvert(), "values"_a.noconvert());
    m.def("look_ahead", &look_ahead, "task"_a, "heuristic"_a, "facts"_a.noconvert(), "values"_a.noconvert(),
          nb::kw_only(), "by_subgoal"_a = false);
    m.def("evaluate", &evaluate, "task"_a, "heuristic"_a, "facts"_a.noconvert(), "values"_a.noconvert(), nb::kw_only(),
          "metric_cost"_a = false, "compat"_a = false, "advice"_a = false, "plus_one"_a = false);
}

}  // namespace numbat
