#include "carriers.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace numbat {

namespace {

constexpr Whole MOST_LEVELS = 256;
// More would be too many for the programme that they are made for.
constexpr size_t MOST_OPERATORS = 50'000;

bool contains(std::span<const int32_t> list, int32_t item) {
    return std::find(list.begin(), list.end(), item) != list.end();
}

Whole number_of(const Task &task, int variable, const State &state) {
    return task.whole_value(Linear::of_variable(variable), state);
}

/* What an operator, if it is applied, takes away and adds for certain. */
struct CertainChange {
    std::vector<int32_t> lost, gained;
};

CertainChange certain_change(const Task &task, const Operator &op) {
    CertainChange change;
    const auto needed = task.conjunctions[op.precondition];
    for (const Block &block : op.blocks) {
        if (block.condition != 0) continue;
        for (int fact : block.deletes)
            if (!contains(block.adds, fact) && contains(needed, 2 * fact)) change.lost.push_back(fact);
        for (int fact : block.adds)
            if (!contains(needed, 2 * fact)) change.gained.push_back(fact);
    }
    return change;
}

/* Sets of facts that operators exchange. */
class Groups {
public:
    explicit Groups(const Task &task) : task_(task), parent_(task.facts), possible_(task.facts, 1) {
        std::iota(parent_.begin(), parent_.end(), 0);
        for (const Operator &op : task.operators) unite(op);
        for (const Operator &op : task.operators) check(op);
        std::vector<int> at_first(task.facts, 0);
        for (int fact = 0; fact < task.facts; ++fact) at_first[root(fact)] += task.initial.fact(fact);
        for (int fact = 0; fact < task.facts; ++fact)
            if (at_first[fact] != 1) possible_[fact] = 0;
    }

    /* The number of the group that a fact is in, or -1. */
    int of(int fact) {
        const int number = root(fact);
        return possible_[number] ? number : -1;
    }
    std::vector<int32_t> facts(int group) {
        std::vector<int32_t> found;
        for (int fact = 0; fact < task_.facts; ++fact)
            if (root(fact) == group) found.push_back(fact);
        return found;
    }

private:
    const Task &task_;
    std::vector<int32_t> parent_;
    std::vector<uint8_t> possible_;  // root

    int root(int fact) {
        while (parent_[fact] != fact) fact = parent_[fact] = parent_[parent_[fact]];
        return fact;
    }

    void unite(const Operator &op) {
        const CertainChange moved = certain_change(task_, op);
        if (moved.lost.size() == 1 && moved.gained.size() == 1) parent_[root(moved.lost[0])] = root(moved.gained[0]);
    }

    /* Whatever an operator may do to a fact must be an exchange within its group. */
    void check(const Operator &op) {
        const CertainChange moved = certain_change(task_, op);
        auto changes = [&](const std::vector<int32_t> &facts, int group) {
            return std::count_if(facts.begin(), facts.end(), [&](int fact) { return root(fact) == group; });
        };
        for (const Block &block : op.blocks)
            for (const auto *facts : {&block.deletes, &block.adds})
                for (int fact : *facts) {
                    const bool kept =
                        contains(block.adds, fact) && contains(task_.conjunctions[op.precondition], 2 * fact);
                    const bool certain = kept || contains(moved.lost, fact) || contains(moved.gained, fact);
                    const int group = root(fact);
                    if (block.condition != 0 || !certain) possible_[group] = 0;
                    if (changes(moved.lost, group) > 1 || changes(moved.lost, group) != changes(moved.gained, group))
                        possible_[group] = 0;
                }
    }
};

struct NumericChange {
    const Operator *op;
    const Block *block;
    const NumericEffect *effect;
};

/* What operators do to a variable, and whether it has few values. */
class Load {
public:
    Load(const Task &task, Ranges::Range range, int variable, const std::vector<NumericChange> &changes)
        : task_(task), variable_(variable), changes_(changes) {
        if (!range.lower || !range.upper) return;
        const Whole first = number_of(task, variable, task.initial);
        for (const auto &[op, block, effect] : changes) {
            if (block->condition != 0 || !effect->amount.is_constant()) return;
            const Whole change = Whole{effect->amount.whole} - (effect->assign ? first : 0);
            step_ = std::gcd(step_, change < 0 ? -change : change);
        }
        if (step_ == 0) return;
        lowest_ = first - (first - *range.lower) / step_ * step_;
        levels_ = (*range.upper - lowest_) / step_ + 1;
    }

    bool has_few_values() const { return levels_ > 1 && levels_ <= MOST_LEVELS; }
    /* The groups of which every operator that changes the variable needs a fact. */
    std::vector<int> belongs_to(Groups &groups) const {
        std::vector<int> common = needed_groups(*changes_[0].op, groups);
        for (const NumericChange &change : changes_) {
            const std::vector<int> needed = needed_groups(*change.op, groups);
            std::erase_if(common, [&](int group) { return !contains(needed, group); });
        }
        return common;
    }
    Carrier carrier(std::vector<int32_t> group) const {
        return {std::move(group), variable_, lowest_, step_, static_cast<int>(levels_)};
    }

private:
    const Task &task_;
    const int variable_;
    const std::vector<NumericChange> &changes_;
    Whole lowest_ = 0, step_ = 0, levels_ = 0;

