// update_kernel: an update rule as kernels, its equations traced for a piece of the block; and the errors of a rule.
#pragma once

#include "tenon/graph/graph.hpp"
#include "tenon/lowering/make_schedule.hpp"
#include "tenon/meta/type_name.hpp"
#include "tenon/train/optimizers/rule.hpp"

#include <concepts>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tenon::inline v0_1 {

// An update rule: update(w, g, states..., constants...) returning next(w', states'...).
namespace concepts {
template <class R>
concept UpdateRule = (ir::update_arity<R> >= 2) && requires(const R& r, long step) {
  { R::states } -> std::convertible_to<int>;
  std::tuple_size<std::remove_cvref_t<decltype(r.constants(step))>>::value;  // a std::array
};
}  // namespace concepts

namespace engine {

// A rule returns its new weight and states with next(..); anything else is reported as an error.
template <class Rule>
using returned_by_update = decltype(ir::detail::call<decltype(update_of<Rule>), update_arity<Rule>>(
    update_of<Rule>, std::declval<const list<value, update_arity<Rule>>&>()));
template <class Rule>
inline constexpr bool returns_next = std::same_as<returned_by_update<Rule>, ir::step_result>;

template <class Rule, int Size>
struct update_kernel {
  static constexpr int states = Rule::states, constants = update_arity<Rule> - 2 - states;
  static constexpr traced equations = [] {
    sizes in;
    for (int i = 0; i < update_arity<Rule>; ++i) in.add(i < 2 + states ? Size : 1);
    sizes out;
    for (int i = 0; i < 1 + states; ++i) out.add(Size);
    return trace(in, out, {}, [](const auto& x) {
      if constexpr (returns_next<Rule>)
        return ir::detail::call<decltype(update_of<Rule>), update_arity<Rule>>(update_of<Rule>, x).states;
      else return ir::detail::as_list(x[0]);  // reported as an error
    });
  }();
  static constexpr schedule value = make_schedule(equations.equations, {});
};

// Values as wide as the block are traced with this width, values that are single numbers for
// the whole block with width 1.
inline constexpr int traced_width = 15;

// What is wrong with a rule: the numbers it takes, what it returns, what it computes with.
template <class Rule>
struct unfit_rule {
  static constexpr problem wrong = [] {
    using traced = update_kernel<Rule, traced_width>;
    constexpr int numbers =
        std::tuple_size_v<std::remove_cvref_t<decltype(std::declval<const Rule&>().constants(1L))>>;
    const auto broken = [](characters rule, characters fix, label axis = {}, int expected = 0, int got = 0) {
      sentence whole = sentence("update rule '").append(type_name<Rule>().view()).append("' ").append(rule);
      return problem{.rule = whole, .axis = axis, .expected = expected, .got = got, .fix = fix};
    };
    if (traced::constants != numbers)
      return broken("takes, behind its weight, gradient and states,", "as many as `constants` computes",
                    "numbers", numbers, traced::constants);
    if constexpr (!returns_next<Rule>) {
      return broken("does not return next(weight, states..)",
                    "return next(w - rate * g), and let its parameters be `auto`");
    } else if constexpr (!ir::detail::RunsAtCompileTime<decltype(update_of<Rule>), update_arity<Rule>>) {
      return ir::detail::runs_later(
          sentence("update rule '").append(type_name<Rule>().view()).append("'").view());
    } else if constexpr (traced::constants == numbers) {
      if (traced::equations.wrong) return traced::equations.wrong;
      const program& p = traced::equations.equations;
      if (p.outputs.size != 1 + traced::states)
        return broken("returns its new weight and each new state:", "return next(weight, states..)", "values",
                      1 + traced::states, p.outputs.size);
      for (const instruction& i : p.code)
        if (!is_elementwise(i.code) && i.code != opcode::input && i.code != opcode::constant)
          return broken(sentence("is not elementwise: it has a ").append(spelling(i.code)).view(),
                        "sum, mean, max, softmax, slices and learned symbols have no place in it");
    }
    return problem{};
  }();
};
// Errors of optimizer<..>: the order of optimizer<model, optimizers::adam>; a first argument that is not a rule; a
// session's option in place of the backend.
template <class Rule, class G, class Backend>
struct unfit_optimizer {
  static constexpr name called() {
    if constexpr (concepts::Graph<Rule>) return Rule::title;
    else return type_name<Rule>();
  }
  static constexpr name option() {
    const name whole = type_name<Backend>();
    return whole.view().substr(0, whole.view().find("<"));
  }
  static constexpr problem wrong =
      concepts::UpdateRule<Rule>
          ? problem{.rule = sentence("an optimizer has no option '").append(option().view()).append("'"),
                    .fix =
                        "write the backend itself: optimizer<optimizers::adam, model, float, backend::cpu>"}
          : problem{.rule = sentence("optimizer<rule, graph> begins with an update rule, and '")
                                .append(called().view())
                                .append("' is not one"),
                    .fix = concepts::UpdateRule<G>
                               ? "write the rule first: optimizer<optimizers::adam, model>"
                               : "write optimizer<optimizers::adam, model>; a rule has update(w, g, ..) and "
                                 "constants(step)"};
};

}  // namespace engine

}  // namespace tenon::inline v0_1
