#include "landmark_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace numbat {

namespace {

// Of all programmes, in multiplications, of one, and of its table, in entries.
constexpr size_t WORK = 1'000'000'000;
constexpr size_t WORK_OF_ONE = 20'000'000;
constexpr size_t LARGEST_TABLE = 500'000;
constexpr size_t MOST_OPERATORS = 20'000;
constexpr size_t MOST_ACHIEVERS = 64;
constexpr size_t MOST_GAINS = 20'000'000;
// After so many states one in fifty must have had a larger value, and one in ten old facts.
constexpr size_t TRIAL = 20'000;
// A set of facts is given new weights when it has been met so many times, and so many times as often, so many times.
constexpr size_t AGAIN = 16;
constexpr size_t MOST_FUNCTIONS = 4;
constexpr double ROUNDING = 1e-9;

bool contains(std::span<const int32_t> atoms, int atom) {
    return std::find(atoms.begin(), atoms.end(), atom) != atoms.end();
}

}  // namespace

size_t LandmarkWeights::Hash::operator()(const std::vector<uint64_t> &facts) const {
    uint64_t h = 0x9e3779b97f4a7c15u;
    for (uint64_t word : facts) {
        h = (h ^ word) * 0xff51afd7ed558ccdu;
        h ^= h >> 32;
    }
    return h;
}

LandmarkWeights::LandmarkWeights(const Achievers &achievers) : t_(achievers), work_(WORK) {
    const Task &task = t_.task;
    if (!task.exact() || task.integer_costs.empty() || task.operators.size() > MOST_OPERATORS) return;
    conditions_ = task.conditions;
    achievers_.resize(task.atoms());
    operator_cost_.resize(task.operators.size());
    for (int action = 0; action < t_.goal; ++action) {
        if (t_.op[action] < 0) continue;
        operator_cost_[t_.op[action]] = t_.cost[action];
        for (int atom : t_.facts[action]) achievers_[atom].push_back(action);
    }
    collect_gains();
    collect_final();
    // without numbers there is nothing here that cuts do not find
    on_ = std::any_of(limited_.begin(), limited_.end(), [](uint8_t limited) { return limited; });
}

void LandmarkWeights::collect_gains() {
    const Task &task = t_.task;
    std::vector<std::map<int32_t, double>> gains(task.conditions.size());
    for (int action = 0; action < t_.goal; ++action)
        for (size_t i = 0; i < t_.raised[action].size(); ++i)
            gains[t_.raised[action][i] - task.first_condition()][t_.op[action]] = t_.gains[action][i];
    for (const auto &of_condition : gains) {
        gains_.emplace_back(of_condition.begin(), of_condition.end());
        limited_.push_back(!of_condition.empty() &&
                           std::all_of(of_condition.begin(), of_condition.end(), [&](auto &gain) {
                               return std::isfinite(gain.second) && operator_cost_[gain.first] > 0;
                           }));
    }
}

/* What operators add to an expression, or take, at most; nothing if there is no limit. */
std::optional<LandmarkWeights::Gains> LandmarkWeights::signed_gains(const Linear &expression) const {
    Gains gains;
    for (size_t o = 0; o < t_.task.operators.size(); ++o) {
        const std::vector<Block> &blocks = t_.task.operators[o].blocks;
        double sum = 0;
        for (size_t b = 0; b < blocks.size(); ++b) {
            const std::optional<Whole> most = t_.ranges.most(blocks[b], expression);
            if (!most) return std::nullopt;
            const bool certain = b == 0 && blocks[b].condition == 0;
            sum += certain ? nearest(*most) : std::max(0.0, nearest(*most));
        }
        if (sum != 0) gains.emplace_back(static_cast<int32_t>(o), sum);
    }
    return gains;
}

void LandmarkWeights::collect_final() {
    const Task &task = t_.task;
    auto add = [&](Landmark::Kind kind, int condition) {
        auto gains = signed_gains(conditions_[condition].expression);
        if (gains) final_.emplace_back(Landmark{kind, -1, {{condition, 1}}}, std::move(*gains));
    };
    for (int atom : task.conjunctions[task.goal])
        if (task.is_condition(atom) && limited_[atom - task.first_condition()])
            add(Landmark::Kind::final, atom - task.first_condition());
    const std::vector<Condition> bounds = Ranges(task, Ranges::Of::all).bounds();
    if (bounds.size() * task.operators.size() > MOST_GAINS) return;
    for (const Condition &bound : bounds) {
        conditions_.push_back(bound);
        add(Landmark::Kind::bound, static_cast<int>(conditions_.size()) - 1);
    }
}

