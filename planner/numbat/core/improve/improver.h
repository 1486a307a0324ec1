/*
  Makes a plan cheaper, step by step, until told to stop or until nothing is left to try.

  First redundant actions go (Elimination). Then windows are searched (WindowSearch). How long a window is counts in
  runs of equal actions, so that a hundred increments are one. For each length there is a lane: it goes through the plan
  in a random order, with few expansions per window; having been everywhere, it starts again with more of them and
  another weight, and brings related steps together first. The next window is one of the lane that has used least time
  in proportion to what it has saved, so all lanes get on, and those that pay get on faster. Where a window was made
  cheaper, the places around it come first.

  One more lane goes through the plan looking for chains of actions that can go together, and one looks at ever larger
  neighbourhoods of the plan.

  A run leaves notes to the next one. What was searched is remembered by the fingerprint of state and requirement,
  together with the expansions: nothing is searched again without more of them. How far lanes have got and what they have
  saved is remembered as well, unless the next plan is a fresh one, from somebody who did not start from ours.
*/
#pragma once

#include "../search/limits.h"
#include "elimination.h"
#include "neighbourhood.h"
#include "window.h"

#include <deque>
#include <unordered_map>

namespace numbat {

struct ImproverOptions {
    double seconds = 0;
    size_t bytes = 0;
    uint64_t seed = 0;
    double pause = 0;    // end with a better plan after so many seconds
    bool fresh = false;  // the plan has nothing to do with the one of the run that left the notes
    double *board = nullptr;
    double *incumbent = nullptr;  // somebody changes it when there is another plan to improve; may be null
};

/* What has been searched: fingerprint -> expansions, UINT32_MAX if nothing can come of it any more. */
using Searched = std::unordered_map<uint64_t, uint32_t>;

/* Who looks for something cheaper in one way, all over the plan. */
struct LaneNotes {
    enum class Kind : int32_t { window, whole_plan, chain, neighbourhood };
    Kind kind;
    int32_t length;     // of its windows, in runs
    int32_t round = 0;  // how often it has been everywhere
    double saved = 0, seconds = 0;
};

struct ImproverNotes {
    Searched searched;
    std::vector<LaneNotes> lanes;
};

struct ImproverResult {
    enum class Ending { better, nothing_left, out_of_time, out_of_memory, outdated };
    Ending ending = Ending::out_of_time;
    Operators plan;
    size_t windows = 0, improved = 0, expanded = 0;
    int rounds = 0;  // of all lanes, with those of the notes
    Price saved_by_elimination, saved_by_windows, saved_by_neighbourhood;
    double seconds_for_elimination = 0, seconds = 0;
};

class Improver {
public:
    Improver(const Task &task, const Prices &prices, const ImproverOptions &options, ImproverNotes notes);

    /* The plan must be one. */
    ImproverResult run(const Operators &plan);
    ImproverNotes notes() const;

private:
    struct Lane : LaneNotes {
        std::deque<int> places = {};
        bool done = false;
    };
    const Task &task_;
    const Prices &prices_;
    const ImproverOptions options_;
    Limits limits_;
    double incumbent_ = 0;
    bool over_ = false;
    ImproverResult::Ending why_ = ImproverResult::Ending::out_of_time;
    std::function<bool()> expired_;
    Regression regression_;
    WindowSearch search_;
    Neighbourhood neighbourhood_;
    std::mt19937 chance_;
    Searched searched_;
    std::vector<LaneNotes> earlier_;  // lanes of the run before
    ImproverResult result_;
    std::vector<Lane> lanes_;
    std::vector<int> runs_;  // where runs of equal actions begin, and the end of the plan
    bool progress_ = false;  // the plan has become better
    bool proved_ = false;    // and cannot become better any more

    bool expired();
    void find_runs(const Course &course);
    void make_lanes();
    void add_lane(LaneNotes::Kind kind, int length);
    void fill(Lane &lane);
    Lane *next_lane();
    void work(Lane &lane, Course &course);
    bool search(Lane &lane, Course &course, int begin, int end);
    bool search_window(Lane &lane, Course &course);
    bool take_chain(Lane &lane, Course &course);
    bool search_neighbourhood(Lane &lane, Course &course);
    uint64_t fingerprint(Course &course, int begin, int end);
    void improve_by_windows(Course &course);
};

}  // namespace numbat