    std::vector<int> needed_groups(const Operator &op, Groups &groups) const {
        std::vector<int> found;
        for (int atom : task_.conjunctions[op.precondition])
            if (task_.is_fact(atom) && atom % 2 == 0 && groups.of(atom / 2) >= 0) found.push_back(groups.of(atom / 2));
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
        return found;
    }
};

std::vector<std::vector<NumericChange>> changes_by_variable(const Task &task) {
    std::vector<std::vector<NumericChange>> changes(task.variables);
    for (const Operator &op : task.operators)
        for (const Block &block : op.blocks)
            for (const NumericEffect &effect : block.numeric)
                changes[effect.variable].push_back({&op, &block, &effect});
    return changes;
}

}  // namespace

int Carrier::place(const Task &task, const State &state) const {
    const auto fact = std::find_if(group.begin(), group.end(), [&](int f) { return state.fact(f); });
    if (fact == group.end()) return -1;
    const Whole level = (number_of(task, variable, state) - lowest) / step;
    const Whole within = std::clamp(level, Whole{0}, Whole{levels - 1});
    return static_cast<int>(fact - group.begin()) * levels + static_cast<int>(within);
}

bool Carrier::is_at_level(const Task &task, const State &state) const {
    const Whole above = number_of(task, variable, state) - lowest;
    return above >= 0 && above % step == 0 && above / step < levels;
}

std::vector<Carrier> find_carriers(const Task &task) {
    std::vector<Carrier> carriers;
    if (!task.exact() || task.operators.size() > MOST_OPERATORS) return carriers;
    const Ranges ranges(task, Ranges::Of::all);
    const auto changes = changes_by_variable(task);
    Groups groups(task);
    for (int variable = 0; variable < task.variables; ++variable) {
        const Load load(task, ranges.of(variable), variable, changes[variable]);
        if (!load.has_few_values()) continue;
        for (int group : load.belongs_to(groups)) {
            std::vector<int32_t> facts = groups.facts(group);
            if (facts.size() > 1) carriers.push_back(load.carrier(std::move(facts)));
        }
    }
    return carriers;
}

JoinedTask::JoinedTask(const Task &task, std::vector<Carrier> carriers)
    : original_(task), carriers_(std::move(carriers)), in_group_(task.facts, 0) {
    joined_.numbers = task.numbers;
    joined_.facts = task.facts;
    joined_.variables = task.variables;
    joined_.conditions = task.conditions;
    joined_.disjunctions = task.disjunctions;
    for (const Carrier &carrier : carriers_) {
        first_pair_.push_back(joined_.facts);
        joined_.facts += carrier.size();
        for (int fact : carrier.group) in_group_[fact] = 1;
    }
    joined_.initial = joined(task.initial);
    join_conjunctions();
    join_goal();
    for (const Operator &op : task.operators) {
        join_operator(op);
        possible_ &= joined_.operators.size() <= MOST_OPERATORS;
        if (!possible_) return;
    }
    joined_.integer_costs.assign(joined_.operators.size(), 1);
    joined_.finish();
}

/* There are more facts in front of conditions and disjunctions. */
int JoinedTask::shifted(int atom) const {
    return original_.is_fact(atom) ? atom : atom + 2 * (joined_.facts - original_.facts);
}

std::vector<int32_t> JoinedTask::without_groups(int conjunction) const {
    std::vector<int32_t> atoms;
    for (int atom : original_.conjunctions[conjunction])
        if (!original_.is_fact(atom) || !in_group_[atom / 2]) atoms.push_back(shifted(atom));
    return atoms;
}

void JoinedTask::join_conjunctions() {
    for (int i = 0; i < original_.conjunctions.size(); ++i) joined_.conjunctions.push_back(without_groups(i));
}

void JoinedTask::true_facts(const State &state, std::vector<int32_t> &facts) const {
    facts.clear();
    for (size_t word = 0; word < state.facts.size(); ++word)
        for (uint64_t bits = state.facts[word]; bits; bits &= bits - 1) {
            const int fact = static_cast<int>(64 * word) + std::countr_zero(bits);
            if (!in_group_[fact]) facts.push_back(fact);
        }
    for (size_t c = 0; c < carriers_.size(); ++c)
        if (const int place = carriers_[c].place(original_, state); place >= 0) facts.push_back(first_pair_[c] + place);
}

bool JoinedTask::fits(const State &state) const {
    return std::all_of(carriers_.begin(), carriers_.end(), [&](const Carrier &carrier) {
        return carrier.is_at_level(original_, state) &&
               std::count_if(carrier.group.begin(), carrier.group.end(), [&](int f) { return state.fact(f); }) == 1;
    });
}

State JoinedTask::joined(const State &state) const {
    std::vector<int32_t> facts;
    true_facts(state, facts);
    State found{std::vector<uint64_t>((joined_.facts + 63) / 64, 0), state.values, state.whole};
    for (int fact : facts) found.set(fact);
    return found;
}

