#include "subgoaling_changes.h"

#include "repetitions.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace numbat {

namespace {

constexpr double UNREACHED = std::numeric_limits<double>::infinity();

/* Up to here a sum of two costs, one of them a unit, is more than either. */
constexpr double LARGEST_COST_BY_CHANGE = 0x1p50;
constexpr double LARGEST_STEP_COST = 0x1p20;
/* More than that a step need not cost: it is too large in any case, and infinity is for what cannot be reached. */
constexpr double TOO_LARGE = 0x1p1000;

/* As rows, from pairs of row and entry in any order. */
template <class T>
Rows<T> grouped(int rows, const std::vector<std::pair<int32_t, T>> &pairs) {
    std::vector<int32_t> start(rows + 1, 0);
    for (const auto &[row, entry] : pairs) ++start[row + 1];
    for (int row = 0; row < rows; ++row) start[row + 1] += start[row];
    std::vector<int32_t> next(start.begin(), start.end() - 1);
    std::vector<T> data(pairs.size());
    for (const auto &[row, entry] : pairs) data[next[row]++] = entry;
    return Rows<T>(std::move(start), std::move(data));
}

}  // namespace

bool SubgoalingChanges::possible(const SubgoalingTables &tables, const HeuristicOptions &options) {
    if (options.compat || tables.parts.size() > 0) return false;
    return std::all_of(tables.operator_cost.begin(), tables.operator_cost.end(),
                       [](double cost) { return cost >= 1 && cost <= LARGEST_STEP_COST; });
}

SubgoalingChanges::SubgoalingChanges(std::shared_ptr<const SubgoalingTables> tables, Fold fold)
    : tables_(std::move(tables)), t_(*tables_), fold_(fold), queue_(true) {
    find_ways();
    seen_in_.resize(t_.conditions.size());
}

void SubgoalingChanges::find_ways() {
    const int conditions = static_cast<int>(t_.conditions.size());
    std::vector<std::pair<int32_t, int32_t>> reads, rated;
    std::vector<std::pair<int32_t, Way>> ways;
    for (int c = 0; c < conditions; ++c)
        for (const LinearTerm &term : t_.conditions[c].condition.expression.terms) reads.push_back({term.variable, c});
    for (int unary = 0; unary < t_.achieved_at_once.size(); ++unary) {
        for (int atom : t_.achieved_at_once[unary])
            if (atom >= t_.first_condition()) ways.push_back({atom - t_.first_condition(), {unary, -1, 0}});
        for (const Achievement &a : t_.achieved_by_degrees[unary]) {
            ways.push_back({a.atom - t_.first_condition(), {unary, a.rate, a.change}});
            if (a.rate >= 0) rated.push_back({a.rate, a.atom});
        }
    }
    std::sort(rated.begin(), rated.end());
    rated.erase(std::unique(rated.begin(), rated.end()), rated.end());
    conditions_of_variable_ = grouped(t_.task.variables, reads);
    ways_ = grouped(conditions, ways);
    rated_ = grouped(conditions, rated);
}

// --- from one state to the next --------------------------------------------------------------------------------------

/* As if in a state without facts, where nothing has been reached yet. */
void SubgoalingChanges::start() {
    entry_.assign(t_.preconditions.size(), UNREACHED);
    cost_.assign(t_.atoms, UNREACHED);
    offers_.assign(t_.atoms, {UNREACHED, 0, 0, -1});
    value_.assign(t_.conditions.size(), std::numeric_limits<double>::quiet_NaN());
    need_.assign(t_.conditions.size(), 0);
    last_ = t_.task.initial;
    std::fill(last_.facts.begin(), last_.facts.end(), 0);
    for (int fact = 0; fact < t_.task.facts; ++fact) set_truth(2 * fact + 1, true);
}

void SubgoalingChanges::set_truth(int atom, bool holds) {
    if (t_.uses[atom].empty()) return;
    if (holds)
        offers_[atom] = {0, 1, 0, -1};
    else
        offers_[atom].count = 0;
    queue_.push(0, atom);
}

void SubgoalingChanges::read_facts(const State &state) {
    for (size_t word = 0; word < state.facts.size(); ++word)
        for (uint64_t bits = state.facts[word] ^ last_.facts[word]; bits; bits &= bits - 1) {
            const int fact = static_cast<int>(64 * word) + std::countr_zero(bits);
            set_truth(2 * fact, state.fact(fact));
            set_truth(2 * fact + 1, !state.fact(fact));
        }
}

