#include "flow.h"

#include <algorithm>

namespace numbat {

namespace {

// Each function costs time for every state.
constexpr size_t MOST_FUNCTIONS = 32;
constexpr int MOST_LOOKS = 64;
// Evaluations until a state that is no better than the best so far deserves a look; from then on twice as many each time.
constexpr size_t FIRST_TIME = 1000;

}  // namespace

Flow::Flow(const Task &task)
    : task_(task), looks_left_(MOST_LOOKS), next_time_(FIRST_TIME), least_(LARGEST_COST), next_value_(0) {
    std::vector<Carrier> carriers = find_carriers(task);
    const bool some = !carriers.empty();
    if (!make_programme(std::move(carriers)) && !(some && make_programme({}))) return;
    look_at(task.initial);
    joined_->true_facts(task.initial, true_facts_);
    next_value_ = largest(task.initial) / 2;
}

bool Flow::make_programme(std::vector<Carrier> carriers) {
    joined_ = std::make_unique<JoinedTask>(task_, std::move(carriers));
    if (!joined_->possible()) return false;
    ranges_ = std::make_unique<Ranges>(joined_->task());
    programme_ = std::make_unique<PotentialProgramme>(joined_->task(), *ranges_,
                                                      Ranges(joined_->task(), Ranges::Of::all).bounds());
    if (!programme_->possible()) programme_.reset();
    return programme_ != nullptr;
}

/* Finds what is best for this state. When that has been done often enough, the programme is no longer needed. */
void Flow::look_at(const State &state) {
    const auto found = programme_->best_for({joined_->joined(state)});
    if (auto barrier = programme_->barrier()) {
        barriers_.push_back(std::move(*barrier));
    } else if (found && functions_.size() < MOST_FUNCTIONS) {
        auto scaled = [](int64_t potential) { return static_cast<double>(potential) / Potentials::SCALE; };
        Function function{scaled(found->constant), {}, {}};
        for (int64_t potential : found->facts) function.facts.push_back(scaled(potential));
        for (int64_t weight : found->variables) function.variables.push_back(scaled(weight));
        functions_.push_back(std::move(function));
    }
    if (--looks_left_ == 0 || programme_->given_up()) programme_.reset();
}

/* Who is near the goal, as it seems: half as far as the last one, or the best for long. */
bool Flow::deserves_a_look(double value) {
    ++evaluated_;
    least_ = std::min(least_, value);
    return programme_ && (value < 1 || value <= next_value_ || (evaluated_ >= next_time_ && value <= least_));
}

bool Flow::behind_a_barrier(const State &state) const {
    auto positive = [&](const Potentials::Function &barrier) {
        Whole sum = barrier.constant;
        for (int fact : true_facts_) sum += barrier.facts[fact];
        for (int v = 0; v < task_.variables; ++v)
            if (barrier.variables[v] != 0)
                sum += Whole{barrier.variables[v]} * task_.whole_value(Linear::of_variable(v), state);
        return sum > 0 && barrier.is_for(task_, state);
    };
    return std::any_of(barriers_.begin(), barriers_.end(), positive) && ranges_->contain(state) && joined_->fits(state);
}

double Flow::potential(const Function &function, const State &state) const {
    double sum = function.constant;
    for (int fact : true_facts_) sum += function.facts[fact];
    for (int v = 0; v < task_.variables; ++v) sum += function.variables[v] * state.values[v];
    return sum;
}

double Flow::largest(const State &state) const {
    double most = 0;
    for (const Function &function : functions_) most = std::max(most, potential(function, state));
    return most;
}

Estimate Flow::evaluate(const State &state) {
    if (functions_.empty() && barriers_.empty()) {
        const auto goal = task_.conjunctions[task_.goal];
        auto fails = [&](int atom) { return !task_.holds(atom, state); };
        return static_cast<double>(std::count_if(goal.begin(), goal.end(), fails));
    }
    joined_->true_facts(state, true_facts_);
    if (behind_a_barrier(state)) return Estimate::dead_end();
    double value = largest(state);
    if (!deserves_a_look(value) || task_.is_goal(state)) return value;
    look_at(state);
    next_time_ = 2 * evaluated_;
    if (behind_a_barrier(state)) return Estimate::dead_end();
    value = largest(state);
    next_value_ = value / 2;
    return value;
}

}  // namespace numbat
