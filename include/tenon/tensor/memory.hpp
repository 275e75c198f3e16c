// memory<T>: an owned, zeroed, 64-byte aligned block of constant length, in large pages where it fills some. Allocated once, never grown.
#pragma once

#include "tenon/meta/characters.hpp"
#include "tenon/system/large_pages.hpp"

#include <algorithm>
#include <cstddef>
#include <new>
#include <utility>

namespace tenon::inline v0_1 {

namespace engine {
// What a block is for: "the workspace of inference", and the title of the graph. Both strings live as long as the
// program.
struct memory_use {
  ir::characters kind{}, graph{};
};
}  // namespace engine

// There is too little memory. The message says how many bytes were needed, and for what.
class memory_error : public std::bad_alloc {
 public:
  memory_error(std::size_t bytes, const engine::memory_use& use) noexcept {
    add("too little memory: ", bytes, " bytes");
    if (!use.kind.empty()) add(" for ", use.kind);
    if (!use.graph.empty()) add(" of graph '", use.graph, "'");
  }
  // The memory of a device, with the number of bytes that it has.
  memory_error(std::size_t bytes, const engine::memory_use& use, std::size_t available) noexcept
      : memory_error(bytes, use) {
    add(", and the device has ", available);
  }
  const char* what() const noexcept override { return text_; }

 private:
  char text_[256]{};  // allocates nothing, as memory is short
  std::size_t size_ = 0;

  void add(std::size_t number) {
    char digits[24], *first = digits + sizeof digits;
    do *--first = static_cast<char>('0' + number % 10);
    while ((number /= 10) > 0);
    add({first, static_cast<std::size_t>(digits + sizeof digits - first)});
  }
  void add(ir::characters s) {
    for (std::size_t k = 0; k < s.size() && size_ + 1 < sizeof text_; ++k) text_[size_++] = s[k];
  }
  template <class... Parts>
  requires(sizeof...(Parts) > 1) void add(const Parts&... parts) { (add(parts), ...); }
};

namespace detail {
// One function for the blocks of all types, never inlined into its callers.
[[gnu::noinline]] inline void* allocate(std::size_t bytes, std::size_t alignment,
                                        const engine::memory_use& use) {
  try {
    void* const block = ::operator new (bytes, std::align_val_t{alignment});
    if (alignment == system_calls::large_page) system_calls::ask_for_large_pages(block, bytes);
    return block;
  } catch (const std::bad_alloc&) { throw memory_error(bytes, use); }
}
inline constexpr std::size_t block_alignment = 64;
constexpr std::size_t alignment_of(std::size_t bytes) {
  return bytes < system_calls::large_page ? block_alignment : system_calls::large_page;
}
}  // namespace detail

namespace engine {
template <class T>
class memory {
 public:
  static constexpr std::size_t alignment = tenon::detail::block_alignment;

  memory() = default;
  // Throws memory_error.
  explicit memory(std::size_t count, const memory_use& use = {})
      : data_(count == 0 ? nullptr
                         : static_cast<T*>(tenon::detail::allocate(
                               count * sizeof(T), tenon::detail::alignment_of(count * sizeof(T)), use))),
        count_(count),
        use_(use) {
    std::fill_n(data_, count_, T{});
  }
  memory(const memory& other) : memory(other.count_, other.use_) { std::copy_n(other.data_, count_, data_); }
  memory(memory&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        count_(std::exchange(other.count_, 0)),
        use_(other.use_) {}
  memory& operator=(memory other) noexcept {
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
    std::swap(use_, other.use_);
    return *this;
  }
  ~memory() { ::operator delete (data_, std::align_val_t{tenon::detail::alignment_of(count_ * sizeof(T))}); }

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
  memory_use use_{};
};
}  // namespace engine

}  // namespace tenon::inline v0_1
