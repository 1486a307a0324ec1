#include "stubborn.h"

#include <algorithm>

namespace numbat {

namespace {

// Beyond this the tables take too long to make and too much memory.
constexpr size_t MOST_OPERATORS = 5000;
constexpr size_t MOST_PAIRS = 20'000'000;
// After so many states it must have left out a tenth of the operators.
constexpr size_t TRIAL = 5000;

using Lists = std::vector<std::vector<int32_t>>;

struct Change {
    bool up = false, down = false;
};

/* What a block may do to a condition. */
Change change_of(const Task &task, const Block &block, const Linear &expression) {
    Whole exact_sum = 0;
    double sum = 0;
    for (const NumericEffect &effect : block.numeric)
        for (const LinearTerm &term : expression.terms) {
            if (term.variable != effect.variable) continue;
            if (effect.assign || !effect.amount.is_constant()) return {true, true};
            sum += term.coefficient * effect.amount.constant;
            if (task.exact()) exact_sum += static_cast<Whole>(term.coefficient) * effect.amount.whole;
        }
    return task.exact() ? Change{exact_sum > 0, exact_sum < 0} : Change{sum > 0, sum < 0};
}

}  // namespace

struct StubbornSets::Relations {
    const Task &task;
    Lists achieve, falsify;             // atom -> operators
    Lists add, del;                     // fact -> operators
    Lists assign, increase, read;       // variable -> operators
    Lists interfering;                  // operator -> operators
    size_t pairs = 0;

    explicit Relations(const Task &t)
        : task(t),
          achieve(t.atoms()),
          falsify(t.atoms()),
          add(t.facts),
          del(t.facts),
          assign(t.variables),
          increase(t.variables),
          read(t.variables),
          interfering(t.operators.size()) {
        for (size_t o = 0; o < task.operators.size(); ++o) note_effects(static_cast<int32_t>(o));
        for (int d = 0; d < task.disjunctions.size(); ++d) note_disjunction(task.first_disjunction() + d);
    }

    void note_effects(int32_t o) {
        for (const Block &block : task.operators[o].blocks) {
            for (int fact : block.adds) {
                add[fact].push_back(o);
                achieve[2 * fact].push_back(o);
                falsify[2 * fact + 1].push_back(o);
            }
            for (int fact : block.deletes) {
                del[fact].push_back(o);
                achieve[2 * fact + 1].push_back(o);
                falsify[2 * fact].push_back(o);
            }
            for (const NumericEffect &effect : block.numeric) {
                (effect.assign ? assign : increase)[effect.variable].push_back(o);
                for (const LinearTerm &term : effect.amount.terms) read[term.variable].push_back(o);
            }
            if (block.numeric.empty()) continue;
            for (size_t c = 0; c < task.conditions.size(); ++c) {
                const Change change = change_of(task, block, task.conditions[c].expression);
                const int atom = task.first_condition() + static_cast<int>(c);
                if (change.up) achieve[atom].push_back(o);
                if (change.down) falsify[atom].push_back(o);
            }
        }
    }

    /* Inner disjunctions have smaller numbers. */
    void note_disjunction(int atom) {
        for (int part : task.disjunction(atom))
            for (int inner : task.conjunctions[part]) {
                achieve[atom].insert(achieve[atom].end(), achieve[inner].begin(), achieve[inner].end());
                falsify[atom].insert(falsify[atom].end(), falsify[inner].begin(), falsify[inner].end());
            }
        for (Lists *lists : {&achieve, &falsify}) make_unique((*lists)[atom]);
    }

    static void make_unique(std::vector<int32_t> &list) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }

    void tie(int32_t a, const std::vector<int32_t> &others) {
        pairs += 2 * others.size();
        if (pairs > MOST_PAIRS) return;
        for (int32_t b : others) {
            if (a == b) continue;
            interfering[a].push_back(b);
            interfering[b].push_back(a);
        }
    }

    bool make_interfering() {
        for (size_t o = 0; o < task.operators.size(); ++o) {
            const Operator &op = task.operators[o];
            for (int atom : task.conjunctions[op.precondition]) tie(static_cast<int32_t>(o), falsify[atom]);
            for (const Block &block : op.blocks)
                for (int atom : task.conjunctions[block.condition]) {
                    tie(static_cast<int32_t>(o), falsify[atom]);
                    tie(static_cast<int32_t>(o), achieve[atom]);
                }
        }
        for (int fact = 0; fact < task.facts; ++fact)
            for (int32_t o : add[fact]) tie(o, del[fact]);
        for (int v = 0; v < task.variables; ++v) {
            for (int32_t o : assign[v]) {
                tie(o, assign[v]);
                tie(o, increase[v]);
            }
            for (int32_t o : read[v]) {
                tie(o, assign[v]);
                tie(o, increase[v]);
            }
        }
        for (auto &list : interfering) make_unique(list);
        for (auto &list : achieve) make_unique(list);
        return pairs <= MOST_PAIRS;
    }
};

StubbornSets::StubbornSets(const Task &task)
    : task_(task), applicable_(task.operators.size()), chosen_(task.operators.size()) {
    on_ = task.operators.size() <= MOST_OPERATORS;
    if (!on_) return;
    Relations relations(task);
    on_ = relations.make_interfering();
    if (!on_) return;
    achievers_ = Rows<int32_t>::from(relations.achieve);
    interfering_ = Rows<int32_t>::from(relations.interfering);
}

void StubbornSets::add(std::span<const int32_t> operators) {
    for (int32_t op : operators) {
        if (chosen_[op] == call_) continue;
        chosen_[op] = call_;
        queue_.push_back(op);
    }
}

/* Of the unsatisfied part that fewest may achieve. */
void StubbornSets::add_achievers(int conjunction, const State &state) {
    int best = -1;
    for (int atom : task_.conjunctions[conjunction])
        if ((best < 0 || achievers_[atom].size() < achievers_[best].size()) && !task_.holds(atom, state)) best = atom;
    if (best >= 0) add(achievers_[best]);
}

void StubbornSets::prune(const State &state, std::vector<int32_t> &applicable) {
    if (!on_ || applicable.size() < 2) return;
    ++call_;
    for (int32_t op : applicable) applicable_[op] = call_;
    queue_.clear();
    add_achievers(task_.goal, state);
    size_t chosen = 0;
    for (size_t i = 0; i < queue_.size() && chosen < applicable.size(); ++i) {
        const int32_t op = queue_[i];
        if (applicable_[op] == call_) {
            ++chosen;
            add(interfering_[op]);
        } else {
            add_achievers(task_.operators[op].precondition, state);
        }
    }
    seen_ += applicable.size();
    kept_ += chosen;
    if (++calls_ == TRIAL && 10 * kept_ > 9 * seen_) on_ = false;
    if (chosen == applicable.size()) return;
    std::erase_if(applicable, [&](int32_t op) { return chosen_[op] != call_; });
}

}  // namespace numbat
