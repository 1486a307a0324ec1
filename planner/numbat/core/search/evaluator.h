/*
  The distinct heuristics of a run's queues: each evaluates a state once, whatever the number of queues that build on it.
*/
#pragma once

#include "../growing_array.h"
#include "space.h"

#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace numbat {

class Evaluator {
public:
    /* `advice`: the heuristics will be asked for it. */
    explicit Evaluator(HeuristicFactory &factory, bool advice = false) : factory_(factory), advice_(advice) {}

    /* The number of the heuristic here; made if there is none of this name. */
    size_t add(const std::string &name);
    /* Its values are to be kept for all states. */
    void remember(size_t number) { guides_[number].remembered = true; }

    /* Of a new state. False: some heuristic knows that this is a dead end. */
    bool evaluate(const State &state, const Arrival &arrival);
    /* Does some heuristic want to know of further ways to a state? */
    bool depends_on_path() const { return depends_on_path_; }
    void reach_again(const State &state, const Arrival &arrival);
    /* Of the state evaluated last, unless it was a dead end: has some heuristic never had a smaller value? */
    bool better() const { return better_; }
    double distance(size_t number) const { return guides_[number].distance; }
    /* Values are the ranks of distances among floats, see estimate.h. */
    float value(size_t number) const { return guides_[number].value; }
    /* Of any state evaluated so far, if the heuristic's values are remembered. */
    float value(size_t number, StateId id) const { return guides_[number].values[id]; }

    Heuristic &heuristic(size_t number) { return *guides_[number].heuristic; }
    size_t bytes() const;

private:
    struct Guide {
        std::string name;
        std::unique_ptr<Heuristic> heuristic;
        bool remembered = false;
        GrowingArray<float> values;  // per state, if remembered
        double distance = 0;         // of the state evaluated last, and its rank among floats
        float value = 0;
        float best = std::numeric_limits<float>::infinity();
    };
    HeuristicFactory &factory_;
    const bool advice_;
    std::vector<Guide> guides_;
    bool better_ = false;
    bool depends_on_path_ = false;
};

}  // namespace numbat
