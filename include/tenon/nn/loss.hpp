// Losses: what a training plan minimises. Each adds its target as an input of the network, "target" or what is named
// behind the output, and returns the loss edge. mse<"y">, l1<"y">, huber<"y">, bce_with_logits<"y">,
// cross_entropy<"logits">, multi_margin<"y">; an equation of one's own is mean_loss<equation, "y">, what a node has computed
// mean_of<"y">; several are sum_of_losses<..>.
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
    if (kind_of(o.what).passes_on) return find_written(b, o.in[0]);
    if (kind_of(o.what).is_equation)
      return {&b.net.programs[o.program], b.net.programs[o.program].outputs[0]};
  }
  return {};
}
}  // namespace detail

namespace detail {
// The edge that a loss is taken of; -1: there is none.
constexpr int output_of_loss(builder& b, const char* loss, ir::characters output) {
  if (output.empty())
    return b.fail({.rule = ir::sentence(loss).append(" names no node"),
                   .fix = "name the one it is taken of: cross_entropy<\"logits\">, mse<\"y\">"});
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
  static constexpr auto at(auto... x) requires(sizeof...(x) == ir::at_arity<Equation>) {
    if constexpr (std::same_as<decltype(Equation::at(x...)), ir::named_results>) {
      ir::named_results all = Equation::at(x...);
      for (ir::value& v : all.values) v = mean(v);
      return all;
    } else {
      return mean(Equation::at(x...));
    }
  }
};

// Of an equation at(outputs.., target): its first names are those of the outputs, and behind them may be the target's.
// Classes: the target is a token, one of as many as the first output has features.
template <class Equation, bool Classes, ir::text... Names>
constexpr int add_mean_loss(builder& b, const char* called) {
  constexpr int arity = ir::at_arity<Equation>, outputs = arity - 1, names = sizeof...(Names);
  constexpr ir::characters given[]{Names.view()..., ""};
  if constexpr (arity < 2)
    return b.fail({.rule = ir::sentence(called)
                               .append(": '")
                               .append(ir::type_name<Equation>().view())
                               .append("' has no static at(auto y, auto target) that compiles"),
                   .fix = "mend it, or write mse<\"y\">"});
  else if constexpr (!ir::detail::RunsAtCompileTime<ir::detail::calls_at<Equation>, arity>)
    return b.fail(ir::detail::runs_later("the equation of the loss"));
  else if constexpr (names > arity || (outputs > 1 && names < outputs))
    return b.fail(
        {.rule = ir::sentence(called)
                     .append(": '")
                     .append(ir::type_name<Equation>().view())
                     .append("' takes ")
                     .append(outputs)
                     .append(outputs > 1 ? " outputs and a target, got " : " output and a target, got ")
                     .append(names)
                     .append(names == 1 ? " name" : " names"),
         .fix = "name its outputs in the order of at(..), then the target, if it is not \"target\""});
  else {
    edges in;
    for (int i = 0; i < outputs; ++i) {
      in.add(output_of_loss(b, called, given[i < names ? i : names]));
      if (!b.ok()) return -1;
    }
    const ir::edge y = b[in[0]];
    const int target = b.target(names > outputs ? given[outputs] : "target", Classes ? 0 : y.size,
                                Classes ? y.size : 0, y.axis);
    if (target < 0) return -1;
    ir::sizes features;
    for (int e : in) features.add(b[e].size);
    features.add(Classes ? 1 : y.size), in.add(target);
    return b.mean_loss(ir::trace_at<mean_of_features<Equation>>(features, b.axes_of(in)), in);
  }
}
}  // namespace detail

// The mean of Equation::at(y, target) over all features, rows and steps (up to each sequence's length). The target has
// the shape of the output. `return with<"count">(loss, n)`: what a position counts; the sum of the losses is divided by that
// of the counts, and what counts 0 is left out. Of several outputs, mean_loss<Equation, "mean", "log_variance">, it is
// Equation::at(mean, log_variance, target), and the target has the shape of the first.
template <class Equation, ir::text... Names>
struct mean_loss {
  static constexpr int build(builder& b) {
    return b.within("loss", [&] { return detail::add_mean_loss<Equation, false, Names...>(b, "mean_loss"); });
  }
};
// The same where the target is a class, a token: its number, of size 1, for pick(y, target) and one_hot(target, y). A target
// of -1 stands for none: the equation says that it counts 0.
template <class Equation, ir::text... Names>
struct mean_loss_of_classes {
  static constexpr int build(builder& b) {
    return b.within(
        "loss", [&] { return detail::add_mean_loss<Equation, true, Names...>(b, "mean_loss_of_classes"); });
  }
};
// The mean of what a node has computed, over its features, rows and steps; there is no target.
template <ir::text Output>
struct mean_of {
  static constexpr int build(builder& b) {
    return b.within("loss", [&] {
      edges in;
      in.add(detail::output_of_loss(b, "mean_of", Output.view()));
      return b.ok() ? b.mean_loss(ir::trace_at<detail::mean_of_features<identity>>(ir::sizes{b[in[0]].size},
                                                                                   b.axes_of(in)),
                                  in)
                    : -1;
    });
  }

