/*
  Which instances of rules have a body that can become true, when tuples only accumulate: the least fixpoint.

  Rule         variables with domains; body: relations that must contain a tuple, or (`absent`) must not, the latter
               only of relations that never grow; equal and unequal terms; heads: tuples that follow
  Terms        an object if >= 0, else variable -1 - term
  Method       semi-naive: a tuple is taken up once. For each place in a body where it fits, the rest of the body is
               joined by a nested loop over indices, in an order chosen once per place. Places before that one must
               not use the tuple itself, so that every instance is found exactly once: no instance is ever looked up.
  Cost         time of the joins; memory of the tuples, of the indices, and of the rows that are handed out
  Order        rows of a rule are given in lexical order of its variables
*/
#pragma once

#include "relation.h"

#include <exception>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace numbat {

struct RuleAtom {
    int relation;
    std::vector<int32_t> terms;
};

struct Rule {
    std::vector<int> domains;  // of its variables
    std::vector<RuleAtom> body, absent, heads;
    std::vector<std::pair<int32_t, int32_t>> equal, unequal;
};

struct Program {
    int objects = 0;
    std::vector<std::vector<int32_t>> domains;
    std::vector<Relation> relations;
    std::vector<bool> grows;  // per relation
    std::vector<Rule> rules;
    int64_t most = 0;  // instances of all rules together

    /* Throws std::invalid_argument. */
    void check() const;
};

/* There are more than allowed; the limit was passed at this rule. */
struct TooManyInstances : std::exception {
    int rule;
    explicit TooManyInstances(int rule) : rule(rule) {}
};

class Reachability {
public:
    /* `pulse` is called now and then; it may throw to end the computation. Throws TooManyInstances. */
    Reachability(Program program, std::function<void()> pulse);
    ~Reachability();

    /* The rows of a rule, one after the other; they are handed over, so that they can be asked for once. */
    std::vector<int32_t> take_rows(int rule);
    int64_t count(int rule) const { return counts_[rule]; }

private:
    struct Test;
    struct Step;
    struct Plan;

    Program program_;
    std::function<void()> pulse_;
    uint32_t work_ = 0;
    int64_t left_;  // so many instances may still be found
    std::vector<std::vector<bool>> members_;  // per domain, by object
    std::vector<int> taken_;                  // per relation: so many of its rows have been taken up
    std::vector<std::vector<std::unique_ptr<Index>>> indices_;  // per relation
    std::vector<std::vector<Plan>> plans_;    // per relation that grows: where its tuples fit
    std::vector<std::vector<int32_t>> rows_;  // per rule
    std::vector<int64_t> counts_;
    std::vector<int32_t> binding_, tuple_;

    void beat() {
        constexpr uint32_t OFTEN = 1 << 14;
        if (++work_ % OFTEN == 0) pulse_();
    }
    void take_up(int relation);
    void take(int relation, int row);
    Plan make_plan(int rule, int first);
    Step match_step(int rule, int atom, bool only_older, std::vector<bool> &bound);
    void add_tests(int rule, std::vector<bool> &tested, const std::vector<bool> &bound, Step &step) const;
    double estimate(int rule, int atom, const std::vector<bool> &bound);
    Index &index(int relation, const std::vector<int> &positions);
    int32_t value(int32_t term) const { return term >= 0 ? term : binding_[-1 - term]; }
    /* Takes over a row's objects; false if they do not fit. */
    bool bind(const Plan &plan, const Step &step, int row);
    bool passes(const Step &step);
    void extend(const Plan &plan, size_t depth);
    void match(const Plan &plan, size_t depth);
    void found(int rule);
};

}  // namespace numbat
