// session: the common base of inference, differentiation and streaming.
#pragma once

#include "tenon/diagnostics/wrong_call.hpp"

#include "tenon/distribute/sum_tree.hpp"
#include "tenon/engine/inputs/named_inputs.hpp"
#include "tenon/engine/run/crew.hpp"
#include "tenon/engine/session/options.hpp"
#include "tenon/engine/session/shown_memory.hpp"
#include "tenon/parameters/parameters.hpp"

#include <tuple>
#include <utility>

namespace tenon::inline v0_1::engine {

// Does a user see the steps of edge e? Not in a stream that takes them one at a time.
template <class Plan>
constexpr bool has_steps_to_show(int e) {
  return Plan::is_whole_edge(e) || (Plan::in_blocks && Plan::is_stepped_edge(e));
}
// The number of axes that a user sees of edge E: [rows, D], [rows, time, D], [rows, height, width, D] or
// [layers, rows, D].
template <class Plan, int E>
inline constexpr int shown_rank = Plan::net.edges[E].is_grid()                                  ? 4
                                  : has_steps_to_show<Plan>(E) || Plan::net.edges[E].layers > 1 ? 3
                                                                                                : 2;
template <class Plan, int E>
using shown_view = typename view<const typename Plan::scalar, shown_rank<Plan, E>>::type;

// A tuple of several outputs in their order: auto [logits, attended] = live.step(x).
template <class... Views>
struct all_outputs : std::tuple<Views...> {
  using std::tuple<Views...>::tuple;
#define TENON_SENTENCE                                                                                    \
  "a call of a graph with several outputs returns all of them; take them apart, auto [logits, states] = " \
  "live.step(x), or read one by its name, get<\"logits\">(live)"
  template <TENON_SAYS_AND(TENON_SENTENCE) class Index>
  void operator[](const Index&) const TENON_DELETED(TENON_SENTENCE);
#undef TENON_SENTENCE
};
// What a call of a graph with an error returns: as many views as it names outputs, so that taking them apart is no second error.
template <class View, int>
using view_of_each = View;
template <class Plan, int... O>
auto views_of_misfit(std::integer_sequence<int, O...>) {
  if constexpr (sizeof...(O) < 2) return view<const typename Plan::scalar>{};
  else return all_outputs<view_of_each<view<const typename Plan::scalar>, O>...>{};
}
template <class G>
inline constexpr int output_count = 1;  // of what is no graph
template <concepts::Graph G>
inline constexpr int output_count<G> = G::output_count;
// What a call returns: the output, or a tuple of all outputs in their order.
template <class Plan, class Outputs = std::make_integer_sequence<int, Plan::net.outputs.size>>
struct outputs_type {
  using type = decltype(views_of_misfit<Plan>(
      std::make_integer_sequence<int, output_count<typename Plan::graph_type>>{}));
};
template <class Plan>
struct outputs_type<Plan, std::integer_sequence<int, 0>> {
  using type = shown_view<Plan, Plan::net.outputs[0]>;
};
template <class Plan, int... O>
requires(sizeof...(O) > 1) struct outputs_type<Plan, std::integer_sequence<int, O...>> {
  using type = all_outputs<shown_view<Plan, Plan::net.outputs[O]>...>;
};
template <class Plan>
using outputs_of = typename outputs_type<Plan>::type;

// What a step of a stream returns: outputs without an axis of steps.
template <class Plan>
struct one_step_of : Plan {
  static constexpr bool in_blocks = false;
};
template <class Plan>
struct step_outputs_type {
  using type = outputs_of<Plan>;
};
template <class Plan>
requires(Plan::in_blocks) struct step_outputs_type<Plan> {
  using type = outputs_of<one_step_of<Plan>>;
};
template <class Plan>
using step_outputs_of = typename step_outputs_type<Plan>::type;

template <class Plan>
class captured_runs;

// The workspace, the inputs and the views of the outputs of a session.
template <class Plan>
class session : public named_inputs<Plan> {
  using taken = named_inputs<Plan>;

 public:
  using plan = Plan;
  using T = typename Plan::scalar;
  static constexpr const auto& net = Plan::net;
  static constexpr int B = Plan::batch;

  // Bytes of packed weights and products of tables: a constant of the type.
  static constexpr std::size_t packed_bytes =
      static_cast<std::size_t>(memory_of<Plan>.packed_size) * sizeof(T);
  // These bytes, and those of values, states, adjoints, saved values and scratch.
  static constexpr std::size_t workspace_bytes =
      static_cast<std::size_t>(memory_of<Plan>.size) * sizeof(T) + packed_bytes;

  session()
      : memory_(static_cast<std::size_t>(runner::memory_elements()), use),
        packed_(static_cast<std::size_t>(runner::packed_elements()), use) {
    context_.memory.values = memory_.data();
    context_.memory.packed = packed_.data();
    shown_.connect(context_, inputs_);
    context_.inputs.steps = inputs_.lengths().steps();
    context_.inputs.full_steps = inputs_.lengths().full_steps();
    each_edge<net.inputs>([&]<int E>() {
      if constexpr (!net.edges[E].is_token()) this->numbers_[E] = shown_value(E).data;
    });
  }