 private:
  struct identity {
    static constexpr auto at(auto y) { return y; }
  };
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
// -log p of the target's class, where the output holds log p.
struct negative_log_likelihood {
  static constexpr auto at(auto log_p, auto target) {
    return with<"count">(-pick(log_p, target), greater(target, -0.5));
  }
};
// Weston and Watkins 1999: each other class that comes within Margin of the target's costs what it lacks.
template <auto Margin>
struct multi_margin {
  static constexpr auto at(auto y, auto target) {
    const auto others = 1 - one_hot(target, y), there = greater(target, -0.5);
    return with<"count">(there * others * relu(y - pick(y, target) + Margin), there);
  }
};
}  // namespace criterion

// --- options of cross_entropy ------------------------------------------------------------------------------
// What each class counts, in their order.
template <auto... Weights>
struct class_weights {
  static constexpr auto option = [](auto& o) { o.weights = {static_cast<double>(Weights)...}; };
};
// This share of the target is spread over all classes (Szegedy et al. 2016).
template <auto Share>
struct label_smoothing {
  static constexpr auto option = [](auto& o) { o.smoothing = static_cast<double>(Share); };
};
// Positions of this class are left out, as those of -1 are.
template <int Class>
struct ignored {
  static constexpr auto option = [](auto& o) { o.ignored = Class; };
};

namespace criterion {
struct class_options {
  ir::list<double, 256> weights{};
  double smoothing = 0;
  int ignored = -1;
};
// PyTorch's CrossEntropyLoss: with class weights w, -w_y ((1 - s) log p_y) - s / C sum_c w_c log p_c, divided by the sum
// of all w_y.
template <class... Options>
struct cross_entropy {
  static constexpr class_options options = [] {
    class_options all;
    (Options::option(all), ...);
    return all;
  }();
  static constexpr auto at(auto logits, auto target) {
    const auto log_p = log_softmax(logits), is_class = one_hot(target, logits);
    auto counts = greater(target, -0.5);
    if (options.ignored >= 0) counts = counts * (1 - equal(target, options.ignored));
    const auto weight = weights(logits);
    const auto of_target = sum(select(is_class, weight, 0)) * counts;
    auto loss = -(1 - options.smoothing) * sum(select(is_class, weight * log_p, 0));
    if (options.smoothing > 0) loss = loss - options.smoothing * mean(weight * log_p);
    return with<"count">(loss * counts, of_target);
  }

 private:
  static constexpr ir::value weights(ir::value logits) {
    ir::tape& t = *logits.on;
    if (options.weights.empty()) return {&t, t.widen(t.constant(1), logits.size())};
    ir::value all{&t, t.constant(options.weights[0])};
    for (int c = 1; c < options.weights.size; ++c)
      all = concat(all, ir::value{&t, t.constant(options.weights[c])});
    if (all.size() == logits.size()) return all;
    t.fail({.rule = "cross_entropy has a weight for each class:",
            .axis = "weights",
            .expected = logits.size(),
            .got = options.weights.size,
            .fix = "list one number for each feature of the logits"});
    return logits;
  }
};
}  // namespace criterion

// Types of their own: of an alias nvcc 13 loses the names.
template <ir::text Output = "", ir::text Target = "target">
struct mse : mean_loss<criterion::squared_error, Output, Target> {};
template <ir::text Output = "", ir::text Target = "target">
struct l1 : mean_loss<criterion::absolute_error, Output, Target> {};
template <ir::text Output = "", ir::text Target = "target", auto Delta = 1>
struct huber : mean_loss<criterion::huber<Delta>, Output, Target> {};
template <ir::text Output = "", ir::text Target = "target">
struct bce_with_logits : mean_loss<criterion::bce_with_logits, Output, Target> {};
template <ir::text Output = "", ir::text Target = "target">
struct nll : mean_loss_of_classes<criterion::negative_log_likelihood, Output, Target> {};
template <ir::text Output = "", ir::text Target = "target", auto Margin = 1>
struct multi_margin : mean_loss_of_classes<criterion::multi_margin<Margin>, Output, Target> {};

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
// the logits; a target of -1 is left out of the mean. Options:
// class_weights<1, 2.5, ..>, label_smoothing<0.1>, ignored<0>.
template <ir::text Logits = "", ir::text Target = "target", class... Options>
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
      if constexpr (sizeof...(Options) > 0) {
        return detail::add_mean_loss<criterion::cross_entropy<Options...>, true, Logits, Target>(
            b, "cross_entropy");
      } else {
        const int target = b.target(Target.view(), 0, b[logits].size, b[logits].axis);
        return target < 0 ? -1 : b.add_loss({.what = ir::work::cross_entropy, .in = {logits, target}});
      }
    });
  }
};

}  // namespace tenon
