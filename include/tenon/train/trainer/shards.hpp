// shards<N>: an option of a trainer. The batch is cut into N parts with the same number of rows; threads{k} of them run
// at once. Sums run in the order of the parts, so the bits do not depend on the number of threads.
#pragma once

// Included first, because compilers print each file on the include path to where errors are reported.
#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/train/trainer/shard_options.hpp"
#include "tenon/train/trainer/thread_pool.hpp"
#include "tenon/train/trainer/trainer.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <utility>

namespace tenon {

namespace engine {

// One part: a session of its rows only, with its own memory and gradients. It reads the packed weights of part 0.
template <class Session>
class alignas(64) part : public Session {
 public:
  using T = typename Session::T;
  using Session::add_table_sums, Session::finish_tables, Session::go_back, Session::go_forward,
      Session::is_needed, Session::multiply_tables, Session::pack, Session::share_weights;

  // Before a run: sets theta and the rows from `first` on. `valid_targets`: for each operation, what a loss counts in the
  // whole batch. A count that is computed is known only after the forward run: this part's is in loss_of(o).
  template <class Parameters, class Whole>
  void take(const Parameters& theta, const input_buffers<Whole>& whole, const T* const* numbers, int first,
            const double* valid_targets) {
    constexpr int inputs = Session::net.inputs.size;
    [&]<int... I>(std::integer_sequence<int, I...>) {
      (this->inputs_.template take<Session::net.inputs[I]>(whole, first, numbers[Session::net.inputs[I]],
                                                           this->numbers_[Session::net.inputs[I]]),
       ...);
    }
    (std::make_integer_sequence<int, inputs>{});
    this->context_.losses.valid_targets = valid_targets;
    this->context_.losses.of_operations = losses_.data();
    this->context_.memory.parameters = theta.data();
    this->complete_inputs();
  }
  double share_of_loss() const { return this->context_.losses.loss; }
  const backend::positions_sum& loss_of(int o) const { return losses_[static_cast<std::size_t>(o)]; }

 private:
  std::array<backend::positions_sum, Session::net.operations.size + 1> losses_{};
};

// What a trainer with shards<N> runs in place of one differentiation. Its inputs are those of the whole batch.
template <class G, int N, class Session, class Plan>
class sharded : public named_inputs<Plan> {
 public:
  using plan = Plan;
  using part_plan = typename Session::plan;  // for a part of the batch, which is what runs
  using T = typename Plan::scalar;
  static constexpr const auto& net = Plan::net;
  static constexpr int B = Plan::batch, part_rows = B / N;

 private:
  static constexpr long numbers = [] {
    long n = 0;
    for (int i : net.inputs) n += net.edges[i].is_token() ? 0 : Plan::rows(i) * net.edges[i].size;
    return n;
  }();

 public:
  // Bytes of the parts' sessions, of their gradients, and of the inputs of the whole batch.
  static constexpr std::size_t workspace_bytes =
      N * Session::workspace_bytes - (N - 1) * Session::packed_bytes +
      static_cast<std::size_t>((N - 1) * parameters<G, T>::block_size + numbers) * sizeof(T);

  explicit sharded(threads at_most = {})
      : memory_(static_cast<std::size_t>(numbers), {"the inputs of training", Plan::title}),
        pool_(std::min(checked(at_most), N)) {
    T* at = memory_.data();
    repeat<net.inputs.size>([&](auto i) {
      constexpr int e = net.inputs[i];
      constexpr long count = Plan::rows(e) * net.edges[e].size;
      if constexpr (!net.edges[e].is_token()) {
        this->numbers_[e] = at;
        at += count;
      }
    });
    for (int k = 1; k < N; ++k) parts_[k].share_weights(parts_[0]);
  }

  // Part k after a step, read-only: get<"logits">(trainer.shard(k)).
  const Session& shard(int k) const { return parts_[k]; }
  int rows() const { return this->inputs_.rows(); }
  T loss() const { return loss_; }
  double positions() const {  // see differentiation
    double all = 0;
    for (int k = 0; k < used_; ++k) all += parts_[k].positions();
    return all;
  }

