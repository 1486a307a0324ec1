#include "landmarks_labels.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace numbat {

namespace {

/* A condition as its expression up to a positive factor, and where on that scale it begins to hold. */
struct Threshold {
    std::vector<std::pair<int32_t, double>> direction;
    Whole constant;         // of an exact task, to be divided by
    int64_t scale = 1;      // this
    double quotient;        // of another task
    bool strict;
    int32_t atom;

    Threshold(const Task &task, int condition)
        : constant(task.conditions[condition].expression.whole),
          quotient(task.conditions[condition].expression.constant),
          strict(task.conditions[condition].strict),
          atom(task.first_condition() + condition) {
        const std::vector<LinearTerm> &terms = task.conditions[condition].expression.terms;
        double factor = terms.empty() ? 1 : std::abs(terms[0].coefficient);
        if (task.exact() && !terms.empty()) {
            scale = 0;
            for (const LinearTerm &term : terms) scale = std::gcd(scale, static_cast<int64_t>(term.coefficient));
            factor = static_cast<double>(scale);
        }
        quotient /= factor;
        for (const LinearTerm &term : terms) direction.emplace_back(term.variable, term.coefficient / factor);
    }
};

/* Negative if `a` is stronger than `b`, 0 if they say the same; on one expression. */
int compare(const Threshold &a, const Threshold &b, bool exact) {
    const Whole left = a.constant * b.scale, right = b.constant * a.scale;
    if (exact ? left != right : a.quotient != b.quotient)
        return (exact ? left < right : a.quotient < b.quotient) ? -1 : 1;
    return static_cast<int>(b.strict) - static_cast<int>(a.strict);
}

LabelEntry entry_of(int chain, size_t rank) { return uint64_t{static_cast<uint32_t>(chain)} << 32 | rank; }

}  // namespace

Chains::Chains(const Task &task) : task_(task) {
    for (int atom = 0; atom < task.atoms(); ++atom) entries_.push_back(entry_of(atom, 0));
    std::map<std::vector<std::pair<int32_t, double>>, std::vector<Threshold>> chains;
    for (size_t c = 0; c < task.conditions.size(); ++c) {
        Threshold threshold(task, static_cast<int>(c));
        chains[threshold.direction].push_back(std::move(threshold));
    }
    for (auto &[direction, list] : chains) {
        std::stable_sort(list.begin(), list.end(), [&](auto &a, auto &b) { return compare(a, b, task.exact()) < 0; });
        const int chain = task.first_condition() + static_cast<int>(members_.size());
        members_.emplace_back();
        for (size_t i = 0; i < list.size(); ++i) {
            if (i == 0 || compare(list[i - 1], list[i], task.exact()) < 0) members_.back().push_back(list[i].atom);
            entries_[list[i].atom] = entry_of(chain, members_.back().size() - 1);
        }
    }
}

int Chains::atom(LabelEntry entry) const {
    const int chain = static_cast<int>(chain_of(entry));
    if (!task_.is_condition(chain)) return chain;
    return members_[chain - task_.first_condition()][entry & 0xffffffffu];
}

void Chains::label(std::span<const int32_t> atoms, Label &label) const {
    label.clear();
    for (int atom : atoms) label.push_back(entries_[atom]);
    std::sort(label.begin(), label.end());
    const auto same = [](LabelEntry a, LabelEntry b) { return chain_of(a) == chain_of(b); };
    label.erase(std::unique(label.begin(), label.end(), same), label.end());
}

bool intersect(Label &label, const Label &other, LabelEntry own) {
    size_t kept = 0;
    bool changed = false;
    auto next = other.begin();
    for (LabelEntry entry : label) {
        while (next != other.end() && chain_of(*next) < chain_of(entry)) ++next;
        LabelEntry strongest = next != other.end() && chain_of(*next) == chain_of(entry) ? *next : NO_ENTRY;
        if (chain_of(own) == chain_of(entry)) strongest = std::min(strongest, own);
        if (strongest == NO_ENTRY) continue;
        const LabelEntry weaker = std::max(entry, strongest);
        changed |= weaker != entry;
        label[kept++] = weaker;
    }
    changed |= kept < label.size();
    label.resize(kept);
    return changed;
}

void unite(const Label &a, const Label &b, Label &both) {
    both.clear();
    auto left = a.begin(), right = b.begin();
    while (left != a.end() && right != b.end()) {
        const uint32_t left_chain = chain_of(*left), right_chain = chain_of(*right);
        both.push_back(std::min(*left, *right));
        left += left_chain <= right_chain;
        right += right_chain <= left_chain;
    }
    both.insert(both.end(), left, a.end());
    both.insert(both.end(), right, b.end());
}

Labels::Labels(const Achievers &achievers, const Chains &chains, size_t most_work)
    : t_(achievers),
      chains_(chains),
      initial_(t_.task.atoms()),
      reached_(t_.task.atoms()),
      labels_(t_.task.atoms()),
      is_waiting_(t_.goal + 1),
      work_left_(most_work) {
    for (int action = 0; action <= t_.goal; ++action)
        open_.push_back(static_cast<int32_t>(t_.preconditions[action].size()));
    read_initial_state();
    for (int action = 0; action < t_.goal; ++action)
        if (open_[action] == 0) let_wait(action);
    while (!waiting_.empty()) {
        const int action = waiting_.front();
        waiting_.pop_front();
        is_waiting_[action] = 0;
        settle(action);
    }
    if (!complete()) labels_.assign(t_.task.atoms(), {});
}

void Labels::read_initial_state() {
    for (int atom = 0; atom < t_.task.atoms(); ++atom) {
        if (!t_.task.holds(atom, t_.task.initial)) continue;
        initial_[atom] = reached_[atom] = 1;
        labels_[atom] = {chains_.entry(atom)};
        for (int action : t_.uses[atom]) --open_[action];
    }
}

void Labels::let_wait(int action) {
    if (is_waiting_[action] || action == t_.goal) return;
    is_waiting_[action] = 1;
    waiting_.push_back(action);
}

void Labels::spend(size_t work) { work_left_ -= std::min(work, work_left_); }

/* The precondition of an action can be reached: so can what it achieves, with what precedes the action. */
void Labels::settle(int action) {
    united_.clear();
    if (complete())
        for (int atom : t_.preconditions[action]) {
            unite(united_, labels_[atom], scratch_);
            united_.swap(scratch_);
            spend(united_.size());
        }
    for (int atom : t_.facts[action]) offer(atom);
    for (int atom : t_.raised[action]) offer(atom);
}

void Labels::offer(int atom) {
    spend(1);
    if (initial_[atom]) return;
    if (!reached_[atom]) {
        reached_[atom] = 1;
        unite(united_, {chains_.entry(atom)}, labels_[atom]);
        spend(united_.size());
        for (int action : t_.uses[atom])
            if (--open_[action] == 0) let_wait(action);
        return;
    }
    if (!complete()) return;
    spend(labels_[atom].size() + united_.size());
    if (!intersect(labels_[atom], united_, chains_.entry(atom))) return;
    for (int action : t_.uses[atom])
        if (open_[action] == 0) let_wait(action);
}

}  // namespace numbat