/* The atoms whose offers must be computed anew are then in `outdated_`. */
void SubgoalingChanges::read_condition(int condition, const State &state) {
    const double value = t_.value(condition, state);
    if (value == value_[condition]) return;
    const auto &[form, repair, wide] = t_.conditions[condition];
    const int atom = t_.first_condition() + condition;
    const bool held = form.holds_for(value_[condition]), holds = form.holds_for(value);
    value_[condition] = value;
    if (!holds) need_[condition] = repair - value;
    if (holds != held) set_truth(atom, holds);
    if (!holds && !held) outdated_.push_back(atom);
    outdated_.insert(outdated_.end(), rated_[condition].begin(), rated_[condition].end());
}

void SubgoalingChanges::read_numbers(const State &state) {
    ++moves_;
    read_.clear();
    outdated_.clear();
    for (int variable = 0; variable < t_.task.variables; ++variable) {
        if (state.values[variable] == last_.values[variable] &&
            (!t_.task.wide() || state.whole[variable] == last_.whole[variable]))
            continue;
        for (int condition : conditions_of_variable_[variable])
            if (std::exchange(seen_in_[condition], moves_) != moves_) read_.push_back(condition);
    }
    for (int condition : read_) read_condition(condition, state);
}

bool SubgoalingChanges::move_to(const State &state) {
    work_ = 0;
    queue_.clear();
    const bool first = !known_;
    known_ = false;
    if (first) start();
    read_facts(state);
    read_numbers(state);
    if (first)
        for (int condition = 0; condition < static_cast<int>(t_.conditions.size()); ++condition)
            read_condition(condition, state);
    last_ = state;
    for (int atom : outdated_) {
        if (offers_[atom].cost == 0) continue;  // it holds, or held: its achievers are looked at in time
        look_at_achievers(atom);
        if (offers_[atom].cost != cost_[atom]) queue_.push(std::min(offers_[atom].cost, cost_[atom]), atom);
    }
    if (first)
        for (int unary = 0; unary < t_.preconditions.size(); ++unary)
            if (t_.preconditions[unary].empty()) change_entry(unary, UNREACHED, 0);
    known_ = fold_ == Fold::sum ? settle_all<Fold::sum>() : settle_all<Fold::maximum>();
    return known_;
}

template <SubgoalingChanges::Fold fold>
bool SubgoalingChanges::settle_all() {
    while (queue_.advance()) {
        const CostQueue::Entry next = queue_.pop();
        if (next.cost > LARGEST_COST_BY_CHANGE) return false;
        settle<fold>(next.atom, next.cost);
    }
    return goal_cost() <= LARGEST_COST_BY_CHANGE || goal_cost() == UNREACHED;
}

// --- atoms and actions -----------------------------------------------------------------------------------------------

/* The atom's turn has come: whatever costs less than `due` is final. */
template <SubgoalingChanges::Fold fold>
inline void SubgoalingChanges::settle(int atom, double due) {
    Offer &best = offers_[atom];
    double &cost = cost_[atom];
    const bool nobody = best.count == 0;
    if (nobody) {
        if (best.cost == cost) {
            if (cost == UNREACHED) return;
            withdraw(atom);
        }
        look_at_achievers(atom);
    }
    if (best.cost == cost) return;
    const double turn = std::min(best.cost, cost);
    if (turn > due) {  // otherwise the atom is in the queue with that turn
        if (nobody) queue_.push(turn, atom);
    } else if (best.cost < cost) {
        lower<fold>(atom);
    } else {
        withdraw(atom);
        if (best.count > 0) queue_.push(best.cost, atom);
    }
}

template <SubgoalingChanges::Fold fold>
inline double SubgoalingChanges::new_entry_cost(int unary) const {
    double entry = 0;
    for (int atom : t_.preconditions[unary]) {
        if (cost_[atom] == UNREACHED) return UNREACHED;
        entry = fold == Fold::sum ? entry + cost_[atom] : std::max(entry, cost_[atom]);
    }
    return entry;
}