  // Each part draws different zeros.
  void randomness(seed s, std::uint64_t step) {
    for (int k = 0; k < N; ++k) parts_[k].randomness(s, step * N + static_cast<unsigned>(k));
    this->ran_on_these_ = false;
  }
  T forward(const parameters<G, T>& theta) {
    this->inputs_.check_complete([](int e) { return part<Session>::is_needed(e); });
    this->ran_on_these_ = false;
    used_ = (rows() + part_rows - 1) / part_rows;
    if (packed_revision_ != theta.revision()) {
      pool_.parallel_for(N, [this, &theta](int k) { parts_[k].pack(theta, {k, N}); });
      if constexpr (has_tables) pool_.parallel_for(N, [this](int k) { parts_[k].multiply_tables({k, N}); });
      packed_revision_ = theta.revision();
    }
    count();
    pool_.parallel_for(used_, [this, &theta](int k) {
      parts_[k].take(theta, this->inputs_, this->numbers_, k * part_rows, counted_.data());
      parts_[k].go_forward();
    });
    double loss = 0;
    for (int k = 0; k < used_; ++k) loss += parts_[k].share_of_loss();
    loss += add_what_is_said();
    this->ran_on_these_ = true;
    return loss_ = static_cast<T>(loss);
  }
  // Adds dL/dparameter to `gradients`. Throws input_error as differentiation's backward does.
  void backward(const parameters<G, T>& theta, parameters<G, T>& gradients) {
    this->begin_backward();
    pool_.parallel_for(used_, [&](int k) {
      parameters<G, T>& mine = k > 0 ? more_[static_cast<std::size_t>(k - 1)] : gradients;
      if (k > 0) mine.set_zero();
      parts_[k].go_back(theta, mine);
    });
    if constexpr (has_tables)
      pool_.parallel_for(used_, [this](int k) {
        for (int other = 1; other < used_; ++other) parts_[other].add_table_sums(parts_[0], {k, used_});
        parts_[k].finish_tables(parts_[0], {k, used_});
      });
    pool_.parallel_for(N, [this, sums = gradients.data()](int slice) {
      [[maybe_unused]] const auto mode = backend::begin<typename Plan::backend>();
      const int first = slice_start(slice), rows = (slice_start(slice + 1) - first) / slice_row;
      for (std::size_t k = 1; k < static_cast<std::size_t>(used_); ++k)
        accumulate_rows<slice_row>(typename Plan::backend{}, rows, std::as_const(more_[k - 1]).data() + first,
                                   slice_row, sums + first, slice_row);
    });
  }
  // The path of the first node with a value that is not finite, in any part; empty if there is none.
  std::string first_not_finite() {
    int first = net.operations.size;
    std::string found;
    for (int k = 0; k < used_; ++k) {
      const std::string path = parts_[k].first_not_finite();
      if (path.empty()) continue;
      repeat<net.operations.size>([&](auto o) {
        constexpr name mine = net.operations[o].path;
        if (o < first && mine.view() == path) {
          first = o;
          found = path;
        }
      });
    }
    return found;
  }

 private:
  static constexpr bool has_tables = Session::plan::has_tables;

  static int checked(threads at_most) {
    if (at_most.count < 1)
      throw input_error("threads{" + std::to_string(at_most.count) +
                        "}: a trainer needs at least one thread");
    return at_most.count;
  }
  // What the losses count: rows or steps with a target, or all of them.
  void count() {
    repeat<net.operations.size>([&](auto o) {
      constexpr operation_traits mine = traits_of(net.operations[o].kind);
      if constexpr (mine.targets >= 0) {
        constexpr int e = net.operations[o].in[mine.targets];
        const int* const targets = this->inputs_.tokens()[e];
        counted_[o] = static_cast<double>(
            std::count_if(targets, targets + Plan::rows(e), [](int t) { return t >= 0; }));
      } else if constexpr (mine.counts_positions && net.operations[o].in[1] < 0) {
        constexpr int axis = net.edges[net.operations[o].in[0]].axis;
        if constexpr (axis < 0) counted_[o] = rows();
        else
          counted_[o] = std::accumulate(this->inputs_.lengths().of_axes()[axis],
                                        this->inputs_.lengths().of_axes()[axis] + rows(), 0);
      }
    });
  }
  // The sum of the losses that compute their counts, each divided by its count over all parts.
  double add_what_is_said() {
    double loss = 0;
    repeat<net.operations.size>([&](auto o) {
      if constexpr (traits_of(net.operations[o].kind).counts_positions && net.operations[o].in[1] >= 0) {
        backend::positions_sum all;
        for (int k = 0; k < used_; ++k) all.add(parts_[k].loss_of(o));
        counted_[o] = all.count;
        loss += all.count > 0 ? all.sum / all.count : 0;
      }
    });
    return loss;
  }
  struct sums_of_part : parameters<G, T> {
    sums_of_part() : parameters<G, T>(zeros{}) {}
  };
  // The gradients are cut into N slices of whole rows of numbers.
  static constexpr int slice_row = 16;
  static constexpr int slice_start(int slice) {
    constexpr long rows = parameters<G, T>::block_size / slice_row;
    static_assert(rows * slice_row == parameters<G, T>::block_size);
    return static_cast<int>(rows * slice / N) * slice_row;
  }

  engine::memory<T> memory_;  // the numbers among the inputs
  part<Session> parts_[N];
  std::array<double, net.operations.size + 1> counted_{};  // by operation
  std::array<sums_of_part, N - 1> more_;                   // gradients; part 0 adds to the sum at once
  int used_ = 0;                                           // parts with rows
  std::uint64_t packed_revision_ = 0;
  T loss_ = 0;
  thread_pool pool_;
};

template <class G, class Objective, class... Options>
requires((... || ShardsOption<Options>)) struct learner<G, Objective, Options...> {
  using whole = typename cut_options<1, option_list<>, Options...>::type;
  using unfit = unfit_shards<G, Objective, Options...>;
  static constexpr problem wrong = unfit::wrong ? unfit::wrong : whole::template unfit<G, Objective>::wrong;
  static constexpr int parts = wrong ? 1 : std::max(1, (0 + ... + parts_of<Options>));
  using type =
      sharded<G, parts,
              typename cut_options<parts, option_list<>, Options...>::type::template session<G, Objective>,
              typename whole::template plan<G, Objective>>;
  using evaluation_type = typename whole::template evaluated<G, Objective>;
};

}  // namespace engine
}  // namespace tenon
