// Blocks and threads of a GPU, emulated on a CPU. The threads of a block are fibers that take turns; the blocks run one after another, or in
// turns if they wait for each other. The emulation reports errors that a device would not: an index outside an array of shared memory, a
// number read before it is written, two threads that access one number without a barrier between them, a barrier or an exchange that not
// all threads reach, blocks that wait for each other for ever.
#pragma once

#include "tenon/backend/emulation/fiber.hpp"
#include "tenon/backend/thrust/system.hpp"
#include "tenon/meta/host_device.hpp"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace tenon::inline v0_1::backend::inline TENON_DEVICE::emulation {

// A kernel whose result on a device would be undefined.
struct error : std::logic_error {
  using std::logic_error::logic_error;
};

inline constexpr int warp_size = 32;

// Runs the threads of one block on one thread of the program.
class block {
 public:
  block() = default;
  block(const block&) = delete;
  block& operator=(const block&) = delete;

  // take_turns() calls body(thread) for every thread of a block, in pieces. The body must live until they are done.
  template <class Body>
  void start(int threads, Body& body) {
    call_ = [](void* function, int thread) { (*static_cast<Body*>(function))(thread); };
    body_ = &body;
    threads_ = threads;
    epoch_ = 1;
    failure_.clear();
    while (static_cast<int>(all_.size()) < threads) all_.push_back(std::make_unique<member>(*this));
    for (int t = 0; t < threads; ++t) {
      of(t).waits = waiting::no;
      of(t).exchanges = 0;
    }
  }
  // Runs each thread that can continue until it waits, then releases the threads that wait for each other. Throws error. paused: the
  // block can continue only when others have.
  enum class progress { done, paused, continues };
  progress take_turns() {
    progress now = progress::continues;
    if (take_turns(now)) return now;
    all_.clear();  // they are in the middle of a body and cannot be reused
    throw error(failure_);
  }
  // Forgets threads that have not come to their end.
  void stop() { all_.clear(); }

  int thread() const { return thread_; }
  int epoch() const { return epoch_; }  // one more than the number of barriers that all threads have passed
  void synchronise(int line) { wait(waiting::at_barrier, line); }
  void pause() { wait(waiting::for_others, 0); }
  // Gives a value to the other lanes of the warp. Returns lane -> the value that this lane has given.
  template <class T>
  auto exchange(const T& mine) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= exchanged_bytes);
    const int here = thread_, turn = of(here).exchanges++ % 2;  // a lane is ahead of others by one at most
    std::memcpy(of(here).exchanged[turn], &mine, sizeof mine);
    wait(waiting::for_warp, 0);
    return [this, here, turn](int lane) {
      T other;
      std::memcpy(&other, of(here - here % warp_size + lane).exchanged[turn], sizeof other);
      return other;
    };
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw error("thread " + std::to_string(thread_) + " " + what);
  }

 private:
  static constexpr int exchanged_bytes = 24;
  enum class waiting { no, at_barrier, for_warp, for_others, done };
  struct member {
    explicit member(block& all) : runs(&block::enter, &all) {}
    fiber runs;
    waiting waits = waiting::no;
    int line = 0;  // of the barrier
    int exchanges = 0;
    alignas(double) char exchanged[2][exchanged_bytes]{};
  };
  std::vector<std::unique_ptr<member>> all_;
  void (*call_)(void*, int) = nullptr;
  void* body_ = nullptr;
  int threads_ = 0, thread_ = 0, epoch_ = 1;
  std::string failure_;

  member& of(int thread) { return *all_[static_cast<std::size_t>(thread)]; }

  // False: it has failed.
  bool take_turns(progress& now) {
    bool any_pauses = false, any_runs = false;
    for (thread_ = 0; thread_ < threads_; ++thread_) {
      const waiting before = of(thread_).waits;
      if (before != waiting::no && before != waiting::for_others) continue;
      of(thread_).runs.resume();
      if (!failure_.empty()) return false;
      any_pauses |= of(thread_).waits == waiting::for_others;
      any_runs |= before == waiting::no || of(thread_).waits != waiting::for_others;
    }
    bool any_warp = false;
    for (int first = 0; first < threads_; first += warp_size)
      if (all_wait(first, first + warp_size, waiting::for_warp)) {
        release(first, first + warp_size);
        any_warp = true;
      }
    if (any_warp) return true;
    if (any_pauses) {
      if (!any_runs) now = progress::paused;
      return true;
    }
    if (all_wait(0, threads_, waiting::done)) {
      now = progress::done;
      return true;
    }
    if (!all_wait(0, threads_, waiting::at_barrier)) return stuck();
    for (int t = 1; t < threads_; ++t)
      if (of(t).line != of(0).line) {
        failure_ = "thread 0 waits at the barrier in line " + std::to_string(of(0).line) + ", thread " +
                   std::to_string(t) + " at that in line " + std::to_string(of(t).line);
        return false;
      }
    release(0, threads_);
    ++epoch_;
    return true;
  }
  bool all_wait(int first, int end, waiting how) {
    for (int t = first; t < end; ++t)
      if (of(t).waits != how) return false;
    return true;
  }
  void release(int first, int end) {
    for (int t = first; t < end; ++t) of(t).waits = waiting::no;
  }
  // Reports that some threads wait for others that never arrive.
  bool stuck() {
    const auto first = [&](auto is) {
      int t = 0;
      while (!is(of(t))) ++t;
      return t;
    };
    const int waits = first([](const member& f) { return f.waits != waiting::done; });
    const waiting how = of(waits).waits;
    const int missing = first([&](const member& f) { return f.waits != how; });
    failure_ = "thread " + std::to_string(waits) +
               (how == waiting::at_barrier ? " waits at the barrier in line " + std::to_string(of(waits).line)
                                           : " waits for the other lanes of its warp") +
               ", and thread " + std::to_string(missing) +
               (of(missing).waits == waiting::done ? " has returned" : " waits elsewhere");
    return false;
  }

  static void enter(void* all) {
    block& mine = *static_cast<block*>(all);
    for (;;) {
      const int here = mine.thread_;
      try {
        mine.call_(mine.body_, here);
      } catch (const error& e) { mine.failure_ = e.what(); }
      mine.wait(waiting::done, 0);
    }
  }
  void wait(waiting how, int line) {
    member& mine = of(thread_);
    mine.waits = how;
    mine.line = line;
    mine.runs.suspend();
  }
};

