// optimizer<Rule, G>: applies an update rule to all parameters of a graph in one fused pass over the block.
#pragma once

#include "tenon/engine/session.hpp"
#include "tenon/train/rule.hpp"

#include <tuple>
#include <utility>

namespace tenon {

// An update rule: update(w, g, states..., constants...) returning next(w', states'...).
template <class R>
concept UpdateRule = (update_arity<R> >= 2) && requires(const R& r, long step) {
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
      return tenon::detail::call<decltype(update_of<Rule>), update_arity<Rule>>(update_of<Rule>, x).states;
    });
  }();
  static constexpr schedule value = make_schedule(equations.equations, {});
};

// Says what is wrong with a rule, and is false then.
template <class Rule, int Size>
constexpr bool check_rule() {
  using kernel = update_kernel<Rule, Size>;
  constexpr int given =
      std::tuple_size_v<std::remove_cvref_t<decltype(std::declval<const Rule&>().constants(1L))>>;
  constexpr bool enough = kernel::constants == given;
  static_assert(enough,
                "update takes the weight, the gradient, `states` states and as many numbers as `constants` "
                "computes");
  if constexpr (enough) {
    constexpr const program& p = kernel::equations.equations;
    constexpr bool complete = !kernel::equations.wrong && p.outputs.size == 1 + kernel::states;
    static_assert(complete, "update returns next(the new weight, each new state)");
    constexpr bool elementwise = [] {
      for (const instruction& i : p.code)
        if (!is_elementwise(i.code) && i.code != op::input && i.code != op::constant) return false;
      return true;
    }();
    static_assert(elementwise,
                  "an update rule is elementwise: sum, mean, max, softmax, slices and learned symbols have "
                  "no place in it");
    return complete && elementwise;
  }
  return false;
}

}  // namespace engine

template <UpdateRule Rule, Graph G, class T = float, class Backend = backend::cpu>
class optimizer {
 public:
  explicit optimizer(Rule chosen = {})
      : rule(chosen), states_(static_cast<std::size_t>(Rule::states) * size) {}

  Rule rule;  // its numbers may change between steps: schedules set rule.rate

  // theta := the rule's new weights. Steps count from 1.
  void update(parameters<G, T>& theta, const parameters<G, T>& gradients) {
    if constexpr (engine::check_rule<Rule, size>()) {
      ++step_;
      run(theta, gradients);
    }
  }
  long step() const { return step_; }

 private:
  static constexpr int size = parameters<G, T>::block_size;

  void run(parameters<G, T>& theta, const parameters<G, T>& gradients) {
    using pass = engine::update_kernel<Rule, size>;
    T constants[pass::constants + 1];
    const auto given = rule.constants(step_);
    for (int k = 0; k < pass::constants; ++k)
      constants[k] = static_cast<T>(given[static_cast<std::size_t>(k)]);
    constexpr engine::program_counts counts{2 + Rule::states + pass::constants, 1 + Rule::states,
                                            pass::value.buffers.size, 0, 0};
    engine::program_memory<T, counts> m;
    m.batch = m.rows = 1;
    m.in[0] = {theta.data(), 0, 0}, m.out[0] = {theta.data(), 0, 0};
    m.in[1] = {gradients.data(), 0, 0};
    for (int s = 0; s < Rule::states; ++s) {
      T* const state = states_.data() + static_cast<std::size_t>(s) * size;
      m.in[2 + s] = {state, 0, 0}, m.out[1 + s] = {state, 0, 0};
    }
    for (int k = 0; k < pass::constants; ++k) m.in[2 + Rule::states + k] = {constants + k, 0, 0};
    T single_numbers[pass::value.buffers.size + 1];
    for (int k = 0; k < pass::value.buffers.size; ++k) m.buffers[k] = single_numbers + k;
    engine::run_phase<pass, phase::before, Backend>(m, 0, 1);
  }

  memory<T> states_;
  long step_ = 0;
};

}  // namespace tenon
