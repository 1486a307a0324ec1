/*
  Large pages for large blocks that are read here and there.

  A table of some gigabytes in pages of 4 KB costs a walk through page tables, which are in no cache either, on top of each
  read. It is a hint: systems that have no large pages to give go on with small ones. Smaller blocks stay as they are, since
  the end of a block may take a whole page more than it uses.
*/
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace numbat {

constexpr size_t HUGE_PAGE = size_t{1} << 21;
constexpr size_t LARGE_BLOCK = 32 * HUGE_PAGE;

inline void prefer_huge_pages([[maybe_unused]] void *block, [[maybe_unused]] size_t bytes) {
#if defined(MADV_HUGEPAGE)
    if (bytes < LARGE_BLOCK) return;
    const uintptr_t begin = (reinterpret_cast<uintptr_t>(block) + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
    const uintptr_t end = (reinterpret_cast<uintptr_t>(block) + bytes) & ~(HUGE_PAGE - 1);
    if (begin < end) madvise(reinterpret_cast<void *>(begin), end - begin, MADV_HUGEPAGE);
#endif
}

}  // namespace numbat
