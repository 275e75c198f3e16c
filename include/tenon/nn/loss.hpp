// Losses: what a training plan minimises. Each adds its target as an input of the network, "target" or what is named
// behind the output, and returns the loss edge. mse<"y">, l1<"y">, huber<"y">, bce_with_logits<"y">,
// cross_entropy<"logits">; an equation of one's own is mean_loss<equation, "y">; several are sum_of_losses<..>.
#pragma once

#include "tenon/graph/builder.hpp"

namespace tenon {

namespace detail {
// What an edge is made of, as the language writes it: the operation's program and its result.
struct written {
  const program* equations = nullptr;
  int result = -1;

  constexpr const instruction& operator[](int k) const { return equations->code[k]; }
  constexpr bool is(int k, op code) const { return (*this)[k].code == code; }
  // e / sum(e), e an exp
  constexpr bool is_softmax(int k) const {
    const instruction& i = (*this)[k];
    return is(k, op::divide) && is(i.a, op::exp) && is(i.b, op::row_sum) && (*this)[i.b].a == i.a;
  }
  // x - log(sum(exp(x))), or the log of a softmax
  constexpr bool is_log_softmax(int k) const {
    const instruction& i = (*this)[k];
    if (is(k, op::log)) return is_softmax(i.a);
    if (!is(k, op::subtract) || !is(i.b, op::log)) return false;
    const int sum = (*this)[i.b].a;
    return is(sum, op::row_sum) && is((*this)[sum].a, op::exp) && (*this)[(*this)[sum].a].a == i.a;
  }
};
// Dropout in between changes no kind.
constexpr written find_written(const builder& b, int e) {
  for (const operation& o : b.net.operations) {
    if (o.out[0] != e) continue;
    if (o.what == work::dropout) return find_written(b, o.in[0]);
    if (o.what == work::apply) return {&b.net.programs[o.program], b.net.programs[o.program].outputs[0]};
  }
  return {};
}
}  // namespace detail

namespace detail {
// The edge that a loss is taken of; -1: there is none.
constexpr int output_of_loss(builder& b, const char* loss, ir::characters output) {
  const int e = b.find_output(output);
  if (e < 0)
    return b.fail(
        {.rule = ir::sentence(loss).append(": no entry of the graph is named '").append(output).append("'"),
         .fix = b.suggest({}, output, "name the node that the loss is taken of")});
  return b.require_numbers(e, loss) ? e : -1;
}
// Of all features of a position, the mean.
template <class Equation>
struct mean_of_features {
  static constexpr auto at(auto y, auto target) { return mean(Equation::at(y, target)); }
};
template <class Equation>
requires requires(ir::value v) {
  { Equation::at(v, v) } -> std::same_as<ir::named_results>;
}
struct mean_of_features<Equation> {
  static constexpr auto at(auto y, auto target) {
    ir::named_results all = Equation::at(y, target);
    for (ir::value& v : all.values) v = mean(v);
    return all;
  }
};
}  // namespace detail

// The mean of Equation::at(y, target) over all features, rows and steps (up to each sequence's length). The target has
// the shape of the output. `return with<"weight">(loss, w)`: of weighted positions, divided by the sum of the weights.
template <class Equation, ir::text Output, ir::text Target = "target">
struct mean_loss {
  static constexpr int build(builder& b) {
    return b.within("loss", [&] {
      if constexpr (ir::at_arity<Equation> != 2)
        return b.fail({.rule = ir::sentence("mean_loss: '")
                                   .append(ir::type_name<Equation>().view())
                                   .append("' has no static at(auto y, auto target) that compiles"),
                       .fix = "mend it, or write mse<\"y\">"});
      else if constexpr (!ir::detail::RunsAtCompileTime<ir::detail::calls_at<Equation>, 2>)
        return b.fail(ir::detail::runs_later("the equation of the loss"));
      else {
        const int y = detail::output_of_loss(b, "mean_loss", Output.view());
        if (y < 0) return -1;
        const int target = b.target(Target.view(), b[y].size, 0, b[y].axis);
        if (target < 0) return -1;
        const edges in{y, target};
        return b.mean_loss(
            ir::trace_at<detail::mean_of_features<Equation>>(ir::sizes{b[y].size, b[y].size}, b.axes_of(in)),
            in);
      }
    });
  }
};

namespace criterion {
struct squared_error {
  static constexpr auto at(auto y, auto target) { return square(y - target); }
};
struct absolute_error {
  static constexpr auto at(auto y, auto target) { return abs(y - target); }
};
// Huber 1964: a square up to Delta, a line behind it.
template <auto Delta>
struct huber {
  static constexpr auto at(auto y, auto target) {
    const auto d = abs(y - target);
    return select(greater(d, Delta), Delta * (d - 0.5 * Delta), 0.5 * square(d));
  }
};
// -t log sigmoid(y) - (1 - t) log(1 - sigmoid(y)), in the form that keeps its digits on either side.
struct bce_with_logits {
  static constexpr auto at(auto y, auto t) {
    return select(greater(y, 0), softplus(-y) + (1 - t) * y, softplus(y) - t * y);
  }
};
}  // namespace criterion

template <ir::text Output, ir::text Target = "target">
using mse = mean_loss<criterion::squared_error, Output, Target>;
template <ir::text Output, ir::text Target = "target">
using l1 = mean_loss<criterion::absolute_error, Output, Target>;
template <ir::text Output, ir::text Target = "target", auto Delta = 1>
using huber = mean_loss<criterion::huber<Delta>, Output, Target>;
template <ir::text Output, ir::text Target = "target">
using bce_with_logits = mean_loss<criterion::bce_with_logits, Output, Target>;

// A loss that counts Scale times: scaled_loss<0.1, mse<"height">>.
template <auto Scale, class Loss>
struct scaled_loss {
  static constexpr int build(builder& b) {
    return b.scaled(static_cast<double>(Scale), [&] { return Loss::build(b); });
  }
};
// The sum of several losses.
template <class... Losses>
requires(sizeof...(Losses) > 0) struct sum_of_losses {
  static constexpr int build(builder& b) {
    int last = -1;
    (void)((last = Losses::build(b), b.ok()) && ...);
    return last;
  }
};

// Mean over rows of -log softmax(logits)[target] (log-sum-exp form). Targets are tokens, one for each row of
// the logits; a target of -1 is left out of the mean.
template <ir::text Logits, ir::text Target = "target">
struct cross_entropy {
  static constexpr int build(builder& b) {
    return b.within("loss", [&] {
      const int logits = detail::output_of_loss(b, "cross_entropy", Logits.view());
      if (logits < 0) return -1;
      const detail::written from = detail::find_written(b, logits);
      if (from.result >= 0 && from.is_softmax(from.result))
        return b.fail({.rule = "cross_entropy expects logits, got probabilities",
                       .source = b[logits].path,
                       .fix = "name what enters the softmax"});
      if (from.result >= 0 && from.is_log_softmax(from.result))
        return b.fail({.rule = "cross_entropy expects logits, got log-probabilities",
                       .source = b[logits].path,
                       .fix = "name what enters the log_softmax: the loss takes it itself"});
      if (b[logits].size < 2)
        return b.fail({.rule = "cross_entropy expects at least",
                       .axis = "features",
                       .expected = 2,
                       .got = b[logits].size,
                       .source = b[logits].path,
                       .fix = "end the node in linear<classes>"});
      const int target = b.target(Target.view(), 0, b[logits].size, b[logits].axis);
      return target < 0 ? -1 : b.add_loss({.what = ir::work::cross_entropy, .in = {logits, target}});
    });
  }
};

}  // namespace tenon
