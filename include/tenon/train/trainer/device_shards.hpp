// shards<N> on a device: each part of a batch has a session there, and those of a rank run one after the other. Their losses are joined, and their
// gradients summed along the tree, in its memory, so the bits do not depend on the number of ranks, each of which has a device.
#pragma once

// Included first, because compilers print each file on the include path to where errors are reported.
#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/train/trainer/captured_shards.hpp"
#include "tenon/train/trainer/cut_batch.hpp"
#include "tenon/train/trainer/device_sums.hpp"
#include "tenon/train/trainer/shards.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>

namespace tenon::inline v0_1::engine {

// A part on a device.
template <class Session>
class device_part : public part_of_batch<Session> {
  using device = typename Session::plan::backend;

 public:
  using T = typename Session::T;
  using Session::go_forward, Session::multiply_tables, Session::numbers, Session::pack, Session::ran_forward;

  // Before a run: sends the rows from `first` on, and what each loss counts in the whole batch, by operation.
  template <class Whole, class Counts>
  void take(const input_buffers<Whole>& whole, const T* const* from, int first, const Counts& known) {
    this->take_rows(whole, from, first);
    this->context_.losses.is_of_shard = true;
    this->send_inputs();
    std::array<backend::positions_sum, Session::net.operations.size + 1> counts;
    for (std::size_t o = 0; o < counts.size(); ++o) counts[o] = {0, known[o]};
    copy_in(device{}, counts.data(), losses(), Session::net.operations.size * sizeof counts[0]);
  }
  template <class Parameters>
  void reads(const Parameters& theta) {
    this->context_.memory.parameters = data_on<device>(theta);
  }
  backend::positions_sum* losses() {
    return this->context_.losses.of_operations;
  }  // by operation, on the device
};

// What a trainer with shards<N> runs on a device in place of one differentiation; see sharded.
template <class G, int N, class Session, class Plan>
class device_shards : public cut_batch<G, N, Session, Plan> {
  using base = cut_batch<G, N, Session, Plan>;
  using device = typename Plan::backend;
  using part_type = device_part<Session>;
  static_assert(backend::CopiesEarly<device>);

 public:
  using base::net, base::group;
  using typename base::part_plan, typename base::T, typename base::world_type;

 private:
  using base::used;
  struct gradients_of_part : parameters<G, T> {
    gradients_of_part() : parameters<G, T>(zeros{}) {}
  };
  static constexpr int learned = parameters<G, T>::learned_size;

 public:
  // Bytes of the parts' sessions, of their gradients, and of the inputs of the whole batch, with one rank.
  static constexpr std::size_t workspace_bytes =
      N * Session::workspace_bytes - (N - 1) * Session::packed_bytes +
      static_cast<std::size_t>(N * parameters<G, T>::block_size + base::numbers) * sizeof(T);

  explicit device_shards(const world_type& world = {})
      : base(world),
        parts_(std::make_unique<part_type[]>(static_cast<std::size_t>(group().size()))),
        gradients_(std::make_unique<gradients_of_part[]>(static_cast<std::size_t>(group().size()))),
        sums_(this->group_, {learned, N}),
        run_numbers_(1, use),
        told_(static_cast<std::size_t>(N * told), use),
        early_(sizeof(backend::run_numbers)) {
    for (int j = 1; j < group().size(); ++j) parts_[static_cast<std::size_t>(j)].share_weights(parts_[0]);
    stream_.use();
    early_.queue(run_numbers_.data());  // makes its memory, before other ranks wait for this one's device
    for (int rank = 0; rank <= group().ranks(); ++rank)
      told_begin_[rank] =
          static_cast<std::size_t>(group().first_of(rank) * told) * sizeof(backend::positions_sum);
  }

  // Part k after a step, read-only: get<"logits">(trainer.shard(k)). Throws input_error for a part of another rank.
  const Session& shard(int k) const {
    this->check_part(k);
    return parts_[static_cast<std::size_t>(k - group().first())];
  }
  T loss() const { return static_cast<T>(last_.loss); }
  double positions() const { return last_.positions; }  // see differentiation

