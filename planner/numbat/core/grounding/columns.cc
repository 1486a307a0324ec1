#include "columns.h"

#include <algorithm>
#include <stdexcept>

namespace numbat {

namespace {

void require(bool truth, const char *what) {
    if (!truth) throw std::invalid_argument(what);
}

size_t bound_of(Column owner) {
    int64_t largest = -1;
    for (int64_t number : owner) {
        require(number >= 0, "an owner is negative");
        largest = std::max(largest, number);
    }
    return static_cast<size_t>(largest + 1);
}

/* The items of each owner, sorted; they may be repeated. */
struct Grouped {
    std::vector<size_t> start;  // by owner, and one more
    std::vector<int64_t> item;

    Grouped(Column owner, Column items, size_t bound) : start(bound + 2, 0), item(items.size()) {
        require(owner.size() == items.size(), "as many owners as items");
        for (int64_t number : owner) ++start[number + 2];
        for (size_t i = 2; i < start.size(); ++i) start[i] += start[i - 1];
        for (size_t i = 0; i < items.size(); ++i) item[start[owner[i] + 1]++] = items[i];
        start.pop_back();
        for (size_t i = 0; i < bound; ++i)
            if (start[i + 1] - start[i] > 1) std::sort(item.begin() + start[i], item.begin() + start[i + 1]);
    }
    std::span<const int64_t> operator[](size_t owner) const {
        return {item.data() + start[owner], item.data() + start[owner + 1]};
    }
};

/* A table by owner would be mostly empty. */
bool sparse(size_t bound, size_t size) { return bound > 8 * size + 64; }

}  // namespace

PairColumns sorted_pairs(Column owner, Column item) {
    const size_t bound = bound_of(owner);
    PairColumns result;
    auto append = [&](int64_t number, int64_t entry) {
        if (!result.owner.empty() && result.owner.back() == number && result.item.back() == entry) return;
        result.owner.push_back(number);
        result.item.push_back(entry);
    };
    result.owner.reserve(owner.size());
    result.item.reserve(owner.size());
    if (sparse(bound, owner.size())) {
        require(owner.size() == item.size(), "as many owners as items");
        std::vector<std::pair<int64_t, int64_t>> pairs;
        pairs.reserve(owner.size());
        for (size_t i = 0; i < owner.size(); ++i) pairs.emplace_back(owner[i], item[i]);
        std::sort(pairs.begin(), pairs.end());
        for (auto [number, entry] : pairs) append(number, entry);
        return result;
    }
    const Grouped grouped(owner, item, bound);
    for (size_t number = 0; number < bound; ++number)
        for (int64_t entry : grouped[number]) append(static_cast<int64_t>(number), entry);
    return result;
}

std::vector<uint8_t> pairs_contained(Column owner, Column item, Column other_owner, Column other_item) {
    require(owner.size() == item.size(), "as many owners as items");
    std::vector<uint8_t> found(owner.size(), 0);
    const size_t bound = bound_of(other_owner);
    if (sparse(bound, other_owner.size() + owner.size())) {
        const PairColumns others = sorted_pairs(other_owner, other_item);
        for (size_t i = 0; i < owner.size(); ++i) {
            auto [begin, end] = std::equal_range(others.owner.begin(), others.owner.end(), owner[i]);
            found[i] = std::binary_search(others.item.begin() + (begin - others.owner.begin()),
                                          others.item.begin() + (end - others.owner.begin()), item[i]);
        }
        return found;
    }
    const Grouped others(other_owner, other_item, bound);
    for (size_t i = 0; i < owner.size(); ++i) {
        if (owner[i] < 0 || static_cast<size_t>(owner[i]) >= bound) continue;
        const auto own = others[owner[i]];
        found[i] = std::binary_search(own.begin(), own.end(), item[i]);
    }
    return found;
}

std::vector<int64_t> first_of_equal_rows(Column sizes, Column items) {
    std::vector<size_t> start{0};
    start.reserve(sizes.size() + 1);
    for (int64_t size : sizes) {
        require(size >= 0 && static_cast<size_t>(size) <= items.size() - start.back(), "rows must end at their end");
        start.push_back(start.back() + size);
    }
    require(start.back() == items.size(), "rows must end at their end");
    auto row = [&](int64_t number) { return items.subspan(start[number], start[number + 1] - start[number]); };
    size_t capacity = 16;
    while (capacity < 2 * sizes.size()) capacity *= 2;
    std::vector<int64_t> slots(capacity, -1), first(sizes.size());
    for (int64_t number = 0; number < static_cast<int64_t>(sizes.size()); ++number) {
        uint64_t code = 0x9E3779B97F4A7C15u;
        for (int64_t entry : row(number)) {
            code = (code ^ static_cast<uint64_t>(entry)) * 0xFF51AFD7ED558CCDu;
            code ^= code >> 32;
        }
        size_t place = code & (capacity - 1);
        while (slots[place] >= 0 && !std::ranges::equal(row(slots[place]), row(number)))
            place = (place + 1) & (capacity - 1);
        if (slots[place] < 0) slots[place] = number;
        first[number] = slots[place];
    }
    return first;
}

}  // namespace numbat
