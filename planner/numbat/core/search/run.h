/*
  One run of a search algorithm: it can be interrupted, go on later, and be thrown away.

  An algorithm says how a run begins and what one step of it is; counting, limits and the end are told here.
*/
#pragma once

#include "space.h"

namespace numbat {

class Run {
public:
    explicit Run(SearchContext &context) : context_(context), space_(context) {}
    virtual ~Run() = default;

    /* How far to go on. */
    struct Stretch {
        size_t patience;   // evaluations without a better heuristic value
        size_t most;       // evaluations of this run in all
        size_t elsewhere;  // bytes that other runs hold
    };
    /* Tells how the run ended, or nothing if only the stretch did. A run that was out of memory may be tried again. */
    std::optional<Status> go_on(const Stretch &stretch);

    size_t evaluated() const { return evaluated_; }
    virtual size_t bytes() const = 0;

protected:
    SearchContext &context_;
    SearchSpace space_;

    virtual void begin() = 0;
    /* Is called as long as the run has not ended. */
    virtual void step() = 0;

    /* To be asked before anything that takes long or needs memory. */
    bool ended() {
        if (!ended_ && context_.limits.due()) ended_ = space_.limit_reached(bytes() + elsewhere_);
        return ended_.has_value();
    }
    void finish(Status status) { ended_ = status; }
    void finish_with_plan_to(StateId goal);
    /* Nothing is left to expand. */
    void finish_exhausted();

    void count_evaluation() {
        ++context_.result.evaluated;
        ++evaluated_;
    }
    /* `better`: some heuristic never had a smaller value; `h`: the value by the first queue's. */
    void note_values(bool better, double h);

private:
    std::optional<Status> ended_;
    size_t elsewhere_ = 0;
    size_t evaluated_ = 0;
    size_t improved_at_ = 0;  // evaluations at the last better value
};

}  // namespace numbat
