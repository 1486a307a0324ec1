/* Improving plans: what is asked for comes as records, see Prices in planner/numbat/_core.pyi. */
#include "../improve/improver.h"
#include "bindings.h"
#include "task.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>

namespace numbat {

using namespace nb::literals;

namespace {

void require(bool truth, const char *what) {
    if (!truth) throw std::invalid_argument(what);
}

Prices make_prices(const Task &task, const nb::dict &record) {
    Fields fields(record, "prices");
    const auto constant = fields.get<Array<int64_t>>("constant");
    const auto start = fields.get<Ints>("start");
    const auto variable = fields.get<Ints>("variable");
    const auto coefficient = fields.get<Array<int64_t>>("coefficient");
    Prices prices;
    prices.nonnegative = fields.get<bool>("nonnegative");
    prices.constant = variable.size() == 0;
    fields.all_read();
    require(constant.size() == task.operators.size() && start.size() == constant.size() + 1, "a price per operator");
    require(variable.size() == coefficient.size(), "as many coefficients as variables");
    for (size_t op = 0; op < constant.size(); ++op) {
        Form form{{}, constant.data()[op]};
        const int begin = start.data()[op], end = start.data()[op + 1];
        require(begin >= 0 && begin <= end && static_cast<size_t>(end) <= variable.size(), "row offsets must ascend");
        for (int i = begin; i < end; ++i) {
            require(variable.data()[i] >= 0 && variable.data()[i] < task.variables, "variable out of range");
            form.terms.push_back({variable.data()[i], coefficient.data()[i]});
        }
        std::sort(form.terms.begin(), form.terms.end());
        require(weight(form.terms) < LARGEST_FORM_WEIGHT, "a price is too large");
        prices.forms.push_back(std::move(form));
    }
    return prices;
}

Operators checked(const Task &task, Operators plan) {
    for (int op : plan) require(op >= 0 && op < static_cast<int>(task.operators.size()), "no such operator");
    return plan;
}

/* Notes cross as bytes, which only we read: the number of lanes, the lanes, pairs of fingerprint and expansions. */
struct SearchedEntry {
    uint64_t name;
    uint64_t expansions;
};

ImproverNotes unpacked(const nb::bytes &bytes) {
    ImproverNotes notes;
    if (bytes.size() == 0) return notes;
    const char *at = static_cast<const char *>(bytes.data());
    const char *const end = at + bytes.size();
    const auto read = [&](void *record, size_t size) {
        require(static_cast<size_t>(end - at) >= size, "notes of another improver");
        std::memcpy(record, at, size);
        at += size;
    };
    uint64_t lanes = 0;
    read(&lanes, sizeof lanes);
    for (; lanes > 0; --lanes) read(&notes.lanes.emplace_back(), sizeof(LaneNotes));
    while (at != end) {
        SearchedEntry entry;
        read(&entry, sizeof entry);
        notes.searched[entry.name] = static_cast<uint32_t>(entry.expansions);
    }
    return notes;
}

nb::bytes packed(const ImproverNotes &notes) {
    std::string bytes;
    const auto write = [&](const void *record, size_t size) { bytes.append(static_cast<const char *>(record), size); };
    const uint64_t lanes = notes.lanes.size();
    write(&lanes, sizeof lanes);
    for (const LaneNotes &lane : notes.lanes) write(&lane, sizeof lane);
    for (const auto &[name, expansions] : notes.searched) {
        const SearchedEntry entry{name, expansions};
        write(&entry, sizeof entry);
    }
    return nb::bytes(bytes.data(), bytes.size());
}

const char *name_of(ImproverResult::Ending ending) {
    using Ending = ImproverResult::Ending;
    switch (ending) {
    case Ending::better: return "better";
    case Ending::nothing_left: return "nothing-left";
    case Ending::out_of_time: return "out-of-time";
    case Ending::out_of_memory: return "out-of-memory";
    case Ending::outdated: return "outdated";
    }
    return "";
}

using SharedDoubles = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

ImproverOptions improver_options(Fields &fields) {
    ImproverOptions options;
    options.seconds = fields.get<double>("time");
    options.bytes = fields.get<size_t>("memory");
    options.seed = fields.get<uint64_t>("seed");
    options.pause = fields.get<double>("pause");
    options.fresh = fields.get<bool>("fresh");
    if (const auto board = fields.get_unless_none<SharedDoubles>("board")) {
        require(board->size() >= BOARD_SIZE, "the board is too small");
        options.board = board->data();
    }
    if (const auto incumbent = fields.get_unless_none<SharedDoubles>("incumbent")) {
        require(incumbent->size() == 1, "one number tells which plan is the best");
        options.incumbent = incumbent->data();
    }
    return options;
}

nb::dict result_record(const ImproverResult &result, const ImproverNotes &notes) {
    nb::dict figures;
    figures["windows"] = result.windows;
    figures["improved_windows"] = result.improved;
    figures["expanded"] = result.expanded;
    figures["rounds"] = result.rounds;
    figures["cost_saved_by_elimination"] = result.saved_by_elimination.cost;
    figures["steps_saved_by_elimination"] = result.saved_by_elimination.steps;
    figures["cost_saved_by_windows"] = result.saved_by_windows.cost;
    figures["steps_saved_by_windows"] = result.saved_by_windows.steps;
    figures["cost_saved_by_neighbourhood"] = result.saved_by_neighbourhood.cost;
    figures["steps_saved_by_neighbourhood"] = result.saved_by_neighbourhood.steps;
    figures["seconds_for_elimination"] = result.seconds_for_elimination;
    figures["seconds"] = result.seconds;
    nb::dict record;
    record["ending"] = name_of(result.ending);
    record["plan"] = result.plan;
    record["statistics"] = figures;
    record["notes"] = packed(notes);
    return record;
}

nb::dict improve(const Task &task, const nb::dict &prices, const Operators &plan, const nb::dict &record) {
    Fields fields(record, "improver options");
    const ImproverOptions options = improver_options(fields);
    ImproverNotes notes = unpacked(fields.get<nb::bytes>("notes"));
    fields.all_read();
    const Prices costs = make_prices(task, prices);
    require(task.exact() || costs.constant, "costs that depend on rounded numbers");
    Operators steps = checked(task, plan);
    ImproverResult result;
    {
        nb::gil_scoped_release release;
        Improver improver(task, costs, options, std::move(notes));
        result = improver.run(steps);
        notes = improver.notes();
    }
    return result_record(result, notes);
}

Operators eliminate(const Task &task, const nb::dict &prices, const Operators &plan, double seconds) {
    const Prices costs = make_prices(task, prices);
    const Operators steps = checked(task, plan);
    const double deadline = cpu_seconds() + seconds;
    nb::gil_scoped_release release;
    if (!price_of(task, costs, steps)) return steps;
    const Regression regression(task, costs);
    Course course(regression, steps);
    Elimination(course, [deadline] { return cpu_seconds() > deadline; }).run([] {});
    return course.plan();
}

/* A sequence of operators from behind; it need not be a plan. */
class Suffix {
public:
    Suffix(const Task &task, const nb::dict &prices, Operators steps)
        : task_(task),
          prices_(make_prices(task, prices)),
          regression_(task, prices_),
          course_(regression_, checked(task, std::move(steps))) {
        require(task.exact(), "suffix conditions need an exact task");
    }