double LandmarkWeights::need(int condition, const State &state) const {
    const Condition &wanted = conditions_[condition];
    return (wanted.strict ? 1 : 0) - t_.task.value(wanted.expression, state);
}

double LandmarkWeights::value(const Landmark &landmark, const State &state) const {
    if (landmark.kind == Landmark::Kind::fact) return 1;
    double least = std::numeric_limits<double>::infinity();
    for (const Part &part : landmark.parts) least = std::min(least, need(part.condition, state) * part.per_unit);
    if (landmark.kind == Landmark::Kind::bound) return std::min(0.0, least);
    return landmark.kind == Landmark::Kind::final ? least : std::max(0.0, least);
}

/* Less what rounding may have added. */
double LandmarkWeights::value(const Function &function, const State &state) const {
    double sum = function.constant, size = function.constant;
    for (const auto &[weight, landmark] : function.landmarks) {
        const double part = weight * value(landmark, state);
        sum += part;
        size += std::abs(part);
    }
    return sum - ROUNDING * size;
}

std::vector<int32_t> LandmarkWeights::common_precondition(int atom) const {
    std::vector<int32_t> common;
    if (achievers_[atom].empty()) return common;
    for (int needed : t_.preconditions[achievers_[atom][0]])
        if (std::all_of(achievers_[atom].begin(), achievers_[atom].end(),
                        [&](int action) { return contains(t_.preconditions[action], needed); }))
            common.push_back(needed);
    return common;
}

/* One condition for each achiever: the one that is costliest to satisfy. */
std::optional<LandmarkWeights::Landmark> LandmarkWeights::ways(int atom, const State &state) const {
    const auto &achievers = achievers_[atom];
    if (achievers.size() < 2 || achievers.size() > MOST_ACHIEVERS) return std::nullopt;
    Landmark landmark{Landmark::Kind::ways, atom, {}};
    for (int action : achievers) {
        int best = -1;
        double costliest = 0;
        for (int needed : t_.preconditions[action]) {
            const int condition = needed - t_.task.first_condition();
            if (!t_.task.is_condition(needed) || !limited_[condition]) continue;
            const double price = need(condition, state) > 0 ? t_.cheapest_raise(condition, need(condition, state)) : 0;
            if (price <= costliest) continue;
            best = condition;
            costliest = price;
        }
        if (best < 0) return std::nullopt;
        landmark.parts.push_back({best, 1 / need(best, state)});
    }
    return landmark;
}

std::vector<LandmarkWeights::Landmark> LandmarkWeights::landmarks(const State &state) const {
    const Task &task = t_.task;
    std::vector<Landmark> found;
    std::vector<int32_t> atoms;
    auto add = [&](int atom) {
        if (!contains(atoms, atom)) atoms.push_back(atom);
    };
    for (int atom : task.conjunctions[task.goal]) add(atom);
    for (size_t i = 0; i < atoms.size(); ++i) {
        const int atom = atoms[i];
        if (task.is_condition(atom)) {
            const int condition = atom - task.first_condition();
            if (limited_[condition]) found.push_back({Landmark::Kind::condition, atom, {{condition, 1}}});
        } else if (task.is_fact(atom) && !task.holds(atom, state)) {
            found.push_back({Landmark::Kind::fact, atom, {}});
            if (auto several = ways(atom, state)) found.push_back(std::move(*several));
            for (int needed : common_precondition(atom)) add(needed);
        }
    }
    return found;
}

/* What each operator contributes to a landmark. */
LandmarkWeights::Gains LandmarkWeights::coefficients(const Landmark &landmark) const {
    std::map<int32_t, double> most;
    if (landmark.kind == Landmark::Kind::fact)
        for (int action : achievers_[landmark.atom]) most[t_.op[action]] = 1;
    for (const auto &[condition, per_unit] : landmark.parts)
        for (auto [op, gain] : gains_[condition]) most[op] = std::max(most[op], gain * per_unit);
    return {most.begin(), most.end()};
}

