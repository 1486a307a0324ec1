/*
  G: goal-oriented novelty. docs/heuristics.md 8.7

  What a state is compared by are subgoals: the catalogue of all facts and numeric conditions that some precondition, the
  condition of an effect or the goal asks for. A fact counts once it holds, a condition that does not hold by how near to
  holding it has come. Only progress over the parent is looked at, and it is compared with earlier states whose heuristic
  value has the same integer part; all values above the initial state's form one partition.

      1   something that now holds, or a condition nearer to holding, as never before in the partition
      2   the same of two together: what now holds with anything that holds or is missing; what has come nearer with
          anything that holds
      3   neither, or no progress at all

  A state of another partition than its parent's has everything to show: all that holds has just come to hold, all that
  is missing has come nearer. Where that makes too many pairs for one state, only those are looked at that changed.
*/
#pragma once

#include "novelty.h"
#include "number_tables.h"

#include <map>

namespace numbat {

class GoalNovelty : public Novelty {
public:
    GoalNovelty(const Task &task, int k, size_t budget);

    int64_t evaluate(const State &state, float h, const Origin *origin) override;
    size_t bytes() const override { return bytes_; }

    static constexpr size_t MOST_PAIRS = 1 << 13;  // of one state that shows everything

private:
    struct Partition {
        std::vector<bool> seen;   // subgoal -> held in some state
        std::vector<double> nearest;  // numeric subgoal -> largest value of its expression while it did not hold
        NumberSet pairs;              // of subgoals that held together
        NumberMap nearest_with;       // subgoal that held, numeric subgoal -> largest value while it did not
        size_t bytes() const;
    };
    /* What a subgoal was before it was changed. */
    struct Change {
        int32_t subgoal;
        uint8_t held;
        double value;
    };

    const Task &task_;
    const int k_;
    const size_t budget_;
    std::vector<int32_t> atoms_;      // the catalogue: subgoal -> atom, ascending: facts before conditions
    std::vector<int32_t> subgoal_of_; // atom -> subgoal or -1
    int first_numeric_ = 0;           // subgoal
    Rows<int32_t> touched_by_;        // variable -> numeric subgoals
    std::map<float, Partition> partitions_;
    float top_ = -1;  // the last partition; -1 until the first state
    bool pairs_given_up_ = false;
    size_t bytes_ = 0;

    // a state as its subgoals show it: the parent of the current expansion, for a moment changed into its child
    uint64_t expansion_ = 0;
    std::vector<uint8_t> held_;  // subgoal
    std::vector<double> value_;  // numeric subgoal

    std::vector<Change> changes_;
    std::vector<int32_t> new_, nearer_, true_, missing_;
    std::vector<uint8_t> is_new_;  // subgoal

    int numeric(int subgoal) const { return subgoal - first_numeric_; }
    float partition_of(float h) const;
    void read(int subgoal, const State &state);
    void read_all(const State &state);
    void change_to(const State &state, const State &parent);
    void change(int subgoal, const State &state);
    void change_back();
    void find_progress();
    void show_everything();
    bool touch_singles(Partition &partition);
    bool touch_pairs(Partition &partition);
    int64_t judge(Partition &partition, bool everything);
    void give_up_pairs();
};

}  // namespace numbat