// The blocks that this thread of the program runs, and the one that it runs now.
struct blocks_of_thread {
  std::vector<std::unique_ptr<block>> all;
  int now = 0;

  block& at(int number) {
    while (static_cast<int>(all.size()) <= number) all.push_back(std::make_unique<block>());
    now = number;
    return *all[static_cast<std::size_t>(number)];
  }
};
inline blocks_of_thread& blocks_here() {
  static thread_local blocks_of_thread one;
  return one;
}
inline block& running() { return *blocks_here().all[static_cast<std::size_t>(blocks_here().now)]; }

// An array in shared memory that checks every access.
template <class T, int Count>
class checked_array {
  static_assert(std::is_trivially_copyable_v<T>);
  struct history {
    int written = 0, writer = -1;  // the epoch and the thread of the last write; 0: never written
    int read = 0, reader = -1;     // of the last read; a second reader in an epoch replaces the first
    bool several = false;
  };

 public:
  class element {
   public:
    element(checked_array& all, int index) : all_(all), index_(index) {}
    operator T() const { return all_.read(index_); }
    element& operator=(T x) {
      all_.write(index_, x);
      return *this;
    }
    element& operator=(const element& other) { return *this = static_cast<T>(other); }

   private:
    checked_array& all_;
    int index_;
  };
  element operator[](int index) { return {*this, index}; }
  // Neighbouring numbers that are read at once: an array that is a member of Several.
  template <class Several>
  Several at(int index) {
    Several all;
    if (index % static_cast<int>(std::size(all.numbers)) != 0)
      running().fail("reads several numbers at once from " + number(index) + ", which is not aligned");
    for (T& x : all.numbers) x = read(index++);
    return all;
  }

 private:
  T numbers_[Count]{};
  history histories_[Count]{};

  static std::string number(int index) {
    return "number " + std::to_string(index) + " of an array of " + std::to_string(Count) +
           " in shared memory";
  }
  T read(int index) {
    block& now = running();
    if (index < 0 || index >= Count) now.fail("reads " + number(index));
    history& h = histories_[index];
    if (h.written == 0) now.fail("reads " + number(index) + " before any thread has written it");
    if (h.written == now.epoch() && h.writer != now.thread())
      now.fail("reads " + number(index) + " that thread " + std::to_string(h.writer) +
               " writes without a barrier between them");
    h.several = h.read == now.epoch() && (h.several || h.reader != now.thread());
    h.read = now.epoch();
    h.reader = now.thread();
    return numbers_[index];
  }
  void write(int index, T x) {
    block& now = running();
    if (index < 0 || index >= Count) now.fail("writes " + number(index));
    history& h = histories_[index];
    if (h.written == now.epoch() && h.writer != now.thread())
      now.fail("writes " + number(index) + " that thread " + std::to_string(h.writer) +
               " writes without a barrier between them");
    if (h.read == now.epoch() && (h.several || h.reader != now.thread()))
      now.fail("writes " + number(index) + " that " +
               (h.several ? std::string("others read") : "thread " + std::to_string(h.reader) + " reads") +
               " without a barrier between them");
    h.written = now.epoch();
    h.writer = now.thread();
    numbers_[index] = x;
  }
};

