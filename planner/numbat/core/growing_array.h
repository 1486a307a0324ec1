/*
  An array that only grows, for trivially copyable entries.

  It grows through realloc, which moves large blocks by remapping pages: no copy, and no moment at which the old and the
  new block are both resident. Pages not yet written cost nothing, so `bytes` counts what is used, not what is reserved.
*/
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <utility>

namespace numbat {

template <class T>
class GrowingArray {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    GrowingArray() = default;
    GrowingArray(GrowingArray &&other) noexcept { swap(other); }
    GrowingArray &operator=(GrowingArray &&other) noexcept {
        swap(other);
        return *this;
    }
    GrowingArray(const GrowingArray &) = delete;
    GrowingArray &operator=(const GrowingArray &) = delete;
    ~GrowingArray() { std::free(data_); }

    size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    size_t bytes() const { return size_ * sizeof(T); }
    T &operator[](size_t i) { return data_[i]; }
    const T &operator[](size_t i) const { return data_[i]; }
    T &back() { return data_[size_ - 1]; }
    T *data() { return data_; }
    const T *data() const { return data_; }

    void push_back(const T &value) {
        T copy = value;
        *extend(1) = copy;
    }
    void pop_back() { --size_; }

    /* Appends `count` entries, not initialised, and tells where they start. */
    T *extend(size_t count) {
        if (size_ + count > capacity_) reserve((size_ + count) + (size_ + count) / 2 + 16);
        T *place = data_ + size_;
        size_ += count;
        return place;
    }
    void resize(size_t size, const T &fill) {
        while (size_ < size) push_back(fill);
        size_ = size;
    }

private:
    T *data_ = nullptr;
    size_t size_ = 0;
    size_t capacity_ = 0;

    void reserve(size_t capacity) {
        void *grown = std::realloc(static_cast<void *>(data_), capacity * sizeof(T));
        if (!grown) throw std::bad_alloc();
        data_ = static_cast<T *>(grown);
        capacity_ = capacity;
    }
    void swap(GrowingArray &other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
    }
};

}  // namespace numbat
