#include "task.h"

#include <cmath>

namespace numbat {

namespace {

void require(bool truth, const char *what) {
    if (!truth) throw std::invalid_argument(std::string("grounded task: ") + what);
}

/* Compressed rows whose offsets are checked before anybody follows them. */
Rows<int32_t> rows(const Ints &start, const Ints &data) {
    require(start.size() > 0 && start.data()[0] == 0, "row offsets must start at 0");
    for (size_t i = 0; i + 1 < start.size(); ++i)
        require(start.data()[i] <= start.data()[i + 1], "row offsets must ascend");
    require(static_cast<size_t>(start.data()[start.size() - 1]) == data.size(),
            "row offsets must end at the data's end");
    return {copy<int32_t>(start), copy<int32_t>(data)};
}

/* Numbers of a task: 64-bit integers, or doubles; of an exact task they must be integers either way. */
struct NumberList {
    std::vector<double> nearest;
    std::vector<int64_t> whole;  // of an exact task

    NumberList(const nb::handle &array, bool exact, const char *name) {
        Array<int64_t> integers;
        Doubles doubles;
        if (nb::try_cast(array, integers, false)) {
            whole = copy<int64_t>(integers);
            nearest.assign(whole.begin(), whole.end());
            for (int64_t number : whole) require(fits_64_bits(number), "a number is too small");
            if (!exact) whole.clear();
        } else if (nb::try_cast(array, doubles, false)) {
            nearest = copy<double>(doubles);
            if (exact)
                for (double number : nearest) whole.push_back(counted(number));
        } else {
            throw nb::type_error((std::string("wrong type of ") + name).c_str());
        }
    }

private:
    static int64_t counted(double number) {
        require(number == std::floor(number) && std::abs(number) <= LAST_COUNTED, "an exact task has integers only");
        return static_cast<int64_t>(number);
    }
};

NumberList numbers(Fields &fields, const std::string &name, bool exact) {
    return {fields.get<nb::object>(name.c_str()), exact, name.c_str()};
}

/* The rows of linear expressions that four arrays describe. */
std::vector<Linear> linears(Fields &a, const std::string &constants, const std::string &terms, bool exact) {
    const NumberList constant = numbers(a, constants + "_constant", exact);
    const NumberList coefficient = numbers(a, terms + "_coefficient", exact);
    const auto start = a.get<Ints>((terms + "_start").c_str());
    const auto variable = a.get<Ints>((terms + "_variable").c_str());
    require(variable.size() == coefficient.nearest.size(), "as many coefficients as variables");
    require(constant.nearest.size() + 1 == start.size(), "as many constants as rows");
    const Rows<int32_t> variables = rows(start, variable);
    std::vector<Linear> list(constant.nearest.size());
    for (int row = 0; row < variables.size(); ++row) {
        for (int i = start.data()[row]; i < start.data()[row + 1]; ++i)
            list[row].add(coefficient.nearest[i], Linear::of_variable(variable.data()[i]));
        list[row].constant = constant.nearest[row];
        if (exact) list[row].whole = constant.whole[row];
    }
    return list;
}

void fill_state(State &state, const Bytes &facts, NumberList values) {
    state.facts.assign((facts.size() + 63) / 64, 0);
    for (size_t f = 0; f < facts.size(); ++f)
        if (facts.data()[f]) state.set(static_cast<int>(f));
    state.values = std::move(values.nearest);
    state.whole = std::move(values.whole);
}

void fill_operators(Task &task, Fields &a) {
    const auto precondition = a.get<Ints>("operator_precondition");
    const auto block_start = a.get<Ints>("operator_block_start");
    const auto block_condition = a.get<Ints>("block_condition");
    const auto assign = a.get<Bytes>("numeric_assign");
    const auto variable = a.get<Ints>("numeric_variable");
    const Rows<int32_t> adds = rows(a.get<Ints>("block_add_start"), a.get<Ints>("block_add"));
    const Rows<int32_t> deletes = rows(a.get<Ints>("block_delete_start"), a.get<Ints>("block_delete"));
    const Rows<int32_t> numeric = rows(a.get<Ints>("block_numeric_start"), variable);
    const Rows<int32_t> blocks = rows(block_start, block_condition);
    const auto amounts = linears(a, "numeric", "numeric_term", task.exact());
    const auto costs = linears(a, "cost", "cost_term", false);
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
            Block made{condition,
                       {adds[block].begin(), adds[block].end()},
                       {deletes[block].begin(), deletes[block].end()},
                       {}};
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

std::vector<LastValue> last_values(Fields &a) {
    const auto variable = a.get<Ints>("last_value_variable");
    const auto rises = a.get<Bytes>("last_value_rises");
    const auto value = a.get<Array<int64_t>>("last_value");
    require(rises.size() == variable.size() && value.size() == variable.size(), "as many rows as last values");
    std::vector<LastValue> list;
    for (size_t i = 0; i < variable.size(); ++i) {
        const int64_t last = value.data()[i];
        list.push_back({variable.data()[i], rises.data()[i] != 0, nearest(last), last});
    }
    return list;
}

}  // namespace

Task make_task(const nb::dict &arrays) {
    Fields a(arrays, "grounded task");
    Task task;
    task.numbers = a.get<bool>("exact") ? Numbers::narrow : Numbers::rounded;
    task.goal = a.get<int>("goal");
    const auto facts = a.get<Bytes>("init_facts");
    task.facts = static_cast<int>(facts.size());
    fill_state(task.initial, facts, numbers(a, "init_values", task.exact()));
    task.variables = static_cast<int>(task.initial.values.size());
    const auto strict = a.get<Bytes>("condition_strict");
    const auto unit = a.get<Doubles>("condition_unit");
    const auto expressions = linears(a, "condition", "condition", task.exact());
    require(strict.size() == expressions.size() && unit.size() == expressions.size(), "as many rows as conditions");
    for (size_t c = 0; c < expressions.size(); ++c)
        task.conditions.push_back({expressions[c], strict.data()[c] != 0, unit.data()[c]});
    task.conjunctions = rows(a.get<Ints>("conjunction_start"), a.get<Ints>("conjunction_atom"));
    task.disjunctions = rows(a.get<Ints>("disjunction_start"), a.get<Ints>("disjunction_conjunction"));
    fill_operators(task, a);
    task.integer_costs = copy<int64_t>(a.get<Array<int64_t>>("integer_costs"));
    require(task.integer_costs.empty() || task.integer_costs.size() == task.operators.size(), "a cost per operator");
    for (int64_t cost : task.integer_costs)
        require(cost >= 0 && cost <= LARGEST_INTEGER_COST, "integer cost out of range");
    task.last_values = last_values(a);
    a.all_read();
    task.finish();
    return task;
}

State make_state(const Task &task, const Bytes &facts, const nb::object &values) {
    State state;
    fill_state(state, facts, {values, task.exact(), "values"});
    require(static_cast<int>(facts.size()) == task.facts && static_cast<int>(state.values.size()) == task.variables,
            "a state needs one entry per fact and variable");
    if (!task.wide()) state.whole.clear();
    return state;
}

nb::tuple arrays_of(const Task &task, const State &state) {
    std::vector<uint8_t> facts(task.facts);
    for (int f = 0; f < task.facts; ++f) facts[f] = state.fact(f);
    if (!task.exact()) return nb::make_tuple(to_numpy(std::move(facts)), to_numpy(state.values));
    std::vector<int64_t> whole = state.whole;
    if (!task.wide()) whole.assign(state.values.begin(), state.values.end());
    return nb::make_tuple(to_numpy(std::move(facts)), to_numpy(std::move(whole)));
}

}  // namespace numbat
