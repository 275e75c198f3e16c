// parameter_block<T>: numbers in the program's memory and, if a backend with its own memory uses them, a
// second copy there. Each side returns the values last written on either side; they are copied when one side
// asks for them and is out of date.
#pragma once

#include "tenon/backend/memory.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

namespace tenon::inline v0_1::engine {

template <class T>
class parameter_block {
 public:
  parameter_block() = default;  // without numbers: used after a compile error
  explicit parameter_block(std::size_t count, const memory_use& use) : here_(count, use) {}
  parameter_block(const parameter_block& other) : here_((other.fetch(), other.here_)) {}
  parameter_block(parameter_block&& other) noexcept
      : here_(std::move(other.here_)), there_(other.there_.exchange(nullptr)) {}
  // With the same number of elements it copies into the existing memory, because views refer to it.
  parameter_block& operator=(const parameter_block& other) {
    if (size() != other.size()) return *this = parameter_block(other);
    if (this == &other) return *this;
    const T* const from = other.data();  // first: it may throw, and overwrite() forgets what a device has
    std::copy_n(from, size(), overwrite());
    return *this;
  }
  parameter_block& operator=(parameter_block&& other) noexcept {
    std::swap(here_, other.here_);
    there_.store(other.there_.exchange(there_.load()));
    return *this;
  }
  ~parameter_block() { delete there_.load(); }

  std::size_t size() const { return here_.size(); }
  const T* data() const {
    fetch();
    return here_.data();
  }
  T* data() {
    fetch();
    if (other_side* const there = there_.load(std::memory_order_relaxed)) there->is_current = false;
    return here_.data();
  }
  // For writing all of it.
  T* overwrite() {
    if (other_side* const there = there_.load(std::memory_order_relaxed))
      there->is_newer = there->is_current = false;
    return here_.data();
  }

  // The numbers in a backend's own memory: for reading, for writing, and for writing all of them.
  template <backend::HasOwnMemory Backend>
  const T* on() const {
    return side<backend::memory_owner<Backend>>(true).numbers.data();
  }
  template <backend::HasOwnMemory Backend>
  T* write_on() {
    auto& there = side<backend::memory_owner<Backend>>(true);
    there.is_newer = true;
    there.stream.join();
    return there.numbers.data();
  }
  template <backend::HasOwnMemory Backend>
  T* overwrite_on() {
    auto& there = side<backend::memory_owner<Backend>>(false);
    there.is_newer = there.is_current = true;
    there.stream.join();
    return there.numbers.data();
  }

 private:
  struct other_side {
    bool is_current = false;  // has the same numbers as this side
    bool is_newer = false;    // has numbers that this side does not have yet
    const void* backend;
    explicit other_side(const void* of) : backend(of) {}
    virtual ~other_side() = default;
    virtual void fetch(T* to) const = 0;
  };
  template <class Backend>
  struct side_of : other_side {
    static constexpr char tag = 0;
    backend::own_memory<T, Backend> numbers;
    mutable backend::last_stream<Backend> stream;  // that wrote it last
    side_of(std::size_t count, const memory_use& use) : other_side(&tag), numbers(count, use) {
      stream.use();
    }
    void fetch(T* to) const override {
      stream.settle();
      copy_out(Backend{}, numbers.data(), to, numbers.size() * sizeof(T));
    }
  };
  // Sessions of several threads may read one block at once; this makes them wait for each other.
  struct lock {
    std::atomic_flag& flag;
    explicit lock(std::atomic_flag& f) : flag(f) {
      while (flag.test_and_set(std::memory_order_acquire)) {}
    }
    lock(const lock&) = delete;
    lock& operator=(const lock&) = delete;
    ~lock() { flag.clear(std::memory_order_release); }
  };

  // Copies newer numbers from the other side.
  void fetch() const {
    if (there_.load(std::memory_order_acquire) == nullptr) return;
    const lock mine(busy_);
    other_side& there = *there_.load();
    if (there.is_newer) {
      there.fetch(here_.data());
      there.is_newer = false;
      there.is_current = true;
    }
  }
  template <class Backend>
  side_of<Backend>& side(bool is_read) const {
    const lock mine(busy_);
    other_side* there = there_.load();
    if (there != nullptr && there->backend != &side_of<Backend>::tag) {  // of another backend
      if (there->is_newer) there->fetch(here_.data());
      delete there_.exchange(nullptr);
      there = nullptr;
    }
    if (there == nullptr)
      there_.store(there = new side_of<Backend>(here_.size(), {"parameters on a backend", {}}));
    auto& mine_there = static_cast<side_of<Backend>&>(*there);
    if (is_read) mine_there.stream.settle();
    if (is_read && !there->is_newer && !there->is_current) {
      mine_there.stream.join();
      copy_in(Backend{}, here_.data(), mine_there.numbers.data(), here_.size() * sizeof(T));
      there->is_current = true;
    }
    return mine_there;
  }

  mutable engine::memory<T> here_;
  mutable std::atomic<other_side*> there_{nullptr};
  mutable std::atomic_flag busy_{};
};

}  // namespace tenon::inline v0_1::engine
