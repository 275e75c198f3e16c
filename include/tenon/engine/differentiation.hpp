// differentiation<G>: runs a graph forward and backward; what training and gradient checks stand on.
#pragma once

#include "tenon/engine/session_base.hpp"

namespace tenon {

// Runs a graph forward and backward. Objective: a loss such as cross_entropy<"logits">, whose target is the
// input "target"; or void: the adjoints of the outputs are the caller's.
template <Graph G, class Objective = void, class... Options>
class differentiation
    : public engine::session<engine::plan_of<G, Objective, engine::purpose::differentiation, Options...>> {
  static_assert(check<G, Objective>());
  static_assert(engine::axes_exist<G, Objective, Options...>(),
                "steps<bound, axis> names a time axis that the graph does not have");
  using base = engine::session<engine::plan_of<G, Objective, engine::purpose::differentiation, Options...>>;

 public:
  using plan = typename base::plan;
  using T = typename base::T;

  // Dropout: each (seed, step) draws other zeros.
  void randomness(seed s, std::uint64_t step) { this->context_.seed = s.value, this->context_.step = step; }

  // Returns the loss (0 without an objective).
  T forward(const parameters<G, T>& theta) {
    this->prepare(theta);
    this->context_.loss = 0;
    base::run().forward();
    this->finish_outputs();
    if constexpr (std::same_as<Objective, void>) base::run().clear_adjoints(true);
    return this->context_.loss;
  }
  T loss() const { return this->context_.loss; }

  // Without an objective: dL/doutput, to be added to between forward and backward; zero after forward. Two
  // outputs may be one memory: y.final is a part of y.h_n.
  template <text Name>
  view<T> output_adjoint() {
    constexpr int e = base::template output_edge<Name>();
    static_assert(std::same_as<Objective, void>, "with an objective the adjoints follow from the loss");
    static_assert(base::has_adjoint(e),
                  "no parameter, and no input whose gradient is asked for, reaches this output");
    return this->template shown<e, T>(base::run().adjoint(e));
  }
  // Adds dL/dparameter to `gradients`. Follows a forward of the same parameters.
  void backward(const parameters<G, T>& theta, parameters<G, T>& gradients) {
    this->context_.parameters = theta.data();
    this->context_.gradients = gradients.data();
    if constexpr (std::same_as<Objective, void>) this->clear_output_adjoints();
    else base::run().clear_adjoints(false);
    base::run().backward();
    if constexpr (plan::input_gradients) this->finish_input_gradients();
    this->context_.gradients = nullptr;
  }
  // With the option input_gradients: dL/dinput of a numeric input.
  template <text Name>
  view<const T> input_gradient() const {
    constexpr int e = base::template input_edge<Name>();
    static_assert(plan::input_gradients, "differentiation needs the option input_gradients for this");
    static_assert(!base::net.edges[e].is_token(), "tokens have no gradient");
    static_assert(base::has_adjoint(e), "nothing that is differentiated depends on this input");
    return this->template shown<e>(base::run().adjoint(e));
  }
  // Runs forward again and returns the path of the first node with a value that is not finite; empty if there
  // is none.
  std::string first_not_finite() {
    std::string found;
    base::run().forward_watched(
        [&](std::string_view node, const T* values, long rows, int columns, std::ptrdiff_t stride) {
          for (long r = 0; r < rows && found.empty(); ++r)
            for (int j = 0; j < columns; ++j)
              if (!std::isfinite(values[r * stride + j])) found = node;
        });
    return found;
  }
};

}  // namespace tenon
