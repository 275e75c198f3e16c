// cut_batch: the inputs of a batch that is cut into N parts, of which each rank runs some: which rows this rank has, and what the losses of the
// whole batch count.
#pragma once

#include "tenon/backend/instruction_set.hpp"
#include "tenon/distribute/agreement.hpp"
#include "tenon/distribute/gather_all.hpp"
#include "tenon/distribute/shard_group.hpp"
#include "tenon/engine/inputs/named_inputs.hpp"
#include "tenon/engine/run/executor.hpp"
#include "tenon/parameters/parameters.hpp"
#include "tenon/train/trainer/part.hpp"
#include "tenon/version.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::inline v0_1::engine {

// Session: what runs a part. Plan: that of the whole batch.
template <class G, int N, class Session, class Plan>
class cut_batch : public named_inputs<Plan> {
 public:
  using plan = Plan;
  using part_plan = typename Session::plan;  // for a part of the batch, which is what runs
  using T = typename Plan::scalar;
  using world_type = distribute::any_communicator;
  static constexpr const auto& net = Plan::net;
  static constexpr int B = Plan::batch, part_rows = B / N;

  const distribute::shard_group& group() const { return group_; }
  int rows() const { return own_of_ > 0 ? own_of_ : this->inputs_.rows(); }
  // Of a batch of so many rows, this rank's parts run those from first_row(rows) to before end_row(rows). With several ranks its inputs may be
  // of these alone: then call inputs_are_own(rows) behind them.
  int first_row(int rows) const { return std::min(rows, group_.first() * part_rows); }
  int end_row(int rows) const { return std::min(rows, group_.end() * part_rows); }
  void inputs_are_own(int rows) { own_of_ = rows; }
  // Before the first step of several ranks: tell(same) adds what must be alike on all of them, beside the plan.
  template <class Tell>
  void agree_once(Tell tell) {
    if (has_agreed_ || group_.ranks() == 1) return;
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
    same.check(group_.world(), "trainer");
    has_agreed_ = true;
  }

 protected:
  static constexpr long numbers = [] {
    long n = 0;
    for (int i : net.inputs) n += net.edges[i].is_token() ? 0 : Plan::rows(i) * net.edges[i].size;
    return n;
  }();
  using count_of_each = std::array<double, net.operations.size + 1>;  // by operation
  // Does a loss compute what it counts?
  static constexpr bool says_its_count(int o) {
    return traits_of(net.operations[o].kind).counts_positions && net.operations[o].in[1] >= 0;
  }

  explicit cut_batch(const world_type& world)
      : group_(world, N),
        memory_(static_cast<std::size_t>(numbers), {"the inputs of training", Plan::title}) {
    T* at = memory_.data();
    repeat<net.inputs.size>([&](auto i) {
      constexpr int e = net.inputs[i];
      constexpr long count = Plan::rows(e) * net.edges[e].size;
      if constexpr (!net.edges[e].is_token()) {
        this->numbers_[e] = at;
        at += count;
      }
    });
  }
  friend access;
  template <int E, class... Given>
  void give(const Given&... values) {
    own_of_ = 0;
    named_inputs<Plan>::template give<E>(values...);
  }

  // Before a run: the inputs must be complete. Counts what the losses of the whole batch count. Throws input_error.
  void complete_batch() {
    const int own = own_of_ > 0 ? end_row(own_of_) - first_row(own_of_) : 1;
    if (own > 0) this->inputs_.check_complete([](int e) { return part_of_batch<Session>::is_needed(e); });
    if (own_of_ > 0 && own > 0 && this->inputs_.rows() != own)
      throw input_error("expected the " + std::to_string(own) + " rows of this rank, got " +
                        std::to_string(this->inputs_.rows()));
    this->ran_on_these_ = false;
    used_ = (rows() + part_rows - 1) / part_rows;
    if (own > 0) count();
    else counts_.fill(0);
    if (own_of_ > 0) add_counts_of_ranks();
  }
  int used() const { return used_; }  // parts of all ranks with rows
  // The row of the inputs with which part k begins.
  int input_row(int k) const { return k * part_rows - (own_of_ > 0 ? first_row(own_of_) : 0); }
  // By operation; 0 of a loss that computes its count.
  count_of_each& loss_counts() { return counts_; }
  const count_of_each& loss_counts() const { return counts_; }

  // Throws input_error for a part of another rank.
  void check_part(int k) const {
    if (!group_.has(k))
      throw input_error("shard(" + std::to_string(k) + "): this rank has the shards " +
                        std::to_string(group_.first()) + " to " + std::to_string(group_.end() - 1));
  }
  // The path of the first node with a value that is not finite, in any part of any rank; empty if there is none.
  template <class PartOf>
  std::string first_not_finite_of(PartOf part_of) {
    int first = net.operations.size;
    for (int k = group_.first(); k < group_.first() + group_.used(used_); ++k) {
      const std::string path = part_of(k).first_not_finite();
      if (path.empty()) continue;
      repeat<net.operations.size>([&](auto o) {
        constexpr name mine = net.operations[o].path;
        if (o < first && mine.view() == path) first = o;
      });
    }
    for (const int of_rank : distribute::gather_all(group_.world(), std::vector<int>{first}))
      first = std::min(first, of_rank);
    std::string found;
    repeat<net.operations.size>([&](auto o) {
      constexpr name mine = net.operations[o].path;
      if (o == first) found = mine.view();
    });
    return found;
  }

  distribute::shard_group group_;

 private:
  // Rows or steps with a target, or all of them.
  void count() {
    repeat<net.operations.size>([&](auto o) {
      constexpr operation_traits mine = traits_of(net.operations[o].kind);
      if constexpr (mine.targets >= 0) {
        constexpr int e = net.operations[o].in[mine.targets];
        const int* const targets = this->inputs_.tokens()[e];
        counts_[o] = static_cast<double>(
            std::count_if(targets, targets + Plan::rows(e), [](int t) { return t >= 0; }));
      } else if constexpr (mine.counts_positions && !says_its_count(o)) {
        constexpr int axis = net.edges[net.operations[o].in[0]].axis;
        const int all = this->inputs_.rows();
        if constexpr (axis < 0) counts_[o] = all;
        else
          counts_[o] = std::accumulate(this->inputs_.lengths().of_axes()[axis],
                                        this->inputs_.lengths().of_axes()[axis] + all, 0);
      }
    });
  }
  void add_counts_of_ranks() {  // they are whole numbers, whose sum has no order
    const std::vector<double> all =
        distribute::gather_all(group_.world(), std::vector<double>(counts_.begin(), counts_.end()));
    counts_.fill(0);
    for (std::size_t k = 0; k < all.size(); ++k) counts_[k % counts_.size()] += all[k];
  }

  engine::memory<T> memory_;  // the numbers among the inputs
  count_of_each counts_{};
  int used_ = 0;
  int own_of_ = 0;  // rows of the batch, if the inputs are this rank's; else 0
  bool has_agreed_ = false;
};

}  // namespace tenon::inline v0_1::engine
