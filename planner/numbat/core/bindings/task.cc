#include "task.h"

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

void fill_facts(State &state, const Bytes &facts, const Doubles &values) {
    state.facts.assign((facts.size() + 63) / 64, 0);
    for (size_t f = 0; f < facts.size(); ++f)
        if (facts.data()[f]) state.set(static_cast<int>(f));
    state.values = copy<double>(values);
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
    const auto amounts = linears(a.get<Doubles>("numeric_constant"), a.get<Ints>("numeric_term_start"),
                                 a.get<Ints>("numeric_term_variable"), a.get<Doubles>("numeric_term_coefficient"));
    const auto costs = linears(a.get<Doubles>("cost_constant"), a.get<Ints>("cost_term_start"),
                               a.get<Ints>("cost_term_variable"), a.get<Doubles>("cost_term_coefficient"));
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

template <class T>
nb::object to_numpy(std::vector<T> list) {
    auto *data = new std::vector<T>(std::move(list));
    nb::capsule owner(data, [](void *p) noexcept { delete static_cast<std::vector<T> *>(p); });
    return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(data->data(), {data->size()}, owner));
}

}  // namespace

Task make_task(const nb::dict &arrays) {
    Fields a(arrays, "grounded task");
    Task task;
    task.exact = a.get<bool>("exact");
    task.goal = a.get<int>("goal");
    const auto facts = a.get<Bytes>("init_facts");
    const auto values = a.get<Doubles>("init_values");
    task.facts = static_cast<int>(facts.size());
    task.variables = static_cast<int>(values.size());
    fill_facts(task.initial, facts, values);
    const auto strict = a.get<Bytes>("condition_strict");
    const auto unit = a.get<Doubles>("condition_unit");
    const auto expressions = linears(a.get<Doubles>("condition_constant"), a.get<Ints>("condition_start"),
                                     a.get<Ints>("condition_variable"), a.get<Doubles>("condition_coefficient"));
    require(strict.size() == expressions.size() && unit.size() == expressions.size(), "as many rows as conditions");
    for (size_t c = 0; c < expressions.size(); ++c)
        task.conditions.push_back({expressions[c], strict.data()[c] != 0, unit.data()[c]});
    task.conjunctions = rows(a.get<Ints>("conjunction_start"), a.get<Ints>("conjunction_atom"));
    task.disjunctions = rows(a.get<Ints>("disjunction_start"), a.get<Ints>("disjunction_conjunction"));
    fill_operators(task, a);
    a.all_read();
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

nb::tuple arrays_of(const Task &task, const State &state) {
    std::vector<uint8_t> facts(task.facts);
    for (int f = 0; f < task.facts; ++f) facts[f] = state.fact(f);
    return nb::make_tuple(to_numpy(std::move(facts)), to_numpy(state.values));
}

}  // namespace numbat
