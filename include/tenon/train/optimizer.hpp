// optimizer<Rule, G>: applies an update rule to all parameters of a graph in one fused pass over the block.
#pragma once

#include "tenon/engine/session.hpp"
#include "tenon/train/rule.hpp"

namespace tenon {

// An update rule: update(w, g, states..., constants...) returning next(w', states'...).
template <class R>
concept UpdateRule = update_arity<R> >= 2 && requires(const R& r, long step) {
  { R::states } -> std::convertible_to<int>;
  r.constants(step).size();
};

namespace engine {

template <class Rule, int Size>
struct update_kernel {
  static constexpr int states = Rule::states, constants = update_arity<Rule> - 2 - Rule::states;
  static constexpr traced equations = [] {
    sizes in;
    for (int i = 0; i < 2 + states; ++i) in.add(Size);
    for (int i = 0; i < constants; ++i) in.add(1);
    sizes out;
    for (int i = 0; i < 1 + states; ++i) out.add(Size);
    return trace(in, out, {}, [](const auto& x) {
      return tenon::detail::call<decltype(update_of<Rule>), update_arity<Rule>>(update_of<Rule>, x).states;
    });
  }();
  static_assert(!equations.wrong, "the update rule must return next(the new weight, the new states...)");
  static constexpr schedule value = make_schedule(equations.equations, {});
  static constexpr bool one_pass = [] {  // every value as wide as the block stays in registers; single numbers may be kept
    for (const buffer& b : value.buffers)
      if (b.width > 1) return false;
    return true;
  }();
  static_assert(one_pass, "an update rule is elementwise: sum, mean, max, dot and softmax of weights have no place in it");
};

}  // namespace engine

template <UpdateRule Rule, Graph G, class T = float, class Backend = backend::cpu>
class optimizer {
 public:
  explicit optimizer(Rule chosen = {}) : rule(chosen), states_(static_cast<std::size_t>(Rule::states) * size) {}

  Rule rule;  // its numbers may change between steps: schedules set rule.rate

  // theta := the rule's new weights. Steps count from 1.
  void update(parameters<G, T>& theta, const parameters<G, T>& gradients) {
    using pass = engine::update_kernel<Rule, size>;
    ++step_;
    T constants[pass::constants + 1];
    const auto given = rule.constants(step_);
    for (int k = 0; k < pass::constants; ++k) constants[k] = static_cast<T>(given[static_cast<std::size_t>(k)]);
    engine::program_memory<T> m;
    m.batch = 1;
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
  long step() const { return step_; }

 private:
  static constexpr int size = parameters<G, T>::block_size;
  memory<T> states_;
  long step_ = 0;
};

}  // namespace tenon
