/*
  What novelty looks at: each true fact, and for each variable a feature of its value. docs/heuristics.md 8.1, 8.2

  A   the value itself
  B   boundary extension: how many records (new maxima above, or minima below, the initial value) had been set when a
      value at least this extreme was first seen; negative below. An index never changes once given.

  Features are numbered: the facts first, then the features of variables in the order in which they are met.
*/
#pragma once

#include "../task.h"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace numbat {

/* Records of one variable: values beyond all earlier ones, on either side of a centre. */
class Records {
public:
    explicit Records(double centre) : centre_(centre) {}

    /* Signed number of the record interval that holds the value; a new extreme sets a record. */
    int32_t index(double value);
    size_t bytes() const { return (above_.size() + below_.size()) * sizeof(double); }

private:
    double centre_;
    std::vector<double> above_, below_;  // distances from the centre, ascending

    static int32_t place(std::vector<double> &records, double distance);
};

enum class FeatureKind { value, boundary };

/* Gives each feature of a variable a number, starting after the facts. */
class FeatureNumbers {
public:
    explicit FeatureNumbers(const Task &task) : of_index_(task.variables), next_(task.facts) {}
    int32_t of_value(int variable, double value);
    int32_t of_index(int variable, int32_t index);
    int32_t count() const { return next_; }
    size_t bytes() const { return static_cast<size_t>(next_) * 64; }

private:
    struct Name {
        int32_t variable;
        double value;
        bool operator==(const Name &) const = default;
    };
    struct Hash {
        size_t operator()(const Name &name) const;
    };
    std::unordered_map<Name, int32_t, Hash> of_value_;
    std::vector<std::vector<int32_t>> of_index_;  // variable -> 0, -1, 1, -2, 2, ...
    int32_t next_;
};

/* Maps states to lists of feature numbers: true facts ascending, then one number per variable in order. */
class Features {
public:
    Features(const Task &task, FeatureKind kind, std::shared_ptr<FeatureNumbers> numbers);

    void of(const State &state, std::vector<int32_t> &features);
    int32_t count() const { return numbers_->count(); }
    size_t bytes() const;

private:
    const Task &task_;
    FeatureKind kind_;
    std::vector<Records> records_;
    std::shared_ptr<FeatureNumbers> numbers_;
};

}  // namespace numbat
