// Temporary memory of the device for one kernel. How much a sort needs besides its arguments is known only to the library, and only at run
// time, so it cannot be part of a plan. Each thread of the program therefore keeps the memory for its next call, and replaces it by larger
// blocks as needed: after the first step of a training nothing is allocated.
#pragma once

#include "tenon/backend/thrust/memory.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace tenon::inline v0_1::backend::inline TENON_DEVICE::thrust_detail {

class scratch {
 public:
  using value_type = char;  // makes it an allocator for Thrust's execution policies

  scratch() = default;
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;
  ~scratch() {
    for (const block& b : blocks_) release(thrust_device{}, b.start);
  }
  // Returns the smallest free block that is large enough, or a new one.
  char* allocate(std::ptrdiff_t bytes) {
    // Work queued in another stream may still use blocks that are free.
    follow();
    const auto needed = static_cast<std::size_t>(bytes > 0 ? bytes : 1);
    block* best = nullptr;
    for (block& b : blocks_)
      if (!b.taken && b.bytes >= needed && (best == nullptr || b.bytes < best->bytes)) best = &b;
    if (best == nullptr) best = &grown(needed);
    best->taken = true;
    return static_cast<char*>(best->start);
  }
  void deallocate(char* start, std::size_t) {
    for (block& b : blocks_)
      if (b.start == start) b.taken = false;
  }
  // Waits for the stream in which the memory was used last, if it is not this thread's stream.
  void follow() {
    if (const device_stream now = stream_of_thread; now != last_)
      wait_for(thrust_device{}, std::exchange(last_, now));
  }
  // How many of its blocks have been released: code that keeps a block's address must check this.
  long released() const { return released_; }
  // The memory of this thread of the program, whose kernels run one after another on the device.
  static scratch& mine() {
    if (lent_to_thread() != nullptr) return *lent_to_thread();
    static thread_local scratch one;
    return one;
  }
  // While this object lives, this thread's kernels use another scratch.
  class lent {
   public:
    explicit lent(scratch& other) : before_(std::exchange(lent_to_thread(), &other)) {}
    lent(const lent&) = delete;
    lent& operator=(const lent&) = delete;
    ~lent() { lent_to_thread() = before_; }

   private:
    scratch* before_;
  };

 private:
  struct block {
    void* start;
    std::size_t bytes;
    bool taken;
  };
  std::vector<block> blocks_;
  device_stream last_ = stream_of_thread;
  long released_ = 0;

  static scratch*& lent_to_thread() {
    static thread_local scratch* one = nullptr;
    return one;
  }
  // Replaces a free block that is too small by a larger one.
  block& grown(std::size_t bytes) {
    for (block& b : blocks_)
      if (!b.taken) {
        release(thrust_device{}, std::exchange(b.start, nullptr));
        ++released_;
        b = blocks_.back();
        blocks_.pop_back();
        break;
      }
    blocks_.reserve(blocks_.size() + 1);
    blocks_.push_back({backend::allocate(thrust_device{}, bytes), bytes, false});
    return blocks_.back();
  }
};

// An array of numbers in scratch memory.
template <class T>
class scratch_numbers {
 public:
  explicit scratch_numbers(std::ptrdiff_t count)
      : start_(scratch::mine().allocate(count * std::ptrdiff_t(sizeof(T)))) {}
  scratch_numbers(const scratch_numbers&) = delete;
  scratch_numbers& operator=(const scratch_numbers&) = delete;
  ~scratch_numbers() { scratch::mine().deallocate(start_, 0); }
  T* data() const { return reinterpret_cast<T*>(start_); }

 private:
  char* start_;
};

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE::thrust_detail
