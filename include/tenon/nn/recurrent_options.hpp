// The options of a recurrent layer, and their errors.
#pragma once

#include "tenon/nn/cell/wrapped.hpp"
#include "tenon/nn/options.hpp"

namespace tenon::inline v0_1 {

namespace nn {

// The features of each state of a cell: hidden<32>, or one number for each, hidden<32, 8>.
template <auto First, auto... More>
struct hidden {
  static constexpr ir::sizes hidden_sizes{ir::size_from<First>, ir::size_from<More>...};
  static constexpr void set(auto& options) requires requires { options.hidden; }
  { options.hidden = hidden_sizes; }
};
// A second run from each sequence's end to its start; the features of both runs are side by side.
struct bidirectional {
  static constexpr void set(auto& options) requires requires { options.directions; }
  { options.directions = 2; }
};

}  // namespace nn

namespace detail {

struct recurrent_options {
  static constexpr const char* all =
      "hidden<n>, layers<n>, bidirectional, dropout<rate>, no_bias, steps<n>, proj_size<n>, zoneout<rate>, "
      "forget_bias<b>, variational_dropout<rate>, initialized<\"name\", start>, frozen, "
      "frozen_parameters<\"name\">";
  template <class Option>
  static constexpr bool takes = ChangesCell<Option>;
  ir::sizes hidden{0};
  int projection = 0;
  bool is_projected = false;
  int layers = 1, directions = 1;
  double dropout = 0;
  bool bias = true;
  int steps = 0;  // of a cell that takes no x
  ir::label axis{};
  ir::parameter_rules rules{};
  ir::name unknown{}, repeated{};
};

template <class Option>
inline constexpr bool is_steps = requires {
  Option::bound;
};

// A graph with so many runs stays within the compilers' limits on constant evaluation.
inline constexpr int most_runs = 32;

// Checks the options of a cell with so many states; takes_no_x: steps<> is given.
constexpr bool accept_recurrent_options(builder& b, const recurrent_options& options, int states,
                                        bool takes_no_x) {
  const int runs = options.layers * options.directions;
  const auto refuse = [&](const ir::problem& p) {
    b.fail(p);
    return false;
  };
  if (!accept_options(b, options, "a recurrent layer")) return false;
  for (int size : options.hidden)
    if (!b.require_int(size)) return false;
    else if (size <= 0)
      return refuse({.rule = "a recurrent layer needs a positive hidden<n>",
                     .fix = "recurrent<cell, hidden<32>>, lstm<32>"});
  if (options.hidden.size > 1 && options.hidden.size != states)
    return refuse({.rule = "hidden<..> has one size, or one for each state of the cell:",
                   .axis = "sizes",
                   .expected = states,
                   .got = options.hidden.size,
                   .fix = "recurrent<cell, hidden<32, 8>> for two states"});
  if (options.is_projected && states < 2)
    return refuse({.rule = "proj_size<n> projects the first of several states, and the cell has one",
                   .fix = "write lstm<64, proj_size<32>>, or put linear<32> behind the layer"});
  if (options.is_projected && (options.projection <= 0 || options.projection >= options.hidden[0]))
    return refuse({.rule = "proj_size<n> projects the state to fewer features, at least one:",
                   .axis = "features",
                   .expected = options.hidden[0] - 1,
                   .got = options.projection,
                   .fix = ir::sentence("write at most proj_size<")
                              .append(options.hidden[0] - 1)
                              .append(">, or leave it out")});
  if (options.layers <= 0)
    return refuse({.rule = "a recurrent layer needs a positive layers<n>",
                   .fix = "write at least layers<1>, the default"});
  if (runs > most_runs)
    return refuse({.rule = "a recurrent layer has at most",
                   .axis = "layers times directions",
                   .expected = most_runs,
                   .got = runs,
                   .fix = "put the layers above into a node of their own"});
  if (!(options.dropout >= 0 && options.dropout < 1))
    return refuse(
        {.rule = "dropout<rate> needs a rate from 0 to below 1",
         .fix = "write the share of zeros: dropout<0.5>; 1/2 is the whole number 0, and 0.0 is none"});
  if (options.dropout > 0 && options.layers == 1)
    return refuse(
        {.rule = "dropout<rate> of a recurrent layer is applied between its layers, and it has only one",
         .fix = "add layers<2>, or write chain<layer, dropout<rate>> to apply it to the output"});
  if (takes_no_x && options.steps <= 0)
    return refuse({.rule = "steps<n> of a recurrent layer needs a positive number of steps",
                   .fix = "recurrent<cell, hidden<32>, steps<20>>"});
  if (takes_no_x && options.layers > 1)
    return refuse({.rule = "an upper layer reads the output of the layer below, and the cell takes no x",
                   .fix = "leave layers<n> out, or put a cell that takes x into another node"});
  return true;
}

}  // namespace detail

}  // namespace tenon::inline v0_1