template <SubgoalingChanges::Fold fold>
inline void SubgoalingChanges::lower(int atom) {
    const double before = cost_[atom];
    cost_[atom] = offers_[atom].cost;
    const auto uses = t_.uses[atom];
    work_ += uses.size();
    for (int unary : uses) {
        const double entry = entry_[unary];
        if (fold == Fold::maximum && before < entry && entry < UNREACHED) continue;
        const double lowered = new_entry_cost<fold>(unary);
        if (lowered != entry) change_entry(unary, entry, lowered);
    }
}

void SubgoalingChanges::withdraw(int atom) {
    cost_[atom] = UNREACHED;
    const auto uses = t_.uses[atom];
    work_ += uses.size();
    for (int unary : uses)
        if (entry_[unary] != UNREACHED) change_entry(unary, entry_[unary], UNREACHED);
}

inline double SubgoalingChanges::step(int condition, int rate, double change, int unary) const {
    const double repetitions = repetitions_for(need_[condition], rate < 0 ? 0 : value_[rate], change, 1);
    return std::min(repetitions * t_.unary_cost[unary], TOO_LARGE);
}

inline void SubgoalingChanges::change_entry(int unary, double before, double after) {
    entry_[unary] = after;
    const double each = t_.unary_cost[unary];
    const auto at_once = t_.achieved_at_once[unary];
    const auto by_degrees = t_.achieved_by_degrees[unary];
    work_ += at_once.size() + by_degrees.size();
    for (int atom : at_once) change_offer(atom, unary, before + each, after + each);
    for (const Achievement &a : by_degrees) {
        // a step is at least one application
        if (std::min(before, after) + each > offers_[a.atom].cost) continue;
        const double steps = step(a.atom - t_.first_condition(), a.rate, a.change, unary);
        change_offer(a.atom, unary, before + steps, after + steps);
    }
}

/* An action offers the atom at another cost than before. */
inline void SubgoalingChanges::change_offer(int atom, int unary, double before, double after) {
    Offer &best = offers_[atom];
    if (after < best.cost) {
        best = {after, 1, static_cast<uint32_t>(unary), unary};
        queue_.push(after, atom);
    } else if (after == best.cost) {
        ++best.count;
        best.all ^= static_cast<uint32_t>(unary);
        if (best.count == 1)
            best.supporter = unary;
        else if (best.supporter >= 0 && t_.unary_origin[unary] < t_.unary_origin[best.supporter])
            best.supporter = unary;
    } else if (before == best.cost) {
        --best.count;
        best.all ^= static_cast<uint32_t>(unary);
        if (best.count == 0)
            queue_.push(best.cost, atom);
        else if (best.count == 1)
            best.supporter = static_cast<int32_t>(best.all);
        else if (best.supporter == unary)
            best.supporter = -1;
    }
}

inline void SubgoalingChanges::compare(Offer &best, int unary, double cost) const {
    if (cost < best.cost) {
        best = {cost, 1, static_cast<uint32_t>(unary), unary};
    } else if (cost == best.cost && cost < UNREACHED) {
        ++best.count;
        best.all ^= static_cast<uint32_t>(unary);
        if (t_.unary_origin[unary] < t_.unary_origin[best.supporter]) best.supporter = unary;
    }
}

void SubgoalingChanges::look_at_achievers(int atom) {
    Offer best{UNREACHED, 0, 0, -1};
    if (atom < t_.first_condition()) {
        const auto achievers = t_.achievers[atom];
        work_ += achievers.size();
        for (int unary : achievers) compare(best, unary, entry_[unary] + t_.unary_cost[unary]);
    } else {
        const int condition = atom - t_.first_condition();
        work_ += ways_[condition].size();
        for (const auto &[unary, rate, change] : ways_[condition])
            if (entry_[unary] < UNREACHED) compare(best, unary, entry_[unary] + step(condition, rate, change, unary));
    }
    offers_[atom] = best;
}

int SubgoalingChanges::supporter(int atom) {
    if (offers_[atom].supporter < 0) look_at_achievers(atom);
    return offers_[atom].supporter;
}

double SubgoalingChanges::repetitions(int atom, int unary) const {
    for (const Achievement &a : t_.achieved_by_degrees[unary])
        if (a.atom == atom)
            return repetitions_for(need_[atom - t_.first_condition()], a.rate < 0 ? 0 : value_[a.rate], a.change, 1);
    return 1;
}

}  // namespace numbat
