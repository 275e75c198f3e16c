// shards<N>: an option of a trainer. The batch is cut into N parts with the same number of rows; threads{k} of them run
// at once. Their sums run along one tree, see sum_tree.hpp, so the bits do not depend on the number of threads.
#pragma once

// Included first, because compilers print each file on the include path to where errors are reported.
#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/train/trainer/cut_batch.hpp"
#include "tenon/train/trainer/early_exchange.hpp"
#include "tenon/train/trainer/gradient_buckets.hpp"
#include "tenon/train/trainer/part.hpp"
#include "tenon/train/trainer/shard_gradients.hpp"
#include "tenon/train/trainer/shard_options.hpp"
#include "tenon/train/trainer/shard_workers.hpp"
#include "tenon/train/trainer/sparse_rows.hpp"
#include "tenon/train/trainer/trainer.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace tenon::inline v0_1 {

namespace engine {

// What a trainer with shards<N> runs in place of one differentiation. Its inputs are those of the whole batch. With several ranks, each runs
// some of the parts.
template <class G, int N, class Session, class Plan>
class sharded : public cut_batch<G, N, Session, Plan> {
  using base = cut_batch<G, N, Session, Plan>;

 public:
  using base::net, base::group;
  using typename base::part_plan, typename base::T, typename base::world_type;
  using touched_type = touched_by<G, Plan>;

 private:
  using base::used;
  using workers_type = shard_workers<T, typename Plan::backend, N, parameters<G, T>::learned_size>;
  using gradients_type = shard_gradients<G, T, touched_type, workers_type>;

 public:
  // Bytes of the parts' sessions, of their gradients, and of the inputs of the whole batch, with one rank.
  static constexpr std::size_t workspace_bytes =
      N * Session::workspace_bytes - (N - 1) * Session::packed_bytes +
      static_cast<std::size_t>((N - 1) * parameters<G, T>::block_size + base::numbers) * sizeof(T);

  explicit sharded(threads at_most = {}, const world_type& world = {})
      : base(world),
        workers_(at_most, this->group_),
        parts_(std::make_unique<part<Session>[]>(static_cast<std::size_t>(group().size()))),
        of_update_(workers_) {
    for (int j = 1; j < group().size(); ++j) parts_[static_cast<std::size_t>(j)].share_weights(first_part());
  }

  // Part k after a step, read-only: get<"logits">(trainer.shard(k)). Throws input_error for a part of another rank.
  const Session& shard(int k) const {
    this->check_part(k);
    return parts_[static_cast<std::size_t>(k - group().first())];
  }
  T loss() const { return loss_; }
  double positions() const { return sum_over_parts(0); }  // see differentiation