  // Rows of the last run.
  int rows() const { return inputs_.rows(); }

 protected:
  friend access;
  template <class>
  friend class captured_runs;
  // From now on so many threads share large kernels. None is made if the plan has no large ones.
  void use_threads(threads at_most) {
    constexpr long own_size = memory_of<Plan>.own_size;
    crew_.start(Plan::shares_kernels || at_most.count < 1 ? at_most : threads{1}, own_size,
                {"the threads of a session", Plan::title});
    if (crew_.size() > 1) context_.threads = &crew_;
  }
  static constexpr memory_use use{Plan::training    ? "the workspace of training"
                                  : Plan::streaming ? "the workspace of streaming"
                                                    : "the workspace of inference",
                                  Plan::title};
  using runner = executor<Plan>;
  using backend_tag = typename Plan::backend;

  runner execute() const { return runner(context_); }
  // Where an input or an output and its adjoint are, in the memory of the kernels ..
  operand<T> value(int e) const { return runner::value(e, context_.memory.values); }
  operand<T> adjoint(int e) const { return runner::adjoint(e, context_.memory.values); }
  // .. and in the memory that the program reads and writes.
  operand<T> shown_value(int e) const { return runner::value(e, shown_.memory()); }
  operand<T> shown_adjoint(int e) const { return runner::adjoint(e, shown_.memory()); }

  // The input E, of numbers.
  template <int E>
  auto input() const {
    shown_.template bring<E>(inputs_);
    return shown<E>(shown_value(E));
  }
  // The tokens of input E.
  template <int E>
  const int* shown_tokens() const {
    shown_.template bring<E>(inputs_);
    return inputs_.tokens()[E];
  }
  // The output E.
  template <int E>
  auto output(layout order = layout::batch_first) const {
    shown_.template fetch_value<E>();
    return shown<E>(shown_value(E), order);
  }
  // The output E in the memory of the kernels.
  template <int E>
  backend::device_view<const T> output_there(layout order) const {
    return backend::device_view<const T>(shown<E>(value(E), order));
  }
  // The same of a stream, after a run of one step.
  template <int E>
  auto output_of_step() const {
    if constexpr (Plan::in_blocks && Plan::is_stepped_edge(E)) {
      constexpr int size = net.edges[E].size;
      shown_.template fetch_value<E>();
      return rows_of(shown_value(E), size);
    } else {
      return output<E>();
    }
  }
  step_outputs_of<Plan> outputs_of_step() const {
    return [this]<int... O>(std::integer_sequence<int, O...>) {
      return step_outputs_of<Plan>(this->template output_of_step<net.outputs[O]>()...);
    }
    (std::make_integer_sequence<int, net.outputs.size>{});
  }
  outputs_of<Plan> outputs() const {
    return [this]<int... O>(std::integer_sequence<int, O...>) {
      return outputs_of<Plan>(this->template output<net.outputs[O]>()...);
    }
    (std::make_integer_sequence<int, net.outputs.size>{});
  }
  // As an extent of a view, which need not be looked at: it is not negative.
  unsigned row_count() const { return static_cast<unsigned>(rows()); }
  template <int E, class U>
  auto shown(const operand<U>& b) const {
    constexpr int size = net.edges[E].size, layers = net.edges[E].layers;
    if constexpr (net.edges[E].is_grid()) {
      constexpr extents grid = net.edges[E].grid;
      return view<U, 4>(tenon::detail::unchecked{}, b.data, {row_count(), grid.height, grid.width, size},
                        {b.row, grid.width * b.step, b.step, 1});
    } else if constexpr (has_steps_to_show<Plan>(E))
      return view<U, 3>(tenon::detail::unchecked{}, b.data, {row_count(), shown_steps<E>(), size},
                        {b.row, b.step, 1});
    else if constexpr (layers > 1)
      return view<U, 3>(tenon::detail::unchecked{}, b.data, {layers, row_count(), size},
                        {b.row * B, b.row, 1});
    else return rows_of(b, size);
  }
  template <class U>
  view<U, 2> rows_of(const operand<U>& b, std::size_t size) const {
    return view<U, 2>(tenon::detail::unchecked{}, b.data, {row_count(), size}, {b.row, 1});
  }
  // The steps of edge E: as many as fit, or in a stream those of the last run.
  template <int E>
  unsigned shown_steps() const {
    constexpr int steps = Plan::steps(E), axis = net.edges[E].axis;
    if constexpr (Plan::is_whole_edge(E)) return steps;
    else return static_cast<unsigned>(inputs_.lengths().steps()[axis]);
  }
  template <int E>
  auto shown(const operand<T>& b, layout order = layout::batch_first) const {
    constexpr int size = net.edges[E].size;
    if constexpr (has_steps_to_show<Plan>(E) && !net.edges[E].is_grid())
      if (order == layout::time_first)
        return view<const T, 3>(tenon::detail::unchecked{}, b.data, {shown_steps<E>(), row_count(), size},
                                {b.step, b.row, 1});
    return shown<E, const T>({b.data, b.row, b.step});
  }

