// memory<T>: an owned, zeroed, 64-byte aligned block of constant length. Allocated once, never grown.
#pragma once

#include <algorithm>
#include <cstddef>
#include <new>
#include <utility>

namespace tenon {

template <class T>
class memory {
 public:
  static constexpr std::size_t alignment = 64;

  memory() = default;
  explicit memory(std::size_t count)
      : data_(count == 0 ? nullptr
                         : static_cast<T*>(::operator new (count * sizeof(T), std::align_val_t{alignment}))),
        count_(count) {
    std::fill_n(data_, count_, T{});
  }
  memory(const memory& other) : memory(other.count_) { std::copy_n(other.data_, count_, data_); }
  memory(memory&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), count_(std::exchange(other.count_, 0)) {}
  memory& operator=(memory other) noexcept {
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
    return *this;
  }
  ~memory() { ::operator delete (data_, std::align_val_t{alignment}); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return count_; }
  T* begin() { return data_; }
  T* end() { return data_ + count_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + count_; }

 private:
  T* data_ = nullptr;
  std::size_t count_ = 0;
};

}  // namespace tenon
