// shards<N>: an option of a trainer. The batch is cut into N parts with the same number of rows; threads{k} of them run
// at once. Their sums run along one tree, see sum_tree.hpp, so the bits do not depend on the number of threads.
#pragma once

// Included first, because compilers print each file on the include path to where errors are reported.
#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/distribute/agreement.hpp"
#include "tenon/train/trainer/gradient_buckets.hpp"
#include "tenon/train/trainer/part.hpp"
#include "tenon/train/trainer/shard_gradients.hpp"
#include "tenon/train/trainer/shard_options.hpp"
#include "tenon/train/trainer/shard_workers.hpp"
#include "tenon/train/trainer/sparse_rows.hpp"
#include "tenon/train/trainer/trainer.hpp"
#include "tenon/version.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tenon::inline v0_1 {

namespace engine {

// What a trainer with shards<N> runs in place of one differentiation. Its inputs are those of the whole batch. With several ranks, each runs
// some of the parts.
template <class G, int N, class Session, class Plan>
class sharded : public named_inputs<Plan> {
 public:
  using plan = Plan;
  using part_plan = typename Session::plan;  // for a part of the batch, which is what runs
  using T = typename Plan::scalar;
  static constexpr const auto& net = Plan::net;
  static constexpr int B = Plan::batch, part_rows = B / N;
  using touched_type = touched_by<G, Plan>;
  using world_type = distribute::any_communicator;

 private:
  using workers_type = shard_workers<T, typename Plan::backend, N, parameters<G, T>::learned_size>;
  using gradients_type = shard_gradients<G, T, touched_type, workers_type>;
  static constexpr long numbers = [] {
    long n = 0;
    for (int i : net.inputs) n += net.edges[i].is_token() ? 0 : Plan::rows(i) * net.edges[i].size;
    return n;
  }();

 public:
  // Bytes of the parts' sessions, of their gradients, and of the inputs of the whole batch, with one rank.
  static constexpr std::size_t workspace_bytes =
      N * Session::workspace_bytes - (N - 1) * Session::packed_bytes +
      static_cast<std::size_t>((N - 1) * parameters<G, T>::block_size + numbers) * sizeof(T);

  explicit sharded(threads at_most = {}, const world_type& world = {})
      : memory_(static_cast<std::size_t>(numbers), {"the inputs of training", Plan::title}),
        workers_(at_most, world),
        parts_(std::make_unique<part<Session>[]>(static_cast<std::size_t>(group().size()))),
        of_update_(workers_) {
    T* at = memory_.data();
    repeat<net.inputs.size>([&](auto i) {
      constexpr int e = net.inputs[i];
      constexpr long count = Plan::rows(e) * net.edges[e].size;
      if constexpr (!net.edges[e].is_token()) {
        this->numbers_[e] = at;
        at += count;
      }
    });
    for (int j = 1; j < group().size(); ++j) parts_[static_cast<std::size_t>(j)].share_weights(first_part());
  }

  // Part k after a step, read-only: get<"logits">(trainer.shard(k)). Throws input_error for a part of another rank.
  const Session& shard(int k) const {
    if (!group().has(k))
      throw input_error("shard(" + std::to_string(k) + "): this rank has the shards " +
                        std::to_string(group().first()) + " to " + std::to_string(group().end() - 1));
    return parts_[static_cast<std::size_t>(k - group().first())];
  }
  const distribute::shard_group& group() const { return workers_.group(); }
  int rows() const { return own_of_ > 0 ? own_of_ : this->inputs_.rows(); }
  // Of a batch of so many rows, this rank's parts run those from first_row(rows) to before end_row(rows). With several ranks its inputs may be
  // of these alone: then call inputs_are_own(rows) behind them.
  int first_row(int rows) const { return std::min(rows, group().first() * part_rows); }
  int end_row(int rows) const { return std::min(rows, group().end() * part_rows); }
  void inputs_are_own(int rows) { own_of_ = rows; }
  T loss() const { return loss_; }
  double positions() const { return sum_over_parts(0); }  // see differentiation

