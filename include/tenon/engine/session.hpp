// Sessions run a graph: inference, differentiation (what training and gradient checks stand on) and streaming. Each owns a
// workspace of constant size, allocated once; a session belongs to one thread, its parameters may be shared.
#pragma once

#include "tenon/backend/cpu/cpu.hpp"
#include "tenon/backend/reference/reference.hpp"
#include "tenon/engine/feed.hpp"
#include "tenon/engine/parameters.hpp"

namespace tenon {

namespace engine {

// --- options of a session ---------------------------------------------------------------------------------------------------------
template <class O>
concept BatchOption = requires { O::rows; };
template <class O>
concept BackendOption = requires { typename O::backend; };
template <class O>
concept ScalarOption = requires { typename O::scalar; };
template <class O>
concept TimeOption = requires { O::bound; };

template <class... Options>
struct session_options {
  static constexpr int batch = [] {
    int rows = 1;
    [[maybe_unused]] const auto look = [&]<class O>() {
      if constexpr (BatchOption<O>) rows = O::rows;
      else
        static_assert(BackendOption<O> || ScalarOption<O> || TimeOption<O> || std::same_as<O, input_gradients>,
                      "options of a session: batch<rows>, steps<bound>, on<backend>, scalar_type<T>, input_gradients");
    };
    (look.template operator()<Options>(), ...);
    return rows;
  }();
  static_assert(batch > 0, "batch<rows> needs a positive number of rows");
  static constexpr bool with_input_gradients = (std::same_as<Options, input_gradients> || ...);

  template <class Default, class... Os>
  struct backend_of {
    using type = Default;
  };
  template <class Default, class O, class... Os>
  struct backend_of<Default, O, Os...> : backend_of<Default, Os...> {};
  template <class Default, BackendOption O, class... Os>
  struct backend_of<Default, O, Os...> {
    using type = typename O::backend;
  };
  template <class Default, class... Os>
  struct scalar_of {
    using type = Default;
  };
  template <class Default, class O, class... Os>
  struct scalar_of<Default, O, Os...> : scalar_of<Default, Os...> {};
  template <class Default, ScalarOption O, class... Os>
  struct scalar_of<Default, O, Os...> {
    using type = typename O::scalar;
  };
  using backend = typename backend_of<tenon::backend::cpu, Options...>::type;
  using scalar = typename scalar_of<float, Options...>::type;
};

template <class O>
struct no_bound {
  static constexpr label name{};
  static constexpr int bound = 0;
};
template <class O>
struct bound_of {
  using type = no_bound<O>;
};
template <TimeOption O>
struct bound_of<O> {
  using type = O;
};

// Every steps<bound, "axis"> option names an axis of the graph.
template <class G, class Objective, class... Options>
constexpr bool axes_exist() {
  [[maybe_unused]] const auto exists = [](const label& axis) {
    for (const time_axis& known : network_of<G, Objective>.axes)
      if (known.name == axis) return true;
    return !fits<G, Objective>;
  };
  return (... && (!TimeOption<Options> || exists(bound_of<Options>::type::name)));
}

template <class G, class Objective, purpose Purpose, class... Options>
using plan_of = plan<G, Objective, Purpose, typename session_options<Options...>::backend, typename session_options<Options...>::scalar,
                     session_options<Options...>::batch, session_options<Options...>::with_input_gradients, typename bound_of<Options>::type...>;

// What all sessions share: the workspace, the inputs and the views of the outputs.
template <class Plan>
class session {
 public:
  using plan = Plan;
  using T = typename Plan::scalar;
  static constexpr const auto& net = Plan::net;
  static constexpr int B = Plan::batch;

  // Bytes of values, adjoints, saved values and scratch, and of packed weights: a constant of the type.
  static constexpr std::size_t workspace_bytes = static_cast<std::size_t>(memory_of<Plan>.size + memory_of<Plan>.packed_size) * sizeof(T);

  session() : memory_(static_cast<std::size_t>(memory_of<Plan>.size)), packed_(static_cast<std::size_t>(memory_of<Plan>.packed_size)) {
    context_.memory = memory_.data();
    context_.packed = packed_.data();
    context_.tokens = feed_.tokens();
    context_.lengths = feed_.lengths();
    context_.steps = feed_.steps();
    context_.full_steps = feed_.full_steps();
  }
  session(const session&) = delete;
  session& operator=(const session&) = delete;

