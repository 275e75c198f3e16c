// dropout<rate>: in training, each element is zero with probability `rate`, and the others are scaled by
// 1 / (1 - rate); in inference it is the identity (Srivastava et al. 2014). It is a layer, and a function of the
// language: dropout<0.1>(x) in a cell draws new zeros at each step.
#pragma once

#include "tenon/nn/options.hpp"

namespace tenon::inline v0_1 {

namespace detail {
// New zeros at each step of a row, or the same for all of its steps.
enum class zeros_of : unsigned char { step, sequence };
constexpr ir::value drop(ir::value x, double rate, zeros_of which = zeros_of::step) {
  ir::tape& t = *x.on;
  const auto fail = [&](const char* rule, const char* fix) {
    t.fail({.rule = rule, .source = ir::described(t.written, x.index), .fix = fix});
    return x;
  };
  if (!(rate >= 0 && rate < 1))
    return fail("dropout<rate>(x) needs a rate from 0 to below 1",
                "write the share of zeros: dropout<0.5>(x); 1/2 is the whole number 0, and 0.0 is none");
  if (x.size() == 0)
    return fail("dropout<rate>(x) needs a known size, got an open one",
                "write the rows down, W<\"gate\", rows>(x), or drop parts of a state or an input");
  const bool has_axes = !t.written.varies.empty();
  if (has_axes && t.has_axis(x.index, ir::dimension::inner))
    return fail("dropout<rate>(x) needs a value of the step, got one of another sequence",
                "apply dropout before it, or to the result");
  if (rate == 0) return x;
  const bool of_sequence =
      which == zeros_of::sequence || (has_axes && !t.has_axis(x.index, ir::dimension::time));
  return x * ir::value{&t, t.noise(rate, x.size(), of_sequence)};
}
// Adds dropout of an edge: layers with dropout inside use it.
constexpr int add_dropout(builder& b, int x, double rate) {
  if (!(rate >= 0 && rate < 1))
    return b.fail(
        {.rule = "dropout<rate> needs a rate from 0 to below 1",
         .fix = "write the share of zeros: dropout<0.5>; 1/2 is the whole number 0, and 0.0 is none"});
  ir::edge like = b[x];
  like.path = b.here();
  like.whole = -1;
  like.column = 0;
  like.layer = 0;
  const int out = b.add_edge(like);
  b.add_operation({.kind = ir::operation_kind::dropout, .in = {x}, .out = {out}, .rate = rate});
  return out;
}
}  // namespace detail

namespace nn {

// auto, so that dropout<1> and dropout<1/2>, which is dropout<0>, get an error message of their own
template <auto Rate, class... Options>
struct dropout : ir::value {
  static constexpr double rate = ir::share_from<Rate>;
  // As an option of a layer.
  static constexpr void set(auto& options) requires(sizeof...(Options) == 0 &&
                                                    requires { options.dropout; }) {
    options.dropout = rate;
  }

  // dropout<0.1>(x), in an equation
  constexpr explicit dropout(ir::value x) : ir::value(detail::drop(x, rate)) {
    if (const ir::problem p = mistake()) x.on->fail(p);
  }

  static constexpr int build(builder& b, const edges& in) {
    if (!b.require_inputs(in, 1, 1, "dropout", "name one source") || !b.accept(mistake())) return -1;
    if (!b.require_numbers(in[0], "dropout")) return -1;
    return detail::add_dropout(b, in[0], rate);
  }

 private:
  static constexpr ir::problem mistake() { return detail::unfit_no_options<Options...>("dropout"); }
};

}  // namespace nn

}  // namespace tenon::inline v0_1
