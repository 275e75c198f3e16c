// differentiation<G>: runs a graph forward and backward. Training and gradient checks use it.
#pragma once

#include "tenon/backend/instruction_set.hpp"
#include "tenon/diagnostics/wrong_method.hpp"
#include "tenon/engine/inputs/given_adjoints.hpp"
#include "tenon/engine/session/by_name.hpp"

#include <cmath>

namespace tenon::inline v0_1 {

namespace engine {
TENON_WITHOUT(differentiation_has_no_run, run,
              "a differentiation has no run; write forward(theta), then backward(theta, gradients)");
}  // namespace engine

inline namespace TENON_INSTRUCTION_SET {

// Runs a graph forward and backward. Objective: a loss such as losses::cross_entropy<"logits">, whose target is the
// input "target"; or void: the caller gives the adjoints of the outputs.
template <class G, class Objective = void, class... Options>
class differentiation
    : public engine::session<engine::plan_of<G, Objective, engine::purpose::differentiation, Options...>>,
      public engine::differentiation_has_no_run {
  static_assert(tenon::detail::say<tenon::detail::error_in<detail::problem_of_gradient<G, Objective>>>());
  static_assert(tenon::detail::say<tenon::detail::error_in<
                    engine::unfit_option<G, Objective, engine::purpose::differentiation, Options...>>>());
  using base = engine::session<engine::plan_of<G, Objective, engine::purpose::differentiation, Options...>>;

 public:
  using plan = typename base::plan;
  using T = typename base::T;
  using objective = Objective;

  differentiation() = default;
  // So many threads share its large kernels; the bits of all results stay the same.
  explicit differentiation(threads at_most) requires(!backend::HasOwnMemory<typename plan::backend>) {
    this->use_threads(at_most);
  }
  differentiation(const differentiation& TENON_COPY(TENON_COPIED_SESSION))
      TENON_DELETED(TENON_COPIED_SESSION);
  TENON_CALL(TENON_COPIED_SESSION, differentiation&)
  operator=(const differentiation&) TENON_DELETED(TENON_COPIED_SESSION);

  // Dropout: each (seed, step) draws different zeros. backward draws the same ones again, so call this before forward.
  void randomness(seed s, std::uint64_t step) {
    this->context_.inputs.seed = s.value;
    this->context_.inputs.step = step;
    this->ran_on_these_ = false;
  }

  // Returns the loss (0 without an objective).
  T forward(const parameters<G, T>& theta) {
    this->prepare(theta);
    go_forward();
    return loss();
  }
  template <class... Given>
  requires(!engine::Accepted<void(const parameters<G, T>&), Given...>)  //
      tenon::detail::refused<tenon::detail::why<engine::unfit_run<G, T, "forward", Given...>>> forward(
          Given&&...);
#define TENON_SENTENCE \
  "forward takes the parameters only; give the inputs before it: set_input<\"name\">(session, value)"
  TENON_CALL(TENON_SENTENCE, T)
  forward(tenon::detail::in_braces, ...) TENON_SAID(TENON_SENTENCE);
  template <class Given>
  TENON_CALL(TENON_SENTENCE, T)
  forward(const volatile Given&, tenon::detail::in_braces, ...) TENON_SAID(TENON_SENTENCE);
  template <class... Given>
  TENON_CALL(TENON_CONST_SESSION, T)
  forward(const Given&...) const TENON_SAID(TENON_CONST_SESSION);
#undef TENON_SENTENCE
  T loss() const {
    this->shown_.fetch_numbers(this->context_.losses);
    return static_cast<T>(this->context_.losses.loss);
  }
  // The number of rows or steps with a target, over which the loss of the last forward is a mean. With several losses,
  // their sum.
  double positions() const {
    this->shown_.fetch_numbers(this->context_.losses);
    return this->context_.losses.positions;
  }

  // Adds dL/dparameter to `gradients`. Call forward with the same parameters before it. Throws input_error if there was
  // no forward, if backward or an input followed it, or if both blocks are the same.
  void backward(const parameters<G, T>& theta, parameters<G, T>& gradients) {
    check_apart(theta, gradients);
    this->begin_backward();
    go_back(theta, gradients);
    finish_alone();
  }
  // Without an objective: takes dL/doutput, one tensor for each output<> in their order, in the shapes of the
  // outputs. They replace what was written to output_adjoint() since forward. A view whose features are
  // contiguous is read in place if the output is rows of a table. Throws input_error and changes nothing if a
  // shape differs, or if a view is that of output_adjoint().
  template <class... Given>
  requires(std::same_as<Objective, void> && sizeof...(Given) > 0 &&
           engine::Fitting<plan, engine::unfit_adjoints<plan, Given...>>)  //
      void backward(const parameters<G, T>& theta, parameters<G, T>& gradients, const Given&... adjoints) {
    if constexpr (engine::is_laid_out<plan>) {
      backend::operand<const T> in_place[base::net.edges.size + 1]{};
      check_apart(theta, gradients);
      this->check_backward();
      give_adjoints(std::make_integer_sequence<int, sizeof...(Given)>{}, in_place, adjoints...);
      this->begin_backward();
      is_uncleared_ = false;
      const adjoints_of_caller for_now(*this, in_place);
      go_back_cleared(theta, gradients);
      finish_alone();
    }
  }
  template <class First, class... Given>
  requires(std::same_as<Objective, void> &&
           !engine::Fitting<plan, engine::unfit_adjoints<plan, First, Given...>>)  //
      tenon::detail::refused<tenon::detail::why<engine::unfit_adjoints<plan, First, Given...>>> backward(
          const parameters<G, T>&, parameters<G, T>&, const First&, const Given&...);
  template <class... Given>
  requires(!engine::backward_takes<G, T, std::same_as<Objective, void>, Given...>)  //
      tenon::detail::refused<tenon::detail::why<
          engine::unfit_backward<G, T, std::same_as<Objective, void>, Given...>>> backward(Given&&...);
  // Runs forward again and returns the path of the first node with a value that is not finite; empty if there
  // is none. Call forward before it. Without an objective it changes nothing: adjoints written since forward stay.
  std::string first_not_finite() {
    if (this->context_.inputs.rows == 0) throw input_error("first_not_finite: no forward pass has run");
    this->shown_.join();
    constexpr bool may_have_adjoints =
        std::same_as<Objective, void>;  // in the memory of values that are computed again
    engine::memory<T> before(may_have_adjoints ? this->memory_.size() : 0, base::use);
    if constexpr (may_have_adjoints)
      backend::copy_from<typename plan::backend>(this->memory_.data(), before.data(), before.size());
    this->shown_.fetch_numbers(this->context_.losses);
    const auto go_back = [&, loss = this->context_.losses.loss, positions = this->context_.losses.positions] {
      if constexpr (may_have_adjoints)
        backend::copy_to<typename plan::backend>(before.data(), this->memory_.data(), before.size());
      this->context_.losses.loss = loss;
      this->context_.losses.positions = positions;
    };
    finite_check check{{&look_at_output}, this->execute(), {}};
    try {
      this->shown_.send_numbers(this->context_.inputs);
      this->execute().forward(&check);
    } catch (...) {
      go_back();
      throw;
    }
    go_back();
    return check.found;
  }

 protected:
  friend engine::access;
  // dL/doutput of edge E, without an objective: see output_adjoint<"name">(session).
  template <int E>
  auto output_adjoint() {
    shows_adjoints_ = true;
    clear_late();
    return this->template shown<E, T>(this->shown_adjoint(E));
  }
  template <int E>
  auto input_gradient() const {
    this->shown_.template fetch_adjoint<E>();
    return this->template shown<E>(this->shown_adjoint(E));
  }
  void go_forward() {
    this->context_.losses.loss = this->context_.losses.positions = 0;
    this->execute().forward();
    this->finish_outputs();
    if constexpr (std::same_as<Objective, void>) {
      is_uncleared_ = true;
      if (shows_adjoints_) clear_late();
    }
    this->ran_on_these_ = true;
  }
  // The backward pass, except the gradients of products of tables.
  void go_back(const parameters<G, T>& theta, parameters<G, T>& gradients,
               engine::run_observer* observer = nullptr) {
    if constexpr (std::same_as<Objective, void>) clear_late();
    else this->execute().clear_adjoints(false);
    go_back_cleared(theta, gradients, observer);
  }
  // For the shards of a batch, whose sums are added up in the first.
  engine::summed_table<T>* find_table_sums(engine::summed_table<T>* all) {
    return this->execute().find_table_sums(all);
  }
  void finish_tables(differentiation& first, engine::piece mine) {
    this->execute().finish_tables(first.context_, mine);
  }

 private:
  // The run reads adjoints in the caller's memory as long as this lives.
  struct adjoints_of_caller {
    const backend::operand<const T>*& place;
    adjoints_of_caller(differentiation& of, const backend::operand<const T>* in_place)
        : place(of.context_.memory.given_adjoints) {
      place = in_place;
    }
    adjoints_of_caller(const adjoints_of_caller&) = delete;
    adjoints_of_caller& operator=(const adjoints_of_caller&) = delete;
    ~adjoints_of_caller() { place = nullptr; }
  };
  static void check_apart(const parameters<G, T>& theta, const parameters<G, T>& gradients) {
    if (&theta == &gradients)
      throw input_error(
          "backward: the gradients would be added to the parameters themselves; give them a block of their "
          "own, parameters<graph> gradients(zeros{})");
  }
  void go_back_cleared(const parameters<G, T>& theta, parameters<G, T>& gradients,
                       engine::run_observer* observer = nullptr) {
    this->shown_.join();
    this->context_.memory.parameters = engine::data_on<typename plan::backend>(theta);
    this->context_.memory.gradients = engine::data_on<typename plan::backend>(gradients);
    if constexpr (std::same_as<Objective, void>) {
      each_output_adjoint([&](auto e) { this->shown_.template send_adjoint<e>(); });
      this->clear_output_adjoints();
    }
    this->execute().backward(observer);
    if constexpr (plan::input_gradients) this->finish_input_gradients();
  }
  void finish_alone() {
    this->execute().finish_tables(this->context_);
    this->context_.memory.gradients = nullptr;
  }

  // --- the first value that is not finite ------------------------------------------------------------------
  struct finite_check : engine::run_observer {
    typename base::runner run;
    std::string found;
  };
  static void look_at_output(engine::run_observer& observer, int operation) {
    finite_check& check = static_cast<finite_check&>(observer);
    if (!check.found.empty()) return;
    check.run.show_output(
        operation, [&](ir::characters node, const T* values, long rows, int columns, std::ptrdiff_t stride) {
          engine::memory<T> copy(backend::HasOwnMemory<typename plan::backend> ? std::size_t(columns) : 0);
          for (long r = 0; r < rows && check.found.empty(); ++r) {
            const T* row = values + r * stride;
            if constexpr (backend::HasOwnMemory<typename plan::backend>) {
              copy_out(typename plan::backend{}, row, copy.data(), copy.size() * sizeof(T));
              row = copy.data();
            }
            for (int j = 0; j < columns; ++j)
              if (!std::isfinite(row[j])) check.found = node;
          }
        });
  }

  // --- adjoints of the outputs -----------------------------------------------------------------------------
  // They are zero after forward. They are cleared when they are read, or at once if the caller has a view of
  // them.
  bool shows_adjoints_ = false, is_uncleared_ = false;

  void clear_late() {
    if (is_uncleared_) clear_adjoints(true);
    is_uncleared_ = false;
  }
  void clear_adjoints(bool also_outputs) {
    this->execute().clear_adjoints(also_outputs);
    if (also_outputs) each_output_adjoint([&](auto e) { this->shown_.template clear_adjoint<e>(); });
  }
  template <class F>
  static void each_output_adjoint(F f) {
    ir::repeat<base::net.outputs.size>([&](auto o) {
      constexpr int e = base::net.outputs[o];
      if constexpr (engine::has_adjoint<plan>(e)) f(std::integral_constant<int, e>{});
    });
  }
  template <int... O, class... Given>
  void give_adjoints(std::integer_sequence<int, O...>, backend::operand<const T>* in_place,
                     const Given&... adjoints) {
    (check_adjoint<O>(adjoints), ...);  // all of them, before anything changes
    clear_adjoints(!(plan::owns_its_memory(base::net.outputs[O]) && ...));
    (give_adjoint<base::net.outputs[O]>(adjoints, in_place), ...);
  }
  template <int O, class X>
  void check_adjoint(const X& x) const {
    constexpr int e = base::net.outputs[O];
    const auto y = this->template shown<e>(this->shown_value(e));
    const ir::characters output = base::net.output_names[O].view();
    engine::check_adjoint_shape(output, x, y);
    if constexpr (engine::has_adjoint<plan>(e) && std::convertible_to<X, view<const T>>)
      if (x.data_handle() == this->shown_adjoint(e).data)
        engine::refuse_adjoint(
            output, "what output_adjoint shows is this session's; call backward(theta, gradients)");
  }
  // Copies the adjoint of edge E to its place, or notes where the caller's memory has it.
  template <int E, class X>
  void give_adjoint(const X& x, [[maybe_unused]] backend::operand<const T>* in_place) {
    if constexpr (engine::has_adjoint<plan>(E)) {
      in_place[E] = engine::adjoint_in_place<plan, E>(x);
      if (in_place[E].data == nullptr)
        engine::take_adjoint<plan, E>(x, this->template shown<E, T>(this->shown_adjoint(E)));
    }
  }
};

}  // namespace TENON_INSTRUCTION_SET
}  // namespace tenon::inline v0_1
