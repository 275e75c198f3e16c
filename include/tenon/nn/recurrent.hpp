// recurrent<Cell, hidden<H>, ...>: a cell run over time. Options: layers<L>, bidirectional, dropout<rate>
// (between layers), no_bias, proj_size<P>, zoneout<rate>, forget_bias<b>, variational_dropout<rate>. Input [time, batch, In]; output
// [time, batch, directions * H], features forward then reverse, zeros past each sequence's end. The reverse direction
// starts at each sequence's own last element.
//
// A cell whose step takes more than x and its states, step(x, state, memory), sees that at every step: a whole
// sequence, or a vector. Its sources come last: node<"decoder", recurrent<cell, hidden<64>>, "y", "memory">.
//
// A cell that takes no x, step(state, memory), needs the number of its steps, steps<n>: recurrent<cell, hidden<64>,
// steps<20>>. Its sources are the initial states, or what it sees, or both. If steps<> names the axis of an input, it
// takes as many steps as that input. x and what is seen may be tokens, for a step that looks them up:
// W<"e">(one_hot<vocabulary>(x)).
//
// Second outputs: node.h_n (node.c_n, for a second state) [layers * directions, batch, H] and node.final
// [batch, directions * H], the last layer's final first states side by side. Initial states come after
// the sequence, each [layers * directions, batch, H]; without them they are zero. Parameters are named as
// in PyTorch: weight_ih_l0_reverse.
#pragma once

#include "tenon/equation/trace_step.hpp"
#include "tenon/graph/graph.hpp"
#include "tenon/nn/cell/forget_bias.hpp"
#include "tenon/nn/cell/gru.hpp"
#include "tenon/nn/cell/lstm.hpp"
#include "tenon/nn/cell/lstm_variants.hpp"
#include "tenon/nn/cell/mut.hpp"
#include "tenon/nn/cell/peephole_lstm.hpp"
#include "tenon/nn/cell/rnn.hpp"
#include "tenon/nn/cell/wrapped.hpp"
#include "tenon/nn/cell/zoneout.hpp"
#include "tenon/nn/concatenate.hpp"
#include "tenon/nn/dropout.hpp"
#include "tenon/nn/linear.hpp"
#include "tenon/nn/recurrent_options.hpp"
#include "tenon/nn/variational_dropout.hpp"

namespace tenon::inline v0_1 {

namespace detail {

// A token is one number.
constexpr int features_of(const builder& b, int e) { return b[e].is_token() ? 1 : b[e].size; }
// An equation may compare a token with numbers, select it or turn it into a row, one_hot;
// arithmetic on it is a mistake.
constexpr bool may_read_token(ir::opcode code) {
  return code == ir::opcode::equal || code == ir::opcode::greater || code == ir::opcode::select ||
         ir::traits_of(code).passes_on;
}
constexpr bool accept_source(builder& b, int e, const ir::program& equations, int input, const char* layer) {
  if (e < 0) return true;
  bool reckons = !b[e].is_token();
  for (const ir::instruction& i : equations.code)
    for_operands(i, [&](int o) {
      const ir::instruction& operand = equations.code[o];
      reckons =
          reckons || (operand.code == ir::opcode::input && operand.first == input && !may_read_token(i.code));
    });
  return !reckons || b.require_numbers(e, layer);
}

}  // namespace detail

namespace nn {

template <class Step, class... Options>  // each a type: hidden<16>, layers<2>, bidirectional
struct recurrent {
  using cell = Step;
  static constexpr detail::recurrent_options options =
      detail::read_options<Options...>(detail::recurrent_options{});
  // The cell without x if steps<> is given, with its projection if it has one, and as the options change it.
  using with_x = std::conditional_t<(detail::is_steps<Options> || ...), detail::without_x<Step>, Step>;
  using C = typename detail::cell_changes<(detail::ChangesCell<Options> || ...),
                                          options.projection>::template type<with_x, Options...>;

  static constexpr int states = ir::state_count<C>;

  static constexpr int build(builder& b, const edges& in) {
    if constexpr (!concepts::Cell<C>) {
      if constexpr (ir::detail::takes_too_many<ir::detail::calls_step<Step>>())
        return b.fail({.rule = ir::sentence("the step of '")
                                   .append(ir::type_name<Step>().view())
                                   .append("' takes more than x and ")
                                   .append(ir::max_sources - 1)
                                   .append(" values"),
                       .fix = "concat some of its states into one"});
      return b.fail(
          {.rule = ir::sentence("recurrent needs a cell, and '")
                       .append(ir::type_name<Step>().view())
                       .append("' has no static step(auto x, auto h) that compiles"),
           .fix = ir::detail::mend<Step>("mend it: ", "mend it, or name a cell such as cells::lstm")});
    } else if constexpr (!ir::detail::RunsAtCompileTime<ir::detail::calls_step<C>, ir::step_arity<C>>)
      return b.fail(ir::detail::runs_later("the cell's step"));
    else return build_all(b, in);
  }

