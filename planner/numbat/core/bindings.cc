/* The Python face of the core: planner/numbat/_core.pyi describes it. The only file that knows Python. */
#include "limits.h"
#include "novelty/novelty.h"
#include "registry.h"
#include "search.h"
#include "successor_generator.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <stdexcept>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace nb = nanobind;
using namespace nb::literals;

namespace numbat {
namespace {

template <class T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Ints = Array<int32_t>;
using Doubles = Array<double>;
using Bytes = Array<uint8_t>;
using Board = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
std::vector<T> copy(const Array<T> &array) {
    return std::vector<T>(array.data(), array.data() + array.size());
}

void require(bool truth, const char *what) {
    if (!truth) throw std::invalid_argument(std::string("grounded task: ") + what);
}

/* Compressed rows whose offsets are checked before anybody follows them. */
Rows<int32_t> rows(const Ints &start, const Ints &data) {
    require(start.size() > 0 && start.data()[0] == 0, "row offsets must start at 0");
    for (size_t i = 0; i + 1 < start.size(); ++i)
        require(start.data()[i] <= start.data()[i + 1], "row offsets must ascend");
    require(static_cast<size_t>(start.data()[start.size() - 1]) == data.size(), "row offsets must end at the data's end");
    return {copy<int32_t>(start), copy<int32_t>(data)};
}

std::vector<Linear> linears(const Doubles &constant, const Ints &start, const Ints &variable, const Doubles &coefficient) {
    require(variable.size() == coefficient.size(), "as many coefficients as variables");
    require(constant.size() + 1 == start.size(), "as many constants as rows");
    const Rows<int32_t> variables = rows(start, variable);
    std::vector<Linear> list(constant.size());
    for (int row = 0; row < variables.size(); ++row) {
        list[row].constant = constant.data()[row];
        for (int i = start.data()[row]; i < start.data()[row + 1]; ++i) {
            Linear term{{{variable.data()[i], coefficient.data()[i]}}, 0};
            list[row].add(1, term);
        }
    }
    return list;
}

template <class T>
T argument(const nb::dict &arguments, const char *name) {
    if (!arguments.contains(name)) throw std::invalid_argument(std::string("grounded task: missing ") + name);
    T value;
    if (!nb::try_cast<T>(arguments[name], value, false))
        throw nb::type_error((std::string("grounded task: wrong type of array: ") + name).c_str());
    return value;
}

void fill_facts(State &state, const Bytes &facts, const Doubles &values) {
    state.facts.assign((facts.size() + 63) / 64, 0);
    for (size_t f = 0; f < facts.size(); ++f)
        if (facts.data()[f]) state.set(static_cast<int>(f));
    state.values = copy<double>(values);
}

void fill_operators(Task &task, const nb::dict &a) {
    const auto precondition = argument<Ints>(a, "operator_precondition");
    const auto block_start = argument<Ints>(a, "operator_block_start");
    const auto block_condition = argument<Ints>(a, "block_condition");
    const auto assign = argument<Bytes>(a, "numeric_assign");
    const auto variable = argument<Ints>(a, "numeric_variable");
    const Rows<int32_t> adds = rows(argument<Ints>(a, "block_add_start"), argument<Ints>(a, "block_add"));
    const Rows<int32_t> deletes = rows(argument<Ints>(a, "block_delete_start"), argument<Ints>(a, "block_delete"));
    const Rows<int32_t> numeric = rows(argument<Ints>(a, "block_numeric_start"), variable);
    const Rows<int32_t> blocks = rows(block_start, block_condition);
    const auto amounts = linears(argument<Doubles>(a, "numeric_constant"), argument<Ints>(a, "numeric_term_start"),
                                 argument<Ints>(a, "numeric_term_variable"), argument<Doubles>(a, "numeric_term_coefficient"));
    const auto costs = linears(argument<Doubles>(a, "cost_constant"), argument<Ints>(a, "cost_term_start"),
                               argument<Ints>(a, "cost_term_variable"), argument<Doubles>(a, "cost_term_coefficient"));
    require(static_cast<size_t>(blocks.size()) == precondition.size() && costs.size() == precondition.size(),
            "as many rows as operators");
    require(adds.size() == deletes.size() && adds.size() == numeric.size() &&
                static_cast<size_t>(adds.size()) == block_condition.size(),
            "as many rows as effect blocks");
    require(amounts.size() == variable.size() && assign.size() == variable.size(), "as many rows as numeric effects");

    int block = 0, effect = 0;
    for (size_t o = 0; o < precondition.size(); ++o) {
        Operator op{precondition.data()[o], {}, costs[o]};
        for (int condition : blocks[static_cast<int>(o)]) {
            Block made{condition, {adds[block].begin(), adds[block].end()}, {deletes[block].begin(), deletes[block].end()}, {}};
            for (int v : numeric[block]) {
                made.numeric.push_back({v, assign.data()[effect] != 0, amounts[effect]});
                ++effect;
            }
            op.blocks.push_back(std::move(made));
            ++block;
        }
        task.operators.push_back(std::move(op));
    }
}

Task make_task(const nb::dict &a) {
    Task task;
    task.exact = nb::cast<bool>(a["exact"]);
    task.goal = nb::cast<int>(a["goal"]);
    const auto facts = argument<Bytes>(a, "init_facts");
    const auto values = argument<Doubles>(a, "init_values");
    task.facts = static_cast<int>(facts.size());
    task.variables = static_cast<int>(values.size());
    fill_facts(task.initial, facts, values);
    const auto strict = argument<Bytes>(a, "condition_strict");
    const auto unit = argument<Doubles>(a, "condition_unit");
    const auto expressions = linears(argument<Doubles>(a, "condition_constant"), argument<Ints>(a, "condition_start"),
                                     argument<Ints>(a, "condition_variable"), argument<Doubles>(a, "condition_coefficient"));
    require(strict.size() == expressions.size() && unit.size() == expressions.size(), "as many rows as conditions");
    for (size_t c = 0; c < expressions.size(); ++c)
        task.conditions.push_back({expressions[c], strict.data()[c] != 0, unit.data()[c]});
    task.conjunctions = rows(argument<Ints>(a, "conjunction_start"), argument<Ints>(a, "conjunction_atom"));
    task.disjunctions = rows(argument<Ints>(a, "disjunction_start"), argument<Ints>(a, "disjunction_conjunction"));
    fill_operators(task, a);
    task.finish();
    return task;
}

State make_state(const Task &task, const Bytes &facts, const Doubles &values) {
    require(static_cast<int>(facts.size()) == task.facts && static_cast<int>(values.size()) == task.variables,
            "a state needs one entry per fact and variable");
    State state;
    fill_facts(state, facts, values);
    return state;
}

template <class T>
nb::object to_numpy(const std::vector<T> &list) {
    auto *data = new std::vector<T>(list);
    nb::capsule owner(data, [](void *p) noexcept { delete static_cast<std::vector<T> *>(p); });
    return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(data->data(), {data->size()}, owner));
}

nb::object apply(const Task &task, int op, const Bytes &facts, const Doubles &values) {
    if (op < 0 || op >= static_cast<int>(task.operators.size())) throw nb::index_error("no such operator");
    const State before = make_state(task, facts, values);
    State after;
    bool overflow = false;
    if (!task.all_hold(task.operators[op].precondition, before) ||
        !task.apply(task.operators[op], before, after, overflow))
        return nb::none();
    std::vector<uint8_t> bytes(task.facts);
    for (int f = 0; f < task.facts; ++f) bytes[f] = after.fact(f);
    return nb::make_tuple(to_numpy(bytes), to_numpy(after.values));
}

struct Evaluation {
    double value;
    std::vector<int32_t> helpful;
    std::vector<std::pair<int32_t, int32_t>> jumps;
};

Evaluation evaluate(const Task &task, const std::string &name, const Bytes &facts, const Doubles &values,
                    bool metric_cost, bool compat) {
    HeuristicFactory factory(task, {metric_cost, compat});
    auto heuristic = factory.make(name);
    Evaluation evaluation;
    evaluation.value = heuristic->evaluate(make_state(task, facts, values));
    if (std::isinf(evaluation.value)) return evaluation;
    std::vector<Jump> jumps;
    heuristic->advise(evaluation.helpful, jumps);
    for (const Jump &jump : jumps) evaluation.jumps.emplace_back(jump.op, jump.repetitions);
    return evaluation;
}

TieBreaking tie_breaking(const std::string &name) {
    if (name == "heap") return TieBreaking::heap;
    if (name == "fifo") return TieBreaking::fifo;
    if (name == "lifo") return TieBreaking::lifo;
    throw std::invalid_argument("unknown tie-breaking " + name);
}

SearchResult run_search(const Task &task, std::vector<QueueOptions> queues, double time, size_t memory,
                        const std::string &ties, uint64_t seed, size_t patience, bool metric_cost, bool compat,
                        double bound, std::optional<Board> board) {
    SearchOptions options;
    options.queues = std::move(queues);
    options.seconds = time;
    options.bytes = memory;
    options.ties = tie_breaking(ties);
    options.seed = seed;
    options.patience = patience;
    options.heuristic = {metric_cost, compat};
    options.bound = bound;
    if (board) {
        if (board->size() < BOARD_SIZE) throw std::invalid_argument("the board is too small");
        options.board = board->data();
    }
    nb::gil_scoped_release release;
    return search(task, options);
}

nb::dict statistics(const SearchResult &r) {
    nb::dict d;
    d["expanded"] = r.expanded;
    d["evaluated"] = r.evaluated;
    d["generated"] = r.generated;
    d["dead_ends"] = r.dead_ends;
    d["duplicates"] = r.duplicates;
    d["restarts"] = r.restarts;
    d["memory"] = r.bytes;
    d["seconds"] = r.seconds;
    d["evaluations_per_second"] = r.seconds > 0 ? static_cast<double>(r.evaluated) / r.seconds : 0.0;
    d["initial_h"] = r.initial_h;
    d["best_h"] = r.best_h;
    return d;
}

/* A novelty measure fed by tests, one state after the other. */
class NoveltySequence {
public:
    NoveltySequence(const Task &task, const std::string &feature, const std::string &measure, int k)
        : task_(task), novelty_(make_novelty(task, feature, measure, k, SIZE_MAX)) {}

