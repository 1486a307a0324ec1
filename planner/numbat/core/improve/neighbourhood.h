/*
  The states around a plan, and the cheapest path through them (after Aras, which does this for classical planning).

  All states of the plan are expanded, then their successors, and so on, as far as the budget reaches; every edge is
  kept. The cheapest path from the initial state to a goal state in this graph is at least as good as the plan, which is
  one of its paths: it takes short cuts that no window sees, since it need not come back to where the plan goes on.
*/
#pragma once

#include "../search/successor_generator.h"
#include "../state_registry.h"
#include "course.h"

#include <functional>
#include <memory>

namespace numbat {

class Neighbourhood {
public:
    struct Budget {
        size_t expansions;
        size_t bytes;
    };
    Neighbourhood(const Task &task, const Prices &prices, std::function<bool()> expired)
        : task_(task), prices_(prices), generator_(task), expired_(std::move(expired)) {}

    /* A cheaper plan, if there is one near by. Costs must not be negative. `whole`: the graph has all states. */
    std::optional<Operators> search(Course &course, const Budget &budget, bool &whole);

private:
    struct Edge {
        StateId to;
        int32_t op;
        int64_t cost;
    };
    const Task &task_;
    const Prices &prices_;
    SuccessorGenerator generator_;
    std::function<bool()> expired_;
    // of the search at hand
    std::unique_ptr<StateRegistry> states_;
    std::vector<Edge> edges_;          // by the state they come from, in the order of expansion
    std::vector<size_t> first_edge_;   // per expanded state, and the end
    bool whole_ = true;

    void explore(Course &course, const Budget &budget);
    void expand(const State &state);
    std::optional<Operators> cheapest(const Price &bound);
    size_t bytes() const;
};

}  // namespace numbat
