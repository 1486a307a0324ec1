#include "landmarks.h"

#include "landmarks_labels.h"
#include "landmarks_orders.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace numbat {

namespace {

/* Which atoms can become false. */
class Falsified {
public:
    explicit Falsified(const Task &task)
        : task_(task), added_(task.facts), deleted_(task.facts), rises_(task.variables), falls_(task.variables) {
        for (const Operator &op : task.operators)
            for (const Block &block : op.blocks) {
                for (int fact : block.adds) added_[fact] = 1;
                for (int fact : block.deletes) deleted_[fact] = 1;
                for (const NumericEffect &effect : block.numeric) {
                    const bool open = effect.assign || !effect.amount.is_constant();
                    rises_[effect.variable] |= open || effect.amount.constant > 0;
                    falls_[effect.variable] |= open || effect.amount.constant < 0;
                }
            }
    }

    bool can_be(int atom) const {
        if (task_.is_fact(atom)) return (atom & 1 ? added_ : deleted_)[atom >> 1];
        if (!task_.is_condition(atom)) {
            const auto parts = task_.disjunction(atom);
            return std::any_of(parts.begin(), parts.end(), [&](int part) {
                const auto atoms = task_.conjunctions[part];
                return std::any_of(atoms.begin(), atoms.end(), [&](int other) { return can_be(other); });
            });
        }
        const auto &terms = task_.condition(atom).expression.terms;
        return std::any_of(terms.begin(), terms.end(), [&](const LinearTerm &term) {
            return (term.coefficient > 0 ? falls_ : rises_)[term.variable];
        });
    }

private:
    const Task &task_;
    std::vector<uint8_t> added_, deleted_;  // fact
    std::vector<uint8_t> rises_, falls_;    // variable
};

/* Collects the landmarks of a task from the labels of its atoms. */
class Finder {
public:
    Finder(Landmarks &found, size_t most_work)
        : found_(found),
          task_(found.task),
          achievers_(task_, std::vector<double>(task_.operators.size())),
          chains_(task_),
          labels_(achievers_, chains_, most_work),
          falsified_(task_) {
        index_achievers();
    }

    void find() {
        for (int atom : task_.conjunctions[task_.goal]) add(atom);
        found_.goals = found_.atoms.size();
        Label needs;
        for (size_t i = 0; i < found_.atoms.size(); ++i) {
            const int atom = found_.atoms[i];
            if (labels_.initial(atom)) continue;
            if (!labels_.complete()) direct_needs(atom, needs);
            for (LabelEntry entry : labels_.complete() ? labels_[atom] : needs) add(chains_.atom(entry));
        }
        order();
        order_goals();
        list_needs();
        list_achievers();
    }

private:
    Landmarks &found_;
    const Task &task_;
    const Achievers achievers_;
    const Chains chains_;
    const Labels labels_;
    const Falsified falsified_;
    Rows<int32_t> achieving_;  // atom -> actions that can be reached
    std::unordered_set<LabelEntry> known_;

    template <class Use>
    void for_all_effects(const Use &use) const {
        for (int action = 0; action < achievers_.goal; ++action) {
            if (!labels_.reached(action)) continue;
            for (int atom : achievers_.facts[action]) use(action, atom);
            for (int atom : achievers_.raised[action]) use(action, atom);
        }
    }

    void index_achievers() {
        std::vector<int32_t> start(task_.atoms() + 1, 0);
        for_all_effects([&](int, int atom) { ++start[atom + 1]; });
        for (int atom = 0; atom < task_.atoms(); ++atom) start[atom + 1] += start[atom];
        std::vector<int32_t> next(start.begin(), start.end() - 1), actions(start.back());
        for_all_effects([&](int action, int atom) { actions[next[atom]++] = action; });
        achieving_ = {std::move(start), std::move(actions)};
    }

    void add(int atom) {
        if (found_.atoms.size() >= Landmarks::MOST_LANDMARKS) return;
        if (labels_.initial(atom) && !falsified_.can_be(atom)) return;
        if (!known_.insert(chains_.entry(atom)).second) return;
        found_.atoms.push_back(atom);
        found_.disjunctive |= atom >= task_.first_disjunction();
    }

