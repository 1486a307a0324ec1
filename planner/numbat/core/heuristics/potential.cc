#include "potential.h"

#include "potential_programme.h"

#include <algorithm>
#include <bit>

namespace numbat {

namespace {

constexpr int WALKS = 200;
constexpr int LONGEST_WALK = 60;
// Of preconditions, in all walks.
constexpr size_t MOST_TESTS = 20'000'000;

/* Where random walks from the initial state lead to; a walk ends early where nothing is applicable. Few, if that is long. */
std::vector<State> sampled(const Task &task) {
    std::vector<State> states;
    uint64_t mixed = 1;
    auto random = [&](size_t below) {
        mixed = mixed * 6364136223846793005u + 1442695040888963407u;
        return (mixed >> 33) % below;
    };
    const size_t operators = task.operators.size();
    size_t tests = 0;
    State next;
    for (int walk = 0; walk < WALKS && tests < MOST_TESTS; ++walk) {
        State state = task.initial;
        for (size_t left = random(LONGEST_WALK + 1); left > 0; --left) {
            const size_t first = random(operators);
            bool moved = false, overflow = false;
            for (size_t i = 0; i < operators && !moved && tests < MOST_TESTS; ++i, ++tests) {
                const Operator &op = task.operators[(first + i) % operators];
                moved = task.all_hold(op.precondition, state) && task.apply(op, state, next, overflow);
            }
            if (!moved) break;
            std::swap(state, next);
        }
        states.push_back(std::move(state));
    }
    return states;
}

}  // namespace

Potentials::Potentials(std::shared_ptr<const Achievers> achievers)
    : task_(achievers->task),
      ranges_(achievers->ranges),
      blind_(achievers),
      acceleration_(*achievers),
      landmarks_(*achievers),
      achievers_(std::move(achievers)) {
    find_functions();
}

void Potentials::find_functions() {
    for (const auto &bounds : {Ranges(task_, Ranges::Of::all).bounds(), std::vector<Condition>{}}) {
        PotentialProgramme programme(task_, ranges_, bounds);
        if (!programme.possible()) continue;
        for (const std::vector<State> &states : {std::vector{task_.initial}, sampled(task_)})
            if (auto function = programme.best_for(states)) functions_.push_back(std::move(*function));
        return;
    }
}

bool Potentials::Function::is_for(const Task &task, const State &state) const {
    return std::all_of(bounds.begin(), bounds.end(),
                       [&](const Condition &bound) { return bound.holds_for(task.value(bound.expression, state)); });
}

int64_t Potentials::rounded_up(const Function &function, const State &state) const {
    Whole sum = function.constant;
    for (size_t word = 0; word < state.facts.size(); ++word)
        for (uint64_t bits = state.facts[word]; bits; bits &= bits - 1)
            sum += function.facts[64 * word + std::countr_zero(bits)];
    for (int v = 0; v < task_.variables; ++v) {
        if (function.variables[v] == 0) continue;
        const int64_t number = task_.wide() ? state.whole[v] : static_cast<int64_t>(state.values[v]);
        sum += Whole{function.variables[v]} * number;
    }
    if (sum <= 0) return 0;
    const Whole value = fits_64_bits(sum + SCALE) ? (static_cast<int64_t>(sum) + SCALE - 1) / SCALE : sum / SCALE;
    return fits_64_bits(value) ? static_cast<int64_t>(value) : std::numeric_limits<int64_t>::max();
}

Estimate Potentials::evaluate(const State &state) {
    if (!ranges_.contain(state)) return 0;
    const Estimate blind = blind_.evaluate(state);
    if (blind.is_dead_end()) return blind;
    double largest = blind.distance();
    for (const Function &function : functions_)
        if (function.is_for(task_, state))
            largest = std::max(largest, static_cast<double>(rounded_up(function, state)));
    largest = std::max(largest, acceleration_.least_cost(state));
    return std::max(largest, landmarks_.least_cost(state, largest));
}

}  // namespace numbat
