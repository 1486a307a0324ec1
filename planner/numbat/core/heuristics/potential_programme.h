/* The linear programme of potential.h: what operators change, the programme itself, and the check of its solutions. */
#pragma once

#include "potential.h"
#include "simplex.h"

#include <optional>

namespace numbat {

class PotentialProgramme {
public:
    /* `bounds` are conditions that hold in all states that are asked for, and in all that follow. */
    PotentialProgramme(const Task &task, const Ranges &ranges, std::vector<Condition> bounds);

    /* Are there potentials to be found, within the limits of size? */
    bool possible() const { return possible_; }
    /* Those for which the average over the states is large, if they pass the check. */
    std::optional<Potentials::Function> best_for(const std::vector<State> &states);
    /*
      If the last average had no limit: a function that no operator lowers, is positive on the average of those states and
      is not positive in any goal state. A state where it is positive, within its bounds, is a dead end.
    */
    std::optional<Potentials::Function> barrier() const;
    /* Has all the work been done that may be spent? Then what is found is no better than before. */
    bool given_up() const { return work_ == 0; }
    size_t bytes() const { return simplex_ ? simplex_->bytes() : 0; }

private:
    enum class Effect { loses, may_lose, gains, may_gain };
    struct Change {
        std::vector<std::pair<int32_t, Effect>> facts;
        std::vector<std::pair<int32_t, int64_t>> conditions;  // place in conditions_, gain
        int64_t cost;
        auto operator<=>(const Change &) const = default;
    };
    enum class InGoal : uint8_t { unmentioned, true_, false_ };
    const Task &task_;
    const Ranges &ranges_;
    bool possible_ = false;
    std::vector<Condition> conditions_;  // that have weights: of the goal, then bounds
    size_t first_bound_ = 0;
    std::vector<InGoal> in_goal_;      // fact
    std::vector<Change> changes_;      // of all operators, each once
    std::vector<double> unit_;         // condition -> largest change, which is 1 in the programme
    std::optional<Simplex> simplex_;
    size_t work_;
    bool unbounded_ = false;  // the last average

    void choose_conditions(const std::vector<Condition> &bounds);
    void collect_changes();
    Change change_of(int op) const;
    void add_facts(const Block &block, bool certain, std::span<const int32_t> precondition, Change &change) const;
    Whole gain_of(const Block &block, const Condition &condition) const;
    enum class Uses { no, goal, bound };
    Uses uses_of(const Condition &condition) const;
    void make_simplex();
    int64_t need(const Condition &condition, const State &state) const;
    std::vector<double> objective(const std::vector<State> &states) const;
    std::optional<Potentials::Function> checked(const std::vector<double> &solution, double factor,
                                                int64_t unit_cost) const;
    Whole lowered(const Change &change, const std::vector<int64_t> &facts, const std::vector<int64_t> &weights) const;
};

}  // namespace numbat
