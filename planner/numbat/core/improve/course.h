/*
  A plan seen from both ends: the state before each step, and what the rest from there on asks for.

  Neither is kept for all steps of a long plan. Every so often a state, counted from the beginning, and a requirement,
  counted from the end, is remembered for good; the block of steps up to the next one is filled in when somebody looks
  there, and some blocks are kept. A stretch that is replaced leaves the states before it and the requirements after it
  as they are.
*/
#pragma once

#include "requirement.h"

#include <map>
#include <optional>

namespace numbat {

using Operators = std::vector<int32_t>;

class Course {
public:
    /* The plan must be one. */
    Course(const Regression &regression, Operators plan);

    int size() const { return static_cast<int>(plan_.size()); }
    const Operators &plan() const { return plan_; }
    const Task &task() const { return regression_.task(); }
    const Prices &prices() const { return regression_.prices(); }

    /* Before a step; size() is the end. Valid until the next call. */
    const State &state(int position);
    /* Of the steps from a position on. Valid until the next call. */
    const Requirement &requirement(int position);

    /* What the steps from a position on cost in a state; nothing if they cannot be executed or miss the goal. */
    std::optional<Price> rest(int position, const State &state);

    /* Puts other steps in the place of some; the plan must stay one. */
    void replace(int begin, int end, const Operators &steps);

private:
    const Regression &regression_;
    Operators plan_;
    int spacing_;
    std::map<int, std::vector<State>> states_;              // blocks by position / spacing; each has its first entry
    std::map<int, std::vector<Requirement>> requirements_;  // blocks by distance from the end, likewise
    int filled_ = 0;                                        // blocks with more than that

    template <class T>
    void make_room(std::map<int, std::vector<T>> &blocks);
    template <class T>
    void cut(std::map<int, std::vector<T>> &blocks, int last);
    std::optional<Price> execute(int position, const State &state) const;
};

/* What a plan costs; nothing if it is none. */
std::optional<Price> price_of(const Task &task, const Prices &prices, const Operators &plan);

}  // namespace numbat
