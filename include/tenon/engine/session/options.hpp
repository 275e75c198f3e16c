// The meaning of the options of a session: batch<rows>, steps<bound>, block<steps>, on<backend>, scalar_type<T>,
// input_gradients, captured.
#pragma once

#include "tenon/backend/cpu/cpu.hpp"
#include "tenon/engine/plan/backend_kernels.hpp"

namespace tenon::inline v0_1::engine {

template <class Backend>
concept FallsBack = std::derived_from<Backend, backend::reference>;

// A backend that lacks a kernel of a graph's operation.
template <class G, class Objective, class Backend, class T, purpose Purpose>
struct unfit_backend {
  static constexpr problem wrong = [] {
    for (const operation& o : network_of<G, Objective>.operations)
      for (const label& kernel : kernels_of(network_of<G, Objective>, o, Purpose))
        if (!has_kernel<Backend, T>(kernel))
          return problem{.rule = sentence("backend '")
                                     .append(type_name<Backend>().view())
                                     .append("' has no kernel '")
                                     .append(kernel.view())
                                     .append("'"),
                         .where = o.path,
                         .fix = "derive its tag from backend::reference, which has them all"};
    return problem{};
  }();
};

// Replaces `captured` for the session of a trainer: the trainer's steps are captured, not its session.
struct captured_by_trainer {};
template <class Option>
using option_of_session = std::conditional_t<std::same_as<Option, captured>, captured_by_trainer, Option>;

template <class O>
concept BatchOption = requires {
  O::rows;
};
template <class O>
concept BackendOption = requires {
  typename O::backend;
};
template <class O>
concept ScalarOption = requires {
  typename O::scalar;
};
template <class O>
concept TimeOption = requires {
  O::bound;
};
template <class O>
concept BlockOption = requires {
  O::steps_in_block;
};

template <class... Options>
struct session_options {
  static constexpr int batch = [] {
    int rows = 1;
    [[maybe_unused]] const auto look = [&]<class O>() {
      if constexpr (BatchOption<O>)
        if (O::rows > 0) rows = O::rows;  // unfit_option reports other values
    };
    (look.template operator()<Options>(), ...);
    return rows;
  }();
  static constexpr bool is_captured = (std::same_as<Options, captured> || ...);
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
    using type = std::conditional_t<std::floating_point<typename O::scalar>, typename O::scalar, Default>;
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
template <class O>
struct block_bound : no_bound<O> {
  static constexpr int steps_in_block = O::steps_in_block > 0 ? O::steps_in_block : 1;  // refused already
};
template <BlockOption O>
struct bound_of<O> {
  using type = block_bound<O>;
};

// The most rows for which the numbers in one step of the widest edge can be counted by an int.
template <class G, class Objective>
inline constexpr int most_rows = [] {
  int widest = 1;
  for (const edge& e : network_of<G, Objective>.edges) widest = e.size > widest ? e.size : widest;
  return size_argument::largest / widest;
}();
template <class G, class Objective, int Rows>
inline constexpr int usable_rows =
    Rows <= most_rows<G, Objective> ? Rows : 1;  // one, so that no further error follows

// How a backend rounds the weights that it stores.
struct weight_rounding {
  bool to_bfloat16 = false, to_int8 = false;
};
template <class Backend>
inline constexpr weight_rounding rounding_of{backend::trades<Backend, backend::bfloat16_weights>,
                                             backend::trades<Backend, backend::int8_weights>};
// What is wrong with such weights in a session.
constexpr problem unfit_rounding(weight_rounding how, bool on_cpu, bool backward, bool in_float) {
  if (!how.to_bfloat16 && !how.to_int8) return {};
  const characters trade = how.to_int8 ? "int8_weights" : "bfloat16_weights";
  const auto rule = [&](const char* words) { return sentence(trade).append(words); };
  if (how.to_bfloat16 && how.to_int8)
    return {.rule = rule(" and bfloat16_weights both say how weights are stored"),
            .fix = "leave one of them out"};
  if (how.to_int8 && !on_cpu)
    return {.rule = rule(" are for the CPU backend"),
            .fix = "write cpu_with<int8_weights>, or leave them out"};
  if (backward) return {.rule = rule(" are for inference"), .fix = "train on the backend without them"};
  if (!in_float)
    return {.rule = rule(" are for float"),
            .fix = sentence("leave out scalar_type<double>, or ").append(trade)};
  return {};
}

// A loss that stands behind another, or where an objective is void.
template <class T>
concept IsLoss = requires(builder& b) {
  T::build(b);
};
template <class Objective, class Loss>
struct unfit_second_loss {
  static constexpr problem wrong = [] {
    const name loss = type_name<Loss>();
    problem p{.rule = sentence("'").append(loss.view()).append("' is a second loss"),
              .fix = sentence("add them up, losses::sum_of<").append(type_name<Objective>().view())};
    p.fix.append(", ").append(loss.view()).append(">");
    return p;
  }();
};

// What is wrong with the options of a session. Each steps<bound, "axis"> must name an axis of the graph.
template <class G, class Objective, purpose Purpose, class... Options>
struct unfit_option {
  using scalar = typename session_options<Options...>::scalar;
  static constexpr bool backward = Purpose == purpose::differentiation;

