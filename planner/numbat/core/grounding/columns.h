/*
  Long lists of (owner, item) pairs and of short rows, in time linear in their length: owners are small numbers, and an
  owner has few items.
*/
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace numbat {

using Column = std::span<const int64_t>;

struct PairColumns {
    std::vector<int64_t> owner, item;
};

/* By owner, then item, each pair once. Owners are not negative. */
PairColumns sorted_pairs(Column owner, Column item);

/* For each pair 1 if it is among the others, else 0. Owners are not negative. */
std::vector<uint8_t> pairs_contained(Column owner, Column item, Column other_owner, Column other_item);

/* Rows of the given sizes stand one after the other in `items`: for each the first row that is equal to it. */
std::vector<int64_t> first_of_equal_rows(Column sizes, Column items);

}  // namespace numbat
