/*
  A block of memory that grows without being copied.

  Small blocks are realloc's. A large one is mapped by itself, begins at the border of a huge page and asks the system for
  such pages: whoever looks up states all over a block of a gigabyte otherwise waits as long for the translation of the
  address as for the memory. It grows by moving its pages, so that the old and the new block are never both resident, and
  huge pages stay whole. Pages that were never written cost nothing, as they do in small blocks; huge ones come as a whole,
  and a large block therefore has at most one of them that is not full.
*/
#pragma once

#include <cstddef>

namespace numbat {

class MemoryBlock {
public:
    MemoryBlock() = default;
    MemoryBlock(const MemoryBlock &) = delete;
    MemoryBlock &operator=(const MemoryBlock &) = delete;
    ~MemoryBlock() { release(); }

    void *data() const { return data_; }
    size_t size() const { return size_; }
    /* Becomes at least so large, keeping what it holds. Throws std::bad_alloc and is then as before. */
    void grow(size_t bytes);
    void swap(MemoryBlock &other) noexcept;

private:
    void *data_ = nullptr;
    size_t size_ = 0;

    void release();
};

}  // namespace numbat
