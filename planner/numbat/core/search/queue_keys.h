/*
  By what the queues of a run order a state: a heuristic's value, or its novelty and then the value.
*/
#pragma once

#include "../novelty/novelty.h"
#include "algorithms.h"
#include "evaluator.h"

#include <memory>
#include <vector>

namespace numbat {

class QueueKeys {
public:
    QueueKeys(SearchContext &context, const RunOptions &options, Evaluator &evaluator);

    size_t size() const { return queues_.size(); }
    /* The number of a queue's heuristic in the evaluator. */
    size_t guide(size_t queue) const { return queues_[queue].guide; }
    /* Of the state that was just reached and evaluated, once; `expansion` counts the states expanded so far. */
    Key key(size_t queue, const SearchSpace &space, StateId parent, uint64_t expansion);
    size_t bytes() const;

private:
    struct Queue {
        size_t guide;
        std::unique_ptr<Novelty> novelty;  // or none
    };
    Evaluator &evaluator_;
    std::vector<Queue> queues_;
};

}  // namespace numbat
