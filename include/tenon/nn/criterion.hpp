// Criteria: the equations of losses, at(output, target) of one position. mse<"y"> is mean_loss<criterion::squared_error, "y">.
#pragma once

#include "tenon/equation/language.hpp"
#include "tenon/nn/meaning.hpp"
#include "tenon/nn/options.hpp"

namespace tenon::inline v0_1 {

namespace criterion {
struct squared_error {
  static constexpr auto at(auto y, auto target) { return square(y - target); }
};
struct absolute_error {
  static constexpr auto at(auto y, auto target) { return abs(y - target); }
};
// Huber 1964: a square up to Delta, a line beyond it.
template <auto Delta>
struct huber {
  static constexpr auto at(auto y, auto target) {
    const auto d = abs(y - target);
    return select(greater(d, Delta), Delta * (d - 0.5 * Delta), 0.5 * square(d));
  }
};
// -t log sigmoid(y) - (1 - t) log(1 - sigmoid(y)), in a form that keeps its precision for large y of either sign.
struct bce_with_logits {
  static constexpr tenon::detail::taken takes{tenon::detail::meaning::logits, "sigmoid"};
  static constexpr auto at(auto y, auto t) {
    return select(greater(y, 0), softplus(-y) + (1 - t) * y, softplus(y) - t * y);
  }
};
// -log p of the target's class, where the output holds log p; without a target nothing is picked, which is 0.
struct negative_log_likelihood {
  static constexpr tenon::detail::taken takes{tenon::detail::meaning::log_probabilities};
  static constexpr auto at(auto log_p, auto target) {
    return with<"divisor">(-pick(log_p, target), greater(target, -0.5));
  }
};
// Weston and Watkins 1999: the sum, over the other classes, of how far each exceeds the target's score less Margin.
template <auto Margin>
struct multi_margin {
  static constexpr auto at(auto y, auto target) {
    const auto others = 1 - one_hot(target, y), there = greater(target, -0.5);
    return with<"count">(there * others * relu(y - pick(y, target) + Margin), there);
  }
};
}  // namespace criterion

namespace losses {
// --- options of cross_entropy ------------------------------------------------------------------------------
// The weight of each class, in the order of the classes.
template <auto... Weights>
struct class_weights {
  static constexpr double all[sizeof...(Weights) + 1]{static_cast<double>(Weights)...};
  static constexpr void set(auto& options) requires requires { options.weights; }
  { options.weights = {all, static_cast<int>(sizeof...(Weights))}; }
};
// This share of the target is spread over all classes (Szegedy et al. 2016).
template <auto Share>
struct label_smoothing {
  static constexpr void set(auto& options) requires requires { options.smoothing; }
  { options.smoothing = ir::share_from<Share>; }
};
// Positions of this class do not count, like those of -1.
template <int Class>
struct ignored {
  static constexpr void set(auto& options) requires requires { options.ignored; }
  { options.ignored = Class; }
};
}  // namespace losses

namespace criterion {
struct class_options {
  static constexpr const char* all =
      "losses::class_weights<a, b, ..>, losses::label_smoothing<share>, losses::ignored<class>";
  ir::list_view<double> weights{};
  double smoothing = 0;
  int ignored = -1;
  ir::name unknown{}, repeated{};
};
// PyTorch's CrossEntropyLoss: with class weights w, -w_y ((1 - s) log p_y) - s / C sum_c w_c log p_c, divided by the sum
// of all w_y. A class of weight 0 keeps the second term.
template <class... Options>
struct cross_entropy {
  static constexpr tenon::detail::taken takes = tenon::detail::logits_of_classes;
  static constexpr class_options options = tenon::detail::read_options<Options...>(class_options{});
  static constexpr auto at(auto logits, auto target) {
    if (const ir::problem p = tenon::detail::unfit_options_of_layer(options, "cross_entropy"))
      logits.on->fail(p);
    if (!(options.smoothing >= 0 && options.smoothing < 1))
      logits.on->fail({.rule = "losses::label_smoothing<share> needs a share from 0 to below 1",
                       .fix =
                           "write the share that all classes have: losses::label_smoothing<0.1>; 1/10 is the "
                           "whole number 0, and 0.0 is none"});
    const auto log_p = log_softmax(logits), is_class = one_hot(target, logits);
    auto counts = greater(target, -0.5);
    if (options.ignored >= 0) counts = counts * (1 - equal(target, options.ignored));
    const auto weight = weights(logits);
    const auto of_target = sum(select(is_class, weight, 0)) * counts;
    auto loss = -(1 - options.smoothing) * sum(select(is_class, weight * log_p, 0));
    if (options.smoothing > 0) loss = loss - options.smoothing * mean(weight * log_p);
    return with<"divisor">(select(counts, loss, 0), of_target);
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

}  // namespace tenon::inline v0_1