  template <class O>
  static constexpr void look(problem& p) {
    if (p || !fits<G, Objective>) return;
    if constexpr (BatchOption<O>) {
      if (O::rows <= 0)
        p = {.rule = sentence("batch<").append(O::rows).append("> has no rows"),
             .fix = "write how many rows run at once, at most"};
      else if (O::rows > most_rows<G, Objective>)
        p = {.rule = "a step of all rows is more numbers than an int counts: batch takes at most",
             .axis = "rows",
             .expected = most_rows<G, Objective>,
             .got = O::rows,
             .fix = "write a smaller batch"};
    } else if constexpr (BlockOption<O>) {
      constexpr long most = most_rows<G, Objective> / std::max(1, session_options<Options...>::batch);
      if (Purpose != purpose::streaming)
        p = {.rule = sentence("block<").append(O::steps_in_block).append("> is for a stream"),
             .fix = "leave it out: all steps run at once"};
      else if (O::steps_in_block <= 0)
        p = {.rule = sentence("block<").append(O::steps_in_block).append("> has no steps"),
             .fix = "write how many steps run at once, at most"};
      else if (O::steps_in_block > most)
        p = {.rule = "a block of all rows is more numbers than an int counts: block takes at most",
             .axis = "steps",
             .expected = static_cast<int>(most),
             .got = O::steps_in_block,
             .fix = "write a smaller block"};
    } else if constexpr (TimeOption<O>) {
      if (O::bound <= 0)
        return void(p = {.rule = sentence("steps<").append(O::bound).append("> has no steps"),
                         .fix = "write the length of the longest sequence of this session"});
      nearest known{O::name.view()};
      for (const time_axis& a : network_of<G, Objective>.axes) {
        if (a.name == O::name) {
          if (a.from >= 0 || a.is_grid())
            p = {.rule = sentence("the axis '")
                             .append(O::name.view())
                             .append(a.is_grid() ? "' is a grid, and has all of its places"
                                                 : "' has as many steps as there are windows"),
                 .fix = "leave it out, or bound the axis of an input"};
          else look_along_axes<O>(p), look_for_features<O>(p);
          return;
        }
        known.consider(a.name.view());
      }
      p.rule = sentence("the graph has no time axis '").append(O::name.view());
      p.rule.append("' for an option to bound");
      p.fix = known.suggestion("inputs name their axis: steps<bound, \"name\">");
    } else if constexpr (BackendOption<O>) {
      if constexpr (!FallsBack<typename O::backend>)
        p = unfit_backend<G, Objective, typename O::backend, scalar, Purpose>::wrong;
      if (!p)
        p = unfit_rounding(rounding_of<typename O::backend>,
                           std::derived_from<typename O::backend, backend::cpu>, backward,
                           std::same_as<scalar, float>);
    } else if constexpr (ScalarOption<O>) {
      if constexpr (!std::floating_point<typename O::scalar>)
        p = {.rule = sentence("scalar_type<").append(type_name<typename O::scalar>().view()),
             .fix = "a session computes in float or double"},
        p.rule.append("> is not a floating-point type");
    } else if constexpr (std::same_as<O, captured> || std::same_as<O, captured_by_trainer>) {
      using backend = typename session_options<Options...>::backend;
      if constexpr (!tenon::backend::HasGraphs<backend>)
        p = {.rule = "captured is for work on a device", .fix = "write on<backend::cuda>, or leave it out"};
      else if constexpr (std::same_as<O, captured> && Purpose != purpose::inference)
        p = {.rule = "captured is for an inference or a trainer", .fix = "leave it out"};
    } else if constexpr (IsLoss<O>) {
      p = unfit_second_loss<Objective, O>::wrong;
    } else if constexpr (!std::same_as<O, input_gradients>) {
      p = {.rule = sentence("'").append(type_name<O>().view()).append("' is not an option of a session"),
           .fix =
               "options: batch<rows>, steps<bound>, block<steps>, on<backend>, scalar_type<T>, "
               "input_gradients, captured; "
               "of a trainer shards<parts>, in <tenon/train.hpp>"};
    }
  }
  // Do windows over the axis, and over those windows, fit into its bound? Are there enough learned positions?
  template <class O>
  static constexpr void look_along_axes(problem& p) {
    const auto& axes = network_of<G, Objective>.axes;
    int steps[decltype(builder::large::axes)::capacity]{};
    for (int a = 0; a < axes.size; ++a) {
      const time_axis& axis = axes[a];
      steps[a] = axis.name == O::name ? O::bound : axis.bound;
      if (axis.from >= 0 && !axis.is_grid()) steps[a] = axis.made.horizontal.count(steps[axis.from]);
      if (axis.most_steps > 0 && steps[a] > axis.most_steps)
        return void(p = {.rule = sentence("the positions along '")
                                     .append(axis.name.view())
                                     .append("' are learned, and there are"),
                         .axis = "positions",
                         .expected = axis.most_steps,
                         .got = steps[a],
                         .fix = "write more of them in the graph, learned_positions<bound>"});
      if (axis.from >= 0 && steps[a] == 0)
        return void(p = {.rule = sentence("no window of the axis '")
                                     .append(axis.name.view())
                                     .append("' fits into steps<")
                                     .append(O::bound)
                                     .append(">"),
                         .fix = "write a larger bound"});
    }
  }
  // The values that an operation's results depend on, for the results that something reads.
  static constexpr liveness find_read(const operation& o) {
    const auto& net = network_of<G, Objective>;
    program p = net.programs[o.program];
    const auto is_read = [&](int e) {
      bool read = net.is_output(net.owner(e)) || net.losses.find(e) >= 0;
      for (const operation& other : net.operations)
        for (int i : other.in) read = read || (i >= 0 && net.owner(i) == net.owner(e));
      return read;
    };
    const auto all = p.outputs;
    p.outputs = {};
    for (int i = 0; i < all.size; ++i)
      if (traits_of(o.kind).is_loop || is_read(o.out[i])) p.outputs.add(all[i]);
    return find_live(p);
  }
  // An equation that puts the steps of an axis side by side has room for the steps of the graph's bound only.
  template <class O>
  static constexpr void look_for_features(problem& p) {
    const auto& net = network_of<G, Objective>;
    const auto axis_of = [&](const operation& o, ir::dimension along) {
      if (along == ir::dimension::inner) return o.inner;
      for (int e : o.in)
        if (e >= 0 && net.edges[e].axis >= 0) return net.edges[e].axis;
      return -1;
    };
    for (const operation& o : net.operations) {
      if (o.program < 0) continue;
      const auto& code = net.programs[o.program].code;
      const liveness read = find_read(o);
      for (int k = 0; k < code.size; ++k) {
        const ir::instruction& i = code[k];
        if (i.code != ir::opcode::as_features || !read.alive[k]) continue;
        const int axis = axis_of(o, ir::axis_of(i));
        if (axis < 0 || net.axes[axis].name != O::name || O::bound <= net.axes[axis].bound) continue;
        p = {
            .rule = sentence("the steps of '").append(O::name.view()).append("' are features, and there are"),
            .axis = "steps",
            .expected = net.axes[axis].bound,
            .got = O::bound,
            .where = o.path,
            .fix = "write the larger bound in the graph"};
      }
    }
  }
  template <class O>
  static constexpr void look_for_two_bounds(problem& p) {
    if constexpr (TimeOption<O>)
      look_for_two(p, (0 + ... + (bound_of<Options>::type::name == O::name)), "steps<bound>");
  }
  static constexpr void look_for_two(problem& p, int count, const char* option) {
    if (!p && count > 1)
      p = {.rule = sentence("the session's options say ").append(option).append(" twice"),
           .fix = "keep one of them"};
  }

