// captured_runs: the work of a session with the option `captured` on a device. It is captured once for each shape of
// the inputs, and queued as a whole from then on.
#pragma once

#include "tenon/backend/memory.hpp"
#include "tenon/engine/session/session_base.hpp"

#include <utility>

namespace tenon::inline v0_1::engine {

// What a captured run depends on, besides the numbers in the device's memory.
template <class Plan>
struct run_shape {
  static constexpr int axes = Plan::net.axes.size;

  const void* parameters = nullptr;  // in the device's memory
  const void* gradients = nullptr;
  double max_norm = 0, max_value = 0;  // of a trainer
  long groups = 0;
  int part = 0;  // of a step of a trainer: its part_of_step
  // Filled in by captured_runs.
  int rows = 0;
  int steps[axes + 1]{};     // of the longest row
  bool is_even[axes + 1]{};  // all rows are equally long

  bool operator==(const run_shape&) const = default;
};

// Graphs of a device by the shapes of their work.
template <class Device, class Shape>
class graphs_by_shape {
  using graphs = decltype(graphs_of(Device{}));

 public:
  graphs_by_shape() : all_(new entry[most]) {}
  graphs_by_shape(const graphs_by_shape&) = delete;
  graphs_by_shape& operator=(const graphs_by_shape&) = delete;
  ~graphs_by_shape() { delete[] all_; }

  // The most graphs that are kept; a further one replaces the graph that has not been used for longest.
  static constexpr int most = 128;

  // run() queues work of this shape, which reads everything else from the device's memory. The first time it runs
  // without capture, so that all memory it needs is allocated. The second time it is captured.
  template <class Run>
  void operator()(const Shape& shape, Run& run) {
    entry& one = find(shape);
    if (graphs_.is_current(one.recorded)) return graphs_.queue(one.recorded);
    if (one.prepared == graphs_.memory_state()) {
      one.recorded = graphs_.capture(run);
      return graphs_.queue(one.recorded);
    }
    graphs_.run(run);
    one.prepared = graphs_.memory_state();
  }
  // Shapes that have been captured, of those for which is_one(shape) holds.
  template <class IsOne>
  int count(IsOne is_one) const {
    int n = 0;
    for (int k = 0; k < known_; ++k)
      n += is_one(all_[k].shape) && graphs_.is_current(all_[k].recorded) ? 1 : 0;
    return n;
  }

 private:
  struct entry {
    Shape shape;
    typename graphs::graph recorded{};
    long prepared = -1;  // it has run in this state of the memory
    long used = 0;
  };
  entry* all_;  // room for `most`; no std::vector, whose header a program for a CPU does not need here
  int known_ = 0;
  graphs graphs_;
  long runs_ = 0;

  entry& find(const Shape& shape) {
    ++runs_;
    entry* oldest = all_;
    for (int k = 0; k < known_; ++k) {
      if (all_[k].shape == shape) return all_[k].used = runs_, all_[k];
      if (all_[k].used < oldest->used) oldest = all_ + k;
    }
    if (known_ < most) oldest = all_ + known_++;
    *oldest = entry{shape};
    oldest->used = runs_;
    return *oldest;
  }
};

template <class Plan>
class captured_runs {
 public:
  static constexpr int most = graphs_by_shape<typename Plan::backend, run_shape<Plan>>::most;

  // What the inputs of a session add to a shape. While it lives, the session's runs see only what is part of it:
  // otherwise each length of the shortest row would be a shape of its own.
  class seen_inputs {
   public:
    seen_inputs(session<Plan>& of, run_shape<Plan>& shape)
        : place_(of.context_.inputs.full_steps), before_(std::exchange(place_, full_steps_)) {
      const auto& lengths = of.inputs_.lengths();
      shape.rows = of.inputs_.rows();
      for (int a = 0; a < shape.axes; ++a) {
        shape.steps[a] = lengths.steps()[a];
        shape.is_even[a] = lengths.full_steps()[a] == shape.steps[a];
        full_steps_[a] = shape.is_even[a] ? shape.steps[a] : 0;
      }
    }
    seen_inputs(const seen_inputs&) = delete;
    seen_inputs& operator=(const seen_inputs&) = delete;
    ~seen_inputs() { place_ = before_; }

   private:
    int full_steps_[run_shape<Plan>::axes + 1]{};
    const int*& place_;
    const int* before_;
  };

  // See graphs_by_shape.
  template <class Run>
  void operator()(session<Plan>& of, run_shape<Plan> shape, Run run) {
    const seen_inputs seen(of, shape);
    graphs_(shape, run);
  }
  // Shapes of inputs.
  int count() const {
    return graphs_.count([](const run_shape<Plan>& shape) { return shape.part == 0; });
  }

 private:
  graphs_by_shape<typename Plan::backend, run_shape<Plan>> graphs_;
};

// For sessions without the option.
struct nothing_captured {};
template <class Plan, bool IsCaptured>
struct captured_runs_type {
  using type = nothing_captured;
};
template <class Plan>
requires backend::HasGraphs<typename Plan::backend>
struct captured_runs_type<Plan, true> {
  using type = captured_runs<Plan>;
};
template <class Plan, class... Options>
using captured_runs_for = typename captured_runs_type<Plan, session_options<Options...>::is_captured>::type;
// Of a trainer's steps, which run this.
template <class Session, class... Options>
struct captured_steps {
  using type = captured_runs_for<typename Session::plan, Options...>;
};

}  // namespace tenon::inline v0_1::engine
