#include "requirement.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace numbat {

namespace {

constexpr size_t MOST_CONSTRAINTS = 2000;

bool has(const std::vector<uint64_t> &bits, int f) { return bits[f >> 6] >> (f & 63) & 1; }
void set(std::vector<uint64_t> &bits, int f) { bits[f >> 6] |= uint64_t{1} << (f & 63); }
void clear(std::vector<uint64_t> &bits, int f) { bits[f >> 6] &= ~(uint64_t{1} << (f & 63)); }

bool contains(const std::vector<int32_t> &sorted, int item) {
    return std::binary_search(sorted.begin(), sorted.end(), item);
}

void sort_unique(std::vector<int32_t> &list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
}

Terms terms_of(const Linear &linear) {
    Terms terms;
    for (const LinearTerm &term : linear.terms)
        terms.push_back({term.variable, static_cast<int64_t>(term.coefficient)});
    return terms;
}

/* The terms with these coefficients; false if they are too large. */
bool collect(const std::map<int32_t, Whole> &coefficients, Terms &terms) {
    terms.clear();
    Whole sum = 0;
    for (const auto &[variable, coefficient] : coefficients) {
        if (coefficient == 0) continue;
        sum += coefficient < 0 ? -coefficient : coefficient;
        if (sum >= LARGEST_FORM_WEIGHT) return false;
        terms.push_back({variable, static_cast<int64_t>(coefficient)});
    }
    return true;
}

/* Requires sum of terms >= least. */
void insert(Requirement &requirement, Terms terms, Whole least) {
    if (terms.empty()) {
        requirement.impossible |= least > 0;
        return;
    }
    int64_t divisor = 0;
    for (const Term &term : terms) divisor = std::gcd(divisor, term.coefficient);
    for (Term &term : terms) term.coefficient /= divisor;
    least = least / divisor + (least > 0 && least % divisor != 0);
    if (!fits_64_bits(least) || weight(terms) >= LARGEST_FORM_WEIGHT) {
        requirement.exact = false;
        return;
    }
    auto &list = requirement.constraints;
    const auto place = std::lower_bound(list.begin(), list.end(), terms,
                                        [](const Constraint &c, const Terms &t) { return c.terms < t; });
    if (place != list.end() && place->terms == terms)
        place->least = std::max(place->least, static_cast<int64_t>(least));
    else if (list.size() < MOST_CONSTRAINTS)
        list.insert(place, {std::move(terms), static_cast<int64_t>(least)});
    else
        requirement.exact = false;
}

}  // namespace

bool Requirement::holds_in(const Task &task, const State &state) const {
    if (impossible) return false;
    for (size_t i = 0; i < must.size(); ++i)
        if ((state.facts[i] & must[i]) != must[i] || (state.facts[i] & must_not[i])) return false;
    for (const Constraint &c : constraints)
        if (value(task, c.terms, state) < c.least) return false;
    return true;
}

uint64_t Requirement::fingerprint() const {
    uint64_t h = 0x9e3779b97f4a7c15u;
    auto mix = [&](uint64_t word) {
        h = (h ^ word) * 0xff51afd7ed558ccdu;
        h ^= h >> 32;
    };
    for (uint64_t word : must) mix(word);
    for (uint64_t word : must_not) mix(word);
    for (const Constraint &c : constraints) {
        for (const Term &term : c.terms) {
            mix(static_cast<uint64_t>(term.variable));
            mix(static_cast<uint64_t>(term.coefficient));
        }
        mix(static_cast<uint64_t>(c.least));
    }
    for (const Term &term : cost.terms) {
        mix(static_cast<uint64_t>(term.variable));
        mix(static_cast<uint64_t>(term.coefficient));
    }
    mix(exact ? 0 : static_cast<uint64_t>(steps) + 1);
    return h;
}

const Regression::Image &Regression::image(int op) const {
    const auto found = images_.find(op);
    if (found != images_.end()) return found->second;
    return images_.emplace(op, make_image(task_.operators[op])).first->second;
}

Regression::Image Regression::make_image(const Operator &op) const {
    Image image;
    std::vector<int32_t> deletes, uncertain;
    for (const Block &block : op.blocks) {
        auto &added = block.condition == 0 ? image.adds : uncertain;
        auto &deleted = block.condition == 0 ? deletes : uncertain;
        added.insert(added.end(), block.adds.begin(), block.adds.end());
        deleted.insert(deleted.end(), block.deletes.begin(), block.deletes.end());
    }
    sort_unique(image.adds);
    sort_unique(uncertain);
    sort_unique(deletes);
    for (int f : uncertain)
        if (!contains(image.adds, f)) image.uncertain_facts.push_back(f);
    for (int f : deletes)
        if (!contains(image.adds, f) && !contains(uncertain, f)) image.deletes.push_back(f);
    add_changes(op, image);
    return image;
}

