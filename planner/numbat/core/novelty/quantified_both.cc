#include "quantified_both.h"

#include <algorithm>
#include <limits>

namespace numbat {

namespace {

constexpr float NEVER = std::numeric_limits<float>::infinity();

}  // namespace

QuantifiedBoth::QuantifiedBoth(const Task &task, FeatureKind kind, int k, size_t budget)
    : features_(task, kind, std::make_shared<FeatureNumbers>(task)),
      k_(k),
      budget_(budget),
      numeric_(task.variables),
      variables_(task.facts + task.variables),
      pairs_(variables_ * (variables_ - 1) / 2) {}

float &QuantifiedBoth::least_of_pair(int32_t a, int32_t b) {
    const int32_t row = std::max(a, b), column = std::min(a, b);
    auto &cells = least_pair_[row];
    if (!cells) {
        cells = std::make_unique_for_overwrite<float[]>(row);
        std::fill_n(cells.get(), row, NEVER);
        pair_bytes_ += row * sizeof(float);
    }
    return cells[column];
}

QuantifiedBoth::Tally QuantifiedBoth::touch_singles(float h) {
    Tally tally;
    for (int32_t feature : list_) {
        tally.better += h < least_[feature];
        tally.worse += h > least_[feature];
        least_[feature] = std::min(least_[feature], h);
    }
    return tally;
}

QuantifiedBoth::Tally QuantifiedBoth::touch_all_pairs(float h) {
    Tally tally;
    for (size_t i = 0; i < list_.size(); ++i)
        for (size_t j = 0; j < i; ++j) {
            float &least = least_of_pair(list_[i], list_[j]);
            tally.better += h < least;
            tally.worse += h > least;
            least = std::min(least, h);
        }
    return tally;
}

QuantifiedBoth::Tally QuantifiedBoth::touch_changed_pairs(float h) {
    Tally tally;
    auto touch = [&](int32_t a, int32_t b) {
        float &least = least_of_pair(a, b);
        tally.better += h < least;
        tally.worse += h > least;
        least = std::min(least, h);
    };
    for (size_t i = 0; i < changed_.size(); ++i) {
        for (int32_t feature : shared_) touch(changed_[i], feature);
        for (size_t j = 0; j < i; ++j) touch(changed_[i], changed_[j]);
    }
    return tally;
}

void QuantifiedBoth::see_parent(const Origin &origin) {
    if (expansion_ == origin.expansion && !parent_.empty()) return;
    expansion_ = origin.expansion;
    features_.of(origin.parent, parent_);
    parent_counted_ = false;
}

/* Splits the state's features into shared and changed ones; `gone_` are places in the parent's list. */
void QuantifiedBoth::compare_with_parent() {
    changed_.clear();
    shared_.clear();
    gone_.clear();
    const size_t ours = list_.size() - numeric_, theirs = parent_.size() - numeric_;  // true facts
    size_t i = 0, j = 0;
    while (i < ours || j < theirs) {
        if (j == theirs || (i < ours && list_[i] < parent_[j]))
            changed_.push_back(list_[i++]);
        else if (i == ours || parent_[j] < list_[i])
            gone_.push_back(static_cast<int32_t>(j++));
        else
            shared_.push_back(list_[i++]), ++j;
    }
    for (; i < list_.size(); ++i, ++j) {
        if (list_[i] == parent_[j]) {
            shared_.push_back(list_[i]);
        } else {
            changed_.push_back(list_[i]);
            gone_.push_back(static_cast<int32_t>(j));
        }
    }
}

void QuantifiedBoth::count_parent(float parent_h) {
    parent_worse_.assign(parent_.size(), 0);
    parent_worse_total_ = 0;
    for (size_t i = 0; i < parent_.size(); ++i)
        for (size_t j = 0; j < i; ++j) {
            const bool worse = parent_h > least_of_pair(parent_[i], parent_[j]);
            parent_worse_[i] += worse;
            parent_worse_[j] += worse;
            parent_worse_total_ += worse;
        }
    parent_counted_ = true;
}

/* Shared pairs on which the parent is worse than some earlier state. */
int64_t QuantifiedBoth::worse_shared(float parent_h) {
    if (!parent_counted_) count_parent(parent_h);
    int64_t worse = parent_worse_total_;
    for (size_t i = 0; i < gone_.size(); ++i) {
        worse -= parent_worse_[gone_[i]];
        for (size_t j = 0; j < i; ++j) worse += parent_h > least_of_pair(parent_[gone_[i]], parent_[gone_[j]]);
    }
    return worse;
}

void QuantifiedBoth::give_up_pairs() {
    pairs_given_up_ = true;
    least_pair_.clear();
    least_pair_.shrink_to_fit();
    pair_bytes_ = 0;
}

int64_t QuantifiedBoth::evaluate(const State &state, float h, const Origin *origin) {
    features_.of(state, list_);
    if (origin && k_ == 2 && !pairs_given_up_) see_parent(*origin);
    least_.resize(features_.count(), NEVER);
    const Tally single = touch_singles(h);
    if (k_ == 1) return single.better > 0 ? variables_ - single.better : variables_ + single.worse;
    if (pairs_given_up_) return single.better > 0 ? variables_ - single.better : variables_ + pairs_ + single.worse;

    least_pair_.resize(features_.count());
    const bool from_parent = origin && h >= origin->parent_h;
    Tally pair;
    if (from_parent) {
        compare_with_parent();
        pair = touch_changed_pairs(h);
    } else {
        pair = touch_all_pairs(h);
        parent_counted_ = false;  // a better child may have improved pairs of its parent
    }
    int64_t value;
    if (single.better > 0) {
        value = variables_ - single.better;
    } else if (pair.better > 0) {
        value = variables_ + pairs_ - pair.better;
    } else {
        if (from_parent) {
            const auto shared = static_cast<int64_t>(shared_.size());
            pair.worse += h > origin->parent_h ? shared * (shared - 1) / 2 : worse_shared(origin->parent_h);
        }
        value = variables_ + pairs_ + pair.worse;
    }
    if (pair_bytes_ > budget_) give_up_pairs();
    return value;
}

}  // namespace numbat
