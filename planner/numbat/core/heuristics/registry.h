/* The one table of heuristics: command line, README, tests and search read it from here. */
#pragma once

#include "achievers.h"
#include "heuristic.h"

#include <memory>
#include <span>
#include <string_view>

namespace numbat {

/* Makes heuristics of one task; those that can share tables do. */
class HeuristicFactory {
public:
    HeuristicFactory(const Task &task, const HeuristicOptions &options);
    ~HeuristicFactory();

    /* Throws std::invalid_argument for a name that is not in the table. */
    std::unique_ptr<Heuristic> make(std::string_view name);
    /* Of a heuristic that will be asked for advice; some that give none otherwise then do. */
    std::unique_ptr<Heuristic> make_advising(std::string_view name);

    const Task &task;
    const HeuristicOptions options;
    std::shared_ptr<const class SubgoalingTables> tables(bool redundant);
    /* With the task's integer costs if there are any, else as the options say. */
    std::shared_ptr<const Achievers> achievers();
    std::shared_ptr<const class Landmarks> landmarks();

    bool advising() const { return advising_; }

private:
    bool advising_ = false;  // make_advising() is at work
    std::shared_ptr<const class SubgoalingTables> tables_[2];
    std::shared_ptr<const Achievers> achievers_;
    std::shared_ptr<const class Landmarks> landmarks_;
};

struct HeuristicInfo {
    const char *name;
    const char *summary;
    bool safe;        // says "dead end" only of true ones
    bool helpful;     // advises helpful operators and jumps
    bool admissible;  // never above the cheapest plan's cost
    bool plans;       // has relaxed plans
    std::unique_ptr<Heuristic> (*make)(HeuristicFactory &);
};

std::span<const HeuristicInfo> heuristics();

}  // namespace numbat