  // Gives the input of this name: a tensor expression, a range of token sequences or a flat range; a sequence may be followed
  // by its lengths, and by layout::time_first. Throws input_error and changes nothing if something is wrong.
  template <text Name, class... Given>
  void input(const Given&... given) {
    constexpr int e = input_edge<Name>();
    if constexpr (e >= 0) give<e>(given...);
  }

  // The output of this name: [rows, D], [rows, time, D] (zeros past each sequence's end) or [layers, rows, D].
  // layout::time_first shows a sequence as [time, rows, D]: the same memory through other strides.
  template <text Name>
  view<const T> output(layout order = layout::batch_first) const {
    constexpr int e = output_edge<Name>();
    if constexpr (e < 0) {
      return {};
    } else {
      const auto y = run().template value<e>();
      if (net.edges[e].axis >= 0 && order == layout::time_first)
        return view<const T>(y.data, {Plan::steps(e), rows(), net.edges[e].size}, {y.step, y.row, 1});
      return shown<e>(y);
    }
  }
  // Rows of the last run.
  int rows() const { return feed_.rows(); }

 protected:
  using runner = executor<Plan>;

  runner run() const { return runner(context_); }

  template <int E, class... Given>
  void give(const Given&... given) {
    T* values = nullptr;
    if constexpr (!net.edges[E].is_token()) values = run().template value<E>().data;
    if constexpr (sizeof...(Given) == 3) give_with_order<E>(values, given...);
    else feed_.template set<E>(given..., values);
  }
  template <int E, class X, class Lengths>
  void give_with_order(T* values, const X& x, const Lengths& lengths, layout order) {
    feed_.template set<E>(x, lengths, values, order);
  }

  template <text Name>
  static constexpr int input_edge() {
    constexpr int e = [] {
      for (int i : net.inputs)
        if (net.edges[i].path == name(Name)) return i;
      return -1;
    }();
    static_assert(e >= 0 || net.edges.size == 0, "the graph has no input of this name");
    return e;
  }
  template <text Name>
  static constexpr int output_edge() {
    constexpr int e = [] {
      for (int o = 0; o < net.outputs.size; ++o)
        if (net.output_names[o] == name(Name)) return net.outputs[o];
      return -1;
    }();
    static_assert(e >= 0 || net.edges.size == 0, "the graph has no output<> of this name");
    return e;
  }
  template <int E, class U>
  view<U> shown(const binding<U>& b) const {
    if constexpr (net.edges[E].axis >= 0) return view<U>(b.data, {rows(), Plan::steps(E), net.edges[E].size}, {b.row, b.step, 1});
    else if constexpr (net.edges[E].slabs > 1) return view<U>(b.data, {net.edges[E].slabs, rows(), net.edges[E].size}, {b.row * B, b.row, 1});
    else return view<U>(b.data, {rows(), net.edges[E].size}, {b.row, 1});
  }
  template <int E>
  view<const T> shown(const binding<T>& b) const {
    return shown<E, const T>({b.data, b.row, b.step});
  }

  // Before a run: complete inputs, packed weights.
  template <class Parameters>
  void prepare(const Parameters& theta) {
    feed_.check_complete([](int e) { return is_needed(e); });
    context_.rows = feed_.rows();
    context_.parameters = theta.data();
    if (packed_revision_ != theta.revision()) {
      run().pack();
      packed_revision_ = theta.revision();
    }
  }
  // Zeros past the end of each sequence: in the outputs after a run, in their adjoints before the way back (what stands there
  // is no output, whatever the caller wrote) and in the gradients of the inputs after it.
  void finish_outputs() {
    each_edge<net.outputs>([&]<int E>() { clear_past_end<E>(run().template value<E>()); });
  }
  void clear_output_adjoints() {
    each_edge<net.outputs>([&]<int E>() { clear_adjoint_past_end<E>(); });
  }
  void finish_input_gradients() {
    each_edge<net.inputs>([&]<int E>() { clear_adjoint_past_end<E>(); });
  }
  static constexpr bool has_adjoint(int e) { return e >= 0 && Plan::active.has_adjoint[net.owner(e)]; }

  static constexpr bool is_needed(int e) {
    for (int o = 0; o < net.operations.size; ++o)
      if (Plan::active.alive[o])
        for (int i : net.operations[o].in)
          if (i >= 0 && net.owner(i) == e) return true;
    return false;
  }

