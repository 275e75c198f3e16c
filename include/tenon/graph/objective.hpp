// objective: how losses are added to a network: the inputs for their targets, the mean of an equation over all
// positions, and the sum of all losses.
#pragma once

#include "tenon/graph/builder.hpp"

namespace tenon::inline v0_1::ir {

// The input through which a session gets the targets of a loss: `size` features, or tokens below `range`. Losses share
// an input of the same name and shape. -1: the graph has another input of this name.
constexpr int add_target(builder& b, const name& called, int size, int range, int axis) {
  if (detail::is_no_name(called.view()))
    return b.fail(
        {.rule = sentence("a loss has ").append(called.view()).append(" instead of the name of its target"),
         .fix = "write names first: losses::cross_entropy<\"y\", \"target\", losses::label_smoothing<0.1>>"});
  for (int i : b.net.inputs) {
    const edge& known = b[i];
    if (known.path != called) continue;
    const bool is_target = b.losses.targets.find(i) >= 0;
    if (is_target && known.size == size && known.range == range && known.axis == axis) return i;
    return b.fail({.rule = sentence("the loss adds an input named '")
                               .append(called.view())
                               .append(is_target ? "', and another loss adds one of another shape"
                                                 : "', and the graph has one"),
                   .fix = is_target ? "name the target behind the output: losses::mse<\"y\", \"height\">"
                                    : "rename the graph's own, or name the target behind the output"});
  }
  if (b.losses.targets.size == b.losses.targets.capacity)
    return b.fail(
        {.rule =
             sentence("the objective has more than ").append(b.losses.targets.capacity).append(" targets"),
         .fix = "let losses share a target, or give several as the features of one"});
  const int target = b.add_edge({.path = called, .size = size, .range = range, .axis = axis});
  b.losses.targets.add(target);
  b.add_input(target);
  return target;
}

// Adds a loss. The first output of its operation is a number, which is added to those of the other losses.
constexpr int add_loss(builder& b, operation o) {
  if (b.net.losses.size == b.net.losses.capacity)
    return b.fail(
        {.rule = sentence("the objective has more than ").append(b.net.losses.capacity).append(" losses"),
         .fix = "add two of them up in one equation"});
  const int loss = b.add_edge({.size = 1});
  o.out = {loss};
  o.scale = b.losses.scale;
  b.add_operation(o);
  b.net.losses.add(loss);
  return loss;
}

// Multiplies the losses that `inside` adds by `scale`.
template <class F>
constexpr int scale_losses(builder& b, double scale, F inside) {
  const double outer = b.losses.scale;
  b.losses.scale *= scale;
  const int loss = inside();
  b.losses.scale = outer;
  return loss;
}

namespace detail {
// Does the first result have a gradient for the first input?
constexpr bool moves_with_first_input(const program_view& p) {
  bool moves[max_instructions]{};
  for (int k = 0; k < p.code.size; ++k) {
    const instruction& i = p.code[k];
    const bool is_flat = i.code == opcode::greater || i.code == opcode::equal || i.code == opcode::sign ||
                         i.code == opcode::stop_gradient;
    if (i.code == opcode::input) moves[k] = i.first == 0;
    else if (i.code == opcode::select) moves[k] = moves[i.b] || moves[i.c];
    else if (!is_flat) for_operands(i, [&](int o) { moves[k] = moves[k] || moves[o]; });
  }
  return moves[p.outputs[0]];
}
}  // namespace detail

// The mean of an equation over all positions of the given edges; the equation gives one number at each position. If it
// has a result named "count" or "divisor", the sum of the numbers is divided by the sum of its numbers.
constexpr int add_mean_loss(builder& b, const traced& t, const edges& in) {
  const int values = b.apply(t, in, {}, {});
  if (!b.ok()) return -1;
  const operation& equation = b.net.operations.last();
  const int count = t.names.find("count"), divisor = t.names.find("divisor");
  const int counts = count < 0 && divisor < 0 ? -1 : equation.out[1 + (count < 0 ? divisor : count)];
  if (count >= 0 && divisor >= 0)
    return b.fail({.rule = "the equation of a loss has both a count and a divisor, expected one of them",
                   .fix = "positions of count 0 are left out, those of divisor 0 keep their loss"});
  if (!equation.parameters.empty())
    return b.fail({.rule = "the equation of a loss cannot have learned symbols, and this one has",
                   .fix = "compute them in a node of the graph"});
  if (b[values].size != 1)
    return b.fail({.rule = "a loss is one number at each position:",
                   .axis = "features",
                   .expected = 1,
                   .got = b[values].size,
                   .fix = "write mean(..) or sum(..) around it"});
  if (counts >= 0 && (b[counts].size != 1 || b[counts].axis != b[values].axis))
    return b.fail({.rule = "what a position counts is one number, at each position that has a loss",
                   .fix = "reduce it as the loss is reduced"});
  if (!detail::moves_with_first_input(t.equations))
    return b.fail({.rule = sentence("the loss has no gradient for '")
                               .append(b[in[0]].path.view())
                               .append("': it does not read it, or only compares it"),
                   .fix = "use its value, as in square(y - target)"});
  return add_loss(b, {.kind = operation_kind::mean_loss, .in = {values, counts}});
}

}  // namespace tenon::inline v0_1::ir
