// contender: one way to do a piece of work; contest<Work>: the contenders of a program, each registered by its own file.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace bench {

// One way to do a piece of work. run() is timed; reset() goes back to the start.
struct contender {
  virtual ~contender() = default;
  virtual void reset() {}
  virtual void run() = 0;
  // The processor's seconds of so many runs, by a contender that runs in a process of its own; 0: run() is to be timed.
  virtual double seconds_of(long) { return 0; }
  // An object held around many runs, as a caller with a loop would hold it.
  virtual std::shared_ptr<void> around_all_runs() { return nullptr; }
  // The answer. Empty for a limit of the machine, which has no answer to check.
  virtual std::span<const float> output() const = 0;
  // The peak memory of the work; 0: not known. The call may restart the work, so it comes before the time is measured.
  virtual double peak_bytes() { return 0; }
};

// What each Work tells about itself.
struct row {
  std::string group, name;
  double multiply_adds = 0;  // that any implementation must do
  double gates = 0;          // sigmoids and hyperbolic tangents
  double bytes_read = 0;     // of weights,
  int times_read = 1;        // this often
  double waiting = 1;        // the fraction of them that waits for the step before
  int runs_to_check = 3;     // runs after reset(), before the answers are compared
  double tolerance = 1e-5;   // absolute, and relative beyond 1
  bool asks_memory = false;  // adds a second table: the bytes of each contender that knows them
  double counted = 0;        // words or sentences of a run: the table shows how many per second
};

template <class Work>
struct contest {
  using maker = std::unique_ptr<contender> (*)(const Work&);
  struct entry {
    std::string name;
    maker make;
    int place;     // the order in the table
    double error;  // its intended rounding error; added to the tolerance
  };
  static std::vector<entry>& entries() {
    static std::vector<entry> all;
    return all;
  }
  // enter("Tenon", 0, [](const Work& w) { ... }): the function returns null if the contender does not do this work.
  static bool enter(std::string name, int place, maker make, double error = 0) {
    entries().push_back({std::move(name), make, place, error});
    return true;
  }
};

// Calls f<N>() for the N that equals n; false if there is none. A check of the syntax compiles only the first size: others are the same code.
#ifdef TENON_BENCH_ONE_SIZE
template <int N, int... Others, class F>
bool with_size(int n, F f) {
  return n == N && (f.template operator()<N>(), true);
}
#else
template <int... N, class F>
bool with_size(int n, F f) {
  return ((n == N && (f.template operator()<N>(), true)) || ...);
}
#endif

}  // namespace bench
