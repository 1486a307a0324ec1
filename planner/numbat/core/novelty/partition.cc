#include "partition.h"

#include "cells.h"
#include "goal_novelty.h"
#include "quantified_both.h"

#include <stdexcept>
#include <string>

namespace numbat {

PartitionNovelty::PartitionNovelty(const Task &task, FeatureKind kind, int k, size_t budget)
    : task_(task), kind_(kind), k_(k), budget_(budget), numbers_(std::make_shared<FeatureNumbers>(task)) {}

int64_t PartitionNovelty::evaluate(const State &state, float h, const Origin *) {
    auto place = partitions_.find(h);
    if (place == partitions_.end())
        place = partitions_.emplace(h, Partition{Features(task_, kind_, numbers_), {}, {}}).first;
    auto &[features, singles, pairs] = place->second;
    const size_t before = singles.bytes() + pairs.bytes();
    features.of(state, list_);
    bool new_single = false, new_pair = false;
    for (size_t i = 0; i < list_.size(); ++i) {
        new_single |= singles.insert(static_cast<uint32_t>(list_[i]));
        if (k_ < 2 || pairs_given_up_) continue;
        for (size_t j = 0; j < i; ++j)
            new_pair |= pairs.insert(uint64_t{static_cast<uint32_t>(list_[i])} << 32 | static_cast<uint32_t>(list_[j]));
    }
    bytes_ += singles.bytes() + pairs.bytes() - before;
    if (bytes_ > budget_ && !pairs_given_up_) give_up_pairs();
    return new_single ? 1 : new_pair ? 2 : k_ + 1;
}

void PartitionNovelty::give_up_pairs() {
    pairs_given_up_ = true;
    for (auto &[h, partition] : partitions_) {
        bytes_ -= partition.pairs.bytes();
        partition.pairs.clear();
    }
}

std::unique_ptr<Novelty> make_novelty(const Task &task, std::string_view feature, std::string_view measure, int k,
                                      size_t budget) {
    if (feature == "C") {
        if (!measure.empty()) throw std::invalid_argument("feature C has no measure");
        return std::make_unique<Cells>(task, budget);
    }
    if (feature != "A" && feature != "B" && feature != "G")
        throw std::invalid_argument("unknown feature " + std::string(feature));
    if (k != 1 && k != 2) throw std::invalid_argument("novelty needs k = 1 or 2");
    if (feature == "G") {
        if (measure != "PN") throw std::invalid_argument("feature G is measured by PN alone");
        return std::make_unique<GoalNovelty>(task, k, budget);
    }
    const FeatureKind kind = feature == "A" ? FeatureKind::value : FeatureKind::boundary;
    if (measure == "PN") return std::make_unique<PartitionNovelty>(task, kind, k, budget);
    if (measure == "QB") return std::make_unique<QuantifiedBoth>(task, kind, k, budget);
    throw std::invalid_argument("unknown novelty measure " + std::string(measure));
}

}  // namespace numbat