  // Each part draws different zeros.
  void randomness(seed s, std::uint64_t step) {
    for (int k = group().first(); k < group().end(); ++k)
      part_of(k).randomness(s, step * N + static_cast<unsigned>(k));
    this->ran_on_these_ = false;
  }
  // Returns the loss of the whole batch.
  T forward(const parameters<G, T>& theta) {
    access::begin_step(*this);
    access::go_forward(*this, theta);
    ran_forward(false);
    fetch_numbers();
    return loss();
  }
  // Adds dL/dparameter to `gradients`. Throws input_error as differentiation's backward does.
  void backward(const parameters<G, T>& theta, parameters<G, T>& gradients) {
    this->begin_backward();
    T* blocks[N]{};
    for (int k = group().first(); k < group().end(); ++k) {
      parameters<G, T>& own = gradients_[static_cast<std::size_t>(k - group().first())];
      if (k < used()) {
        clear_on<device>(own);
        part_of(k).backward(theta, own);
      }
      blocks[k] = data_on<device>(own);
    }
    sums_.sum(used(), blocks);
    add_elements(device{}, learned, blocks[group().first()], data_on<device>(gradients));
  }
  std::string first_not_finite() {
    return this->first_not_finite_of([this](int k) -> part_type& { return part_of(k); });
  }

 private:
  friend access;
  template <class, int>
  friend class captured_shards;

  static constexpr memory_use use{"what the shards of training share", Plan::title};
  // The operations of losses that compute their counts.
  static constexpr auto open = [] {
    list<int, net.operations.size + 1> all;
    for (int o = 0; o < net.operations.size; ++o)
      if (base::says_its_count(o)) all.add(o);
    return all;
  }();
  static constexpr int told = 1 + open.size;  // sums that each part tells: see tell_losses

  part_type& part_of(int k) { return parts_[static_cast<std::size_t>(k - group().first())]; }
  template <class F>
  void each_used(F f) {
    for (int k = group().first(); k < group().first() + group().used(used()); ++k) f(k);
  }

  // --- the parts of a step: see access ---------------------------------------------------------------------------
  void complete_inputs() { this->complete_batch(); }
  void send_inputs() {
    stream_.join();
    each_used([this](int k) {
      part_of(k).take(this->inputs_, this->numbers_, this->input_row(k), this->loss_counts());
    });
    const backend::run_numbers begun{};
    copy_in(device{}, &begun, run_numbers_.data(), sizeof begun);
  }
  void pack(const parameters<G, T>& theta) {
    each_used([&](int k) { part_of(k).reads(theta); });
    parts_[0].pack(theta);
  }
  void multiply_tables() { parts_[0].multiply_tables(); }
  void go_forward() {
    stream_.join();
    each_used([this](int k) {
      part_of(k).go_forward();
      tell_losses(device{}, part_of(k).numbers(), part_of(k).losses(), open.begin(), told,
                  told_.data() + k * told);
    });
    if (group().ranks() > 1)
      queue_call(device{},
                 gather_call{&group().world(), {reinterpret_cast<std::byte*>(told_.data()), told_begin_}});
    join_losses(device{}, used(), told, told_.data(), run_numbers_.data());
    each_used(
        [this](int k) { give_counts(device{}, told_.data(), open.begin(), told, part_of(k).losses()); });
    this->ran_on_these_ = true;
  }
  void ran_forward(bool copies_early) {
    each_used([this](int k) { part_of(k).ran_forward(false); });
    this->ran_on_these_ = true;
    is_early_ = copies_early;
    if (copies_early) early_.queue(run_numbers_.data());
  }
  backend::run_numbers* numbers() { return run_numbers_.data(); }
  backend::run_numbers fetch_numbers() {
    if (!is_early_) early_.queue(run_numbers_.data());
    is_early_ = false;
    if (group().ranks() > 1) group().world().watch([this] { return early_.is_done(); });
    std::memcpy(&last_, early_.wait(), sizeof last_);
    for (const double count : this->loss_counts()) last_.positions += count;
    return last_;
  }

  std::unique_ptr<part_type[]> parts_;  // of this rank
  std::unique_ptr<gradients_of_part[]> gradients_;
  device_sums<T, device> sums_;
  backend::own_memory<backend::run_numbers, device> run_numbers_;  // of the whole batch
  backend::own_memory<backend::positions_sum, device> told_;       // [parts of all ranks, told]
  std::size_t told_begin_[N + 1]{};                                // by rank, in bytes
  typename backend::early_copy_type<device>::type early_;
  backend::last_stream<device> stream_;
  bool is_early_ = false;
  backend::run_numbers last_{};
};

template <class G, int N, class Session, class Plan, class... Options>
struct captured_steps<device_shards<G, N, Session, Plan>, Options...> {
  using type = std::conditional_t<std::same_as<captured_runs_for<Plan, Options...>, nothing_captured>,
                                  nothing_captured, captured_shards<device_shards<G, N, Session, Plan>, N>>;
};
template <class G>
struct runner_of_shards<true, G> {
  template <int N, class Session, class Plan>
  using type = device_shards<G, N, Session, Plan>;
};

}  // namespace tenon::inline v0_1::engine