 private:
  template <auto Edges, class F>
  static void each_edge(F f) {
    [&]<int... I>(std::integer_sequence<int, I...>) {
      (f.template operator()<Edges[I]>(), ...);
    }(std::make_integer_sequence<int, Edges.size>{});
  }
  template <int E>
  void clear_adjoint_past_end() {
    if constexpr (has_adjoint(E)) clear_past_end<E>(run().template adjoint<E>());
  }
  template <int E>
  void clear_past_end(const binding<T>& b) {
    if constexpr (net.edges[E].axis >= 0)
      backend::clear_past_end<net.edges[E].size>(typename Plan::backend{}, Plan::steps(E), B, feed_.lengths()[net.edges[E].axis], b.data, b.row);
  }

 protected:
  memory<T> memory_, packed_;
  feed<Plan> feed_;
  mutable typename runner::context context_{};
  std::uint64_t packed_revision_ = 0;
};

}  // namespace engine

// Runs a graph forward.
//   inference<index_lookup, batch<32>> lookup;
//   lookup.input<"tokens">(tokens), lookup.input<"index">(index);
//   lookup.run(theta);
//   lookup.output<"logits">()
template <Graph G, class... Options>
class inference : public engine::session<engine::plan_of<G, void, engine::purpose::inference, Options...>> {
  static_assert(check<G>());
  static_assert(engine::axes_exist<G, void, Options...>(), "steps<bound, axis> names a time axis that the graph does not have");
  using base = engine::session<engine::plan_of<G, void, engine::purpose::inference, Options...>>;

 public:
  void run(const parameters<G, typename base::T>& theta) {
    this->prepare(theta);
    base::run().forward();
    this->finish_outputs();
  }
  // Inputs in the order of the graph, each one argument; returns the first output.
  template <class... Given>
  view<const typename base::T> operator()(const parameters<G, typename base::T>& theta, const Given&... given) {
    if constexpr (!fits<G>) {
      return {};
    } else {
      static_assert(sizeof...(Given) == base::net.inputs.size, "give one argument for each input of the graph");
      [&]<int... I>(std::integer_sequence<int, I...>) {
        (this->template give<base::net.inputs[I]>(given), ...);
      }(std::make_integer_sequence<int, base::net.inputs.size>{});
      run(theta);
      constexpr int e = base::net.outputs[0];
      return this->template shown<e>(base::run().template value<e>());
    }
  }
};

// Runs a graph forward and backward. Objective: a loss such as cross_entropy<"logits">, whose target is the input "target";
// or void: the adjoints of the outputs are the caller's.
template <Graph G, class Objective = void, class... Options>
class differentiation : public engine::session<engine::plan_of<G, Objective, engine::purpose::differentiation, Options...>> {
  static_assert(check<G, Objective>());
  static_assert(engine::axes_exist<G, Objective, Options...>(), "steps<bound, axis> names a time axis that the graph does not have");
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

  // Without an objective: dL/doutput, to be added to between forward and backward; zero after forward. Two outputs may be one
  // memory: y.final is a part of y.h_n.
  template <text Name>
  view<T> output_adjoint() {
    constexpr int e = base::template output_edge<Name>();
    static_assert(std::same_as<Objective, void>, "with an objective the adjoints follow from the loss");
    static_assert(base::has_adjoint(e), "no parameter, and no input whose gradient is asked for, reaches this output");
    return this->template shown<e, T>(base::run().template adjoint<e>());
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
    return this->template shown<e>(base::run().template adjoint<e>());
  }
  // Runs forward again and returns the path of the first node with a value that is not finite; empty if there is none.
  std::string first_not_finite() {
    std::string found;
    base::run().forward_watched([&](std::string_view node, const T* values, long rows, int columns, std::ptrdiff_t stride) {
      for (long r = 0; r < rows && found.empty(); ++r)
        for (int j = 0; j < columns; ++j)
          if (!std::isfinite(values[r * stride + j])) found = node;
    });
    return found;
  }
};

// One step at a time, states carried: for graphs whose recurrent layers run forward only.
//   streaming<model> live;  live.reset();  live.step(theta, frame) -> the first output of this step, [rows, D]
template <Graph G, class... Options>
class streaming : public engine::session<engine::plan_of<G, void, engine::purpose::streaming, Options...>> {
  static_assert(check<G>());
  using plan = engine::plan_of<G, void, engine::purpose::streaming, Options...>;
  using base = engine::session<plan>;
  using T = typename base::T;
  using runner = typename base::runner;

