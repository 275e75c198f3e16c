// inference<G>: runs a graph forward.
#pragma once

#include "tenon/backend/cpu/instruction_set.hpp"
#include "tenon/engine/session/session_base.hpp"

namespace tenon::inline TENON_INSTRUCTION_SET {

// Runs a graph forward.
//   inference<index_lookup, batch<32>> lookup;
//   lookup.input<"tokens">(tokens), lookup.input<"index">(index);
//   lookup.run(theta);
//   lookup.output<"logits">()
template <class G, class... Options>
class inference : public engine::session<engine::plan_of<G, void, engine::purpose::inference, Options...>> {
  static_assert(tenon::detail::say<tenon::detail::error_in<detail::problem_of<G, void>>>());
  static_assert(
      tenon::detail::say<
          tenon::detail::error_in<engine::unfit_option<G, void, engine::purpose::inference, Options...>>>());
  using base = engine::session<engine::plan_of<G, void, engine::purpose::inference, Options...>>;

 public:
  void run(const parameters<G, typename base::T>& theta) {
    this->prepare(theta);
    base::run().forward();
    this->finish_outputs();
  }
  template <class... Given>
  requires(!engine::Accepted<void(const parameters<G, typename base::T>&), Given...>) void run(Given&&...) {
    tenon::detail::say<tenon::detail::error_in<engine::wrong_run<G, typename base::T, "run", Given...>>>();
  }
  template <class... Given>
  view<const typename base::T> step(const Given&...) {
    tenon::detail::say<tenon::detail::error_in<
        engine::verb_of_another<inference, "inference runs whole sequences: it has no step",
                                "steps are taken by streaming<graph>">>>();
    return {};
  }
  // Inputs in the order of the graph, each one argument; returns the first output.
  template <class... Given>
  view<const typename base::T> operator()(const parameters<G, typename base::T>& theta,
                                          const Given&... given) {
    if constexpr (!fits<G>) {
      return {};
    } else if constexpr (engine::unfit_values<typename base::plan, false, Given...>::wrong) {
      tenon::detail::say<
          tenon::detail::error_in<engine::unfit_values<typename base::plan, false, Given...>>>();
      return {};
    } else {
      [&]<int... I>(std::integer_sequence<int, I...>) {
        (this->template give<base::net.inputs[I]>(given), ...);
      }
      (std::make_integer_sequence<int, base::net.inputs.size>{});
      run(theta);
      constexpr int e = base::net.outputs[0];
      return this->template shown<e>(base::run().value(e));
    }
  }
  template <engine::OtherThan<parameters<G, typename base::T>> Theta, class... Given>
  view<const typename base::T> operator()(const Theta&, const Given&...) {
    tenon::detail::say<tenon::detail::error_in<engine::wrong_parameters<G, typename base::T, Theta>>>();
    return {};
  }
  view<const typename base::T> operator()() {
    tenon::detail::say<tenon::detail::error_in<engine::nothing_given<typename base::plan>>>();
    return {};
  }
};

}  // namespace tenon::inline TENON_INSTRUCTION_SET
