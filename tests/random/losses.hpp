// Losses of a network's outputs, and the rules that train it.
#pragma once

#include "drawing.hpp"

namespace random_networks {

inline void add_output(drawing& d, const string& name) {
  d.net.parts.push_back({"output", name, "", {}, {}, {}, ""});
}
inline string options_of_cross_entropy(drawing& d, int classes) {
  texts options;
  if (d.random.chance(30)) options.push_back("losses::label_smoothing<0.1>");
  if (d.random.chance(30)) options.push_back("losses::ignored<1>");
  if (d.random.chance(20)) {
    texts weights;
    for (int k = 0; k < classes; ++k) weights.push_back(number(1 + d.random.below(4)));
    options.push_back("losses::class_weights<" + joined(weights, ", ") + ">");
  }
  return options.empty() ? "" : ", " + joined(options, ", ");
}
// A loss of one output, or of two. Logits come from a linear map, which gives them no bounds.
inline string loss_of(drawing& d, const value& from, int number_of_loss) {
  const int kind = d.random.below(13), classes = d.prime();
  if (kind == 0) {  // what a node computes
    const value a = add_linear(d, from, classes), b = add_linear(d, from, classes);
    const value gap = d.add(d.random.one_of(texts{"criterion::squared_error", "criterion::absolute_error",
                                                  "criterion::huber<0.5>"}),
                            {}, {}, {a.name, b.name}, a);
    add_output(d, gap.name);
    return "losses::mean_of<" + quoted(gap.name) + ">";
  }
  value y = add_linear(d, from, classes);
  if (kind == 1) y = d.add("activation::log_softmax", {}, {}, {y.name}, y);
  const bool is_adaptive = kind == 2 && from.size >= 4;
  if (is_adaptive)
    y = d.add("adaptive_softmax", {number(classes + 2), "2"}, {}, {from.name}, with_size(from, classes + 2));
  add_output(d, y.name);
  const string target = ", " + quoted("t" + number(number_of_loss)), of = quoted(y.name) + target;
  switch (kind) {
    case 1:
      return "losses::nll<" + of + ">";
    case 2:
    case 10:
      return (is_adaptive ? "losses::nll<" : "losses::mse<") + of + ">";
    case 3:
      return "losses::l1<" + of + ">";
    case 4:
      return "losses::huber<" + of + ", 0.5>";
    case 5:
      return "losses::bce_with_logits<" + of + ">";
    case 6:
      return "losses::multi_margin<" + of + (d.random.chance(50) ? ", 0.5>" : ">");
    case 7:
      return "losses::mean_loss<" +
             d.random.one_of(texts{"quantile", "where_it_is_positive", "small_elsewhere"}) + ", " + of + ">";
    case 8: {
      const value log_variance = add_linear(d, from, classes);
      add_output(d, log_variance.name);
      return "losses::mean_loss<likelihood, " + quoted(y.name) + ", " + quoted(log_variance.name) + target +
             ">";
    }
    case 9:
      return "losses::mean_loss_of_classes<focal, " + of + ">";
    default:
      return "losses::cross_entropy<" + of + options_of_cross_entropy(d, classes) + ">";
  }
}
// Now and then a loss, or a sum of two or three, and the rule of its training.
inline void add_training(drawing& d) {
  texts losses;
  for (int count = d.random.chance(30) ? 2 + d.random.below(2) : 1, k = 0; k < count; ++k) {
    const auto from = d.pick([](const value& v) { return is_row(v) || is_sequence(v); });
    if (!from) return;
    losses.push_back((k == 0 ? "" : "losses::scaled<0.25, ") + loss_of(d, *from, k) + (k == 0 ? "" : ">"));
  }
  const string loss = losses.size() == 1 ? losses[0] : "losses::sum_of<" + joined(losses, ", ") + ">";
  const bool is_sparse = std::any_of(d.net.parts.begin(), d.net.parts.end(), [](const part& p) {
    return std::find(p.options.begin(), p.options.end(), "sparse") != p.options.end();
  });
  texts rules{"sgd", "adagrad", "sparse_adam"};
  if (!is_sparse)
    rules = {"sgd", "sgd_nesterov", "adam", "adamw", "sparse_adam", "adagrad", "adadelta", "rmsprop"};
  d.net.parts.push_back({"loss", "", loss, {}, {}, {}, ""});
  d.net.parts.push_back({"training", "", "optimizers::" + d.random.one_of(rules), {}, {}, {}, ""});
}

}  // namespace random_networks
