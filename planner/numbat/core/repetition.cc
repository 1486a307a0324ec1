#include "repetition.h"

#include <algorithm>

namespace numbat {

namespace {

void mark_variables(const Task &task, int conjunction, std::vector<uint8_t> &marked) {
    for (int atom : task.conjunctions[conjunction]) {
        if (task.is_condition(atom))
            for (const LinearTerm &term : task.condition(atom).expression.terms) marked[term.variable] = 1;
        else if (!task.is_fact(atom))
            for (int part : task.disjunction(atom)) mark_variables(task, part, marked);
    }
}

}  // namespace

Repetition::Repetition(const Task &task) : task_(task) {
    std::vector<uint8_t> goal_variables(task.variables, 0);
    mark_variables(task, task.goal, goal_variables);
    for (const Operator &op : task.operators) steady_.push_back(is_steady(op, goal_variables));
}

bool changes_evenly(const Operator &op) {
    if (op.blocks.size() != 1 || op.blocks[0].condition != 0 || op.simultaneous) return false;
    const auto &effects = op.blocks[0].numeric;
    auto changes = [&](const LinearTerm &term) {
        return std::any_of(effects.begin(), effects.end(),
                           [&](const NumericEffect &e) { return e.variable == term.variable; });
    };
    return std::none_of(effects.begin(), effects.end(), [&](const NumericEffect &effect) {
        const auto &terms = effect.amount.terms;
        return effect.assign || std::any_of(terms.begin(), terms.end(), changes);
    });
}

bool Repetition::is_steady(const Operator &op, const std::vector<uint8_t> &goal_variables) const {
    if (!changes_evenly(op)) return false;
    for (int atom : task_.conjunctions[op.precondition])
        if (!task_.is_fact(atom) && !task_.is_condition(atom)) return false;
    const auto &effects = op.blocks[0].numeric;
    return std::none_of(effects.begin(), effects.end(),
                        [&](const NumericEffect &effect) { return goal_variables[effect.variable]; });
}

/* Lets next_ be the state after so many applications more; false if a number is out of range there. */
bool Repetition::move_to(int applications, const std::vector<NumericEffect> &effects, const State &after) {
    bool in_range = true;
    for (size_t i = 0; i < effects.size(); ++i) {
        const int v = effects[i].variable;
        in_range &= task_.wide() ? task_.put(v, after.whole[v] + applications * whole_change_[i], next_)
                                 : task_.put(v, after.values[v] + applications * change_[i], next_);
    }
    return in_range;
}

/* `after` is the state after one application; go on from there. */
int Repetition::apply_steadily(const Operator &op, int more, State &after, bool &overflow) {
    const auto &effects = op.blocks[0].numeric;
    change_.clear();
    whole_change_.clear();
    for (const NumericEffect &effect : effects) {
        if (task_.wide())
            whole_change_.push_back(effect.amount.whole_value(after.whole));
        else
            change_.push_back(effect.amount.value(after.values));
    }
    next_ = after;
    // the largest number whose last application is still possible: it needs the precondition one application before
    int low = 0, high = more;
    while (low < high) {
        const int middle = low + (high - low + 1) / 2;
        if (move_to(middle, effects, after) && move_to(middle - 1, effects, after) &&
            task_.all_hold(op.precondition, next_))
            low = middle;
        else
            high = middle - 1;
    }
    if (low < more && !move_to(low + 1, effects, after)) overflow = true;
    move_to(low, effects, after);
    std::swap(after, next_);
    return low;
}

int Repetition::apply(int op, int most, const State &before, State &after, bool &overflow, double *cost) {
    const Operator &action = task_.operators[op];
    if (cost) *cost += action.cost.value(before.values);
    if (!task_.apply(action, before, after, overflow)) return 0;
    int done = 1;
    if (most > 1 && steady_[op] && !cost && !task_.is_goal(after))
        return done + apply_steadily(action, most - 1, after, overflow);
    while (done < most && !task_.is_goal(after) && task_.all_hold(action.precondition, after)) {
        if (!task_.apply(action, after, next_, overflow)) break;
        if (cost) *cost += action.cost.value(after.values);
        std::swap(after, next_);
        ++done;
    }
    return done;
}

}  // namespace numbat
