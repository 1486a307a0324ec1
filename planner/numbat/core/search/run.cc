#include "run.h"

namespace numbat {

std::optional<Status> Run::go_on(const Stretch &stretch) {
    elsewhere_ = stretch.elsewhere;
    if (ended_ == Status::out_of_memory) {
        ended_.reset();
        space_.lose_states();  // in the middle of an expansion
    }
    if (space_.size() == 0) begin();
    while (evaluated_ - improved_at_ < stretch.patience && evaluated_ < stretch.most && !ended()) step();
    return ended_;
}

void Run::finish_with_plan_to(StateId goal) {
    context_.result.plan = space_.plan_to(goal);
    finish(Status::solved);
}

void Run::finish_exhausted() {
    const bool proof = context_.task.exact() && !space_.lost_states();
    finish(proof ? Status::exhausted_complete : Status::exhausted_pruned);
}

void Run::note_values(bool better, double h) {
    if (better) improved_at_ = evaluated_;
    SearchResult &result = context_.result;
    if (result.history.empty()) result.initial_h = h;
    if (!result.history.empty() && h >= result.best_h) return;
    result.best_h = h;
    result.history.push_back({context_.limits.elapsed(), result.evaluated, h});
}

}  // namespace numbat