// What a kernel gets instead of a device's thread.
template <class Kernel>
struct thread {
  typename Kernel::template shared_memory<checked_array>& shared;
  struct {
    int x, y, z;
  } block;
  int index;

  void synchronise(int line = __builtin_LINE()) { running().synchronise(line); }
  template <class T>
  T from_lane(T mine, int bits) {
    return running().exchange(mine)(index % warp_size ^ bits);
  }
  // On a device the copy comes later. To find a thread that reads it too early is up to the checks of shared memory: a copy that another
  // thread reads needs a barrier, too.
  template <class Array, class T>
  void fetch_four(Array& array, int at, const T* from, int count) {
    if (at % 4 != 0 || reinterpret_cast<std::uintptr_t>(from) % (4 * sizeof(T)) != 0)
      running().fail("fetches four numbers to or from a place that is no multiple of four");
    for (int n = 0; n < 4; ++n) array[at + n] = n < count ? from[n] : T(0);
  }
  void close_fetches() {}
  template <int Open>
  void wait_for_fetches() {}
  void multiply_add(float (&c)[4], const float (&a)[4], const float (&b)[2]) {
    struct factors {
      float a[4], b[2];
    };
    const auto of = running().exchange(factors{{a[0], a[1], a[2], a[3]}, {b[0], b[1]}});
    const int g = index % warp_size / 4, t = index % 4;
    for (int n = 0; n < 4; ++n) {
      double sum = double(c[n]);
      for (int k = 0; k < 8; ++k)
        sum += double(eleven_bits(of(g * 4 + k % 4).a[n / 2 + k / 4 * 2])) *
               double(eleven_bits(of((2 * t + n % 2) * 4 + k % 4).b[k / 4]));
      c[n] = cut_off(sum);
    }
  }
  template <class T>
  void publish(T* to, T x) {
    *to = x;
  }
  template <class Numbers, class T>
  Numbers look(const T* from) {
    Numbers numbers;
    std::memcpy(&numbers, from, sizeof numbers);
    return numbers;
  }
  void pause() { running().pause(); }

 private:
  static float eleven_bits(float x) {
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) & 0xffffe000u);
  }
  static float cut_off(double x) {
    const auto y = static_cast<float>(x);
    return std::abs(double(y)) > std::abs(x) ? std::nextafter(y, 0.0f) : y;
  }
};

// The threads of one block of a kernel.
template <class Kernel>
struct block_of_kernel {
  using memory = typename Kernel::template shared_memory<checked_array>;
  const Kernel& kernel;
  int x, y, z;
  std::unique_ptr<memory> shared = std::make_unique<memory>();

  void operator()(int index) {
    thread<Kernel> one{*shared, {x, y, z}, index};
    kernel(one);
  }
};
// Runs the blocks from number `first` to `end`, which take turns until all are done.
template <class Kernel>
void run_blocks(const Kernel& kernel, int x, int y, int first, int end) {
  static_assert(Kernel::threads % warp_size == 0);
  const auto block_at = [&](int n) -> block& { return blocks_here().at(n - first); };
  std::vector<block_of_kernel<Kernel>> all;
  for (int n = first; n < end; ++n) all.push_back({kernel, n % x, n / x % y, n / x / y});
  for (int n = first; n < end; ++n)
    block_at(n).start(Kernel::threads, all[static_cast<std::size_t>(n - first)]);
  std::vector<bool> done(all.size());
  try {
    for (bool any_continues = true; any_continues;) {
      any_continues = false;
      bool any_pauses = false;
      for (int n = first; n < end; ++n) {
        if (done[static_cast<std::size_t>(n - first)]) continue;
        const block::progress now = block_at(n).take_turns();
        done[static_cast<std::size_t>(n - first)] = now == block::progress::done;
        any_pauses |= now == block::progress::paused;
        any_continues |= now != block::progress::paused;
      }
      if (any_pauses && !any_continues) throw error("blocks wait for each other for ever");
    }
  } catch (const error&) {
    for (int n = first; n < end; ++n) block_at(n).stop();
    throw;
  }
}
// Runs all threads of a kernel, in x * y * z blocks, one after the other. Throws error.
template <class Kernel>
void run(const Kernel& kernel, int x, int y, int z) {
  for (int n = 0; n < x * y * z; ++n) run_blocks(kernel, x, y, n, n + 1);
}
// The same with all blocks at the same time, so that they may wait for each other.
template <class Kernel>
void run_together(const Kernel& kernel, int x, int y, int z) {
  run_blocks(kernel, x, y, 0, x * y * z);
}
// How many blocks run_together is given at most: few, so that tests have kernels with more.
inline constexpr int blocks_at_once = 16;

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE::emulation
