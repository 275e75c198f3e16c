// Your own losses: mean_loss<equation, "y">; with classes as targets mean_loss_of_classes<equation, "y">; of a value
// that a node computes mean_of<"y">; and losses made of losses: scaled<0.1, loss>, sum_of<..>. Each adds its target as
// an input of the network, called "target" or by the name after the output's, and returns the loss edge.
#pragma once

#include "tenon/graph/objective.hpp"
#include "tenon/meta/type_name.hpp"
#include "tenon/nn/meaning.hpp"
#include "tenon/nn/options.hpp"

namespace tenon::inline v0_1 {

namespace detail {
// Suggests what a missing output was meant to be: the nearest entry, or a list of the graph's outputs.
constexpr ir::sentence suggest_output(const builder& b, ir::characters asked) {
  const ir::sentence near = b.names.suggest({}, asked, "");
  if (!near.empty()) return near;
  ir::sentence known = "its outputs:";
  for (const ir::name& output : b.net.output_names) {
    const int changes = ir::nearest::edit_distance(output.view(), asked);
    if (changes < static_cast<int>(asked.size()) && changes < 2)
      return ir::sentence("did you mean '").append(output.view()).append("'?");
    known.append(known.view().ends_with(':') ? " '" : ", '").append(output.view()).append("'");
  }
  return known;
}
// The edge whose loss is computed; -1 if there is none.
constexpr int output_of_loss(builder& b, const char* loss, ir::characters output) {
  if (output.empty())
    return b.fail({.rule = ir::sentence(loss).append(" names no node"),
                   .fix = "name the node it reads: losses::cross_entropy<\"logits\">, losses::mse<\"y\">"});
  const int e = b.find_output(output);
  if (e < 0)
    return b.fail(
        {.rule = ir::sentence(loss).append(": no entry of the graph is named '").append(output).append("'"),
         .fix = suggest_output(b, output)});
  return b.require_numbers(e, loss) ? e : -1;
}
// The mean over all features of a position. A loss with a count is 0 where the count is 0, whatever the equation gives
// there: the kernels add up all values, because a position may weigh nothing in the divisor and still have a loss.
template <class Equation>
struct mean_of_features {
  static constexpr auto at(auto... x) requires(sizeof...(x) == ir::at_arity<Equation>) {
    if constexpr (std::same_as<decltype(Equation::at(x...)), ir::named_results>) {
      ir::named_results all = Equation::at(x...);
      for (ir::value& v : all.values) v = mean(v);
      if (const int k = all.names.find("count"); k >= 0) {
        const ir::value loss = all.values[0], count = all.values[k + 1];
        if (loss.on->domain_at(count.index) == loss.on->domain_at(loss.index))  // otherwise it is an error
          all.values[0] = select(equal(count, 0), 0, loss);
      }
      return all;
    } else if constexpr (requires { mean(Equation::at(x...)); }) {
      return mean(Equation::at(x...));
    } else {
      return Equation::at(x...);  // a number, or not a value: the error names the equation itself
    }
  }
};

// Adds the loss of an equation at(outputs.., target). Names: first those of the outputs, then, if given, the target's.
// Classes: the target is a token, one of as many classes as the first output has features.
template <class Equation, bool Classes, ir::text... Names>
constexpr int add_mean_loss(builder& b, const char* called) {
  constexpr int arity = ir::at_arity<Equation>, outputs = arity - 1, names = sizeof...(Names);
  constexpr ir::characters names_of_outputs[]{Names.view()..., ""};
  if constexpr (arity < 2)
    return b.fail({.rule = ir::sentence(called)
                               .append(": '")
                               .append(ir::type_name<Equation>().view())
                               .append("' has no static at(auto y, auto target) that compiles"),
                   .fix = "mend it, or write losses::mse<\"y\">"});
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
      in.add(output_of_loss(b, called, names_of_outputs[i < names ? i : names]));
      if (!b.ok()) return -1;
    }
    if constexpr (requires(taken & t) { t = Equation::takes; })
      if (!require_meaning(b, in[0], Equation::takes, called)) return -1;
    const ir::edge y = b[in[0]];
    const int target = ir::add_target(b, names > outputs ? names_of_outputs[outputs] : "target",
                                      Classes ? 0 : y.size, Classes ? y.size : 0, y.axis);
    if (target < 0) return -1;
    ir::sizes features;
    for (int e : in) features.add(b[e].size);
    features.add(Classes ? 1 : y.size);
    in.add(target);
    return ir::add_mean_loss(b, ir::trace_at<mean_of_features<Equation>>(features, b.axes_of(in)), in);
  }
}
// The same for a loss with a given name, one output and no options.
template <class Equation, bool Classes, ir::text Output, ir::text Target, class... Options>
constexpr int add_loss_called(builder& b, const char* called) {
  return b.within("loss", [&] {
    if (!b.accept(unfit_no_options<Options...>(called))) return -1;
    return add_mean_loss<Equation, Classes, Output, Target>(b, called);
  });
}
// A part of a loss.
template <class Loss>
constexpr int build_part(builder& b, [[maybe_unused]] const char* whole) {
  if constexpr (requires { Loss::build(b); }) return Loss::build(b);
  else
    return b.fail({.rule = ir::sentence(whole)
                               .append(" expects losses, and '")
                               .append(ir::type_name<Loss>().view())
                               .append("' is not one"),
                   .fix = "write losses such as losses::mse<\"y\">"});
}
}  // namespace detail

