/*
  PN: partition novelty. docs/heuristics.md 8.3

  States are compared only with earlier ones of the same heuristic value. The novelty is the size of the smallest set of
  variables whose features were not seen together before, k+1 if there is none up to size k. Feature B keeps records for
  each partition.
*/
#pragma once

#include "novelty.h"
#include "number_tables.h"

namespace numbat {

class PartitionNovelty : public Novelty {
public:
    PartitionNovelty(const Task &task, FeatureKind kind, int k, size_t budget);

    int64_t evaluate(const State &state, float h, const Origin *origin) override;
    size_t bytes() const override { return bytes_ + numbers_->bytes(); }

private:
    struct Partition {
        Features features;
        NumberSet singles, pairs;
    };
    const Task &task_;
    FeatureKind kind_;
    int k_;
    size_t budget_;
    bool pairs_given_up_ = false;
    size_t bytes_ = 0;
    std::shared_ptr<FeatureNumbers> numbers_;
    std::unordered_map<float, Partition> partitions_;
    std::vector<int32_t> list_;

    void give_up_pairs();
};

}  // namespace numbat
