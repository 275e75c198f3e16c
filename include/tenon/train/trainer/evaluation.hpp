// evaluation: runs a graph and its objective forward only, without dropout, over the batches of a data set. It gives
// the mean loss over all of them, and shows each batch to metrics.
#pragma once

#include "tenon/backend/instruction_set.hpp"
#include "tenon/engine/session/by_name.hpp"

#include <array>
#include <concepts>

namespace tenon::inline v0_1 {

inline namespace TENON_INSTRUCTION_SET {

template <class G, class Objective, class... Options>
class evaluation
    : public engine::session<engine::plan_of<G, Objective, engine::purpose::inference, Options...>> {
  static_assert(tenon::detail::say<tenon::detail::error_in<detail::problem_of<G, Objective>>>());
  static_assert(tenon::detail::say<tenon::detail::error_in<
                    engine::unfit_option<G, Objective, engine::purpose::inference, Options...>>>());
  using base = engine::session<engine::plan_of<G, Objective, engine::purpose::inference, Options...>>;

 public:
  using plan = typename base::plan;
  using T = typename base::T;
  using objective = Objective;

  void reset() { all_ = {}; }
  // Runs on the inputs that were set, and adds their losses to the sums.
  void add(const parameters<G, T>& theta) {
    this->prepare(theta);
    if constexpr (!backend::HasOwnMemory<typename plan::backend>)
      this->context_.losses.of_operations = losses_.data();
    this->execute().forward();
    this->finish_outputs();
    if constexpr (backend::HasOwnMemory<typename plan::backend>) this->shown_.fetch_losses(losses_.data());
    for (std::size_t o = 0; o < losses_.size(); ++o) all_[o].add(losses_[o]);
  }
  // The mean over everything added: of each loss of the objective over its own positions; these
  // are summed. 0 without any.
  double loss() const {
    double all = 0;
    for (const backend::positions_sum& each : all_) all += mean(each);
    return all;
  }
  // Only loss k of the objective, in the objective's order, times its scale.
  double loss(int k) const {
    const int o = operation_of_loss[static_cast<std::size_t>(k)];
    return o < 0 ? 0 : mean(all_[static_cast<std::size_t>(o)]);
  }

 private:
  static constexpr auto operation_of_loss = [] {  // by loss of the objective; -1: none
    constexpr const auto& net = plan::net;
    std::array<int, net.losses.size + 1> found{};
    for (int k = 0; k < net.losses.size; ++k) {
      found[static_cast<std::size_t>(k)] = -1;
      for (int o = 0; o < net.operations.size; ++o)
        if (net.operations[o].out[0] == net.losses[k]) found[static_cast<std::size_t>(k)] = o;
    }
    return found;
  }();
  static double mean(const backend::positions_sum& of) { return of.count > 0 ? of.sum / of.count : 0; }
  using by_operation = std::array<backend::positions_sum, plan::net.operations.size + 1>;
  by_operation losses_{}, all_{};  // of the last run, and of all
};

}  // namespace TENON_INSTRUCTION_SET

}  // namespace tenon::inline v0_1