    double value(const Bytes &facts, const Doubles &values, double h) {
        return static_cast<double>(novelty_->evaluate(make_state(task_, facts, values), static_cast<float>(h), nullptr));
    }
    double value_from_parent(const Bytes &facts, const Doubles &values, double h, const Bytes &parent_facts,
                             const Doubles &parent_values, double parent_h) {
        const State parent = make_state(task_, parent_facts, parent_values);
        if (!(parent == parent_) || parent_h != parent_h_) {
            ++expansion_;
            parent_ = parent;
            parent_h_ = parent_h;
        }
        const Origin origin{parent, static_cast<float>(parent_h), expansion_};
        return static_cast<double>(novelty_->evaluate(make_state(task_, facts, values), static_cast<float>(h), &origin));
    }

private:
    const Task &task_;
    std::unique_ptr<Novelty> novelty_;
    State parent_;
    double parent_h_ = 0;
    uint64_t expansion_ = 0;
};

}  // namespace
}  // namespace numbat

NB_MODULE(_core, m) {
    using namespace numbat;
#ifdef __GLIBC__
    // large blocks keep their own pages: they grow without copies, and freed ones go back to the system at once
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
    m.doc() = "The search core of Numbat. Private: use numbat.search.";

    nb::class_<Task>(m, "Task").def("__init__", [](Task *task, const nb::kwargs &arguments) {
        new (task) Task(make_task(arguments));
    });
    nb::class_<QueueOptions>(m, "Queue")
        .def("__init__",
             [](QueueOptions *queue, std::string heuristic, bool helpful, bool jumps, std::string feature,
                std::string measure, int k) {
                 new (queue) QueueOptions{std::move(heuristic), helpful, jumps, std::move(feature), std::move(measure), k};
             },
             "heuristic"_a, nb::kw_only(), "helpful"_a = false, "jumps"_a = false, "feature"_a = "", "measure"_a = "",
             "k"_a = 2);
    nb::class_<SearchResult>(m, "Result")
        .def_prop_ro("status", [](const SearchResult &r) { return std::string(name_of(r.status)); })
        .def_ro("plan", &SearchResult::plan)
        .def_prop_ro("statistics", &statistics)
        .def_prop_ro("history", [](const SearchResult &r) {
            std::vector<std::tuple<double, size_t, double>> list;
            for (const Improvement &i : r.history) list.emplace_back(i.seconds, i.evaluated, i.h);
            return list;
        });
    nb::class_<Evaluation>(m, "Evaluation")
        .def_ro("value", &Evaluation::value)
        .def_ro("helpful", &Evaluation::helpful)
        .def_ro("jumps", &Evaluation::jumps);
    nb::class_<NoveltySequence>(m, "Novelty")
        .def(nb::init<const Task &, const std::string &, const std::string &, int>(), "task"_a, "feature"_a, "measure"_a,
             "k"_a, nb::keep_alive<1, 2>())
        .def("value", &NoveltySequence::value, "facts"_a.noconvert(), "values"_a.noconvert(), "h"_a)
        .def("value_from_parent", &NoveltySequence::value_from_parent, "facts"_a.noconvert(), "values"_a.noconvert(),
             "h"_a, "parent_facts"_a.noconvert(), "parent_values"_a.noconvert(), "parent_h"_a);

    m.def("heuristics", [] {
        nb::list list;
        for (const HeuristicInfo &info : heuristics()) {
            nb::dict d;
            d["name"] = info.name;
            d["summary"] = info.summary;
            d["safe"] = info.safe;
            d["helpful"] = info.helpful;
            list.append(d);
        }
        return list;
    });
    m.def("search", &run_search, "task"_a, "queues"_a, nb::kw_only(), "time"_a, "memory"_a, "tie_breaking"_a = "heap",
          "seed"_a = 0, "patience"_a = SearchOptions().patience, "metric_cost"_a = false, "compat"_a = false,
          "bound"_a = INFINITE, "board"_a.noconvert().none() = nb::none());
    m.def("evaluate", &evaluate, "task"_a, "heuristic"_a, "facts"_a.noconvert(), "values"_a.noconvert(), nb::kw_only(),
          "metric_cost"_a = false, "compat"_a = false);
    m.def("applicable", [](const Task &task, const Bytes &facts, const Doubles &values) {
        std::vector<int32_t> operators;
        SuccessorGenerator(task).applicable(make_state(task, facts, values), operators);
        return operators;
    }, "task"_a, "facts"_a.noconvert(), "values"_a.noconvert());
    m.def("apply", &apply, "task"_a, "operator"_a, "facts"_a.noconvert(), "values"_a.noconvert());

    m.attr("BOARD_EVALUATED") = static_cast<int>(BOARD_EVALUATED);
    m.attr("BOARD_EXPANDED") = static_cast<int>(BOARD_EXPANDED);
    m.attr("BOARD_BEST_H") = static_cast<int>(BOARD_BEST_H);
    m.attr("BOARD_MEMORY") = static_cast<int>(BOARD_MEMORY);
    m.attr("BOARD_MEMORY_LIMIT") = static_cast<int>(BOARD_MEMORY_LIMIT);
    m.attr("BOARD_STOP") = static_cast<int>(BOARD_STOP);
    m.attr("BOARD_SIZE") = static_cast<int>(BOARD_SIZE);
}
