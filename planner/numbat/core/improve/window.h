/*
  A stretch of a plan as a planning task of its own: from the state before it to one from which the rest works, at less
  cost.

  Best-first search with reopening in a small table of states. States are ordered by what was paid plus `weight` times
  what the guide thinks is missing; what the guide proves, together with what the stretch costs, prunes. So any weight
  is complete: a search that runs empty has shown that this stretch cannot be cheaper. Costs that can fall are not
  pruned by, and prove nothing.

  Instead of the requirement's parts a heuristic of the searches may guide: it sees further and takes longer.

  Where the stretch repeats an action, repetitions are steps of the search: as often as it stood there, or as often as
  it takes to fulfil a part of what is asked for.
*/
#pragma once

#include "../search/successor_generator.h"
#include "../state_registry.h"
#include "course.h"
#include "guide.h"
#include "relaxed.h"

#include <functional>
#include <memory>
#include <random>

namespace numbat {

struct WindowOptions {
    double weight = 1;
    const char *heuristic = nullptr;  // of the searches, that guides instead of the requirement's parts
    size_t most_expansions = 1000;
    size_t most_bytes = size_t{1} << 28;
};

struct WindowResult {
    bool found = false;
    bool exhausted = false;  // nothing cheaper exists
    Operators steps;         // in the place of the stretch
    Price saved;
    size_t expanded = 0;
};

class WindowSearch {
public:
    WindowSearch(const Task &task, const Prices &prices, uint64_t seed, std::function<bool()> expired);

    WindowResult run(Course &course, int begin, int end, const WindowOptions &options);

private:
    struct Node {
        StateId parent;
        int32_t op;
        int32_t repetitions;
        Price paid;
        Distance distance;
        bool closed;
    };
    struct Entry {
        double key;
        uint32_t tie;
        StateId state;
        Price paid;
        bool operator<(const Entry &other) const { return key != other.key ? key > other.key : tie > other.tie; }
    };
    const Task &task_;
    const Prices &prices_;
    SuccessorGenerator generator_;
    Guide guide_;
    RelaxedGuide relaxed_;
    std::mt19937 chance_;
    std::function<bool()> expired_;

    // of the search at hand
    Course *course_ = nullptr;
    int end_ = 0;
    WindowOptions options_;
    Requirement asked_;
    Price bound_;           // of the stretch and the rest
    Price rest_;            // of the rest, if costs are constants
    double step_worth_ = 1;  // what a step counts in the order of states
    std::map<int32_t, std::vector<int>> repeated_;  // in the stretch, and how often in a row
    std::unique_ptr<StateRegistry> states_;
    std::vector<Node> nodes_;
    std::vector<Entry> queue_;
    bool lost_ = false;  // something was left out that was not shown to be costly
    StateId goal_ = NO_STATE;
    Price total_;
    State current_, reached_, next_;
    std::vector<int32_t> operators_;
    std::vector<int> jumps_;

    bool prepare(Course &course, int begin, int end);
    Distance estimate(const Price &paid);
    void note_repetitions(int begin, int end);
    bool can_be_cheaper(const Price &paid, const Distance &distance) const;
    void enter(StateId parent, int op, int repetitions, const Price &paid);
    void try_to_finish(StateId id);
    void push(StateId id);
    void expand(StateId id);
    bool repeat(int op, int times, Price &paid);
    Operators steps_to(StateId id) const;
    size_t bytes() const;
};

}  // namespace numbat