 public:
  static constexpr problem wrong = [] {
    problem p{};
    (look<Options>(p), ...);
    (look_for_two_bounds<Options>(p), ...);
    look_for_two(p, (0 + ... + BatchOption<Options>), "batch<rows>");
    look_for_two(p, (0 + ... + BlockOption<Options>), "block<steps>");
    look_for_two(p, (0 + ... + BackendOption<Options>), "on<backend>");
    look_for_two(p, (0 + ... + ScalarOption<Options>), "scalar_type<T>");
    look_for_two(p, (0 + ... + std::same_as<Options, input_gradients>), "input_gradients");
    look_for_two(p, (0 + ... + std::same_as<Options, captured>), "captured");
    return p;
  }();
};

// The backend of a plan; if it is refused, another one, so that no further error follows.
template <class G, class Objective, purpose Purpose, class Backend, class T>
struct usable_backend {
  using unfit = unfit_backend<G, Objective, Backend, T, Purpose>;
  using type = std::conditional_t<static_cast<bool>(unfit::wrong), tenon::backend::cpu, Backend>;
};
template <class G, class Objective, purpose Purpose, FallsBack Backend, class T>
struct usable_backend<G, Objective, Purpose, Backend, T> {
  using type = Backend;
};

template <class G, class Objective, purpose Purpose, class... Options>
using plan_of =
    plan<G, Objective, Purpose,
         typename usable_backend<G, Objective, Purpose, typename session_options<Options...>::backend,
                                 typename session_options<Options...>::scalar>::type,
         typename session_options<Options...>::scalar,
         usable_rows<G, Objective, session_options<Options...>::batch>,
         session_options<Options...>::with_input_gradients, typename bound_of<Options>::type...>;

}  // namespace tenon::inline v0_1::engine