namespace losses {
// The mean of Equation::at(y, target) over all features, rows and steps (up to each sequence's length). The target has
// the shape of the output. `return with<"count">(loss, n)` gives the weight n of a position: the sum of the losses is
// divided by the sum of the weights, and a position of weight 0 is left out. `with<"divisor">(loss, n)` divides in the
// same way and leaves none out. With several outputs, mean_loss<Equation, "mean", "log_variance">, it is
// Equation::at(mean, log_variance, target), and the target has the shape of the first.
template <class Equation, ir::text... Names>
struct mean_loss {
  static constexpr int build(builder& b) {
    return b.within("loss", [&] { return detail::add_mean_loss<Equation, false, Names...>(b, "mean_loss"); });
  }
};
// The same where the target is a class, a token: its number, of size 1, for pick(y, target) and one_hot(target, y). A
// target of -1 means that there is none: the equation gives it the weight 0.
template <class Equation, ir::text... Names>
struct mean_loss_of_classes {
  static constexpr int build(builder& b) {
    return b.within(
        "loss", [&] { return detail::add_mean_loss<Equation, true, Names...>(b, "mean_loss_of_classes"); });
  }
};
// The mean of what a node computes, over its features, rows and steps; there is no target.
template <ir::text Output, class... Options>
struct mean_of {
  static constexpr int build(builder& b) {
    return b.within("loss", [&] {
      if (!b.accept(detail::unfit_no_options<Options...>("mean_of"))) return -1;
      edges in;
      in.add(detail::output_of_loss(b, "mean_of", Output.view()));
      return b.ok() ? ir::add_mean_loss(b,
                                        ir::trace_at<detail::mean_of_features<identity>>(
                                            ir::sizes{b[in[0]].size}, b.axes_of(in)),
                                        in)
                    : -1;
    });
  }

 private:
  struct identity {
    static constexpr auto at(auto y) { return y; }
  };
};

// A loss multiplied by Scale: scaled<0.1, mse<"height">>.
template <auto Scale, class Loss, class... Options>
struct scaled {
  static constexpr int build(builder& b) {
    if (!b.accept(detail::unfit_no_options<Options...>("scaled"))) return -1;
    if (Scale == 0)
      return b.fail({.rule = "scaled<scale, loss> needs a scale that is not 0",
                     .fix = "write losses::scaled<0.5, losses::mse<\"height\">>; 1/2 is the whole number 0"});
    return ir::scale_losses(b, static_cast<double>(Scale),
                            [&] { return detail::build_part<Loss>(b, "scaled"); });
  }
};
// The sum of several losses.
template <class... Losses>
requires(sizeof...(Losses) > 0) struct sum_of {
  static constexpr int build(builder& b) {
    int last = -1;
    (void)((last = detail::build_part<Losses>(b, "sum_of"), b.ok()) && ...);
    return last;
  }
};
}  // namespace losses

}  // namespace tenon::inline v0_1
