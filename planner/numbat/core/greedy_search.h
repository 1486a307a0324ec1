/*
  One run of greedy best-first search with one or several queues.

  Each queue orders the states by one heuristic, or by a novelty measure over one; the queues take turns. Every state
  is evaluated once, by each distinct heuristic once, when it is first generated, and enters all queues; nothing is
  reopened, and the goal is tested at generation. A state with an infinite value is a dead end and goes no further.

  A queue with helpful-action pruning expands a state by what its heuristic advises only: helpful operators and jumps.
  Expanding fully and expanding by advice are two kinds of expansion; each state undergoes each kind at most once. So
  another queue may still expand the rest, and where all queues prune, the states they expanded wait in a queue of
  their own: when everything else is exhausted, the best of them is expanded fully and the search goes on. Exhaustion
  therefore means that every reachable state was expanded.
*/
#pragma once

#include "limits.h"
#include "novelty/novelty.h"
#include "registry.h"
#include "repetition.h"
#include "saturation.h"
#include "search.h"
#include "successor_generator.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <random>

namespace numbat {

/* What all runs of a search share: the task, the limits, and the result they add to. */
struct SearchContext {
    SearchContext(const Task &task, const SearchOptions &options);

    const Task &task;
    const SearchOptions &options;
    Limits limits;
    SuccessorGenerator generator;
    Repetition repetition;
    Saturation saturation;
    HeuristicFactory factory;
    SearchResult result;
};

/* Which of equally good states comes first. */
struct Order {
    TieBreaking ties;
    uint64_t seed;  // 0: operators in the task's order
};

class GreedySearch {
public:
    /* `elsewhere`: bytes that other runs hold, here and below. */
    GreedySearch(SearchContext &context, const std::vector<QueueOptions> &queues, Order order, size_t elsewhere);

    /*
      Goes on until the search ends, no heuristic has seen a better value for `patience` evaluations, or there have been
      `most` in all. A run that was out of memory may be tried again.
    */
    std::optional<Status> run(size_t patience, size_t most, size_t elsewhere);

    size_t evaluated() const { return evaluated_; }
    size_t bytes() const;

private:
    /* A heuristic, shared by the queues that build on it, and its values. */
    struct Base {
        std::string name;
        std::unique_ptr<Heuristic> heuristic;
        bool remembered = false;      // some queue's novelty needs the parent's value
        GrowingArray<float> values;   // per state, if remembered
        float value = 0;              // of the state evaluated last
        float best = std::numeric_limits<float>::infinity();
    };
    struct Queue {
        size_t base;
        bool helpful, jumps;
        std::unique_ptr<Novelty> novelty;
        OpenList open;
    };
    enum Expansion : uint8_t { FULL = 1, ADVISED = 2 };

    SearchContext &context_;
    const Task &task_;
    SearchResult &result_;
    const Order order_;
    size_t elsewhere_;
    StateRegistry states_;
    std::vector<Base> bases_;
    std::vector<Queue> queues_;
    size_t turn_ = 0;
    bool all_prune_ = true;
    OpenList waiting_;  // expanded by advice only, where all queues prune
    std::mt19937_64 random_;

    // per state
    GrowingArray<StateId> parents_;
    GrowingArray<uint32_t> steps_;   // operator and repetitions
    GrowingArray<uint8_t> expanded_; // kinds of expansion done
    GrowingArray<double> costs_;     // only with a bound

    const int operator_bits_;
    std::optional<Status> ended_;
    bool lost_states_ = false;  // something was pruned that a proof of unsolvability would need
    size_t evaluated_ = 0;
    size_t improved_at_ = 0;    // evaluations when some heuristic last saw a better value
    uint64_t expansions_ = 0;

    // scratch
    State current_, child_;
    std::vector<int32_t> operators_;
    std::vector<Jump> jumps_;

    void add_queue(const QueueOptions &options, size_t budget);
    bool bounded() const { return context_.options.bound < INFINITE; }
    bool over_limits();
    void finish(Status status) { ended_ = status; }

    void expand_next();
    void begin_expansion(StateId id, Expansion kind);
    void meet_successors(StateId id);
    void expand_fully(StateId id);
    void expand_by_advice(StateId id, Queue &queue);
    void apply_and_meet(StateId parent, int op, int repetitions);
    void meet(const State &state, StateId parent, uint32_t step, double cost);
    void evaluate(const State &state, StateId id, StateId parent);
    void note_values();
    void extract_plan(StateId goal);

    uint32_t encode(int op, int repetitions) const {
        return static_cast<uint32_t>(repetitions) << operator_bits_ | static_cast<uint32_t>(op);
    }
    int most_repetitions() const { return static_cast<int>(std::min(UINT32_MAX >> operator_bits_, 1000000u)); }
};

}  // namespace numbat