  static constexpr bool can_stream = [] {
    for (int o = 0; o < base::net.operations.size; ++o) {
      const operation& op = base::net.operations[o];
      if (!plan::active.alive[o]) continue;
      if (op.reversed || op.what == work::time_softmax || op.what == work::weighted_sum) return false;
    }
    return true;
  }();
  static_assert(can_stream, "streaming runs one step at a time: the graph must have no reverse direction and no attention over time");

 public:
  streaming() : states_(state_elements) {
    std::size_t at = 0;
    int n = 0;
    for (int o = 0; o < base::net.operations.size; ++o)
      for (int s = 0; plan::active.alive[o] && s < plan::states(o); ++s) {
        carried_[n++] = states_.data() + at;
        at += elements_of(o, s);
      }
    this->context_.carried = carried_;
  }
  // The beginning of a sequence: the next step starts on the initial states that it is given, or on zeros.
  void reset() { this->context_.starts = true; }

  // Feeds one step of every input, in the order of the graph: tokens [rows], numbers [rows, D] or flat; returns the first
  // output [rows, D]. Inputs that are initial states are read at the first step of a sequence alone.
  template <class... Given>
  view<const T> step(const parameters<G, T>& theta, const Given&... given) {
    if constexpr (!fits<G>) {
      return {};
    } else {
      static_assert(sizeof...(Given) == base::net.inputs.size, "give one argument for each input of the graph");
      [&]<int... I>(std::integer_sequence<int, I...>) {
        (give_step<base::net.inputs[I]>(given), ...);
      }(std::make_integer_sequence<int, base::net.inputs.size>{});
      this->prepare(theta);
      base::run().forward();
      this->context_.starts = false;
      constexpr int e = base::net.outputs[0];
      const auto y = base::run().template value<e>();
      return view<const T>(y.data, {this->rows(), base::net.edges[e].size}, {y.row, 1});
    }
  }

 private:
  static constexpr std::size_t elements_of(int o, int s) {
    return static_cast<std::size_t>(base::B) * static_cast<std::size_t>(base::net.edges[base::net.operations[o].out[1 + s]].size);
  }
  static constexpr std::size_t state_elements = [] {
    std::size_t n = 0;
    for (int o = 0; o < base::net.operations.size; ++o)
      for (int s = 0; plan::active.alive[o] && s < plan::states(o); ++s) n += elements_of(o, s);
    return n;
  }();
  memory<T> states_;
  T* carried_[runner::carried_states + 1]{};

  // A tensor expression [rows, ...] as a sequence of one step, [rows, 1, ...].
  template <TensorExpression X>
  struct one_step {
    const X& x;
    std::size_t dimension() const { return x.dimension() + 1; }
    std::array<std::size_t, 3> shape() const {
      return {static_cast<std::size_t>(x.shape()[0]), 1, x.dimension() > 1 ? static_cast<std::size_t>(x.shape()[1]) : 0};
    }
    auto operator()(auto row, auto, auto... feature) const { return x(row, feature...); }
  };
  // A row without its time axis is a sequence of one step.
  template <int E, class X>
  void give_step(const X& x) {
    constexpr edge e = base::net.edges[E];
    if constexpr (e.axis < 0) {
      this->template give<E>(x);
    } else if constexpr (TensorExpression<X>) {
      constexpr std::size_t rank = e.is_token() ? 1 : 2;
      if (x.dimension() != rank)
        throw input_error("input '" + std::string(e.path.view()) + "': expected rank " + std::to_string(rank) + " for one step, got rank " + std::to_string(x.dimension()));
      this->template give<E>(one_step<X>{x});
    } else {
      const auto* data = std::ranges::data(x);
      const auto count = static_cast<std::ptrdiff_t>(std::ranges::size(x));
      using element = std::remove_pointer_t<decltype(data)>;
      if constexpr (e.is_token()) this->template give<E>(view<element>(data, {count, 1}, {1, 1}));
      else {
        if (count % e.size != 0)
          throw input_error("input '" + std::string(e.path.view()) + "': expected a multiple of " + std::to_string(e.size) + " numbers, got " + std::to_string(count));
        this->template give<E>(view<element>(data, {count / e.size, 1, e.size}, {e.size, e.size, 1}));
      }
    }
  }
};

}  // namespace tenon
