/* How a search ended, and what it did until then. */
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace numbat {

enum class Status { solved, exhausted_complete, exhausted_pruned, out_of_time, out_of_memory, stopped };
std::string_view name_of(Status status);

/* A better value of the first queue's heuristic. */
struct Improvement {
    double seconds;
    size_t evaluated;
    double h;
};

struct SearchResult {
    Status status = Status::exhausted_pruned;
    std::vector<int32_t> plan;
    size_t expanded = 0, evaluated = 0, generated = 0, dead_ends = 0, duplicates = 0;
    size_t restarts = 0;
    size_t out_of_range = 0;  // operators not applied because a number would have been out of range
    std::vector<size_t> evaluated_by;  // variation
    size_t bytes = 0;
    double seconds = 0;
    double first_state = 0;  // CPU seconds of the process when it had evaluated one
    double initial_h = 0, best_h = 0;  // of the first queue's heuristic
    std::vector<Improvement> history;
    // in the task's integer costs, by algorithms that care: what the plan costs, and what every plan costs at least
    std::optional<int64_t> cost;
    int64_t lower_bound = 0;

    bool exact = false;  // the last search, which found the plan if there is one, did not round numbers

    /* The claim rests on the lower bound, which may be an earlier search's, and on a plan that is none by rounding. */
    bool proved_optimal() const { return status == Status::solved && exact && cost && *cost <= lower_bound; }

    /* The figures by name. */
    using Figure = std::variant<size_t, double>;
    std::vector<std::pair<const char *, Figure>> statistics() const;
};

}  // namespace numbat