/* Effects on one variable add up if all of them are increases; others may not agree, and then there is no successor. */
void Regression::add_changes(const Operator &op, Image &image) const {
    struct Total {
        int assignments = 0, increases = 0;
        bool uncertain = false;
        std::map<int32_t, Whole> coefficients;
        Whole constant = 0;
    };
    std::map<int32_t, Total> totals;
    for (const Block &block : op.blocks)
        for (const auto &[variable, assign, amount] : block.numeric) {
            Total &total = totals[variable];
            ++(assign ? total.assignments : total.increases);
            total.uncertain |= block.condition != 0;
            for (const Term &term : terms_of(amount)) total.coefficients[term.variable] += term.coefficient;
            total.constant += amount.whole;
        }
    for (auto &[variable, total] : totals) {
        const bool may_clash = total.assignments > 1 || (total.assignments == 1 && total.increases > 0);
        image.certain &= !may_clash;
        Change change{variable, total.assignments > 0, {}};
        if (may_clash || total.uncertain || !fits_64_bits(total.constant) ||
            !collect(total.coefficients, change.amount.terms)) {
            image.uncertain_variables.push_back(variable);
            continue;
        }
        change.amount.constant = static_cast<int64_t>(total.constant);
        image.changes.push_back(std::move(change));
    }
}

/* Puts the effects' forms into a form over the state after them. What was added to its constant is in `constant`. */
Regression::Replaced Regression::replace(const Image &image, Terms &terms, Whole &constant) const {
    bool reshaped = false, touched = false;
    auto change_of = [&](int variable) -> const Change * {
        for (const Change &change : image.changes)
            if (change.variable == variable) return &change;
        return nullptr;
    };
    for (const Term &term : terms) {
        if (contains(image.uncertain_variables, term.variable)) return Replaced::unknown;
        const Change *change = change_of(term.variable);
        if (!change) continue;
        touched = true;
        reshaped |= change->assign || !change->amount.terms.empty();
        constant += static_cast<Whole>(term.coefficient) * change->amount.constant;
    }
    if (!reshaped) return touched ? Replaced::shifted : Replaced::untouched;
    std::map<int32_t, Whole> coefficients;
    for (const Term &term : terms) {
        const Change *change = change_of(term.variable);
        if (!change || !change->assign) coefficients[term.variable] += term.coefficient;
        if (!change) continue;
        for (const Term &part : change->amount.terms)
            coefficients[part.variable] += static_cast<Whole>(term.coefficient) * part.coefficient;
    }
    return collect(coefficients, terms) ? Replaced::reshaped : Replaced::unknown;
}

void Regression::regress_facts(const Image &image, Requirement &r) const {
    for (int f : image.adds) {
        r.impossible |= has(r.must_not, f);
        clear(r.must, f);
    }
    for (int f : image.deletes) {
        r.impossible |= has(r.must, f);
        clear(r.must_not, f);
    }
    for (int f : image.uncertain_facts) {
        r.exact &= !has(r.must, f) && !has(r.must_not, f);
        clear(r.must, f);
        clear(r.must_not, f);
    }
}

void Regression::regress_constraints(const Image &image, Requirement &r) const {
    if (image.changes.empty() && image.uncertain_variables.empty()) return;
    std::vector<std::pair<Terms, Whole>> moved;
    auto stays = r.constraints.begin();
    for (auto c = r.constraints.begin(); c != r.constraints.end(); ++c) {
        Whole constant = 0;
        const Replaced replaced = replace(image, c->terms, constant);
        const Whole least = c->least - constant;
        if (replaced == Replaced::reshaped) {
            moved.emplace_back(std::move(c->terms), least);
        } else if (replaced == Replaced::unknown || !fits_64_bits(least)) {
            r.exact = false;
        } else {
            c->least = static_cast<int64_t>(least);
            if (stays != c) *stays = std::move(*c);
            ++stays;
        }
    }
    r.constraints.erase(stays, r.constraints.end());
    for (auto &[terms, least] : moved) insert(r, std::move(terms), least);
}

void Regression::regress_cost(int op, const Image &image, Requirement &r) const {
    ++r.steps;
    if (!r.exact) return;  // nobody asks for it
    Whole constant = r.cost.constant;
    const Form &own = prices_.forms[op];
    constant += own.constant;
    bool known = r.cost.terms.empty() || replace(image, r.cost.terms, constant) != Replaced::unknown;
    if (known && !own.terms.empty()) {
        std::map<int32_t, Whole> sum;
        for (const Terms *terms : {static_cast<const Terms *>(&r.cost.terms), &own.terms})
            for (const Term &term : *terms) sum[term.variable] += term.coefficient;
        known = collect(sum, r.cost.terms);
    }
    r.exact = known && fits_64_bits(constant);
    r.cost.constant = static_cast<int64_t>(constant);
}

void Regression::require_condition(const Condition &condition, Requirement &r) const {
    insert(r, terms_of(condition.expression), Whole{condition.strict} - condition.expression.whole);
}

void Regression::require(int conjunction, Requirement &r) const {
    for (int atom : task_.conjunctions[conjunction]) {
        if (task_.is_fact(atom)) {
            const int f = atom >> 1;
            set(atom & 1 ? r.must_not : r.must, f);
            r.impossible |= has(r.must, f) && has(r.must_not, f);
        } else if (task_.is_condition(atom)) {
            require_condition(task_.condition(atom), r);
        } else {
            r.exact = false;
        }
    }
}

Requirement Regression::goal() const {
    Requirement r;
    r.must.assign(task_.initial.facts.size(), 0);
    r.must_not = r.must;
    r.exact = task_.exact();
    if (r.exact) require(task_.goal, r);
    return r;
}

void Regression::step_back(int op, Requirement &r) const {
    if (!task_.exact()) {
        ++r.steps;
        return;
    }
    const Image &seen = image(op);
    regress_facts(seen, r);
    regress_constraints(seen, r);
    r.exact &= seen.certain;
    regress_cost(op, seen, r);
    require(task_.operators[op].precondition, r);
}

}  // namespace numbat