 private:
  // What a layer reads: the sequence, all initial states or none, and what each step sees.
  struct sources {
    int x = -1;     // -1: none
    int axis = -1;  // the axis of its steps
    edges initial{}, seen{};
  };
  static constexpr int build_all(builder& b, const edges& in) {
    constexpr int runs = options.layers * options.directions, H = sizes_of_states[0];
    constexpr int behind = ir::step_arity<C> - 1 - states;  // x and the states
    constexpr int seen = states == 0 || behind < 0 ? 0 : behind;
    if (!detail::accept_recurrent_options(b, options, states, takes_no_x)) return -1;
    constexpr int first = takes_no_x ? 0 : 1;  // behind x
    if (takes_no_x && in.empty())
      return b.fail({.rule = "a recurrence without x needs at least one source",
                     .fix = "name its initial states, or sources that each step reads"});
    if (!b.require_inputs(in, 1, first + states + seen, "recurrent",
                          takes_no_x ? "name the initial states, then the sources that each step reads"
                                     : "name the sequence, then the initial states if there are any"))
      return -1;
    if (in.size < first + seen)
      return b.fail(
          {.rule = "the cell's step takes more than x and its states: it needs",
           .axis = "sources",
           .expected = first + seen,
           .got = in.size,
           .fix = "name a source for each argument after its states, or return next(one value for each "
                  "state)"});
    sources from;
    if (!takes_no_x) {
      from.x = in[0];
      from.axis = b[in[0]].axis;
    }
    for (int i = in.size - seen; i < in.size; ++i) from.seen.add(in[i]);
    for (int i = first; i + from.seen.size < in.size; ++i) from.initial.add(in[i]);
    if (!from.initial.empty() && from.initial.size != states)
      return b.fail({.rule = seen > 0 ? "recurrent takes the sequence, all initial states or none, then the "
                                        "sources that its step reads:"
                                      : "recurrent takes the sequence and all initial states, or none:",
                     .axis = "sources",
                     .expected = first + states + seen,
                     .got = in.size,
                     .fix = "name an initial state for each state of the cell"});
    if (takes_no_x && options.axis == "time" && is_of_input(b, options.axis))
      return b.fail({.rule = "a recurrence without x has its own time axis, and an input has the axis 'time'",
                     .fix = "name its axis: steps<20, \"answer\">"});
    if (takes_no_x) from.axis = b.time_axis_of(options.axis, options.steps);
    else if (!b.require_sequence(in[0], "recurrent")) return -1;
    for (int s = 0; s < from.initial.size; ++s) {
      const int e = from.initial[s];
      const ir::edge& state = b[e];
      if (state.is_token())
        return b.fail({.rule = "an initial state expects numbers, got tokens",
                       .source = state.path,
                       .fix = "give the input features<1> for a state that is a token"});
      if (state.layers != runs)
        return b.fail({.rule = "the initial state expects",
                       .axis = "layers",
                       .expected = runs,
                       .got = state.layers,
                       .source = state.path,
                       .fix = with_as_many_layers(state.path, runs)});
      if (!b.require_size(e, sizes_of_states[s], "the initial state",
                          "a state is as wide as its layer: gru<width>, hidden<width>") ||
          !b.require_no_sequence(e, "the initial state"))
        return -1;
    }

    ir::list<int, ir::max_sources> final_states;  // [runs, batch, H] each
    for (int s = 0; s < states; ++s) {
      final_states.add(b.add_edge({.size = sizes_of_states[s], .layers = runs}));
      b.name_output(ir::name_of_state(s).view(), final_states[s]);
    }

    int flowing = from.x;
    for (int layer = 0; layer < options.layers && b.ok(); ++layer) {
      if (layer > 0 && options.dropout > 0) flowing = drop(b, flowing);
      from.x = flowing;
      flowing = build_layer(b, from, layer, final_states);
    }
    if (!b.ok()) return -1;
    if constexpr (options.directions == 2) {
      const edges ends{b.layer_of(final_states[0], runs - 2), b.layer_of(final_states[0], runs - 1)};
      b.name_output("final",
                    b.apply(ir::tracer_of<detail::side_by_side<2>>, ir::sizes{H, H}, {}, ends, {}, {}));
    } else {
      b.name_output("final", b.layer_of(final_states[0], runs - 1));
    }
    return flowing;
  }