    /* What all achievers of an atom need. */
    void direct_needs(int atom, Label &needs) const {
        needs.clear();
        const auto actions = achieving_[atom];
        Label precondition;
        for (size_t i = 0; i < actions.size() && (i == 0 || !needs.empty()); ++i) {
            chains_.label(achievers_.preconditions[actions[i]], precondition);
            if (i == 0)
                needs = precondition;
            else
                intersect(needs, precondition);
        }
    }

    void order() {
        std::unordered_map<uint32_t, std::vector<int32_t>> of_chain;
        for (size_t i = 0; i < found_.atoms.size(); ++i)
            of_chain[chain_of(chains_.entry(found_.atoms[i]))].push_back(static_cast<int32_t>(i));
        std::vector<std::vector<int32_t>> needed_by(found_.atoms.size());
        Label needs;
        for (size_t i = 0; i < found_.atoms.size(); ++i) {
            if (labels_.initial(found_.atoms[i])) continue;
            direct_needs(found_.atoms[i], needs);
            for (LabelEntry entry : needs)
                for (int other : of_chain[chain_of(entry)])
                    if (other != static_cast<int>(i) && chains_.entry(found_.atoms[other]) >= entry)
                        needed_by[other].push_back(static_cast<int32_t>(i));
        }
        found_.needed_by = Rows<int32_t>::from(needed_by);
    }

    void order_goals() {
        GoalOrders orders(achievers_, achieving_, std::span(found_.atoms).first(found_.goals));
        found_.better_after = Rows<int32_t>::from(orders.before);
        found_.goal_sequence = std::move(orders.sequence);
        found_.groups = Rows<int32_t>::from(orders.groups().groups());
        found_.groups_of = Rows<int32_t>::from(orders.groups().of_facts());
    }

    void list_needs() {
        Label needs;
        std::vector<int32_t> atoms;
        for (int atom = 0; atom < task_.atoms(); ++atom) {
            direct_needs(atom, needs);
            atoms.clear();
            for (LabelEntry entry : needs) atoms.push_back(chains_.atom(entry));
            found_.needs.push_back(atoms);
        }
    }

    /* Calls `use` with every landmark, an action that achieves it, and the facts which that needs. */
    template <class Use>
    void for_all_achievers(const Use &use) const {
        std::vector<int32_t> facts;
        for (size_t i = 0; i < found_.atoms.size(); ++i)
            for (int action : achieving_[found_.atoms[i]]) {
                facts.clear();
                for (int atom : achievers_.preconditions[action])
                    if (task_.is_fact(atom) && atom % 2 == 0) facts.push_back(atom / 2);
                use(static_cast<int32_t>(i), action, facts);
            }
    }

    /* By the fact that the fewest need: most of them then need not be looked at in a state. */
    void list_achievers() {
        std::vector<Landmarks::Achiever> origin;  // actions come in the order of operators and their effects
        for (size_t o = 0; o < task_.operators.size(); ++o)
            for (const Block &block : task_.operators[o].blocks)
                origin.push_back({0, static_cast<int32_t>(o), block.condition});
        std::vector<int32_t> uses(task_.facts);
        for_all_achievers([&](int32_t, int, const std::vector<int32_t> &facts) {
            for (int fact : facts) ++uses[fact];
        });
        std::vector<std::vector<Landmarks::Achiever>> lists(task_.facts + 1);
        for_all_achievers([&](int32_t landmark, int action, const std::vector<int32_t> &facts) {
            if (action >= static_cast<int>(origin.size())) return;  // a part of a disjunction
            const auto rarest =
                std::min_element(facts.begin(), facts.end(), [&](int a, int b) { return uses[a] < uses[b]; });
            const auto &[none, op, condition] = origin[action];
            lists[rarest == facts.end() ? task_.facts : *rarest].push_back({landmark, op, condition});
        });
        found_.achievers = Rows<Landmarks::Achiever>::from(lists);
    }
};

}  // namespace

Landmarks::Landmarks(const Task &t, size_t most_work) : task(t) { Finder(*this, most_work).find(); }

}  // namespace numbat