    nb::object rest(int position, const Bytes &facts, const nb::object &values) {
        const auto price = course_.rest(position, make_state(task_, facts, values));
        return price ? nb::object(nb::make_tuple(price->cost, price->steps)) : nb::none();
    }
    nb::dict requirement(int position) {
        const Requirement &asked = course_.requirement(position);
        nb::list must, must_not, constraints;
        for (int f = 0; f < task_.facts; ++f) {
            if (asked.must[f >> 6] >> (f & 63) & 1) must.append(f);
            if (asked.must_not[f >> 6] >> (f & 63) & 1) must_not.append(f);
        }
        for (const Constraint &c : asked.constraints) {
            nb::list terms;
            for (const Term &term : c.terms) terms.append(nb::make_tuple(term.variable, term.coefficient));
            constraints.append(nb::make_tuple(terms, c.least));
        }
        nb::dict record;
        record["impossible"] = asked.impossible;
        record["exact"] = asked.exact;
        record["must"] = must;
        record["must_not"] = must_not;
        record["constraints"] = constraints;
        return record;
    }

private:
    const Task &task_;
    Prices prices_;
    Regression regression_;
    Course course_;
};

}  // namespace

void bind_improve(nb::module_ &m) {
    m.def("improve", &improve, "task"_a, "prices"_a, "plan"_a, "options"_a);
    m.def("eliminate", &eliminate, "task"_a, "prices"_a, "plan"_a, "time"_a);
    nb::class_<Suffix>(m, "Suffix")
        .def(nb::init<const Task &, const nb::dict &, Operators>(), "task"_a, "prices"_a, "steps"_a,
             nb::keep_alive<1, 2>())
        .def("rest", &Suffix::rest, "position"_a, "facts"_a.noconvert(), "values"_a.noconvert())
        .def("requirement", &Suffix::requirement, "position"_a);
}

}  // namespace numbat
