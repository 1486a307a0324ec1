/* Improving plans: what is asked for comes as records, see Prices in planner/numbat/_core.pyi. */
#include "../improve/suffixes.h"
#include "bindings.h"
#include "task.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

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
        require(weight(form.terms) < LARGEST_WEIGHT, "a price is too large");
        prices.forms.push_back(std::move(form));
    }
    return prices;
}

Operators checked(const Task &task, Operators plan) {
    for (int op : plan) require(op >= 0 && op < static_cast<int>(task.operators.size()), "no such operator");
    return plan;
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
    nb::class_<Suffix>(m, "Suffix")
        .def(nb::init<const Task &, const nb::dict &, Operators>(), "task"_a, "prices"_a, "steps"_a,
             nb::keep_alive<1, 2>())
        .def("rest", &Suffix::rest, "position"_a, "facts"_a.noconvert(), "values"_a.noconvert())
        .def("requirement", &Suffix::requirement, "position"_a);
}

}  // namespace numbat