void LandmarkWeights::Programme::add(Landmark landmark, double worth, const Gains &gains) {
    for (auto [op, gain] : gains) row_of[op].emplace_back(static_cast<int32_t>(columns.size()), gain);
    objective.push_back(worth);
    columns.push_back(std::move(landmark));
}

LandmarkWeights::Programme LandmarkWeights::programme(const State &state) const {
    Programme programme;
    auto add = [&](Landmark landmark, const Gains &gains) {
        const double worth = value(landmark, state);
        const bool free = std::any_of(gains.begin(), gains.end(), [&](const auto &gain) {
            return gain.second > 0 && operator_cost_[gain.first] <= 0;
        });
        if (free || (!landmark.may_be_negative() && worth <= 0)) return;
        programme.add(std::move(landmark), worth, gains);
    };
    for (Landmark &landmark : landmarks(state)) {
        const Gains gains = coefficients(landmark);
        add(std::move(landmark), gains);
    }
    for (const auto &[landmark, gains] : final_) add(landmark, gains);
    return programme;
}

/* Weights under which no operator is paid more than it costs; none if there are no good ones. */
std::vector<double> LandmarkWeights::weights(const Programme &programme) {
    std::map<Simplex::Row, double> distinct;  // of operators that do the same, the cheapest
    for (const auto &[op, row] : programme.row_of) {
        const auto place = distinct.try_emplace(row, operator_cost_[op]).first;
        place->second = std::min(place->second, operator_cost_[op]);
    }
    if (distinct.size() * programme.columns.size() > LARGEST_TABLE || work_ == 0) return {};
    std::vector<Simplex::Row> rows;
    std::vector<double> limits;
    for (const auto &[row, cost] : distinct) {
        rows.push_back(row);
        limits.push_back(cost);
    }
    Simplex simplex(static_cast<int>(programme.columns.size()), rows, limits);
    size_t left = std::min(work_, WORK_OF_ONE);
    work_ -= left;
    simplex.maximise(programme.objective, left);
    work_ += left;
    std::vector<double> weights = simplex.solution();
    for (double &weight : weights) weight = std::max(0.0, weight);
    double excess = 1;
    for (size_t r = 0; r < rows.size(); ++r) {
        double sum = 0;
        for (auto [column, coefficient] : rows[r]) sum += weights[column] * coefficient;
        if (sum > 0 && limits[r] <= 0) return {};
        if (sum > 0) excess = std::max(excess, sum / limits[r]);
    }
    for (double &weight : weights) weight /= excess * (1 + ROUNDING);
    return weights;
}

LandmarkWeights::Function LandmarkWeights::best_for(const State &state) {
    Programme made = programme(state);
    const std::vector<double> found = weights(made);
    Function function;
    for (size_t column = 0; column < found.size(); ++column) {
        if (found[column] <= 0) continue;
        if (made.columns[column].kind == Landmark::Kind::fact)
            function.constant += found[column];
        else
            function.landmarks.push_back({found[column], std::move(made.columns[column])});
    }
    return function;
}

LandmarkWeights::Place &LandmarkWeights::place_of(const State &state) {
    if (!last_ || last_facts_ != state.facts) {
        last_facts_ = state.facts;
        last_ = &places_[state.facts];
    }
    return *last_;
}

double LandmarkWeights::least_cost(const State &state, double known) {
    if (!on_) return 0;
    if (++asked_ == TRIAL && (10 * places_.size() > asked_ || 50 * larger_ < asked_)) {
        on_ = false;
        places_.clear();
        last_ = nullptr;
        return 0;
    }
    Place &place = place_of(state);
    double largest = 0;
    for (const Function &function : place.functions) largest = std::max(largest, value(function, state));
    size_t due = 1;
    for (size_t i = 0; i < place.functions.size(); ++i) due *= AGAIN;
    if (++place.met >= due && place.functions.size() < MOST_FUNCTIONS) {
        place.functions.push_back(best_for(state));
        largest = std::max(largest, value(place.functions.back(), state));
    }
    const double rounded = std::ceil(largest - 1e-6);
    larger_ += rounded > known;
    return std::max(0.0, rounded);
}

}  // namespace numbat