/* The goal says of every pair that is no longer possible that it is false. */
void JoinedTask::join_goal() {
    const auto wanted = original_.conjunctions[original_.goal];
    std::vector<int32_t> atoms = without_groups(original_.goal);
    for (size_t c = 0; c < carriers_.size(); ++c) {
        const Carrier &carrier = carriers_[c];
        const bool placed = std::any_of(carrier.group.begin(), carrier.group.end(),
                                        [&](int fact) { return contains(wanted, 2 * fact); });
        for (int pair = 0; pair < carrier.size(); ++pair) {
            const int fact = carrier.group[pair / carrier.levels];
            const bool possible = (!placed || contains(wanted, 2 * fact)) && !contains(wanted, 2 * fact + 1) &&
                                  level_fits(carrier, pair % carrier.levels, original_.goal);
            if (!possible) atoms.push_back(2 * (first_pair_[c] + pair) + 1);
        }
    }
    joined_.goal = joined_.conjunctions.size();
    joined_.conjunctions.push_back(atoms);
}

/* Do the conditions that look at the carrier's variable alone hold at this level? */
bool JoinedTask::level_fits(const Carrier &carrier, int level, int conjunction) const {
    const Whole number = carrier.lowest + level * carrier.step;
    for (int atom : original_.conjunctions[conjunction]) {
        if (!original_.is_condition(atom)) continue;
        const Condition &condition = original_.condition(atom);
        const auto &terms = condition.expression.terms;
        if (terms.size() != 1 || terms[0].variable != carrier.variable) continue;
        const Whole value = static_cast<Whole>(terms[0].coefficient) * number + condition.expression.whole;
        if (condition.strict ? value <= 0 : value < 0) return false;
    }
    return true;
}

/* What an operator does to a carrier at each level at which it can be applied; nothing if it leaves the carrier alone. */
std::optional<std::vector<JoinedTask::Exchange>> JoinedTask::exchanges(const Carrier &carrier, int first,
                                                                       const Operator &op) const {
    auto place_in = [&](auto &&chosen) {
        const auto found = std::find_if(carrier.group.begin(), carrier.group.end(), chosen);
        return found == carrier.group.end() ? -1 : static_cast<int>(found - carrier.group.begin());
    };
    const auto needed = original_.conjunctions[op.precondition];
    const CertainChange moved = certain_change(original_, op);
    const int from = place_in([&](int fact) { return contains(needed, 2 * fact); });
    const int gained = place_in([&](int fact) { return contains(moved.gained, fact); });
    const int to = gained < 0 ? from : gained;
    const NumericEffect *change = nullptr;
    for (const Block &block : op.blocks)
        for (const NumericEffect &effect : block.numeric)
            if (effect.variable == carrier.variable) change = &effect;
    if (from == to && !change) return std::nullopt;
    std::vector<Exchange> found;
    for (int level = 0; level < carrier.levels; ++level) {
        Whole after = carrier.lowest + level * carrier.step;
        if (change) after = (change->assign ? 0 : after) + change->amount.whole;
        after = (after - carrier.lowest) / carrier.step;
        if (level_fits(carrier, level, op.precondition) && after >= 0 && after < carrier.levels)
            found.push_back(
                {first + from * carrier.levels + level, first + to * carrier.levels + static_cast<int>(after)});
    }
    return found;
}

/* Once for each combination of what it may do to the carriers that it changes. */
void JoinedTask::join_operator(const Operator &op) {
    std::vector<std::vector<Exchange>> combinations(1);
    for (size_t c = 0; c < carriers_.size(); ++c) {
        const auto mine = exchanges(carriers_[c], first_pair_[c], op);
        if (!mine) continue;
        possible_ &= combinations.size() * mine->size() + joined_.operators.size() <= MOST_OPERATORS;
        if (!possible_) return;
        std::vector<std::vector<Exchange>> longer;
        for (const auto &shorter : combinations)
            for (const Exchange &exchange : *mine) {
                longer.push_back(shorter);
                longer.back().push_back(exchange);
            }
        combinations = std::move(longer);
    }
    for (const auto &combination : combinations) add_operator(op, combination);
}

void JoinedTask::add_operator(const Operator &op, const std::vector<Exchange> &exchanges) {
    Operator made = op;
    for (Block &block : made.blocks)
        for (auto *facts : {&block.adds, &block.deletes})
            std::erase_if(*facts, [&](int fact) { return in_group_[fact] != 0; });
    if (made.blocks.empty() || made.blocks[0].condition != 0) made.blocks.insert(made.blocks.begin(), Block{});
    std::vector<int32_t> needed = without_groups(op.precondition);
    for (auto [before, after] : exchanges) {
        if (before == after) continue;
        needed.push_back(2 * before);
        needed.push_back(2 * after + 1);
        made.blocks[0].deletes.push_back(before);
        made.blocks[0].adds.push_back(after);
    }
    made.precondition = joined_.conjunctions.size();
    joined_.conjunctions.push_back(needed);
    joined_.operators.push_back(std::move(made));
}

}  // namespace numbat
