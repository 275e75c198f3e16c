// Losses: what a training plan minimises. Each adds its target as an input of the network, called "target" or
// by the name after the output's, and returns the loss edge. mse<"y">, l1<"y">, huber<"y">,
// bce_with_logits<"y">, nll<"log_p">, multi_margin<"y">, cross_entropy<"logits">. For your own losses, and
// sums of several, see mean_loss.hpp.
#pragma once

#include "tenon/nn/criterion.hpp"
#include "tenon/nn/mean_loss.hpp"

namespace tenon::inline v0_1 {

namespace losses {
// Each is a type, not an alias, because nvcc 13 loses the names of an alias.
template <ir::text Output = "", ir::text Target = "target", class... Options>  // options after "target"
struct mse {
  static constexpr int build(builder& b) {
    return detail::add_loss_called<criterion::squared_error, false, Output, Target, Options...>(b, "mse");
  }
};
template <ir::text Output = "", ir::text Target = "target", class... Options>  // options after "target"
struct l1 {
  static constexpr int build(builder& b) {
    return detail::add_loss_called<criterion::absolute_error, false, Output, Target, Options...>(b, "l1");
  }
};
template <ir::text Output = "", ir::text Target = "target", auto Delta = 1, class... Options>
struct huber {
  static constexpr int build(builder& b) {
    return detail::add_loss_called<criterion::huber<Delta>, false, Output, Target, Options...>(b, "huber");
  }
};
template <ir::text Output = "", ir::text Target = "target", class... Options>  // options after "target"
struct bce_with_logits {
  static constexpr int build(builder& b) {
    return detail::add_loss_called<criterion::bce_with_logits, false, Output, Target, Options...>(
        b, "bce_with_logits");
  }
};
template <ir::text Output = "", ir::text Target = "target", class... Options>  // options after "target"
struct nll {
  static constexpr int build(builder& b) {
    return detail::add_loss_called<criterion::negative_log_likelihood, true, Output, Target, Options...>(
        b, "nll");
  }
};
template <ir::text Output = "", ir::text Target = "target", auto Margin = 1, class... Options>
struct multi_margin {
  static constexpr int build(builder& b) {
    return detail::add_loss_called<criterion::multi_margin<Margin>, true, Output, Target, Options...>(
        b, "multi_margin");
  }
};
// Mean over rows of -log softmax(logits)[target] (log-sum-exp form). Targets are tokens, one for each row of
// the logits; a target of -1 does not count in the mean. Options: class_weights<1, 2.5, ..>,
// label_smoothing<0.1>, ignored<0>.
template <ir::text Logits = "", ir::text Target = "target", class... Options>  // options after "target"
struct cross_entropy {
  static constexpr int build(builder& b) {
    return b.within("loss", [&] {
      const int logits = detail::output_of_loss(b, "cross_entropy", Logits.view());
      if (logits < 0) return -1;
      if (!detail::require_meaning(b, logits, detail::logits_of_classes, "cross_entropy")) return -1;
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
        const int target = ir::add_target(b, Target.view(), 0, b[logits].size, b[logits].axis);
        return target < 0
                   ? -1
                   : ir::add_loss(b, {.kind = ir::operation_kind::cross_entropy, .in = {logits, target}});
      }
    });
  }
};
}  // namespace losses

}  // namespace tenon::inline v0_1
