/* Searches: what is asked for comes as one record, see SearchOptions in planner/numbat/_core.pyi. */
#include "../search/search.h"

#include "../search/algorithms.h"
#include "../search/bounds.h"
#include "bindings.h"
#include "fields.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <tuple>

namespace numbat {

using namespace nb::literals;

namespace {

template <class T>
using Shared = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

TieBreaking tie_breaking(const std::string &name) {
    if (name == "heap") return TieBreaking::heap;
    if (name == "fifo") return TieBreaking::fifo;
    if (name == "lifo") return TieBreaking::lifo;
    throw std::invalid_argument("unknown tie-breaking " + name);
}

QueueOptions queue_options(Fields &fields) {
    return {.heuristic = fields.get<std::string>("heuristic"),
            .helpful = fields.get<bool>("helpful"),
            .jumps = fields.get<bool>("jumps"),
            .feature = fields.get<std::string>("feature"),
            .measure = fields.get<std::string>("measure"),
            .k = fields.get<int>("k")};
}

Variation variation(Fields &fields) {
    Variation variation;
    variation.algorithm = fields.get<std::string>("algorithm");
    variation.queues = fields.list("queues", "queue", queue_options);
    for (const std::string &name : fields.get<std::vector<std::string>>("ties"))
        variation.ties.push_back(tie_breaking(name));
    variation.seed = fields.get<uint64_t>("seed");
    variation.kept = fields.get<bool>("kept");
    variation.share = fields.get<size_t>("share");
    variation.joins_at = fields.get<size_t>("joins_at");
    variation.weight = fields.get<int>("weight");
    if (variation.ties.empty() || variation.share == 0)
        throw std::invalid_argument("variation: needs a way to break ties and a share");
    return variation;
}

Swap::Pairs pairs(const Ints &flat) {
    if (flat.size() % 2) throw std::invalid_argument("swap: pairs are two numbers each");
    Swap::Pairs list;
    for (size_t i = 0; i < flat.size(); i += 2) list.emplace_back(flat.data()[i], flat.data()[i + 1]);
    return list;
}

Swap swap_of(Fields &fields) {
    return {pairs(fields.get<Ints>("facts")), pairs(fields.get<Ints>("variables")),
            pairs(fields.get<Ints>("operators"))};
}

SearchOptions search_options(Fields &fields) {
    SearchOptions options;
    options.variations = fields.list("variations", "variation", variation);
    options.patience = fields.get<size_t>("patience");
    options.seconds = fields.get<double>("time");
    options.bytes = fields.get<size_t>("memory");
    options.heuristic.metric_cost = fields.get<bool>("metric_cost");
    options.heuristic.plus_one = fields.get<bool>("plus_one");
    options.heuristic.compat = fields.get<bool>("compat");
    options.bound = fields.get<double>("bound");
    options.integer_bound = fields.get<int64_t>("integer_bound");
    options.stubborn = fields.get<bool>("stubborn");
    options.dominance = fields.get<bool>("dominance");
    options.swaps = fields.list("swaps", "swap", swap_of);
    options.cost_elsewhere = fields.get<int64_t>("cost_elsewhere");
    if (const auto bounds = fields.get_unless_none<Shared<int64_t>>("bounds")) {
        if (bounds->size() != BOUNDS_SIZE) throw std::invalid_argument("bounds are two numbers");
        options.bounds = bounds->data();
    }
    if (const auto board = fields.get_unless_none<Shared<double>>("board")) {
        if (board->size() < BOARD_SIZE) throw std::invalid_argument("the board is too small");
        options.board = board->data();
    }
    return options;
}

SearchResult run_search(const Task &task, const nb::dict &record) {
    Fields fields(record, "search options");
    const SearchOptions options = search_options(fields);
    fields.all_read();
    nb::gil_scoped_release release;
    return search(task, options);
}

nb::dict statistics(const SearchResult &result) {
    nb::dict figures;
    for (const auto &[name, value] : result.statistics()) figures[name] = nb::cast(value);
    return figures;
}

nb::list algorithm_table() {
    nb::list list;
    for (const AlgorithmInfo &info : algorithms()) {
        nb::dict row;
        row["name"] = info.name;
        row["summary"] = info.summary;
        row["several"] = info.several;
        row["complete"] = info.complete;
        row["admissible"] = info.admissible;
        row["weighted"] = info.weighted;
        row["plans"] = info.plans;
        list.append(row);
    }
    return list;
}

}  // namespace

void bind_search(nb::module_ &m) {
    nb::class_<SearchResult>(m, "Result")
        .def_prop_ro("status", [](const SearchResult &r) { return std::string(name_of(r.status)); })
        .def_ro("plan", &SearchResult::plan)
        .def_prop_ro("proved_optimal", &SearchResult::proved_optimal)
        .def_ro("cost", &SearchResult::cost)
        .def_ro("lower_bound", &SearchResult::lower_bound)
        .def_ro("evaluated_by", &SearchResult::evaluated_by)
        .def_prop_ro("statistics", &statistics)
        .def_prop_ro("history", [](const SearchResult &r) {
            std::vector<std::tuple<double, size_t, double>> list;
            for (const Improvement &i : r.history) list.emplace_back(i.seconds, i.evaluated, i.h);
            return list;
        });
    m.def("algorithms", &algorithm_table);
    m.def("search", &run_search, "task"_a, "options"_a);

    m.attr("BOUNDS_UPPER") = static_cast<int>(BOUNDS_UPPER);
    m.attr("BOUNDS_LOWER") = static_cast<int>(BOUNDS_LOWER);
    m.attr("BOUNDS_SIZE") = static_cast<int>(BOUNDS_SIZE);
    m.attr("BOARD_EVALUATED") = static_cast<int>(BOARD_EVALUATED);
    m.attr("BOARD_EXPANDED") = static_cast<int>(BOARD_EXPANDED);
    m.attr("BOARD_BEST_H") = static_cast<int>(BOARD_BEST_H);
    m.attr("BOARD_MEMORY") = static_cast<int>(BOARD_MEMORY);
    m.attr("BOARD_FIRST_STATE") = static_cast<int>(BOARD_FIRST_STATE);
    m.attr("BOARD_MEMORY_LIMIT") = static_cast<int>(BOARD_MEMORY_LIMIT);
    m.attr("BOARD_STOP") = static_cast<int>(BOARD_STOP);
    m.attr("BOARD_SIZE") = static_cast<int>(BOARD_SIZE);
}

}  // namespace numbat
