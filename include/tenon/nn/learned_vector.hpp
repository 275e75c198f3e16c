// learned_vector<H, ..>: a learned row [batch, H], the same for all rows; the node has no source:
//   node<"h0", learned_vector<64>>, node<"states", gru<64>, "x", "h0">.
// With layers<L>: [L, batch, H], a row for each layer (times directions) of a recurrent layer.
// Parameters: weight [H]; of several layers weight_l0, weight_l1, .. They start at 0.
// Options: layers<L>, and those of its parameters, initialized<"weight*", start> and frozen.
#pragma once

#include "tenon/graph/builder.hpp"
#include "tenon/nn/options.hpp"

namespace tenon::inline v0_1 {

namespace detail {

struct learned_vector_options {
  static constexpr const char* all =
      "layers<n>, initialized<\"name\", start>, frozen, frozen_parameters<\"name\">";
  int layers = 1;
  ir::parameter_rules rules{};
  ir::name unknown{}, repeated{};
};

}  // namespace detail

namespace nn {

template <auto H, class... Options>
struct learned_vector {
  static constexpr detail::learned_vector_options options =
      detail::read_options<Options...>(detail::learned_vector_options{});

  static constexpr int build(builder& b, const edges& in) {
    constexpr int size = ir::size_from<H>;
    if (!detail::accept_options(b, options, "learned_vector")) return -1;
    if (!in.empty())
      return b.fail({.rule = "learned_vector takes",
                     .axis = "sources",
                     .expected = 0,
                     .got = in.size,
                     .fix = "it reads nothing: node<\"h0\", learned_vector<64>>"});
    if (!b.require_int(size)) return -1;
    if (size <= 0 || options.layers <= 0)
      return b.fail({.rule = "learned_vector needs a positive number of features, and of layers",
                     .fix = "learned_vector<64>, learned_vector<64, layers<2>>"});
    const int program = b.add_program(one_symbol(size));
    const int whole = b.add_edge({.size = size, .layers = options.layers});
    for (int layer = 0; layer < options.layers && b.ok(); ++layer) {
      ir::name suffix;
      if (options.layers > 1) suffix.append("_l").append(layer);
      b.add_operation({.kind = ir::operation_kind::apply,
                       .out = {options.layers > 1 ? b.layer_of(whole, layer) : whole},
                       .program = program,
                       .parameters = b.add_parameters(b.net.programs[program], {}, suffix.view(),
                                                      {ir::initial::constant, 0})});
    }
    return b.ok() ? whole : -1;
  }

 private:
  // The program without an input whose result is a symbol.
  static constexpr ir::program one_symbol(int features) {
    ir::tape t;
    t.written.outputs.add(
        t.emit({.code = ir::opcode::vector, .first = ir::detail::find_symbol(t, "weight", "")}));
    ir::infer_sizes(t.written, ir::sizes{features});
    return ir::order_symbols(t.written, {});
  }
};

}  // namespace nn

}  // namespace tenon::inline v0_1
