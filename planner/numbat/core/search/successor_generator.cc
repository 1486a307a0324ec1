#include "successor_generator.h"

#include <algorithm>
#include <bit>

namespace numbat {

SuccessorGenerator::SuccessorGenerator(const Task &task) : task_(task) {
    std::vector<int32_t> needed(task.atoms(), 0);
    for (const Operator &op : task.operators)
        for (int atom : task.conjunctions[op.precondition]) ++needed[atom];

    std::vector<std::vector<Entry>> files(task.facts + 1);
    for (size_t o = 0; o < task.operators.size(); ++o) {
        auto precondition = task.conjunctions[task.operators[o].precondition];
        int pivot = -1;
        for (int atom : precondition)
            if (task.is_fact(atom) && atom % 2 == 0 && (pivot < 0 || needed[atom] < needed[pivot])) pivot = atom;
        std::vector<int32_t> rest(precondition.begin(), precondition.end());
        std::erase(rest, pivot);
        // widely shared atoms first: they make long common beginnings
        std::stable_sort(rest.begin(), rest.end(), [&](int a, int b) { return needed[a] > needed[b]; });
        files[pivot < 0 ? task.facts : pivot / 2].emplace_back(std::move(rest), static_cast<int32_t>(o));
    }
    for (auto &file : files) {
        std::sort(file.begin(), file.end());
        file_start_.push_back(static_cast<int32_t>(steps_.size()));
        build(file, 0);
    }
    file_start_.push_back(static_cast<int32_t>(steps_.size()));
}

void SuccessorGenerator::build(std::span<const Entry> entries, size_t depth) {
    size_t i = 0;
    while (i < entries.size() && entries[i].first.size() == depth) steps_.push_back({-1, entries[i++].second});
    while (i < entries.size()) {
        const int atom = entries[i].first[depth];
        size_t end = i;
        while (end < entries.size() && entries[end].first[depth] == atom) ++end;
        const size_t test = steps_.size();
        steps_.push_back({atom, 0});
        build(entries.subspan(i, end - i), depth + 1);
        steps_[test].target = static_cast<int32_t>(steps_.size());
        i = end;
    }
}

void SuccessorGenerator::run(int begin, int end, const State &state, std::vector<int32_t> &operators) const {
    for (int i = begin; i < end;) {
        const Step step = steps_[i];
        if (step.atom < 0)
            operators.push_back(step.target);
        else if (!task_.holds(step.atom, state)) {
            i = step.target;
            continue;
        }
        ++i;
    }
}

void SuccessorGenerator::applicable(const State &state, std::vector<int32_t> &operators) const {
    const size_t before = operators.size();
    for (size_t word = 0; word < state.facts.size(); ++word)
        for (uint64_t bits = state.facts[word]; bits; bits &= bits - 1) {
            const int fact = static_cast<int>(64 * word) + std::countr_zero(bits);
            run(file_start_[fact], file_start_[fact + 1], state, operators);
        }
    run(file_start_[task_.facts], file_start_[task_.facts + 1], state, operators);
    std::sort(operators.begin() + before, operators.end());
}

}  // namespace numbat
