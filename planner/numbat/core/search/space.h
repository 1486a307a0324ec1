/*
  What every search algorithm needs: the states met so far, how each was reached, the way from one to the next, and
  what may be used up. An algorithm decides which state comes next and in which order; everything else is here.

  SearchContext   of a whole search: the task, what is derived from it, the limits, the result all runs add to
  SearchSpace     of one run: its states with parents and steps, and the plan that leads to one of them

  A step is an operator and how often it is applied in a row, packed into 32 bits.
*/
#pragma once

#include "../heuristics/registry.h"
#include "../repetition.h"
#include "../state_registry.h"
#include "limits.h"
#include "options.h"
#include "packed_successors.h"
#include "result.h"
#include "successor_generator.h"

#include <algorithm>
#include <optional>

namespace numbat {

struct SearchContext {
    SearchContext(const Task &task, const SearchOptions &options);

    const Task &task;
    const SearchOptions &options;
    Limits limits;
    SuccessorGenerator generator;
    Repetition repetition;
    HeuristicFactory factory;
    SearchResult result;
};

class SearchSpace {
public:
    explicit SearchSpace(SearchContext &context);

    /* Makes a known state the current one, whose successors are asked for. */
    void visit(StateId id) { states_.get(id, current_); }
    const State &current() const { return current_; }
    void read(StateId id, State &state) const { states_.get(id, state); }
    /* Replaces `operators` by those applicable in the current state, or in any other, ascending. */
    void applicable(std::vector<int32_t> &operators) const { applicable(current_, operators); }
    void applicable(const State &state, std::vector<int32_t> &operators) const;

    /* The initial state, if the bound allows one; it is then in reached(). */
    std::optional<StateId> start();
    /*
      The state that an operator leads to from the current state `parent`, if it is new; it is then in reached(). A jump,
      with more than one repetition, must be applicable twice at least.
    */
    std::optional<StateId> successor(StateId parent, int op, int repetitions);
    /*
      The same for many operators, which is faster (state_registry.h): each is staged, if it leads anywhere, and then
      entered. A state that is not new is in reached() only after reach_staged().
    */
    void stage_successor(StateId parent, int op);
    size_t staged_successors() const { return staged_steps_.size(); }
    std::optional<StateId> enter_successor(StateId parent, size_t place);
    const State &reached() const { return reached_; }
    /* If successor() or enter_successor() came to a state that is not new: which one. */
    StateId known() const { return known_; }
    /* How `id`, the initial state or what successor() came to, was reached. */
    Arrival arrival(StateId id, StateId parent) const { return {id, parent, &current_, way_}; }

    /* The state that a sequence of steps leads to from the current state `parent`, as for successor(). */
    std::optional<StateId> follow(StateId parent, std::span<const Jump> steps, const State &end, double cost);
    /* Of a known state; only with a bound. */
    double cost_of(StateId id) const { return bounded() ? costs_[id] : 0; }

    template <class Also>
    void fetch_staged(Also also) {
        states_.fetch(batch_, also);
    }
    /* Makes it reached() again. */
    void reach_staged(size_t place) { states_.get(batch_, place, reached_); }
    void clear_staged() {
        batch_.clear();
        staged_steps_.clear();
    }

    /*
      For algorithms that find better ways to known states: single steps, entered together as above. They start from a
      known state that need not be the current one and must not be changed meanwhile; no state may be entered meanwhile.
    */
    void start_from(StateId id, const State &state);
    enum class Application { done, impossible, overflow };
    Application stage(int op, StateBatch &batch);
    template <class Also>
    void fetch(StateBatch &batch, Also also) const {
        states_.fetch(batch, also);
    }
    StateRegistry::Insertion enter(const StateBatch &batch, size_t place, StateId parent, int op) {
        return noted(states_.insert(batch, place), parent, encode(op, 1));
    }
    /* Makes it reached(). */
    void reach(const StateBatch &batch, size_t place) { states_.get(batch, place, reached_); }
    /* It will be read before long. */
    [[gnu::always_inline]] void fetch(StateId id) const { states_.fetch(id); }
    void redirect(StateId id, StateId parent, int op);
    /* From now on `start` and `stage` lead to representatives of states. */
    void reduce_by(const Symmetries &symmetries) { symmetries_ = &symmetries; }
    /* From now on `stage` changes packed states where it can: worth its tables if there are many steps. */
    void stage_packed() { packed_.emplace(context_.task, states_.packing()); }

    std::vector<int32_t> plan_to(StateId goal) const;

    size_t size() const { return states_.size(); }
    size_t bytes() const {
        return states_.bytes() + parents_.bytes() + steps_.bytes() + costs_.bytes() + sequences_.bytes() +
               sequence_ends_.bytes();
    }

    /* Reports what all runs hold, in bytes, and tells whether a limit is reached. */
    std::optional<Status> limit_reached(size_t held);

    /* Something was left out that a proof of unsolvability would need. */
    bool lost_states() const { return lost_states_; }
    void lose_states() { lost_states_ = true; }

private:
    SearchContext &context_;
    StateRegistry states_;
    GrowingArray<StateId> parents_;
    GrowingArray<uint32_t> steps_;
    GrowingArray<double> costs_;  // only with a bound
    const Symmetries *symmetries_ = nullptr;
    std::optional<PackedSuccessors> packed_;
    const State *from_ = nullptr;  // where steps start
    StateBatch batch_;             // by stage_successor()
    const int operator_bits_;
    bool lost_states_ = false;
    bool full_ = false;  // there was a state for which there is no room in the registry
    State current_, reached_;
    std::vector<Jump> way_;  // that successor() or follow() took
    GrowingArray<Jump> sequences_;
    struct SequenceEnd {
        StateId state;
        size_t end;
    };
    GrowingArray<SequenceEnd> sequence_ends_;  // of the states that follow() came to, ascending
    StateId known_ = NO_STATE;
    struct StagedStep {
        int op;
        double cost;  // of the way to where it leads
    };
    std::vector<StagedStep> staged_steps_;  // by stage_successor()

    bool bounded() const { return context_.options.bound < UNBOUNDED; }
    uint32_t encode(int op, int repetitions) const {
        return static_cast<uint32_t>(repetitions) << operator_bits_ | static_cast<uint32_t>(op);
    }
    std::span<const Jump> sequence_to(StateId id) const;
    StateRegistry::Insertion noted(StateRegistry::Insertion insertion, StateId parent, uint32_t step);
    /* Replaces reached() by where repetitions of an operator lead, and adds to the cost of the way; tells how many. */
    int repeat(int op, int repetitions, double &cost);
    bool beyond_bound(double cost);
    /* Which state it is, if it is new. */
    std::optional<StateId> if_new(StateRegistry::Insertion insertion, double cost);
    /* Inserts reached(), if it is new and the bound allows it. */
    std::optional<StateId> meet(StateId parent, uint32_t step, double cost);
    int most_repetitions() const { return static_cast<int>(std::min(UINT32_MAX >> operator_bits_, 1000000u)); }
};

}  // namespace numbat
