// shards<N>: an option of a trainer. The batch is cut into N parts with the same number of rows; threads{k} of them run
// at once. Their sums run along one tree, see sum_tree.hpp, so the bits do not depend on the number of threads.
#pragma once

// Included first, because compilers print each file on the include path to where errors are reported.
#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/distribute/sum_tree.hpp"
#include "tenon/train/trainer/shard_options.hpp"
#include "tenon/train/trainer/sparse_rows.hpp"
#include "tenon/train/trainer/thread_pool.hpp"
#include "tenon/train/trainer/trainer.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
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
  template <class Touched>
  void add_touched(Touched& touched) const {
    touched.add(this->inputs_.tokens(), this->inputs_.lengths().steps(), Session::plan::batch);
  }
  double share_of_loss() const { return this->context_.losses.loss; }
  const backend::positions_sum& loss_of(int o) const { return losses_[static_cast<std::size_t>(o)]; }

 private:
  std::array<backend::positions_sum, Session::net.operations.size + 1> losses_{};
};

// touched_by of a trainer that runs on the processor. Its condition has a name: in an alias, nvcc 13 looks for the network of a G that is
// not known yet.
template <class G>
inline constexpr bool has_sparse_tables = sparse_tables<network_of<G>>::tables.size > 0;
template <class G, class Plan>
using touched_by_parts = std::conditional_t<has_sparse_tables<G>, touched_rows<G, Plan>,
                                            whole_block<parameters<G, typename Plan::scalar>::learned_size>>;

