#include "result.h"

namespace numbat {

std::string_view name_of(Status status) {
    switch (status) {
    case Status::solved: return "solved";
    case Status::exhausted_complete: return "exhausted-complete";
    case Status::exhausted_pruned: return "exhausted-pruned";
    case Status::out_of_time: return "out-of-time";
    case Status::out_of_memory: return "out-of-memory";
    case Status::stopped: return "stopped";
    }
    return "";
}

std::vector<std::pair<const char *, SearchResult::Figure>> SearchResult::statistics() const {
    return {
        {"expanded", expanded},
        {"evaluated", evaluated},
        {"generated", generated},
        {"dead_ends", dead_ends},
        {"duplicates", duplicates},
        {"restarts", restarts},
        {"out_of_range", out_of_range},
        {"memory", bytes},
        {"bytes_per_state", generated > duplicates ? static_cast<double>(bytes) / (generated - duplicates) : 0.0},
        {"seconds", seconds},
        {"first_state", first_state},
        {"evaluations_per_second", seconds > 0 ? static_cast<double>(evaluated) / seconds : 0.0},
        {"initial_h", initial_h},
        {"best_h", best_h},
    };
}

}  // namespace numbat