  void complete_inputs() {
    inputs_.check_complete([](int e) { return is_needed(e); }, context_.stream.starts());
    context_.inputs.rows = inputs_.rows();
  }
  // Before a run: checks that the inputs are complete, and packs the weights.
  template <class Parameters>
  void prepare(const Parameters& theta) {
    complete_inputs();
    send_inputs_and_weights(theta);
  }
  void send_inputs() { shown_.send_inputs(inputs_, context_.inputs); }
  // After a forward pass that was queued on a device; and the numbers of the run there, and here, when it is done.
  void ran_forward(bool copies_early) {
    shown_.ran();
    this->ran_on_these_ = true;
    if (copies_early) shown_.begin_fetch();
  }
  backend::run_numbers* numbers() { return context_.losses.numbers; }
  backend::run_numbers fetch_numbers() { return shown_.fetch_numbers(context_.losses); }
  template <class Parameters>
  void send_inputs_and_weights(const Parameters& theta) {
    send_inputs();
    context_.memory.parameters = data_on<backend_tag>(theta);
    if (packed_revision_ != theta.revision()) {
      pack_in_pieces(theta);
      multiply_tables();
      packed_revision_ = theta.revision();
    }
  }
  // Packs all weights, or one piece of them.
  template <class Parameters>
  void pack(const Parameters& theta, piece mine = {}) {
    context_.memory.parameters = data_on<backend_tag>(theta);
    execute().pack(mine);
  }
  template <class Parameters>
  void pack_in_pieces(const Parameters& theta) {
    if constexpr (Plan::shares_kernels)
      if (crew_.size() > 1)
        return crew_.template share<backend_tag>([this](piece mine) { execute().pack(mine); });
    pack(theta);
  }
  // Calls f(first, end) for slices of so many numbers, one for each thread.
  template <class F>
  void each_slice(std::ptrdiff_t count, F f) {
    if constexpr (Plan::shares_kernels)
      if (crew_.size() > 1)
        return crew_.template share<backend_tag>([&](piece mine) {
          const distribute::block_slices slices{count, mine.count};
          f(slices.begin(mine.number), slices.begin(mine.number + 1));
        });
    f(std::ptrdiff_t(0), count);
  }
  // Multiplies all tables, or one piece of each. All weights must be packed.
  void multiply_tables(piece mine = {}) { execute().multiply_tables(mine); }
  // Reads the packed weights of another session from now on.
  void share_weights(session& owner) {
    context_.memory.packed = owner.context_.memory.packed;
    packed_ = {};
  }
  // Zeros past the end of each sequence: in the outputs after a run, in their adjoints before the backward pass
  // (what the caller wrote there is ignored) and in the gradients of the inputs after it.
  void finish_outputs() {
    shown_.ran();
    each_edge<net.outputs>([&]<int E>() { clear_ends<E>(value(E)); });
  }
  void clear_output_adjoints() {
    each_edge<net.outputs>([&]<int E>() { clear_adjoint_past_end<E>(); });
  }
  void finish_input_gradients() {
    shown_.ran();
    each_edge<net.inputs>([&]<int E>() { clear_adjoint_past_end<E>(); });
  }

  static constexpr bool is_needed(int e) {
    if (net.is_output(e)) return true;
    for (int o = 0; o < net.operations.size; ++o)
      if (Plan::active.alive[o])
        for (int i : net.operations[o].in)
          if (i >= 0 && net.owner(i) == e) return true;
    return false;
  }

 private:
  template <auto Edges, class F>
  static void each_edge(F f) {
    [&]<int... I>(std::integer_sequence<int, I...>) { (f.template operator()<Edges[I]>(), ...); }
    (std::make_integer_sequence<int, Edges.size>{});
  }
  template <int E>
  void clear_adjoint_past_end() {
    if constexpr (engine::has_adjoint<Plan>(E)) clear_ends<E>(adjoint(E));
  }
  template <int E>
  void clear_ends(const operand<T>& b) {
    constexpr int axis = net.edges[E].axis, steps = Plan::steps(E);
    if constexpr (axis >= 0)
      if (inputs_.lengths().full_steps()[axis] < steps)
        clear_past_end<net.edges[E].size>(backend_tag{}, 0, steps, B, context_.inputs.lengths[axis],
                                          backend::operand<T>{b.data, b.row, b.step});
  }

 protected:
  using taken::inputs_;
  backend::memory_for<T, backend_tag> memory_, packed_;
  mutable run_context<T> context_{};
  shown_memory<Plan> shown_{memory_.data(), inputs_};
  std::uint64_t packed_revision_ = 0;

 private:
  crew<T> crew_;
};

}  // namespace tenon::inline v0_1::engine

template <class... Views>
struct std::tuple_size<tenon::engine::all_outputs<Views...>> : std::tuple_size<std::tuple<Views...>> {};
template <std::size_t I, class... Views>
struct std::tuple_element<I, tenon::engine::all_outputs<Views...>>
    : std::tuple_element<I, std::tuple<Views...>> {};
