// captured_shards: the steps of a trainer with shards on devices, captured for each shape of all parts. Ranks capture together, and queue graphs that were
// captured together, as NCCL demands: they tell each other the shapes of their parts and the state of their memory, so all decide alike. Work runs once
// as it is; when it comes again and nobody's memory has been replaced since, it is captured.
#pragma once

#include "tenon/engine/session/captured_runs.hpp"
#include "tenon/train/trainer/step_queue.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tenon::inline v0_1::engine {

// Session: device_shards, of N parts.
template <class Session, int N>
class captured_shards {
  using part_plan = typename Session::part_plan;
  using device = typename part_plan::backend;
  using graphs = decltype(graphs_of(device{}));
  using part_shape = run_shape<part_plan>;
  static constexpr int axes = part_shape::axes, numbers_of_part = 2 + 2 * axes;
  struct shape {
    part_shape key{};
    int used = 0;
    // Of all ranks: the state of the rank's memory, rows, steps, and whether these are even.
    long parts[N][numbers_of_part]{};

    bool operator==(const shape&) const = default;
  };

 public:
  template <class Run>
  void operator()(Session& of, const part_shape& key, Run run) {
    now_.key = key;
    now_.used = of.used();
    for (int k = of.group().first(); k < of.group().end(); ++k)
      std::fill_n(now_.parts[k] + 1, numbers_of_part - 1, 0);
    with_inputs_seen(of, of.group().first(), run);
  }
  // Shapes that are captured, and whose memory is still there on all ranks.
  int count() const {
    return static_cast<int>(std::count_if(known_.begin(), known_.end(), [this](const entry& one) {
      bool is_current = one.of.key.part == part_of_step::first && one.is_captured;
      for (int k = 0; k < N; ++k) is_current = is_current && one.of.parts[k][0] == now_.parts[k][0];
      return is_current;
    }));
  }

 private:
  static constexpr std::size_t most = captured_runs<part_plan>::most;
  struct entry {
    shape of;
    typename graphs::graph recorded{};
    bool is_captured = false;
  };

  // The inputs of part k and of those behind it.
  template <class Run>
  void with_inputs_seen(Session& of, int k, Run& run) {
    if (k == of.group().first() + of.group().used(of.used())) return run_or_queue(of, run);
    part_shape mine;
    const typename captured_runs<part_plan>::seen_inputs seen(of.part_of(k), mine);
    long* next = now_.parts[k] + 1;
    *next++ = mine.rows;
    for (int a = 0; a < axes; ++a) {
      *next++ = mine.steps[a];
      *next++ = mine.is_even[a];
    }
    with_inputs_seen(of, k + 1, run);
  }
  template <class Run>
  void run_or_queue(Session& of, Run& run) {
    // Between the pieces of a step nothing changes but memory, where one of them has run.
    if (begins_step(now_.key.part) || has_run_) tell(of);
    has_run_ = false;
    const auto found =
        std::find_if(known_.begin(), known_.end(), [this](const entry& one) { return one.of == now_; });
    if (found == known_.end()) {
      has_run_ = true;
      graphs_.run(run);
      if (known_.size() == most) known_.erase(known_.begin());
      known_.push_back(entry{now_});
      return;
    }
    std::rotate(found, found + 1, known_.end());
    entry& last = known_.back();
    if (!last.is_captured) last.recorded = graphs_.capture(run);
    last.is_captured = true;
    graphs_.queue(last.recorded);
  }
  static constexpr bool begins_step(int part) {
    return part == part_of_step::first || part == part_of_step::forward;
  }
  void tell(Session& of) {
    for (int k = of.group().first(); k < of.group().end(); ++k) now_.parts[k][0] = graphs_.memory_state();
    of.group_.gather(now_.parts[0], [](int shard) { return shard * numbers_of_part; });
  }

  graphs graphs_;
  shape now_;
  std::vector<entry> known_{};  // in the order of their last use
  bool has_run_ = false;
};

}  // namespace tenon::inline v0_1::engine
