// contender: one way to do a piece of work; contest<Work>: the contenders of a program, each entered by its own file.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace bench {

// One way to do a piece of work. run() is what is timed; reset() goes back to the start.
struct contender {
  virtual ~contender() = default;
  virtual void reset() {}
  virtual void run() = 0;
  // Held around many runs, as whoever calls it in a loop would.
  virtual std::shared_ptr<void> around_all_runs() { return nullptr; }
  // The answer; empty: a limit of the machine, which has none to check.
  virtual std::span<const float> output() const = 0;
  // What the work takes at most; 0: not known. It may start anew, so it is asked before the time is taken.
  virtual double peak_bytes() { return 0; }
};

// What each Work knows about itself.
struct row {
  std::string group, name;
  double multiply_adds = 0;  // that cannot be left out
  double gates = 0;          // sigmoids and hyperbolic tangents
  double bytes_read = 0;     // of weights,
  int times_read = 1;        // this often
  double waiting = 1;        // the share of them that waits for the step before
  int runs_to_check = 3;     // after reset(), before the answers are compared
  double tolerance = 1e-5;   // absolute, and relative beyond 1
  bool asks_memory = false;  // a second table: the bytes of each contender that knows them
  double counted = 0;        // words or sentences of a run: the table says how many a second
};

template <class Work>
struct contest {
  using maker = std::unique_ptr<contender> (*)(const Work&);
  struct entry {
    std::string name;
    maker make;
    int place;     // the order in the table
    double error;  // what it rounds away on purpose; added to the tolerance
  };
  static std::vector<entry>& entries() {
    static std::vector<entry> all;
    return all;
  }
  // enter("Tenon", 0, [](const Work& w) { ... }): null where the contender does not do this work.
  static bool enter(std::string name, int place, maker make, double error = 0) {
    entries().push_back({std::move(name), make, place, error});
    return true;
  }
};

// f<N>() for the N that equals n; false where none does. A check of the syntax looks at the first size alone: the others are the same code.
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
