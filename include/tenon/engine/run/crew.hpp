// crew: the threads that a session shares its large kernels with. A kernel is cut into a piece for each of them, none of which depends on
// another, and whose results do not depend on how many there are.
#pragma once

#include "tenon/backend/memory.hpp"
#include "tenon/backend/operand.hpp"
#include "tenon/engine/plan/regions.hpp"
#include "tenon/meta/nonblocking.hpp"

#include <concepts>
#include <cstddef>

namespace tenon::inline v0_1 {

// How many threads run at once: those of a session or a trainer share its large kernels, those of a trainer with shards<N> run its shards.
// Their number changes no bit of a result.
struct threads {
  int count = 1;
};

}  // namespace tenon::inline v0_1

namespace tenon::inline v0_1::engine {

// Threads that wait for work. What makes them is in thread_pool.hpp, so that a program without them does not compile it.
struct waiting_threads {
  void* pool = nullptr;
  int count = 1;
  void (*share)(void* pool, void (*call)(void* function, int k), void* function) = nullptr;
  void (*end)(void* pool) = nullptr;
};

template <class T>
class crew {
 public:
  crew() = default;
  crew(const crew&) = delete;
  crew& operator=(const crew&) = delete;
  ~crew() {
    if (threads_.pool != nullptr) threads_.end(threads_.pool);
  }
  // Call it once. `scratch`: elements that each thread has for itself. Throws input_error if there is to be less than one thread.
  template <std::same_as<threads> Threads>
  void start(Threads at_most, long scratch, const memory_use& use) {
    static_assert(
        requires { start_threads(threads_, at_most); }, "threads: include tenon/engine/run/thread_pool.hpp");
    apart_ = in_whole_lines(scratch);
    scratch_ = memory<T>(static_cast<std::size_t>(at_most.count > 1 ? at_most.count * apart_ : 0), use);
    start_threads(threads_, at_most);
  }
  int size() const { return threads_.count; }

  // Calls f(piece) for each piece of what the caller has to do, and returns when all are done. Allocates nothing. It waits: steps with a
  // deadline have one thread, and reach it in no run, only in what a compiler sees.
  template <class Backend, class F>
  void share(F f) {
    struct pieces {
      F& f;
      int count;
    } all{f, size()};
    const auto call = [](void* function, int k) {
      [[maybe_unused]] const auto mode = backend::begin<Backend>();
      const pieces& of = *static_cast<pieces*>(function);
      of.f(backend::piece{k, of.count});
    };
    TENON_OTHERS_ARITHMETIC(threads_.share(threads_.pool, call, &all);)
  }
  // Of this piece.
  T* scratch(backend::piece mine) { return scratch_.data() + mine.number * apart_; }
  template <class U>
  U* scratch_of(backend::piece mine) {
    return reinterpret_cast<U*>(scratch(mine));
  }

 private:
  waiting_threads threads_;
  std::ptrdiff_t apart_ = 0;
  memory<T> scratch_;
};

}  // namespace tenon::inline v0_1::engine
