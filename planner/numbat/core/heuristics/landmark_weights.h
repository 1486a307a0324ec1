/*
  Landmark weights: what every plan must still do, each thing at a price, such that no operator is paid more than it costs.

  From the facts of a state follow, whatever its numbers are:

      fact        an atom of the goal that is false, and, if it is such a fact, what all who achieve it have in
                  their preconditions, again: it must become true, so its achievers are used at least once in all
      condition   a numeric one of that kind: it must hold at some time, so what operators add to it (only
                  additions count) sums up to its need
      ways        a fact each of whose achievers has a numeric condition c of its own: one of these must hold at some time, so
                  the sum of the largest addition / unit(c) that an operator makes to any c is at least the smallest need / unit(c)
      final       a numeric condition of the goal: what operators add to it, and take, sums up to its need, which is less than
                  0 if it has more than enough
      bound       what a variable never exceeds or falls below (ranges.h, of all variables): what operators add, and take, sums
                  up to what leads just there at least; what is beyond it already moves no farther

  Each says: the sum over the plan's operators of a coefficient is at least a value. Given weights >= 0 such that the weighted
  coefficients of no operator exceed its cost, no plan costs less than the weighted values. The coefficients do not depend on
  the state, except for its facts and the units, which are chosen once. So a linear programme that makes the sum largest in
  one state gives weights for all states with the same facts. Values of the first three kinds count as 0 where they are
  negative, which is leaving the landmark out: their coefficients are not negative.

  Programmes are made when a set of facts is met first, and a few times again later on. Where facts are new all the time or
  the value hardly ever is larger than what else is known, it ends and is 0 from then on. Weights are doubles; they are
  reduced until the check of all rows holds with room for rounding.
*/
#pragma once

#include "achievers.h"
#include "simplex.h"

#include <map>
#include <unordered_map>

namespace numbat {

class LandmarkWeights {
public:
    explicit LandmarkWeights(const Achievers &achievers);

    /* An integer that no plan from this state costs less than. `known`: another one. */
    double least_cost(const State &state, double known);

private:
    struct Part {  // a condition, what an operator adds to it, and 1 / unit
        int32_t condition;
        double per_unit;
    };
    struct Landmark {
        enum class Kind { fact, condition, ways, final, bound } kind;
        int32_t atom;             // of facts and ways
        std::vector<Part> parts;  // none for facts, one for conditions
        bool may_be_negative() const { return kind == Kind::final || kind == Kind::bound; }
    };
    struct Weighted {
        double weight;
        Landmark landmark;
    };
    struct Function {
        double constant = 0;  // of the facts
        std::vector<Weighted> landmarks;
    };
    struct Place {
        size_t met = 0;
        std::vector<Function> functions;
    };
    struct Hash {
        size_t operator()(const std::vector<uint64_t> &facts) const;
    };
    using Gains = std::vector<std::pair<int32_t, double>>;  // operator, what it adds
    struct Programme {
        std::vector<Landmark> columns;
        std::vector<double> objective;
        std::map<int32_t, Simplex::Row> row_of;  // operator

        void add(Landmark landmark, double worth, const Gains &gains);
    };

    const Achievers &t_;
    bool on_ = false;
    std::vector<std::vector<int32_t>> achievers_;  // atom -> actions
    std::vector<double> operator_cost_;
    std::vector<Condition> conditions_;  // of the task, then bounds
    std::vector<Gains> gains_;        // condition
    std::vector<uint8_t> limited_;    // condition -> all gains are finite, and none is free
    std::vector<std::pair<Landmark, Gains>> final_;  // that are the same in all states: of kinds final and bound
    size_t work_;
    size_t asked_ = 0, larger_ = 0;
    std::unordered_map<std::vector<uint64_t>, Place, Hash> places_;
    Place *last_ = nullptr;
    std::vector<uint64_t> last_facts_;

    void collect_gains();
    void collect_final();
    std::optional<Gains> signed_gains(const Linear &expression) const;
    double need(int condition, const State &state) const;
    double value(const Landmark &landmark, const State &state) const;
    double value(const Function &function, const State &state) const;
    std::vector<int32_t> common_precondition(int atom) const;
    std::optional<Landmark> ways(int atom, const State &state) const;
    std::vector<Landmark> landmarks(const State &state) const;
    Gains coefficients(const Landmark &landmark) const;
    Programme programme(const State &state) const;
    std::vector<double> weights(const Programme &programme);
    Function best_for(const State &state);
    Place &place_of(const State &state);
};

}  // namespace numbat
