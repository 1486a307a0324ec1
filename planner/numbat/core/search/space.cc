#include "space.h"

#include <bit>

namespace numbat {

namespace {

/* In place of a step: a sequence of them led to the state. No step has 0 repetitions. */
constexpr uint32_t SEQUENCE = 0;

int bits_for(size_t operators) { return std::max(1, static_cast<int>(std::bit_width(operators))); }

}  // namespace

SearchContext::SearchContext(const Task &t, const SearchOptions &o)
    : task(t), options(o), limits(o.seconds, o.bytes, o.board), generator(t), repetition(t), factory(t, o.heuristic) {}

SearchSpace::SearchSpace(SearchContext &context)
    : context_(context), states_(context.task), operator_bits_(bits_for(context.task.operators.size())) {}

void SearchSpace::applicable(const State &state, std::vector<int32_t> &operators) const {
    operators.clear();
    context_.generator.applicable(state, operators);
}

bool SearchSpace::beyond_bound(double cost) {
    if (!bounded() || cost < context_.options.bound) return false;
    ++context_.result.generated;
    lost_states_ = true;
    return true;
}

std::optional<StateId> SearchSpace::if_new(StateRegistry::Insertion insertion, double cost) {
    if (!insertion.is_new) {
        known_ = insertion.id;
        return std::nullopt;
    }
    if (bounded()) costs_.push_back(cost);
    return insertion.id;
}

std::optional<StateId> SearchSpace::meet(StateId parent, uint32_t step, double cost) {
    if (beyond_bound(cost)) return std::nullopt;
    return if_new(noted(states_.insert(reached_), parent, step), cost);
}

StateRegistry::Insertion SearchSpace::noted(StateRegistry::Insertion insertion, StateId parent, uint32_t step) {
    ++context_.result.generated;
    if (insertion.is_new) {
        parents_.push_back(parent);
        steps_.push_back(step);
    } else if (insertion.id == NO_STATE) {
        full_ = lost_states_ = true;
    } else {
        ++context_.result.duplicates;
    }
    return insertion;
}

void SearchSpace::start_from(StateId id, const State &state) {
    from_ = &state;
    if (packed_) packed_->start_from(state, states_.packed(id));
}

SearchSpace::Application SearchSpace::stage(int op, StateBatch &batch) {
    if (packed_ && !symmetries_) {
        uint64_t sum;
        switch (packed_->make(op, states_.room_in(batch), sum)) {
        case PackedSuccessors::Outcome::done:
            states_.stage_packed(packed_->layout(), sum, batch);
            return Application::done;
        case PackedSuccessors::Outcome::overflow: return Application::overflow;
        case PackedSuccessors::Outcome::not_packed: break;
        }
    }
    bool overflow = false;
    if (!context_.task.apply(context_.task.operators[op], *from_, reached_, overflow))
        return overflow ? Application::overflow : Application::impossible;
    context_.task.saturate(reached_);
    if (symmetries_) symmetries_->canonicalise(reached_);
    states_.stage(reached_, batch);
    return Application::done;
}

void SearchSpace::redirect(StateId id, StateId parent, int op) {
    parents_[id] = parent;
    steps_[id] = encode(op, 1);
}

std::optional<StateId> SearchSpace::start() {
    reached_ = context_.task.initial;
    if (symmetries_) symmetries_->canonicalise(reached_);
    return meet(NO_STATE, 0, 0);
}

int SearchSpace::repeat(int op, int repetitions, double &cost) {
    bool overflow = false;
    const int done =
        context_.repetition.apply(op, repetitions, current_, reached_, overflow, bounded() ? &cost : nullptr);
    if (overflow) {
        lost_states_ = true;
        ++context_.result.out_of_range;
    }
    if (done > 0) context_.task.saturate(reached_);
    return done;
}

std::optional<StateId> SearchSpace::successor(StateId parent, int op, int repetitions) {
    known_ = NO_STATE;
    double cost = cost_of(parent);
    const int done = repeat(op, std::min(repetitions, most_repetitions()), cost);
    if (done == 0 || (done == 1 && repetitions > 1)) return std::nullopt;
    way_.assign(1, {op, done});
    return meet(parent, encode(op, done), cost);
}

void SearchSpace::stage_successor(StateId parent, int op) {
    double cost = cost_of(parent);
    if (repeat(op, 1, cost) == 0) return;
    states_.stage(reached_, batch_);
    staged_steps_.push_back({op, cost});
}

std::optional<StateId> SearchSpace::enter_successor(StateId parent, size_t place) {
    known_ = NO_STATE;
    const auto [op, cost] = staged_steps_[place];
    if (beyond_bound(cost)) return std::nullopt;
    way_.assign(1, {op, 1});
    const StateRegistry::Insertion insertion = enter(batch_, place, parent, op);
    if (insertion.is_new) reach_staged(place);
    return if_new(insertion, cost);
}

std::optional<StateId> SearchSpace::follow(StateId parent, std::span<const Jump> steps, const State &end, double cost) {
    known_ = NO_STATE;
    if (bounded() && cost >= context_.options.bound) return std::nullopt;  // nothing is lost: single steps go there too
    reached_ = end;
    const auto id = meet(parent, SEQUENCE, cost);
    if (!id) return id;
    way_.assign(steps.begin(), steps.end());
    for (const Jump &step : steps) sequences_.push_back(step);
    sequence_ends_.push_back({*id, sequences_.size()});
    return id;
}

std::span<const Jump> SearchSpace::sequence_to(StateId id) const {
    const SequenceEnd *first = sequence_ends_.data();
    const SequenceEnd *found =
        std::lower_bound(first, first + sequence_ends_.size(), id,
                         [](const SequenceEnd &end, StateId state) { return end.state < state; });
    const size_t begin = found == first ? 0 : found[-1].end;
    return {sequences_.data() + begin, found->end - begin};
}

std::vector<int32_t> SearchSpace::plan_to(StateId goal) const {
    std::vector<int32_t> plan;
    for (StateId id = goal; parents_[id] != NO_STATE; id = parents_[id]) {
        if (steps_[id] == SEQUENCE) {
            const auto steps = sequence_to(id);
            for (size_t i = steps.size(); i-- > 0;) plan.insert(plan.end(), steps[i].repetitions, steps[i].op);
            continue;
        }
        const auto op = static_cast<int32_t>(steps_[id] & ((1u << operator_bits_) - 1));
        plan.insert(plan.end(), steps_[id] >> operator_bits_, op);
    }
    std::reverse(plan.begin(), plan.end());
    return plan;
}

std::optional<Status> SearchSpace::limit_reached(size_t held) {
    SearchResult &result = context_.result;
    result.bytes = std::max(result.bytes, held);
    if (result.first_state == 0 && result.evaluated > 0) result.first_state = cpu_seconds();
    context_.limits.post(static_cast<double>(result.evaluated), static_cast<double>(result.expanded), result.best_h,
                         held, result.first_state);
    if (full_) return Status::out_of_memory;
    switch (context_.limits.check(held + states_.pending_bytes())) {
    case Limits::Verdict::go_on: return std::nullopt;
    case Limits::Verdict::out_of_time: return Status::out_of_time;
    case Limits::Verdict::out_of_memory: return Status::out_of_memory;
    case Limits::Verdict::stopped: return Status::stopped;
    }
    return std::nullopt;
}

}  // namespace numbat
