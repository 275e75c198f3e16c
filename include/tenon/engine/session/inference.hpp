// inference<G>: runs a graph forward.
#pragma once

#include "tenon/backend/instruction_set.hpp"
#include "tenon/diagnostics/wrong_method.hpp"
#include "tenon/engine/inputs/members_as_inputs.hpp"
#include "tenon/engine/session/bound_parameters.hpp"
#include "tenon/engine/session/by_name.hpp"
#include "tenon/engine/session/captured_runs.hpp"

namespace tenon::inline v0_1 {

namespace engine {
TENON_WITHOUT(inference_has_no_step, step,
              "inference runs whole sequences: it has no step; steps are taken by streaming<graph>");
}  // namespace engine

inline namespace TENON_INSTRUCTION_SET {

// Runs a graph forward, with parameters that are bound once or given at each call:
//   inference<index_lookup, batch<32>> model(theta);
//   auto logits = model(tokens, index);
// or input by input:
//   set_input<"tokens">(model, tokens), set_input<"index">(model, index);
//   model.run();
//   get<"logits">(model)
template <class G, class... Options>
class inference : public engine::session<engine::plan_of<G, void, engine::purpose::inference, Options...>>,
                  public engine::inference_has_no_step {
  static_assert(tenon::detail::say<tenon::detail::error_in<detail::problem_of<G, void>>>());
  static_assert(
      tenon::detail::say<
          tenon::detail::error_in<engine::unfit_option<G, void, engine::purpose::inference, Options...>>>());
  using base = engine::session<engine::plan_of<G, void, engine::purpose::inference, Options...>>;
  using captured_type = engine::captured_runs_for<typename base::plan, Options...>;
  static constexpr bool is_captured = !std::same_as<captured_type, engine::nothing_captured>;

 public:
  using plan = typename base::plan;
  using T = typename base::T;

  inference() = default;
  inference(const inference& TENON_COPY(TENON_COPIED_SESSION)) TENON_DELETED(TENON_COPIED_SESSION);
  TENON_CALL(TENON_COPIED_SESSION, inference&)
  operator=(const inference&) TENON_DELETED(TENON_COPIED_SESSION);
  // Binds the session to theta, which must outlive it. Later changes of theta are used.
  explicit inference(const parameters<G, T>& theta) : theta_(&theta) {}
  // So many threads share its large kernels; the bits of all results stay the same.
  inference(const parameters<G, T>& theta,
            threads at_most) requires(!backend::HasOwnMemory<typename plan::backend>)  //
      : theta_(&theta) {
    this->use_threads(at_most);
  }
  template <TENON_SAYS_AND(TENON_BOUND_TO_TEMPORARY) std::same_as<parameters<G, T>> Theta>
  explicit inference(Theta&&) TENON_DELETED(TENON_BOUND_TO_TEMPORARY);
  template <TENON_SAYS_AND(TENON_BOUND_TO_SCALAR) engine::OfOtherScalar<G, T> Theta>
  explicit inference(const Theta&) TENON_DELETED(TENON_BOUND_TO_SCALAR);
  template <TENON_SAYS_AND(TENON_BOUND_TO_OTHER) engine::OfOtherGraph<G, T> Theta>
  explicit inference(const Theta&) TENON_DELETED(TENON_BOUND_TO_OTHER);
  template <TENON_SAYS_AND(TENON_OPTIONS_AS_ARGUMENTS) class Theta, class First, class... More>
  inference(const Theta&, const First&, const More&...) TENON_DELETED(TENON_OPTIONS_AS_ARGUMENTS);
  explicit inference(const auto&) requires std::same_as<G, engine::graph_as_value> {}  // reported already

  // Runs on the inputs that were set. Throws input_error if one is missing or does not match another.
  void run(const parameters<G, T>& theta) {
    this->prepare(theta);
    if constexpr (is_captured) {
      captured_(*this, {.parameters = this->context_.memory.parameters}, [this] { go_forward(); });
      this->shown_.ran();
    } else {
      go_forward();
    }
  }
  void run() { run(*engine::bound(theta_, "run(theta)")); }
  template <class... Given>
  requires(sizeof...(Given) > 0 && !engine::Accepted<void(const parameters<G, T>&), Given...>)  //
      tenon::detail::refused<tenon::detail::why<engine::unfit_run<G, T, "run", Given...>>> run(Given&&...);
#define TENON_SENTENCE \
  "run takes the parameters only; give the inputs before it: set_input<\"name\">(session, value)"
  TENON_CALL(TENON_SENTENCE, void)
  run(tenon::detail::in_braces, ...) TENON_SAID(TENON_SENTENCE);
  template <class Given>
  TENON_CALL(TENON_SENTENCE, void)
  run(const volatile Given&, tenon::detail::in_braces, ...) TENON_SAID(TENON_SENTENCE);
  template <class... Given>
  TENON_CALL(TENON_CONST_SESSION, void)
  run(const Given&...) const TENON_SAID(TENON_CONST_SESSION);
#undef TENON_SENTENCE

  // Runs on these inputs, in the order of the graph. Returns the output, or a tuple of all outputs in their order.
  template <class... Given>
  requires engine::Fitting<plan, engine::unfit_values<plan, engine::given_as::sequences, Given...>>
      engine::outputs_of<plan>
  operator()(const parameters<G, T>& theta, const Given&... values) & {
    if constexpr (!fits<G>) {
      return {};
    } else {
      if constexpr (engine::members_as_inputs<Given...>::exist) {
        engine::members_as_inputs<Given...>::set(*this, values...);
      } else {
        [&]<int... I>(std::integer_sequence<int, I...>) {
          (this->template give<base::net.inputs[I]>(values), ...);
        }
        (std::make_integer_sequence<int, base::net.inputs.size>{});
      }
      run(theta);
      return this->outputs();
    }
  }
  template <class... Given>
  requires engine::Fitting<plan, engine::unfit_call<G, T, plan, engine::given_as::sequences, Given...>>
      engine::outputs_of<plan>
  operator()(const Given&... values) & {
    return (*this)(*engine::bound(theta_, "model(theta, ..)"), values...);
  }
  template <class... Given>
  requires(!engine::Fitting<plan, engine::unfit_call<G, T, plan, engine::given_as::sequences, Given...>>)  //
      tenon::detail::refused<
          tenon::detail::why<engine::unfit_call<G, T, plan, engine::given_as::sequences, Given...>>>
  operator()(const Given&...) &;
  TENON_CALL(TENON_BRACES_OF_VALUES, engine::outputs_of<plan>)
  operator()(tenon::detail::in_braces, ...) TENON_SAID(TENON_BRACES_OF_VALUES);
  template <class Given>
  TENON_CALL(TENON_BRACES_OF_VALUES, engine::outputs_of<plan>)
  operator()(const volatile Given&, tenon::detail::in_braces, ...) TENON_SAID(TENON_BRACES_OF_VALUES);
  template <class... Given>
  TENON_CALL(TENON_CONST_SESSION, engine::outputs_of<plan>)
  operator()(const Given&...) const& TENON_SAID(TENON_CONST_SESSION);
  template <class... Given>
      TENON_CALL(TENON_OUTPUTS_OF_TEMPORARY, engine::outputs_of<plan>)
      operator()(const Given&...) && TENON_SAID(TENON_OUTPUTS_OF_TEMPORARY);

  // With the option captured: the number of input shapes whose runs have been captured.
  int captured_shapes() const requires is_captured { return captured_.count(); }

 private:
  void go_forward() {
    this->execute().forward();
    this->finish_outputs();
  }

  const parameters<G, T>* theta_ = nullptr;  // that the session is bound to
  [[no_unique_address]] captured_type captured_;
};

template <class Given, class... More>
requires(!engine::IsBlock<Given>) inference(const Given&, const More&...)
->inference<engine::graph_as_value>;

}  // namespace TENON_INSTRUCTION_SET
}  // namespace tenon::inline v0_1
