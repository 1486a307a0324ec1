#include "reachability.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace numbat {

namespace {

void require(bool truth, const char *what) {
    if (!truth) throw std::invalid_argument(std::string("rules: ") + what);
}

bool is_bound(int32_t term, const std::vector<bool> &bound) { return term >= 0 || bound[-1 - term]; }

/* Sorts rows of `width` entries below `radix`, by one number per row where that fits. */
void sort_rows(std::vector<int32_t> &rows, size_t width, uint64_t radix) {
    if (width == 0 || rows.empty()) return;
    const size_t count = rows.size() / width;
    uint64_t codes = 1;
    bool fits = true;
    for (size_t i = 0; i < width; ++i) fits &= !__builtin_mul_overflow(codes, radix, &codes);
    if (fits) {
        std::vector<uint64_t> packed(count);
        for (size_t row = 0; row < count; ++row)
            for (size_t i = 0; i < width; ++i) packed[row] = packed[row] * radix + rows[row * width + i];
        std::sort(packed.begin(), packed.end());
        for (size_t row = 0; row < count; ++row)
            for (size_t i = width; i-- > 0; packed[row] /= radix)
                rows[row * width + i] = static_cast<int32_t>(packed[row] % radix);
        return;
    }
    auto tuple = [&](size_t row) { return Tuple(rows.data() + row * width, width); };
    std::vector<size_t> order(count);
    for (size_t row = 0; row < count; ++row) order[row] = row;
    std::sort(order.begin(), order.end(),
              [&](size_t a, size_t b) { return std::ranges::lexicographical_compare(tuple(a), tuple(b)); });
    std::vector<int32_t> sorted;
    sorted.reserve(rows.size());
    for (size_t row : order) sorted.insert(sorted.end(), tuple(row).begin(), tuple(row).end());
    rows = std::move(sorted);
}

}  // namespace

void Program::check() const {
    require(grows.size() == relations.size(), "as many flags as relations");
    auto in_range = [&](int32_t term, size_t variables) {
        return term < objects && term >= -static_cast<int64_t>(variables);
    };
    for (const auto &domain : domains)
        for (int32_t object : domain) require(object >= 0 && object < objects, "object out of range");
    for (const Relation &relation : relations)
        for (int row = 0; row < relation.size(); ++row)
            for (int32_t object : relation.tuple(row)) require(object >= 0 && object < objects, "object out of range");
    for (const Rule &rule : rules) {
        for (int domain : rule.domains)
            require(domain >= 0 && domain < static_cast<int>(domains.size()), "domain out of range");
        for (const auto *atoms : {&rule.body, &rule.absent, &rule.heads})
            for (const RuleAtom &atom : *atoms) {
                require(atom.relation >= 0 && atom.relation < static_cast<int>(relations.size()),
                        "relation out of range");
                require(static_cast<int>(atom.terms.size()) == relations[atom.relation].arity(), "wrong arity");
                for (int32_t term : atom.terms) require(in_range(term, rule.domains.size()), "term out of range");
            }
        for (const RuleAtom &atom : rule.absent) require(!grows[atom.relation], "what is absent must not grow");
        for (const RuleAtom &atom : rule.heads) require(grows[atom.relation], "what follows must be able to grow");
        for (const auto *pairs : {&rule.equal, &rule.unequal})
            for (auto [a, b] : *pairs)
                require(in_range(a, rule.domains.size()) && in_range(b, rule.domains.size()), "term out of range");
    }
}

/* A condition on variables that are bound by now. */
struct Reachability::Test {
    enum Kind { equal, unequal, absent } kind;
    int32_t left = 0, right = 0;
    const RuleAtom *atom = nullptr;
};

/* One loop of a join: over the rows of an atom that fit what is bound, or over a variable's domain. */
struct Reachability::Step {
    int relation = -1;             // -1: the domain of `variable`
    const Index *index = nullptr;  // none: all rows, or the single one if all positions are bound
    bool only_older = false;       // not the tuple that is being taken up
    std::vector<int32_t> key;      // terms at the bound positions
    struct Position {
        int position, variable;
        bool repeated;  // bound by an earlier position of the same atom
    };
    std::vector<Position> binds;
    int variable = 0;
    std::vector<Test> tests;  // once this step is done
    double instances = 0;     // that there will be, where that is known before this step
};

struct Reachability::Plan {
    int rule;
    std::vector<Step> steps;  // the first one is for the tuple that is being taken up, if there is one
};

Reachability::~Reachability() = default;

