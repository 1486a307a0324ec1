#include "memory_block.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace numbat {

namespace {

void *reallocated(void *block, size_t bytes) {
    void *grown = std::realloc(block, bytes);
    if (!grown) throw std::bad_alloc();
    return grown;
}

#ifdef __linux__

constexpr size_t HUGE_PAGE = size_t{2} << 20;
constexpr size_t LARGE = 2 * HUGE_PAGE;

size_t whole_pages(size_t bytes) { return (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE; }

/* Addresses without memory behind them, from the border of a huge page on. */
void *reserved(size_t bytes) {
    void *place = mmap(nullptr, bytes + HUGE_PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place == MAP_FAILED) throw std::bad_alloc();
    char *const first = static_cast<char *>(place);
    const size_t before = whole_pages(reinterpret_cast<uintptr_t>(first)) - reinterpret_cast<uintptr_t>(first);
    if (before > 0) munmap(first, before);
    if (before < HUGE_PAGE) munmap(first + before + bytes, HUGE_PAGE - before);
    return first + before;
}

void *mapped(size_t bytes) {
    void *place = reserved(bytes);
    if (mprotect(place, bytes, PROT_READ | PROT_WRITE) != 0) {
        munmap(place, bytes);
        throw std::bad_alloc();
    }
    madvise(place, bytes, MADV_HUGEPAGE);  // a system that has none goes on with small ones
    return place;
}

void *remapped(void *block, size_t size, size_t bytes) {
    if (mremap(block, size, bytes, 0) != MAP_FAILED) return block;
    void *place = reserved(bytes);
    if (mremap(block, size, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, place) == MAP_FAILED) {
        munmap(place, bytes);
        throw std::bad_alloc();
    }
    return place;
}

#endif

}  // namespace

#ifdef __linux__

void MemoryBlock::grow(size_t bytes) {
    if (bytes <= size_) return;
    if (bytes < LARGE) {
        data_ = reallocated(data_, bytes);
        size_ = bytes;
        return;
    }
    bytes = whole_pages(bytes);
    if (size_ >= LARGE) {
        data_ = remapped(data_, size_, bytes);
    } else {
        void *large = mapped(bytes);
        if (size_ > 0) std::memcpy(large, data_, size_);
        std::free(data_);
        data_ = large;
    }
    size_ = bytes;
}

void MemoryBlock::release() { size_ < LARGE ? std::free(data_) : static_cast<void>(munmap(data_, size_)); }

#else

void MemoryBlock::grow(size_t bytes) {
    if (bytes <= size_) return;
    data_ = reallocated(data_, bytes);
    size_ = bytes;
}

void MemoryBlock::release() { std::free(data_); }

#endif

void MemoryBlock::swap(MemoryBlock &other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
}

}  // namespace numbat