  // An encoder's h_n has a leading axis of layers times directions; node.final has none.
  static constexpr ir::sentence with_as_many_layers(const ir::name& source, int runs) {
    const ir::characters path = source.view();
    const std::size_t last_states = path.find(".h_n");
    if (runs > 1 || last_states == ir::characters::npos || last_states + 4 != path.size())
      return "layers times directions: input<\"h0\", layers<n>, features<h>>";
    return ir::sentence("write '").append(path.substr(0, last_states)).append(".final': it has no layers");
  }
  static constexpr bool takes_no_x = (detail::is_steps<Options> || ...);
  static constexpr ir::state_sizes sizes_of_states = [] {
    ir::sizes all = options.hidden;
    if constexpr (options.projection > 0) {
      while (all.size < states) all.add(all[0]);
      all[0] = options.projection;
    }
    return all;
  }();
  static constexpr bool is_of_input(const builder& b, const ir::label& axis) {
    for (int e : b.net.inputs)
      if (b[e].axis >= 0 && b.net.axes[b[e].axis].name == axis) return true;
    return false;
  }
  static constexpr int drop(builder& b, int flowing) {
    return b.within("dropout", [&] { return detail::add_dropout(b, flowing, options.dropout); });
  }
  // The program of one layer, with the products of each input merged. Layers of this type with
  // equally wide inputs share it.
  static constexpr int add_equations(builder& b, const sources& from) {
    const int x = from.x, features = x < 0 ? 1 : detail::features_of(b, x);
    if (from.seen.empty() && x >= 0 && !b[x].is_token()) {
      if (!b.require_numbers(x, "recurrent")) return -1;
      if (const int known = b.find_equations(&options, features); known >= 0) return known;
    }
    ir::step_constants constants{.axes = b.inner_axes_of(from.seen)};
    for (int e : from.seen) constants.features.add(detail::features_of(b, e));
    if (!b.ok()) return -1;
    ir::traced t = ir::trace_step<C>(features, sizes_of_states, constants);
    edges named{x};
    for (int s = 0; s < states; ++s) named.add(-1);
    for (int e : from.seen) named.add(e);
    b.name_inputs(t, named);
    if (!b.accept(t.wrong) ||
        !b.accept(unfit_names_of_parameters(t.equations, ir::detail::initializers_of<C>({}))))
      return -1;
    for (int i = 0; i < named.size; ++i)
      if ((i == 0 || i > states) &&
          !detail::accept_source(b, named[i], t.equations, i, i == 0 ? "recurrent" : "the cell's step"))
        return -1;
    if constexpr (!options.bias)
      t.equations = order_symbols(without_biases(t.equations), ir::detail::layout_of<C>());
    const int added = b.add_program(group_products(t.equations));
    if (from.seen.empty() && x >= 0 && !b[x].is_token()) b.keep_equations(&options, features, added);
    return added;
  }
  static constexpr int build_layer(builder& b, const sources& from, int layer,
                                   const ir::list<int, ir::max_sources>& final_states) {
    const int program = add_equations(b, from);
    if (!b.ok()) return -1;
    const ir::program& equations = b.net.programs[program];
    const int output_size = equations.code[equations.outputs[0]].size;
    const int y = b.add_edge({.size = options.directions * output_size, .axis = from.axis});
    for (int direction = 0; direction < options.directions; ++direction) {
      const int run = layer * options.directions + direction;
      ir::operation o{.kind = ir::operation_kind::scan,
                      .in = {from.x},
                      .program = program,
                      .axis = from.axis,
                      .reversed = direction == 1};
      for (int s = 0; s < states; ++s) o.in.add(from.initial.empty() ? -1 : b.layer_of(from.initial[s], run));
      for (int e : from.seen) {
        o.in.add(e);
        if (b[e].is_sequence()) o.inner = b[e].axis;
      }
      o.out.add(options.directions == 1 ? y : b.columns_of(y, direction * output_size, output_size));
      for (int s = 0; s < states; ++s) o.out.add(b.layer_of(final_states[s], run));
      ir::name suffix = "_l";
      suffix.append(layer);
      if (direction == 1) suffix.append("_reverse");
      o.parameters = b.add_parameters(
          equations, ir::detail::layout_of<C>(), suffix.view(),
          ir::detail::initializers_of<C>({ir::initial::uniform, detail::inverse_sqrt(options.hidden[0])}));
      b.add_operation(o);
    }
    return y;
  }
};

template <auto H, class... Options>  // each a type: layers<2>, bidirectional
using lstm = recurrent<cells::lstm, hidden<H>, Options...>;
template <auto H, class... Options>  // each a type: layers<2>, bidirectional
using gru = recurrent<cells::gru, hidden<H>, Options...>;
template <auto H, class... Options>  // each a type: layers<2>, bidirectional
using rnn = recurrent<cells::rnn_tanh, hidden<H>, Options...>;

}  // namespace nn

}  // namespace tenon::inline v0_1
