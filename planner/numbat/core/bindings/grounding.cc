#include "../grounding/columns.h"
#include "../grounding/reachability.h"
#include "bindings.h"
#include "fields.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

namespace numbat {

using namespace nb::literals;

namespace {

using Atoms = std::vector<std::pair<int, std::vector<int32_t>>>;
using Pairs = std::vector<std::pair<int32_t, int32_t>>;

std::vector<RuleAtom> atoms(Fields &fields, const char *name) {
    std::vector<RuleAtom> list;
    for (auto &[relation, terms] : fields.get<Atoms>(name)) list.push_back({relation, terms});
    return list;
}

Rule make_rule(Fields &fields) {
    return {fields.get<std::vector<int>>("domains"),
            atoms(fields, "body"),
            atoms(fields, "absent"),
            atoms(fields, "heads"),
            fields.get<Pairs>("equal"),
            fields.get<Pairs>("unequal")};
}

Relation make_relation(Fields &fields) {
    Relation relation(fields.get<int>("arity"));
    const auto tuples = fields.get<Ints>("tuples");
    const int size = fields.get<int>("size");
    const size_t arity = relation.arity();
    if (relation.arity() < 0 || size < 0 || tuples.size() != arity * size)
        throw std::invalid_argument("relation: as many entries as size times arity");
    for (int row = 0; row < size; ++row) relation.insert({tuples.data() + row * arity, arity});
    return relation;
}

void look_for_signals() {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

nb::object reachable(int objects, std::vector<std::vector<int32_t>> domains, const nb::list &relations,
                     const nb::list &rules, int64_t most) {
    Program program;
    program.most = most;
    program.objects = objects;
    program.domains = std::move(domains);
    for (nb::handle item : relations) {
        Fields fields(nb::cast<nb::dict>(item), "relation");
        program.relations.push_back(make_relation(fields));
        program.grows.push_back(fields.get<bool>("grows"));
        fields.all_read();
    }
    for (nb::handle item : rules) {
        Fields fields(nb::cast<nb::dict>(item), "rule");
        program.rules.push_back(make_rule(fields));
        fields.all_read();
    }
    const int count = static_cast<int>(program.rules.size());
    try {
        Reachability reachability(std::move(program), look_for_signals);
        nb::list result;
        for (int rule = 0; rule < count; ++rule)
            result.append(nb::make_tuple(reachability.count(rule), to_numpy(reachability.take_rows(rule))));
        return result;
    } catch (const TooManyInstances &error) {
        return nb::int_(error.rule);
    }
}

using Longs = Array<int64_t>;

Column column(const Longs &array) { return {array.data(), array.size()}; }

nb::tuple sorted(const Longs &owner, const Longs &item) {
    PairColumns pairs = sorted_pairs(column(owner), column(item));
    return nb::make_tuple(to_numpy(std::move(pairs.owner)), to_numpy(std::move(pairs.item)));
}

nb::object contained(const Longs &owner, const Longs &item, const Longs &other_owner, const Longs &other_item) {
    return to_numpy(pairs_contained(column(owner), column(item), column(other_owner), column(other_item)));
}

nb::object first_of_equals(const Longs &sizes, const Longs &items) {
    return to_numpy(first_of_equal_rows(column(sizes), column(items)));
}

}  // namespace

void bind_grounding(nb::module_ &m) {
    m.def("reachable", &reachable, "objects"_a, "domains"_a, "relations"_a, "rules"_a, "most"_a);
    m.def("sorted_pairs", &sorted, "owner"_a.noconvert(), "item"_a.noconvert());
    m.def("pairs_contained", &contained, "owner"_a.noconvert(), "item"_a.noconvert(), "other_owner"_a.noconvert(),
          "other_item"_a.noconvert());
    m.def("first_of_equal_rows", &first_of_equals, "sizes"_a.noconvert(), "items"_a.noconvert());
}

}  // namespace numbat
