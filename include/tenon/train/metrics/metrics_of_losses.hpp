// metric::loss<losses::mse<"age">>{}: a single loss of an objective that is a sum of losses.
// For metrics see metrics.hpp.
#pragma once

#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/diagnostics/number_text.hpp"
#include "tenon/engine/session/by_name.hpp"
#include "tenon/meta/type_name.hpp"
#include "tenon/nn/mean_loss.hpp"

#include <concepts>
#include <cstddef>
#include <cstdio>
#include <string>

namespace tenon::inline v0_1 {

namespace engine {
// The place of `Loss` among the losses that an objective sums, in the objective's order (-1: it is not among them),
// their number, and the scale of `Loss`.
struct loss_among {
  int number = -1, count = 0;
  double scale = 1;
};
template <class Loss, class Objective>
struct find_loss {
  static constexpr loss_among found{std::same_as<Loss, Objective> ? 0 : -1, 1};
};
// A loss named with its scale has the value that it has in the sum; named without it, the value that it has by itself.
template <class Loss, auto Scale, class Scaled>
struct find_loss<Loss, losses::scaled<Scale, Scaled>> {
  static constexpr loss_among found = [] {
    loss_among within = find_loss<Loss, Scaled>::found;
    within.scale *= static_cast<double>(Scale);
    if (std::same_as<Loss, losses::scaled<Scale, Scaled>> && within.count == 1) {
      within.number = 0;
      within.scale = 1;
    }
    return within;
  }();
};
template <class Loss, class... Losses>
struct find_loss<Loss, losses::sum_of<Losses...>> {
  static constexpr loss_among found = [] {
    loss_among all;
    const auto look = [&](const loss_among& each) {
      if (all.number < 0 && each.number >= 0) {
        all.number = all.count + each.number;
        all.scale = each.scale;
      }
      all.count += each.count;
    };
    (look(find_loss<Loss, Losses>::found), ...);
    return all;
  }();
};
// "losses::mse", and "age", of losses::mse<"age">.
template <class Loss>
constexpr name called() {
  const name whole = type_name<Loss>();
  return name(whole.view().substr(0, whole.view().find("<")));
}
template <class Loss>
constexpr characters of_output() {
  const characters whole = ir::detail::raw_type_name<Loss>();
  const std::size_t first = whole.find("\""),
                    size = first == characters::npos ? 0 : whole.substr(first + 1).find("\"");
  return size == 0 ? whole.substr(0, 0) : whole.substr(first + 1, size);
}
// A loss without its scales, and their product.
template <class Loss>
struct unscaled_loss {
  using loss = Loss;
  static constexpr double scale = 1;
};
template <auto Scale, class Scaled>
struct unscaled_loss<losses::scaled<Scale, Scaled>> {
  using loss = typename unscaled_loss<Scaled>::loss;
  static constexpr double scale = static_cast<double>(Scale) * unscaled_loss<Scaled>::scale;
};
// The first loss of an objective of the same kind and output, with another target, scale or
// number; empty if there is none.
template <class Loss, class Objective>
struct similar_loss {
  static constexpr name found =
      called<Loss>() == called<Objective>() && of_output<Loss>() == of_output<Objective>()
          ? type_name<Objective>()
          : name{};
};
template <class Loss, auto Scale, class Scaled>
struct similar_loss<Loss, losses::scaled<Scale, Scaled>> : similar_loss<Loss, Scaled> {};
template <class Loss, class... Losses>
struct similar_loss<Loss, losses::sum_of<Losses...>> {
  static constexpr name found = [] {
    name first;
    ((first = first.empty() ? similar_loss<Loss, Losses>::found : first), ...);
    return first;
  }();
};
template <class Loss, class Session>
struct unfit_loss {
  static constexpr problem wrong = [] {
    using objective = typename Session::objective;
    constexpr loss_among at = find_loss<Loss, objective>::found;
    if constexpr (!is_laid_out<typename Session::plan> ||
                  (at.number >= 0 && at.count == Session::plan::net.losses.size)) {
      return problem{};
    } else {
      constexpr name similar = similar_loss<typename unscaled_loss<Loss>::loss, objective>::found;
      return problem{
          .rule = sentence("metric::loss: '")
                      .append(called<Loss>().view())
                      .append("' of output '")
                      .append(of_output<Loss>())
                      .append("' is not a loss of the objective"),
          .fix = similar.empty() || similar.view().ends_with('.')
                     ? sentence("name one as losses::sum_of<..> has it")
                     : sentence("write ").append(similar.view()).append(", as the objective has it")};
    }
  }();
};
}  // namespace engine

namespace metric {

// The mean, over everything that was judged, of one of the losses that make the objective. For example, with
// A = losses::cross_entropy<"kind"> and B = losses::mse<"age">, the objective losses::sum_of<A, losses::scaled<0.1, B>>
// has the metrics loss<A> and loss<B>, or a tenth of the latter as loss<losses::scaled<0.1, B>>.
template <class Loss>
class loss {
 public:
  template <class Session>
  using unfit = engine::unfit_loss<Loss, Session>;

  static constexpr bool lower_is_better = true;
  // "mse" for losses::mse<"age">, whose output is "age"; "0.1 mse" if it is scaled.
  std::string name() const {
    using unscaled = engine::unscaled_loss<Loss>;
    const std::string whole(engine::called<typename unscaled::loss>().view());
    std::string scale;
    if (!std::same_as<Loss, typename unscaled::loss>) scale = tenon::detail::general(unscaled::scale) + " ";
    return scale + whole.substr(whole.rfind(':') + 1);
  }
  static std::string output() { return std::string(engine::of_output<Loss>()); }
  void reset() { value_ = 0; }
  template <class Session>
  void add(const Session& session) {
    if constexpr (!unfit<Session>::wrong) {
      constexpr engine::loss_among at = engine::find_loss<Loss, typename Session::objective>::found;
      value_ = session.loss(at.number) / at.scale;
    }
  }
  double value() const { return value_; }

 private:
  double value_ = 0;
};

}  // namespace metric
}  // namespace tenon::inline v0_1