  // Each part draws different zeros.
  void randomness(seed s, std::uint64_t step) {
    for (int k = group().first(); k < group().end(); ++k)
      part_of(k).randomness(s, step * N + static_cast<unsigned>(k));
    this->ran_on_these_ = false;
  }
  T forward(const parameters<G, T>& theta) {
    this->complete_batch();
    if (packed_revision_ != theta.revision()) {
      const auto some_part = [this](int thread) -> part<Session>& {
        return part_of(group().first() + thread);
      };
      workers_.each_piece([&](int k, int thread) { some_part(thread).pack(theta, {k, N}); });
      if constexpr (has_tables)
        workers_.each_piece([&](int k, int thread) { some_part(thread).multiply_tables({k, N}); });
      packed_revision_ = theta.revision();
    }
    workers_.each_shard(used(), [&](int k) {
      part_of(k).take(theta, this->inputs_, this->numbers_, this->input_row(k), this->loss_counts().data());
      part_of(k).go_forward();
    });
    share_results();
    loss_ = static_cast<T>(sum_over_parts(1) + add_what_is_said());
    this->ran_on_these_ = true;
    return loss_;
  }
  // Adds dL/dparameter to `gradients`. Throws input_error as differentiation's backward does. The gradients of an update stay as they are:
  // the first call makes memory of its own.
  void backward(const parameters<G, T>& theta, parameters<G, T>& gradients) {
    if (!of_one_run_) of_one_run_ = std::make_unique<gradients_type>(workers_);
    gradients_type& of = *of_one_run_;
    of.begin();
    touched_type& touched = of.touched_by_first();
    if constexpr (touched_type::is_sparse) touched.clear();
    const auto sum_into = [&](parameters<G, T>& sum) {
      add_gradients(theta, sum, touched, of);
      of.sum(sum, touched, [](std::ptrdiff_t, std::ptrdiff_t) {});
    };
    if (group().first() == 0) {  // the sum begins with what the caller has
      sum_into(gradients);
    } else {
      parameters<G, T> sum{zeros{}};
      sum_into(sum);
      const T* const from = std::as_const(sum).data();
      T* const to = gradients.data();
      touched.each(first_element(), end_element(), [&](std::ptrdiff_t first, std::ptrdiff_t count) {
        std::copy_n(from + first, count, to + first);
      });
    }
    gather_slices(gradients.data());
  }
  // The same for the batches of an update: each part adds up its own gradients, and at the end the parts are summed. `first` and its
  // touched rows are those of this rank's first part and become the sum, in the slices of this rank; the other parts keep theirs.
  // is_of_one: of one batch, whose gradients are exchanged with those of other ranks while the last are computed.
  void begin_update(bool is_of_one) {
    of_update_.begin();
    exchanges_early_ = is_of_one && !touched_type::is_sparse && group().ranks() > 1;
  }
  void scale_gradients(double factor) { of_update_.scale(factor); }  // of all parts but the first
  void add_gradients(const parameters<G, T>& theta, parameters<G, T>& first, touched_type& of_first) {
    add_gradients(theta, first, of_first, of_update_, exchanges_early_);
    exchanges_early_ = false;
  }
  // Then calls f(first element, end) for each slice of this rank.
  template <class F>
  void sum_update(parameters<G, T>& first, touched_type& of_first, F f) {
    of_update_.sum(first, of_first, f);
  }
  // What is learned is cut into a slice for each part: what follows from the gradients of all parts, ranks and threads share so.
  // See shard_workers.
  template <class F>
  void each_slice(F f) {
    workers_.each_slice(f);
  }
  template <class F>
  double sum_of_slices(F f) {
    return workers_.sum_of_slices(f);
  }
  void gather_slices(T* block) { workers_.gather_slices(block); }
  // Of a block that an update has changed where there are gradients.
  void gather_slices(T* block, const touched_type& changed) {
    if constexpr (touched_type::is_sparse)
      workers_.gather_slices(
          block, [&](std::ptrdiff_t from, std::ptrdiff_t end, auto f) { changed.each(from, end, f); });
    else gather_slices(block);
  }
  // The elements of this rank's slices are from first_element() to before end_element().
  std::ptrdiff_t first_element() const { return workers_type::slices.begin(group().first()); }
  std::ptrdiff_t end_element() const { return workers_type::slices.begin(group().end()); }
  // The path of the first node with a value that is not finite, in any part; empty if there is none.
  std::string first_not_finite() {
    return this->first_not_finite_of([this](int k) -> part<Session>& { return part_of(k); });
  }

 private:
  static constexpr bool has_tables = Session::plan::has_tables;
  // The places in the block of the tables that are multiplied.
  static constexpr auto multiplied_tables = [] {
    list<int, net.operations.size + 1> all;
    for (int o = 0; o < net.operations.size; ++o)
      if (part_plan::tables[o] >= 0) all.add(part_plan::table(o).offset);
    return all;
  }();
  // Of each part, behind its run: positions, its share of the loss, and the sum and the count of each loss that computes its count.
  static constexpr int results = [] {
    int n = 2;
    for (int o = 0; o < net.operations.size; ++o) n += base::says_its_count(o) ? 2 : 0;
    return n;
  }();