Reachability::Reachability(Program program, std::function<void()> pulse)
    : program_(std::move(program)), pulse_(std::move(pulse)), left_(program_.most) {
    program_.check();
    const size_t relations = program_.relations.size();
    for (const auto &domain : program_.domains) {
        members_.emplace_back(program_.objects, false);
        for (int32_t object : domain) members_.back()[object] = true;
    }
    taken_.assign(relations, 0);
    indices_.resize(relations);
    plans_.resize(relations);
    rows_.resize(program_.rules.size());
    counts_.assign(program_.rules.size(), 0);
    for (size_t r = 0; r < relations; ++r)
        if (!program_.grows[r]) taken_[r] = program_.relations[r].size();
    std::vector<Plan> at_once;
    for (int rule = 0; rule < static_cast<int>(program_.rules.size()); ++rule) {
        const auto &body = program_.rules[rule].body;
        bool waits = false;
        for (int atom = 0; atom < static_cast<int>(body.size()); ++atom) {
            if (!program_.grows[body[atom].relation]) continue;
            plans_[body[atom].relation].push_back(make_plan(rule, atom));
            waits = true;
        }
        if (!waits) at_once.push_back(make_plan(rule, -1));
    }
    for (const Plan &plan : at_once) {
        binding_.assign(program_.rules[plan.rule].domains.size(), 0);
        extend(plan, 0);
    }
    auto open = [&](size_t r) { return taken_[r] < program_.relations[r].size(); };
    for (bool more = true; more;) {
        more = false;
        for (size_t r = 0; r < relations; ++r)
            for (; open(r); more = true) take_up(static_cast<int>(r));
    }
}

std::vector<int32_t> Reachability::take_rows(int rule) {
    std::vector<int32_t> rows = std::move(rows_[rule]);
    sort_rows(rows, program_.rules[rule].domains.size(), std::max(program_.objects, 1));
    return rows;
}

/* --- plans --- */

Index &Reachability::index(int relation, const std::vector<int> &positions) {
    for (auto &known : indices_[relation])
        if (known->positions() == positions) return *known;
    indices_[relation].push_back(std::make_unique<Index>(program_.relations[relation], positions));
    Index &made = *indices_[relation].back();
    for (int row = 0; row < taken_[relation]; ++row) made.add(row);
    return made;
}

/* How many rows fit: for a relation that never grows their average, else as many as the domains allow. */
double Reachability::estimate(int rule, int atom, const std::vector<bool> &bound) {
    const auto &[relation, terms] = program_.rules[rule].body[atom];
    std::vector<int> positions;
    double most = 1;
    for (int i = 0; i < static_cast<int>(terms.size()); ++i) {
        if (is_bound(terms[i], bound))
            positions.push_back(i);
        else
            most *= static_cast<double>(program_.domains[program_.rules[rule].domains[-1 - terms[i]]].size());
    }
    if (positions.size() == terms.size()) return 0;
    if (program_.grows[relation]) return most;
    const double size = program_.relations[relation].size();
    return positions.empty() ? size : size / std::max(1, index(relation, positions).keys());
}

Reachability::Step Reachability::match_step(int rule, int atom, bool only_older, std::vector<bool> &bound) {
    const auto &[relation, terms] = program_.rules[rule].body[atom];
    Step step;
    step.relation = relation;
    step.only_older = only_older;
    std::vector<int> positions;
    const std::vector<bool> before = bound;
    for (int i = 0; i < static_cast<int>(terms.size()); ++i) {
        if (is_bound(terms[i], before)) {
            positions.push_back(i);
            step.key.push_back(terms[i]);
        } else {
            const int variable = -1 - terms[i];
            step.binds.push_back({i, variable, bound[variable]});
            bound[variable] = true;
        }
    }
    if (!positions.empty() && positions.size() < terms.size()) step.index = &index(relation, positions);
    return step;
}

void Reachability::add_tests(int rule, std::vector<bool> &tested, const std::vector<bool> &bound, Step &step) const {
    const Rule &own = program_.rules[rule];
    size_t number = 0;
    auto consider = [&](bool ready, Test test) {
        if (ready && !tested[number]) {
            tested[number] = true;
            step.tests.push_back(test);
        }
        ++number;
    };
    for (auto [a, b] : own.equal) consider(is_bound(a, bound) && is_bound(b, bound), {Test::equal, a, b});
    for (auto [a, b] : own.unequal) consider(is_bound(a, bound) && is_bound(b, bound), {Test::unequal, a, b});
    for (const RuleAtom &atom : own.absent)
        consider(std::all_of(atom.terms.begin(), atom.terms.end(), [&](int32_t t) { return is_bound(t, bound); }),
                 {Test::absent, 0, 0, &atom});
}