  // Each part draws different zeros.
  void randomness(seed s, std::uint64_t step) {
    for (int k = group().first(); k < group().end(); ++k)
      part_of(k).randomness(s, step * N + static_cast<unsigned>(k));
    this->ran_on_these_ = false;
  }
  T forward(const parameters<G, T>& theta) {
    const int own = own_of_ > 0 ? end_row(own_of_) - first_row(own_of_) : 1;
    if (own > 0) this->inputs_.check_complete([](int e) { return part<Session>::is_needed(e); });
    if (own_of_ > 0 && own > 0 && this->inputs_.rows() != own)
      throw input_error("expected the " + std::to_string(own) + " rows of this rank, got " +
                        std::to_string(this->inputs_.rows()));
    this->ran_on_these_ = false;
    used_ = (rows() + part_rows - 1) / part_rows;
    if (packed_revision_ != theta.revision()) {
      const auto some_part = [this](int thread) -> part<Session>& {
        return part_of(group().first() + thread);
      };
      workers_.each_piece([&](int k, int thread) { some_part(thread).pack(theta, {k, N}); });
      if constexpr (has_tables)
        workers_.each_piece([&](int k, int thread) { some_part(thread).multiply_tables({k, N}); });
      packed_revision_ = theta.revision();
    }
    if (own > 0) count();
    else counted_.fill(0);
    if (own_of_ > 0) add_counts_of_ranks();
    workers_.each_shard(used_, [&](int k) {
      const int first = k * part_rows - (own_of_ > 0 ? first_row(own_of_) : 0);
      part_of(k).take(theta, this->inputs_, this->numbers_, first, counted_.data());
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
  // Before the first step of several ranks: tell(same) adds what must be alike on all of them, beside the plan.
  template <class Tell>
  void agree_once(Tell tell) {
    if (has_agreed_ || group().ranks() == 1) return;
    distribute::agreement same;
    same.add("version of Tenon", TENON_VERSION);
    same.add_text(
        "instruction set; compile for the least of all processors (-march), as other instructions give other "
        "bits",
        backend::instruction_set);
    same.add_text("network", std::string_view(Plan::title));
    same.add_text("layers and sizes of the network", ir::type_name<G>().view());
    same.add("batch size", B);
    same.add("number of shards", N);
    same.add("number of parameters", parameters<G, T>::block_size);
    tell(same);
    same.check(group().world(), "trainer");
    has_agreed_ = true;
  }
  // The path of the first node with a value that is not finite, in any part; empty if there is none.
  std::string first_not_finite() {
    int first = net.operations.size;
    for (int k = group().first(); k < group().first() + group().used(used_); ++k) {
      const std::string path = part_of(k).first_not_finite();
      if (path.empty()) continue;
      repeat<net.operations.size>([&](auto o) {
        constexpr name mine = net.operations[o].path;
        if (o < first && mine.view() == path) first = o;
      });
    }
    for (const int of_rank : distribute::gather_all(group().world(), std::vector<int>{first}))
      first = std::min(first, of_rank);
    std::string found;
    repeat<net.operations.size>([&](auto o) {
      constexpr name mine = net.operations[o].path;
      if (o == first) found = mine.view();
    });
    return found;
  }

 private:
  friend access;
  template <int E, class... Given>
  void give(const Given&... values) {
    own_of_ = 0;
    named_inputs<Plan>::template give<E>(values...);
  }

  static constexpr bool has_tables = Session::plan::has_tables;
  // Does a loss compute what it counts?
  static constexpr bool says_its_count(int o) {
    return traits_of(net.operations[o].kind).counts_positions && net.operations[o].in[1] >= 0;
  }
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
    for (int o = 0; o < net.operations.size; ++o) n += says_its_count(o) ? 2 : 0;
    return n;
  }();

  static constexpr auto buckets = gradient_buckets<part_plan::net, parameters<G, T>::learned_size>::of(
      [](int o) { return part_plan::tables[o] >= 0; });
  // Buckets of gradients that all shards of this rank have finished go to the other ranks while the rest is computed. Only the thread that trains
  // sends; it looks after each operation of its own.
  class early_exchange {
   public:
    struct seen_by_shard : run_observer {
      explicit seen_by_shard(early_exchange& e) : run_observer{&passed}, of(e) {}
      early_exchange& of;
      int finished = 0;

      static void passed(run_observer& observer, int operation) {
        auto& mine = static_cast<seen_by_shard&>(observer);
        for (const int now = buckets.finished_after(operation); mine.finished < now; ++mine.finished)
          mine.of.done_[mine.finished].fetch_add(1, std::memory_order_acq_rel);
        mine.of.start_done();
      }
    };
    early_exchange(sharded* all, parameters<G, T>& first, gradients_type& of)
        : all_(all), first_(first), of_(of), thread_(system_calls::current_thread()) {}
    // All ranks start the first `count` buckets, before they send anything else.
    void start(int count) {
      if (thrown_) std::rethrow_exception(thrown_);
      while (started_ < count) start_next();
    }

   private:
    void start_done() {
      if (system_calls::current_thread() != thread_ || thrown_) return;
      try {
        all_->workers_.progress();
        const int shards = all_->group().used(all_->used_);
        while (started_ < buckets.count() && done_[started_].load(std::memory_order_acquire) == shards)
          start_next();
      } catch (...) { thrown_ = std::current_exception(); }  // other shards still run
    }
    void start_next() { of_.exchange(buckets.range(started_++), all_->used_, first_); }

    sharded* all_;
    parameters<G, T>& first_;
    gradients_type& of_;
    system_calls::thread_id thread_;
    std::atomic<int> done_[buckets.most + 1]{};  // by bucket: how many shards have it
    int started_ = 0;
    std::exception_ptr thrown_{};
  };
  part<Session>& part_of(int k) { return parts_[static_cast<std::size_t>(k - group().first())]; }
  part<Session>& first_part() { return parts_[0]; }
  // What the losses count: rows or steps with a target, or all of them.
  void count() {
    repeat<net.operations.size>([&](auto o) {
      constexpr operation_traits mine = traits_of(net.operations[o].kind);
      if constexpr (mine.targets >= 0) {
        constexpr int e = net.operations[o].in[mine.targets];
        const int* const targets = this->inputs_.tokens()[e];
        counted_[o] = static_cast<double>(
            std::count_if(targets, targets + Plan::rows(e), [](int t) { return t >= 0; }));
      } else if constexpr (mine.counts_positions && !says_its_count(o)) {
        constexpr int axis = net.edges[net.operations[o].in[0]].axis;
        const int all = this->inputs_.rows();
        if constexpr (axis < 0) counted_[o] = all;
        else
          counted_[o] = std::accumulate(this->inputs_.lengths().of_axes()[axis],
                                        this->inputs_.lengths().of_axes()[axis] + all, 0);
      }
    });
  }
  void add_counts_of_ranks() {  // they are whole numbers, whose sum has no order
    const std::vector<double> all =
        distribute::gather_all(group().world(), std::vector<double>(counted_.begin(), counted_.end()));
    counted_.fill(0);
    for (std::size_t k = 0; k < all.size(); ++k) counted_[k % counted_.size()] += all[k];
  }
  // Every rank gets what the parts of all ranks have computed.
  void share_results() {
    for (int k = group().first(); k < group().first() + group().used(used_); ++k) {
      double* next = results_ + k * results;
      *next++ = part_of(k).positions();
      *next++ = part_of(k).share_of_loss();
      repeat<net.operations.size>([&](auto o) {
        if constexpr (says_its_count(o)) {
          *next++ = part_of(k).loss_of(o).sum;
          *next++ = part_of(k).loss_of(o).count;
        }
      });
    }
    workers_.gather(results_, results);
  }
  double sum_over_parts(int result) const { return workers_type::sum_of(results_ + result, used_, results); }
  // The sum of the losses that compute their counts, each divided by its count over all parts.
  double add_what_is_said() {
    double loss = 0;
    int result = 2;
    repeat<net.operations.size>([&](auto o) {
      if constexpr (says_its_count(o)) {
        const double sum = sum_over_parts(result++);
        counted_[o] = sum_over_parts(result++);
        loss += counted_[o] > 0 ? sum / counted_[o] : 0;
      }
    });
    return loss;
  }
  void add_gradients(const parameters<G, T>& theta, parameters<G, T>& first, touched_type& of_first,
                     gradients_type& of, bool exchanges_early = false) {
    this->begin_backward();
    early_exchange early(exchanges_early ? this : nullptr, first, of);
    workers_.each_shard(used_, [&](int k) {
      of.begin_shard(k);
      if constexpr (touched_type::is_sparse) part_of(k).add_touched(of.touched_by(k, of_first));
      typename early_exchange::seen_by_shard seen(early);
      part_of(k).go_back(theta, of.block(k, first), exchanges_early ? &seen : nullptr);
    });
    of.end_batch(used_);
    if (exchanges_early) early.start(buckets.finished_after(0));
    if constexpr (has_tables) {
      if constexpr (touched_type::is_sparse) of.share_touched(of_first, multiplied_tables);
      sum_tables();
      workers_.each_shard(used_, [this](int k) { part_of(k).finish_tables(first_part(), {k, used_}); });
    }
    if (exchanges_early) early.start(buckets.count());
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
        return std::ptrdiff_t(piece{std::min(k, used_), used_}.start(first.rows)) * first.columns;
      };
      if (group().ranks() > 1) {
        workers_.sum_over_ranks(used_, sums, first.sums, start,
                                [](std::ptrdiff_t from, std::ptrdiff_t end, auto f) { f(from, end - from); });
        continue;
      }
      workers_.each_shard(used_, [&](int k) {
        [[maybe_unused]] const auto mode = backend::begin<typename Plan::backend>();
        distribute::each_addition(used_, [&](int into, int from) {
          workers_type::add(start(k + 1) - start(k), sums[from] + start(k), sums[into] + start(k));
        });
      });
    }
  }

  engine::memory<T> memory_;  // the numbers among the inputs
  workers_type workers_;
  std::unique_ptr<part<Session>[]> parts_;                 // of this rank
  std::array<double, net.operations.size + 1> counted_{};  // by operation
  double results_[N * results]{};                          // by part of all ranks
  gradients_type of_update_;
  std::unique_ptr<gradients_type> of_one_run_;  // of backward
  int used_ = 0;                                // parts of all ranks with rows
  bool exchanges_early_ = false;
  int own_of_ = 0;  // rows of the batch, if the inputs are this rank's; else 0
  std::uint64_t packed_revision_ = 0;
  T loss_ = 0;
  bool has_agreed_ = false;
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
}  // namespace tenon::inline v0_1