  static constexpr auto buckets_of_part =
      gradient_buckets<part_plan::net.operations.size, parameters<G, T>::learned_size>::of(
          part_plan::net, [](int o) { return part_plan::tables[o] >= 0; });
  // Sends a range of the gradients to the other ranks: see early_exchange.
  struct exchange_of_range {
    static constexpr auto buckets = buckets_of_part;
    sharded& all;
    parameters<G, T>& first;
    gradients_type& of;
    void operator()(distribute::range finished) const { of.exchange(finished, all.used(), first); }
    void progress() const { all.workers_.progress(); }
  };
  using early_exchange_type = early_exchange<exchange_of_range>;
  part<Session>& part_of(int k) { return parts_[static_cast<std::size_t>(k - group().first())]; }
  part<Session>& first_part() { return parts_[0]; }
  // Every rank gets what the parts of all ranks have computed.
  void share_results() {
    for (int k = group().first(); k < group().first() + group().used(used()); ++k) {
      double* next = results_ + k * results;
      *next++ = part_of(k).positions();
      *next++ = part_of(k).share_of_loss();
      repeat<net.operations.size>([&](auto o) {
        if constexpr (base::says_its_count(o)) {
          *next++ = part_of(k).loss_of(o).sum;
          *next++ = part_of(k).loss_of(o).count;
        }
      });
    }
    workers_.gather(results_, results);
  }
  double sum_over_parts(int result) const { return workers_type::sum_of(results_ + result, used(), results); }
  // The sum of the losses that compute their counts, each divided by its count over all parts.
  double add_what_is_said() {
    double loss = 0;
    int result = 2;
    repeat<net.operations.size>([&](auto o) {
      if constexpr (base::says_its_count(o)) {
        const double sum = sum_over_parts(result++);
        this->loss_counts()[o] = sum_over_parts(result++);
        loss += this->loss_counts()[o] > 0 ? sum / this->loss_counts()[o] : 0;
      }
    });
    return loss;
  }
  void add_gradients(const parameters<G, T>& theta, parameters<G, T>& first, touched_type& of_first,
                     gradients_type& of, bool exchanges_early = false) {
    this->begin_backward();
    early_exchange_type early(group().used(used()), {*this, first, of});
    workers_.each_shard(used(), [&](int k) {
      of.begin_shard(k);
      if constexpr (touched_type::is_sparse) part_of(k).add_touched(of.touched_by(k, of_first));
      typename early_exchange_type::seen_by_shard seen(early);
      part_of(k).go_back(theta, of.block(k, first), exchanges_early ? &seen : nullptr);
    });
    of.end_batch(used());
    if (exchanges_early) early.start(buckets_of_part.finished_after(0));
    if constexpr (has_tables) {
      if constexpr (touched_type::is_sparse) of.share_touched(of_first, multiplied_tables);
      sum_tables();
      workers_.each_shard(used(), [this](int k) { part_of(k).finish_tables(first_part(), {k, used()}); });
    }
    if (exchanges_early) early.start(buckets_of_part.count());
  }
  // A part computes the gradient of a piece of each table that is multiplied, from the sums over all parts: they end in the first part of
  // this rank, for the pieces of its parts.
  void sum_tables() requires has_tables {
    summed_table<T> tables[N][multiplied_tables.size];
    std::ptrdiff_t count = 0;
    for (int k = group().first(); k < group().end(); ++k)
      count = part_of(k).find_table_sums(tables[k]) - tables[k];
    for (std::ptrdiff_t t = 0; t < count; ++t) {
      T* sums[N]{};
      for (int k = group().first(); k < group().end(); ++k) sums[k] = tables[k][t].sums;
      const summed_table<T> first = tables[group().first()][t];
      const auto start = [&](int k) {
        return std::ptrdiff_t(piece{std::min(k, used()), used()}.start(first.rows)) * first.columns;
      };
      if (group().ranks() > 1) {
        workers_.sum_over_ranks(used(), sums, first.sums, start,
                                [](std::ptrdiff_t from, std::ptrdiff_t end, auto f) { f(from, end - from); });
        continue;
      }
      workers_.each_shard(used(), [&](int k) {
        [[maybe_unused]] const auto mode = backend::begin<typename Plan::backend>();
        distribute::each_addition(used(), [&](int into, int from) {
          workers_type::add(start(k + 1) - start(k), sums[from] + start(k), sums[into] + start(k));
        });
      });
    }
  }

  workers_type workers_;
  std::unique_ptr<part<Session>[]> parts_;  // of this rank
  double results_[N * results]{};           // by part of all ranks
  gradients_type of_update_;
  std::unique_ptr<gradients_type> of_one_run_;  // of backward
  bool exchanges_early_ = false;
  std::uint64_t packed_revision_ = 0;
  T loss_ = 0;
};

template <class G>
struct runner_of_shards<false, G> {
  template <int N, class Session, class Plan>
  using type = sharded<G, N, Session, Plan>;
};
template <class G, class Objective, class... Options>
requires((... || ShardsOption<Options>)) struct learner<G, Objective, Options...> {
  using whole = typename cut_options<1, option_list<>, Options...>::type;
  using unfit = unfit_shards<G, Objective, Options...>;
  static constexpr problem wrong = unfit::wrong ? unfit::wrong : whole::template unfit<G, Objective>::wrong;
  // Behind an error the options are not looked at.
  static constexpr int parts = wrong ? 1 : std::max(1, (0 + ... + parts_of<Options>));
  using cut = std::conditional_t<bool(wrong), option_list<>,
                                 typename cut_options<parts, option_list<>, Options...>::type>;
  using joined = std::conditional_t<bool(wrong), option_list<>, whole>;
  static constexpr bool is_there =
      !wrong && backend::HasOwnMemory<typename session_options<Options...>::backend>;
  using type = typename runner_of_shards<is_there, G>::template type<
      parts, typename cut::template session<G, Objective>, typename joined::template plan<G, Objective>>;
  using evaluation_type = typename whole::template evaluated<G, Objective>;
};

}  // namespace engine
}  // namespace tenon::inline v0_1
