// Where a backend keeps its numbers. The kernels of most backends read the program's memory. A backend with its own memory, such as a
// GPU, has four functions of its tag:
//   void* allocate(tag, std::size_t bytes)                                  throws std::bad_alloc if there is too little memory
//   void release(tag, void* block)
//   void copy_in(tag, const void* from, void* to, std::size_t bytes)        from the program's memory
//   void copy_out(tag, const void* from, void* to, std::size_t bytes)       to it, after all kernels that were started before
// It may have std::size_t free_bytes(tag), for the error message when memory runs out, and owner_of_memory(tag), which returns the
// tag of the backend whose memory it uses: the two backends then share one copy of the parameters. A backend that works in streams
// (queues of work that run side by side) has two more functions:
//   stream current_stream(tag)                the stream in which the work that this thread queues now will run
//   void wait_for(tag, stream)                returns when all work queued in the stream is done
// A backend that can record queued work and repeat it as a whole has
//   graphs graphs_of(tag)
// whose type has a default constructor; run(f), which calls f; graph capture(f), which records the work that f queues without doing it;
// queue(graph), which does that work; and is_current(graph): may the graph still be queued? An empty graph is not current. The work of f
// must have run in the same memory_state() before it is captured.
// A backend where the program can wait for a copy without waiting for the work queued after it has
//   copy early_copy_of(tag)
// whose type is constructed with a number of bytes, and has queue(from), is_done(), and wait(), which returns where the bytes are.
// A backend on whose devices several ranks train together has
//   void queue_call(tag, call)                work of another library, queued by call(stream), where `stream` is a void* of that library
// and adds and copies blocks: add_elements, copy_elements, tell_losses, give_counts, join_losses; see thrust/shards.hpp.
#pragma once

#include "tenon/tensor/memory.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace tenon::inline v0_1 {

// A device failed: there is none, its driver is too old, or a kernel failed. The message says what failed, in which kernel, and of
// which node.
struct device_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace tenon::inline v0_1

namespace tenon::inline v0_1::backend {

template <class Backend>
concept HasOwnMemory = requires(const void* from, void* to, std::size_t bytes) {
  { allocate(Backend{}, bytes) } -> std::same_as<void*>;
  release(Backend{}, to);
  copy_in(Backend{}, from, to, bytes);
  copy_out(Backend{}, from, to, bytes);
};

template <class Backend>
constexpr auto find_owner_of_memory() {
  if constexpr (requires { owner_of_memory(Backend{}); }) return owner_of_memory(Backend{});
  else return Backend{};
}
template <HasOwnMemory Backend>
using memory_owner = decltype(find_owner_of_memory<Backend>());

template <class Backend>
concept HasStreams = requires {
  wait_for(Backend{}, current_stream(Backend{}));
};

template <class Backend>
concept HasGraphs = HasOwnMemory<Backend> && requires {
  graphs_of(Backend{});
};

template <class Backend>
concept CopiesEarly = HasOwnMemory<Backend> && requires {
  early_copy_of(Backend{});
};
// For a backend that cannot.
struct late_copy {
  explicit constexpr late_copy(std::size_t) {}
};
template <class Backend>
struct early_copy_type {
  using type = late_copy;
};
template <CopiesEarly Backend>
struct early_copy_type<Backend> {
  using type = decltype(early_copy_of(Backend{}));
};

// The stream in which a block was used last: a user in another stream waits for it. Does nothing for a backend without streams.
template <class Backend>
struct last_stream {
  void use() {}
  void join() {}
  void settle() {}
};
template <HasStreams Backend>
struct last_stream<Backend> {
  // Call after queueing work in this thread's stream that uses the block.
  void use() {
    stream_ = current_stream(Backend{});
    is_used_ = true;
  }
  // Call before the block is used from this thread's stream.
  void join() {
    settle();
    use();
  }
  // The same for a block that is only read, so that readers do not wait for each other.
  void settle() {
    if (!is_used_ || stream_ == current_stream(Backend{})) return;
    wait_for(Backend{}, stream_);
    is_used_ = false;
  }

 private:
  decltype(current_stream(Backend{})) stream_{};
  bool is_used_ = false;
};

// Copy from a backend's block, and to it, in whichever memory it is.
template <class Backend, class T>
void copy_from(const T* from, T* to, std::size_t count) {
  if constexpr (HasOwnMemory<Backend>) copy_out(Backend{}, from, to, count * sizeof(T));
  else std::copy_n(from, count, to);
}
template <class Backend, class T>
void copy_to(const T* from, T* to, std::size_t count) {
  if constexpr (HasOwnMemory<Backend>) copy_in(Backend{}, from, to, count * sizeof(T));
  else std::copy_n(from, count, to);
}

// A zeroed block of constant length in a backend's own memory.
template <class T, class Backend>
class own_memory {
 public:
  own_memory() = default;
  // Throws memory_error.
  explicit own_memory(std::size_t count, const engine::memory_use& use = {}) : count_(count) {
    if (count == 0) return;
    try {
      data_ = static_cast<T*>(allocate(Backend{}, count * sizeof(T)));
    } catch (const std::bad_alloc&) {
      if constexpr (requires { free_bytes(Backend{}); })
        throw memory_error(count * sizeof(T), use, free_bytes(Backend{}));
      else throw memory_error(count * sizeof(T), use);
    }
    set_all(Backend{}, static_cast<std::ptrdiff_t>(count), T{}, data_);
  }
  own_memory(own_memory&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), count_(std::exchange(other.count_, 0)) {}
  own_memory& operator=(own_memory other) noexcept {
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
    return *this;
  }
  ~own_memory() {
    if (data_ != nullptr) release(Backend{}, data_);
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return count_; }

 private:
  T* data_ = nullptr;
  std::size_t count_ = 0;
};

template <class T, class Backend>
struct memory_type {
  using type = engine::memory<T>;
};
template <class T, HasOwnMemory Backend>
struct memory_type<T, Backend> {
  using type = own_memory<T, Backend>;
};
// A block in the memory that a backend's kernels read.
template <class T, class Backend>
using memory_for = typename memory_type<T, Backend>::type;

}  // namespace tenon::inline v0_1::backend
