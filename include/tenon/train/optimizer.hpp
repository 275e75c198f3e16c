// optimizer<Rule, G>: applies an update rule to all parameters of a graph in one fused pass over the block.
#pragma once

// First, as compilers print each file on the way to the one where errors are said.
#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/engine/session/session.hpp"
#include "tenon/train/rule.hpp"

#include <tuple>
#include <utility>

namespace tenon {

// An update rule: update(w, g, states..., constants...) returning next(w', states'...).
template <class R>
concept UpdateRule = (ir::update_arity<R> >= 2) && requires(const R& r, long step) {
  { R::states } -> std::convertible_to<int>;
  std::tuple_size<std::remove_cvref_t<decltype(r.constants(step))>>::value;  // a std::array
};

namespace engine {

template <class Rule, int Size>
struct update_kernel {
  static constexpr int states = Rule::states, constants = update_arity<Rule> - 2 - states;
  static constexpr traced equations = [] {
    sizes in;
    for (int i = 0; i < update_arity<Rule>; ++i) in.add(i < 2 + states ? Size : 1);
    sizes out;
    for (int i = 0; i < 1 + states; ++i) out.add(Size);
    return trace(in, out, {}, [](const auto& x) {
      return ir::detail::call<decltype(update_of<Rule>), update_arity<Rule>>(update_of<Rule>, x).states;
    });
  }();
  static constexpr schedule value = make_schedule(equations.equations, {});
};

// Elements of a block of `size` that one pass of a rule takes; of an empty one, 1.
constexpr int updated_at_once(int size) {
  return size < 1 ? 1 : size < ir::widest_value ? size : ir::widest_value;
}

// What is wrong with a rule: the numbers it takes, what it returns, what it computes with.
template <class Rule, int Size>
struct unfit_rule {
  static constexpr problem wrong = [] {
    using kernel = update_kernel<Rule, Size>;
    constexpr int numbers =
        std::tuple_size_v<std::remove_cvref_t<decltype(std::declval<const Rule&>().constants(1L))>>;
    const auto broken = [](characters rule, characters fix) {
      sentence whole = sentence("update rule '").append(type_name<Rule>().view()).append("' ").append(rule);
      return problem{.rule = whole, .fix = fix};
    };
    if (kernel::constants != numbers) {
      problem p = broken("takes, behind its weight, gradient and states,", "as many as `constants` computes");
      p.axis = "numbers", p.expected = numbers, p.got = kernel::constants;
      return p;
    }
    if constexpr (!ir::detail::RunsAtCompileTime<decltype(update_of<Rule>), update_arity<Rule>>) {
      return ir::detail::runs_later(
          sentence("update rule '").append(type_name<Rule>().view()).append("'").view());
    } else if constexpr (kernel::constants == numbers) {
      if (kernel::equations.wrong) return kernel::equations.wrong;
      const program& p = kernel::equations.equations;
      if (p.outputs.size != 1 + kernel::states) {
        problem wrong = broken("returns its new weight and each new state:", "return next(weight, states..)");
        wrong.axis = "values", wrong.expected = 1 + kernel::states, wrong.got = p.outputs.size;
        return wrong;
      }
      for (const instruction& i : p.code)
        if (!is_elementwise(i.code) && i.code != op::input && i.code != op::constant)
          return broken(sentence("is not elementwise: it has a ").append(spelling(i.code)).view(),
                        "sum, mean, max, softmax, slices and learned symbols have no place in it");
    }
    return problem{};
  }();
};

}  // namespace engine

template <UpdateRule Rule, class G, class T = float, class Backend = backend::cpu>
class optimizer {
 public:
  explicit optimizer(Rule chosen = {})
      : rule(chosen),
        states_(static_cast<std::size_t>(Rule::states) * size,
                {"the states of the update rule", ir::title_of<G>()}) {}

  Rule rule;  // its numbers may change between steps: schedules set rule.learning_rate

  // theta := the rule's new weights. Steps count from 1.
  void update(parameters<G, T>& theta, const parameters<G, T>& gradients) {
    if constexpr (engine::unfit_rule<Rule, piece>::wrong) {
      tenon::detail::say<tenon::detail::error_in<engine::unfit_rule<Rule, piece>>>();
    } else {
      ++step_;
      [[maybe_unused]] const auto mode = backend::begin<Backend>();
      for (int from = 0; from < whole; from += piece) run<piece>(theta, gradients, from);
      if constexpr (whole < size) run<size - whole>(theta, gradients, whole);
    }
  }
  long step() const { return step_; }

 private:
  static constexpr int size = parameters<G, T>::block_size;
  // A block beyond the widest value of an equation is walked over in pieces.
  static constexpr int piece = engine::updated_at_once(size), whole = size / piece * piece;

  template <int Count>
  void run(parameters<G, T>& theta, const parameters<G, T>& gradients, int from) {
    using pass = engine::update_kernel<Rule, Count>;
    T constants[pass::constants + 1];
    const auto given = rule.constants(step_);
    for (int k = 0; k < pass::constants; ++k)
      constants[k] = static_cast<T>(given[static_cast<std::size_t>(k)]);
    constexpr engine::program_counts counts{2 + Rule::states + pass::constants, 1 + Rule::states,
                                            pass::value.buffers.size, 0, 0};
    engine::program_memory<T, counts> m;
    m.batch = m.rows = 1;
    m.in[0] = {theta.data() + from, 0, 0}, m.out[0] = {theta.data() + from, 0, 0};
    m.in[1] = {gradients.data() + from, 0, 0};
    for (int s = 0; s < Rule::states; ++s) {
      T* const state = states_.data() + static_cast<std::size_t>(s) * size + from;
      m.in[2 + s] = {state, 0, 0}, m.out[1 + s] = {state, 0, 0};
    }
    for (int k = 0; k < pass::constants; ++k) m.in[2 + Rule::states + k] = {constants + k, 0, 0};
    T single_numbers[pass::value.buffers.size + 1];
    for (int k = 0; k < pass::value.buffers.size; ++k) m.buffers[k] = single_numbers + k;
    engine::run_phase<pass, ir::phase::before, Backend>(m, 0, 1);
  }

  memory<T> states_;
  long step_ = 0;
};

}  // namespace tenon
