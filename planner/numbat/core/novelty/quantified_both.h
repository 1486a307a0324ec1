/*
  QB: quantified both. docs/heuristics.md 8.4, 8.6

  For every feature, and for k = 2 every pair of features, the least heuristic value of an earlier state showing it is
  remembered. A state that improves on some singles is worth N minus their number; else, one that improves on pairs is
  worth N + C(N,2) minus their number; else that sum plus the number of pairs on which it is worse.

  Pairs are many, so what is known of the parent is used, exactly: every pair of the parent has been seen with at most
  the parent's value h_p. A child with h >= h_p can improve no pair it shares with its parent, so only pairs with a
  changed feature are looked up. If h > h_p the child is worse on all shared pairs; if h = h_p it is worse on those on
  which the parent would be, which is counted once per expansion and corrected for what the child no longer shows.
*/
#pragma once

#include "novelty.h"

namespace numbat {

class QuantifiedBoth : public Novelty {
public:
    QuantifiedBoth(const Task &task, FeatureKind kind, int k, size_t budget);

    int64_t evaluate(const State &state, float h, const Origin *origin) override;
    size_t bytes() const override { return pair_bytes_ + least_.size() * sizeof(float) + features_.bytes(); }

private:
    struct Tally {
        int64_t better = 0, worse = 0;
    };

    Features features_;
    const int k_;
    const size_t budget_;
    const size_t numeric_;     // numeric variables
    const int64_t variables_;  // N: facts and numeric variables
    const int64_t pairs_;      // C(N,2)
    bool pairs_given_up_ = false;

    std::vector<float> least_;                          // feature -> least h
    std::vector<std::unique_ptr<float[]>> least_pair_;  // larger feature -> smaller feature -> least h
    size_t pair_bytes_ = 0;

    // the parent of the current expansion
    uint64_t expansion_ = 0;
    std::vector<int32_t> parent_;
    std::vector<int32_t> parent_worse_;  // per feature of the parent: its pairs on which the parent is worse
    int64_t parent_worse_total_ = 0;
    bool parent_counted_ = false;

    std::vector<int32_t> list_, changed_, shared_, gone_;

    void see_parent(const Origin &origin);
    void compare_with_parent();
    void count_parent(float parent_h);
    int64_t worse_shared(float parent_h);
    Tally touch_singles(float h);
    Tally touch_changed_pairs(float h);
    Tally touch_all_pairs(float h);
    float &least_of_pair(int32_t a, int32_t b);
    void give_up_pairs();
};

}  // namespace numbat
