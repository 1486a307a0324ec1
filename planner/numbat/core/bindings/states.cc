/* One state at a time: successors, the goal test, heuristics and novelty. */
#include "../novelty/novelty.h"
#include "../registry.h"
#include "../search/successor_generator.h"
#include "bindings.h"
#include "task.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
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

Evaluation evaluate(const Task &task, const std::string &name, const Bytes &facts, const nb::object &values,
                    bool metric_cost, bool compat, bool advice) {
    HeuristicFactory factory(task, {metric_cost, compat});
    auto heuristic = advice ? factory.make_advising(name) : factory.make(name);
    Evaluation evaluation;
    const Estimate estimate = heuristic->evaluate(make_state(task, facts, values));
    if (estimate.is_dead_end()) return evaluation;
    evaluation.value = estimate.distance();
    evaluation.rank = estimate.rank();
    std::vector<Jump> jumps;
    heuristic->advise(evaluation.helpful, jumps);
    for (const Jump &jump : jumps) evaluation.jumps.emplace_back(jump.op, jump.repetitions);
    return evaluation;
}

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
    nb::class_<NoveltySequence>(m, "Novelty")
        .def(nb::init<const Task &, const std::string &, const std::string &, int>(), "task"_a, "feature"_a,
             "measure"_a, "k"_a, nb::keep_alive<1, 2>())
        .def("value", &NoveltySequence::value, "facts"_a.noconvert(), "values"_a.noconvert(), "h"_a)
        .def("value_from_parent", &NoveltySequence::value_from_parent, "facts"_a.noconvert(), "values"_a.noconvert(),
             "h"_a, "parent_facts"_a.noconvert(), "parent_values"_a.noconvert(), "parent_h"_a);

    m.def("heuristics", &heuristic_table);
    m.def("apply", &apply, "task"_a, "operator"_a, "facts"_a.noconvert(), "values"_a.noconvert());
    m.def("is_goal", &is_goal, "task"_a, "facts"_a.noconvert(), "values"_a.noconvert());
    m.def("applicable", &applicable, "task"_a, "facts"_a.noconvert(), "values"_a.noconvert());
    m.def("evaluate", &evaluate, "task"_a, "heuristic"_a, "facts"_a.noconvert(), "values"_a.noconvert(), nb::kw_only(),
          "metric_cost"_a = false, "compat"_a = false, "advice"_a = false);
}

}  // namespace numbat