// What a trainer with shards<N> runs in place of one differentiation. Its inputs are those of the whole batch.
template <class G, int N, class Session, class Plan>
class sharded : public named_inputs<Plan> {
 public:
  using plan = Plan;
  using part_plan = typename Session::plan;  // for a part of the batch, which is what runs
  using T = typename Plan::scalar;
  static constexpr const auto& net = Plan::net;
  static constexpr int B = Plan::batch, part_rows = B / N;
  using touched_type = touched_by_parts<G, Plan>;
  static constexpr distribute::block_slices slices{parameters<G, T>::learned_size, N};

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
    distribute::tree_sum all;
    for (int k = 0; k < used_; ++k) all.add(parts_[k].positions());
    return all.value();
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
    distribute::tree_sum loss;
    for (int k = 0; k < used_; ++k) loss.add(parts_[k].share_of_loss());
    loss_ = static_cast<T>(loss.value() + add_what_is_said());
    this->ran_on_these_ = true;
    return loss_;
  }
  // Adds dL/dparameter to `gradients`. Throws input_error as differentiation's backward does. The gradients of an update stay as they are:
  // the first call makes memory of its own.
  void backward(const parameters<G, T>& theta, parameters<G, T>& gradients) {
    if (!of_one_run_) of_one_run_ = std::make_unique<part_sums>();
    part_sums& of = *of_one_run_;
    of.begun = 0;
    if constexpr (touched_type::is_sparse) of.touched[0].clear();
    add_gradients(theta, gradients, of.touched[0], of);
    begin_sum(gradients, of.touched[0], of);
    each_slice([&](std::ptrdiff_t from, std::ptrdiff_t end) { sum_gradients(from, end, of); });
  }
  // The same for the batches of an update: each part adds up its own gradients, and at the end the parts are summed. `first` and its
  // touched rows are those of part 0 and become the sum; the other parts keep theirs.
  void begin_update() { of_update_.begun = 0; }
  void scale_gradients(double factor) {  // of all parts but the first
    if (factor == 1) return;
    pool_.parallel_for(of_update_.begun - 1, [this, factor](int k) {
      T* const all = of_update_.more[place(k)].data();
      of_update_.touched[place(k + 1)].each(
          [&](std::ptrdiff_t from, std::ptrdiff_t count) { scale_range(all + from, count, factor); });
    });
  }
  void add_gradients(const parameters<G, T>& theta, parameters<G, T>& first, touched_type& of_first) {
    add_gradients(theta, first, of_first, of_update_);
  }
  void begin_sum(parameters<G, T>& first, touched_type& of_first) { begin_sum(first, of_first, of_update_); }
  void sum_gradients(std::ptrdiff_t from, std::ptrdiff_t end) { sum_gradients(from, end, of_update_); }
  // What is learned is cut into a slice for each part: what follows from the gradients of all parts, the threads share so.
  // Calls f(first element, end) for each slice, or returns the sum of what it returns.
  template <class F>
  void each_slice(F f) {
    pool_.parallel_for(N, [&f](int slice) {
      [[maybe_unused]] const auto mode = backend::begin<typename Plan::backend>();
      f(slices.begin(slice), slices.begin(slice + 1));
    });
  }
  template <class F>
  double sum_of_slices(F f) {
    double of_slice[N];
    pool_.parallel_for(N, [&](int slice) {
      [[maybe_unused]] const auto mode = backend::begin<typename Plan::backend>();
      of_slice[slice] = f(slices.begin(slice), slices.begin(slice + 1));
    });
    distribute::tree_sum all;
    for (const double x : of_slice) all.add(x);
    return all.value();
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
        distribute::tree_sum sum, count;
        for (int k = 0; k < used_; ++k) {
          sum.add(parts_[k].loss_of(o).sum);
          count.add(parts_[k].loss_of(o).count);
        }
        counted_[o] = count.value();
        loss += counted_[o] > 0 ? sum.value() / counted_[o] : 0;
      }
    });
    return loss;
  }
  struct sums_of_part : parameters<G, T> {
    sums_of_part() : parameters<G, T>(zeros{}) {}
  };
  static constexpr std::size_t place(int k) { return static_cast<std::size_t>(k); }
  // The gradients of all parts but the first, which are the caller's, while they are added up over batches.
  struct part_sums {
    std::array<sums_of_part, N - 1> more;
    std::array<touched_type, N>
        touched;    // their rows that may be other than zero; 0: of backward's first part
    T* all[N]{};    // of all parts, while they are summed
    int begun = 0;  // parts with rows in any batch

    touched_type& touched_by(int k, touched_type& of_first) { return k > 0 ? touched[place(k)] : of_first; }
    void clear(int k) {
      T* const mine = more[place(k - 1)].data();
      touched[place(k)].each(
          [&](std::ptrdiff_t from, std::ptrdiff_t count) { std::fill_n(mine + from, count, T(0)); });
      if constexpr (touched_type::is_sparse) touched[place(k)].clear();
    }
  };
  void add_gradients(const parameters<G, T>& theta, parameters<G, T>& first, touched_type& of_first,
                     part_sums& of) {
    this->begin_backward();
    pool_.parallel_for(used_, [&](int k) {
      if (k > 0 && k >= of.begun) of.clear(k);
      if constexpr (touched_type::is_sparse) parts_[k].add_touched(of.touched_by(k, of_first));
      parts_[k].go_back(theta, k > 0 ? of.more[place(k - 1)] : first);
    });
    of.begun = std::max(of.begun, used_);
    if constexpr (has_tables) {
      if constexpr (touched_type::is_sparse) share_touched(of_first, of);
      pool_.parallel_for(used_, [this](int k) {
        distribute::each_addition(used_, [&](int into, int from) {
          parts_[from].add_table_sums(parts_[into], {k, used_});
        });
        parts_[k].finish_tables(parts_[0], {k, used_});
      });
    }
  }
  // A part computes the gradient of a piece of each table that is multiplied, for the rows that any part touches.
  void share_touched(touched_type& of_first, part_sums& of) {
    repeat<net.operations.size>([&](auto o) {
      if constexpr (part_plan::tables[o] >= 0) {
        constexpr int table = part_plan::table(o).offset;
        for (int k = 1; k < used_; ++k) of_first.add(of.touched[place(k)], table);
        for (int k = 1; k < used_; ++k) of.touched[place(k)].add(of_first, table);
      }
    });
  }
  void begin_sum(parameters<G, T>& first, touched_type& of_first, part_sums& of) {
    for (int k = 0; k < N; ++k) of.all[k] = k > 0 ? of.more[place(k - 1)].data() : first.data();
    if constexpr (touched_type::is_sparse)
      distribute::each_addition(
          of.begun, [&](int into, int from) { of.touched_by(into, of_first).add(of.touched[place(from)]); });
  }
  static void sum_gradients(std::ptrdiff_t from, std::ptrdiff_t end, const part_sums& of) {
    for (std::ptrdiff_t at = from; at < end; at += summed_at_once)
      distribute::each_addition(of.begun, [&](int into, int other) {
        of.touched[place(other)].each(at, std::min(at + summed_at_once, end),
                                      [&](std::ptrdiff_t first, std::ptrdiff_t count) {
                                        add_numbers(count, of.all[other] + first, of.all[into] + first);
                                      });
      });
  }
  static void add_numbers(std::ptrdiff_t count, const T* from, T* to) {
    constexpr int row = distribute::block_slices::row;
    accumulate_rows<row>(typename Plan::backend{}, static_cast<int>(count / row), from, row, to, row);
    for (std::ptrdiff_t k = count / row * row; k < count; ++k) to[k] += from[k];
  }
  // So many that those of some parts stay in the first cache; but touched rows are walked once.
  static constexpr std::ptrdiff_t summed_at_once =
      touched_type::is_sparse ? std::ptrdiff_t(slices.size) : 64 * distribute::block_slices::row;

  engine::memory<T> memory_;  // the numbers among the inputs
  part<Session> parts_[N];
  std::array<double, net.operations.size + 1> counted_{};  // by operation
  part_sums of_update_;
  std::unique_ptr<part_sums> of_one_run_;  // of backward
  int used_ = 0;                           // parts with rows
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