/* `first` is the place of the tuple that is being taken up, or -1. */
Reachability::Plan Reachability::make_plan(int rule, int first) {
    const Rule &own = program_.rules[rule];
    Plan plan{rule, {}};
    std::vector<bool> bound(own.domains.size(), false), done(own.body.size(), false);
    std::vector<bool> tested(own.equal.size() + own.unequal.size() + own.absent.size(), false);
    auto append = [&](Step step) {
        add_tests(rule, tested, bound, step);
        plan.steps.push_back(std::move(step));
    };
    auto place = [&](int atom) {
        done[atom] = true;
        const bool same = first >= 0 && own.body[atom].relation == own.body[first].relation;
        append(match_step(rule, atom, same && atom < first, bound));
    };
    if (first >= 0) {
        // no position is bound yet; constants are tested as a key
        place(first);
        plan.steps.front().index = nullptr;
    }
    for (;;) {
        int best = -1;
        double least = 0;
        for (int atom = 0; atom < static_cast<int>(own.body.size()); ++atom) {
            if (done[atom]) continue;
            const double size = estimate(rule, atom, bound);
            if (best < 0 || size < least) best = atom, least = size;
        }
        if (best < 0) break;
        place(best);
    }
    for (int variable = 0; variable < static_cast<int>(own.domains.size()); ++variable) {
        if (bound[variable]) continue;
        bound[variable] = true;
        Step step;
        step.variable = variable;
        append(std::move(step));
    }
    double instances = 1;
    for (auto step = plan.steps.rbegin(); step != plan.steps.rend(); ++step) {
        if (step->relation >= 0 || !step->tests.empty()) break;
        step->instances = instances *= static_cast<double>(program_.domains[own.domains[step->variable]].size());
    }
    if (plan.steps.empty()) append(Step{-2, nullptr, false, {}, {}, 0, {}, 0});
    return plan;
}

/* --- joins --- */

void Reachability::take_up(int relation) {
    const int row = taken_[relation]++;
    for (auto &known : indices_[relation]) known->add(row);
    take(relation, row);
}

void Reachability::take(int relation, int row) {
    for (const Plan &plan : plans_[relation]) {
        const Step &step = plan.steps.front();
        binding_.assign(program_.rules[plan.rule].domains.size(), 0);
        const Tuple tuple = program_.relations[relation].tuple(row);
        // the constants of this atom stand in its key, in the order of their positions
        bool fits = true;
        size_t constant = 0, next = 0;
        for (int i = 0; i < static_cast<int>(tuple.size()) && fits; ++i) {
            if (next < step.binds.size() && step.binds[next].position == i)
                ++next;
            else
                fits = tuple[i] == step.key[constant++];
        }
        if (fits && bind(plan, step, row)) extend(plan, 1);
    }
}

bool Reachability::bind(const Plan &plan, const Step &step, int row) {
    const std::vector<int> &domains = program_.rules[plan.rule].domains;
    const Tuple tuple = program_.relations[step.relation].tuple(row);
    for (const auto &[position, variable, repeated] : step.binds) {
        const int32_t object = tuple[position];
        if (repeated ? binding_[variable] != object : !members_[domains[variable]][object]) return false;
        binding_[variable] = object;
    }
    return passes(step);
}

bool Reachability::passes(const Step &step) {
    for (const Test &test : step.tests) {
        if (test.kind == Test::absent) {
            tuple_.clear();
            for (int32_t term : test.atom->terms) tuple_.push_back(value(term));
            if (program_.relations[test.atom->relation].find(tuple_) != NO_ROW) return false;
        } else if ((value(test.left) == value(test.right)) != (test.kind == Test::equal)) {
            return false;
        }
    }
    return true;
}

void Reachability::extend(const Plan &plan, size_t depth) {
    beat();
    if (depth == plan.steps.size()) return found(plan.rule);
    const Step &step = plan.steps[depth];
    if (step.relation >= 0) return match(plan, depth);
    if (step.relation == -2) {
        if (passes(step)) extend(plan, depth + 1);
        return;
    }
    if (step.instances > static_cast<double>(left_)) throw TooManyInstances(plan.rule);
    for (int32_t object : program_.domains[program_.rules[plan.rule].domains[step.variable]]) {
        binding_[step.variable] = object;
        if (passes(step)) extend(plan, depth + 1);
    }
}

void Reachability::match(const Plan &plan, size_t depth) {
    const Step &step = plan.steps[depth];
    const int newest = taken_[step.relation] - 1;
    auto take_row = [&](int row) {
        beat();
        if ((!step.only_older || row != newest) && bind(plan, step, row)) extend(plan, depth + 1);
    };
    std::vector<int32_t> &key = tuple_;
    key.clear();
    for (int32_t term : step.key) key.push_back(value(term));
    if (step.index != nullptr) {
        for (int row = step.index->last(key); row != NO_ROW; row = step.index->before(row)) take_row(row);
    } else if (step.binds.empty()) {
        const int row = program_.relations[step.relation].find(key);
        if (row != NO_ROW && row <= newest) take_row(row);
    } else {
        for (int row = 0; row <= newest; ++row) take_row(row);
    }
}

void Reachability::found(int rule) {
    if (--left_ < 0) throw TooManyInstances(rule);
    ++counts_[rule];
    rows_[rule].insert(rows_[rule].end(), binding_.begin(), binding_.end());
    for (const RuleAtom &head : program_.rules[rule].heads) {
        tuple_.clear();
        for (int32_t term : head.terms) tuple_.push_back(value(term));
        program_.relations[head.relation].insert(tuple_);
    }
}

}  // namespace numbat
