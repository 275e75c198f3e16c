// multi_head<D, Heads>: what each position of a sequence finds in another, or in its own, by Heads dot products side by side
// (Vaswani et al. 2017). Sources: the queries [target, batch, Q], and the memory [source, batch, M]; one source attends to
// itself. D is a multiple of Heads.
//   q = W_q query + b_q, k = W_k memory + b_k, v = W_v memory + b_v, and for each head i
//   found_i = sum_s softmax_s(q_i . k_i(s) / sqrt(D / Heads)) v_i(s),     output [target, batch, D] = W found + b
// up to each memory's end; a memory of length 0 gives b. Second output, node.weights [target, batch, source]: the mean
// of the heads' softmax. `is_causal`: a position of a sequence that attends to itself sees only those up to itself.
// Parameters as in PyTorch's MultiheadAttention: in_proj_weight [3 D, D], in_proj_bias, out_proj.weight, out_proj.bias;
// if Q or M is not D, q_proj_weight, k_proj_weight and v_proj_weight in place of the first. The biases start at 0.
#pragma once

#include "tenon/graph/layer.hpp"
#include "tenon/nn/linear.hpp"
#include "tenon/nn/options.hpp"

namespace tenon::inline v0_1 {

namespace detail {

// The names are template arguments, so that a program that only includes this header compiles nothing for them.
template <int D, int Heads, bool Joint, bool Causal, ir::text Query = "q", ir::text Key = "k",
          ir::text Value = "v", ir::text Weight = "out_proj.weight", ir::text Bias = "out_proj.bias">
struct attending_heads : equations::symbols {
  static constexpr ir::storage_layout storage = [] {
    const auto stack = [](const char* stored, const char* letter, auto... gates) {
      return ir::stack{stored, letter, {gates.view()...}};
    };
    const auto biases = stack("in_proj_bias", "b", Query, Key, Value);
    if (Joint) return ir::storage_layout{stack("in_proj_weight", "W", Query, Key, Value), biases};
    return ir::storage_layout{stack("q_proj_weight", "W", Query), stack("k_proj_weight", "W", Key),
                              stack("v_proj_weight", "W", Value), biases};
  }();
  static constexpr init::start starts[]{{"b", {ir::initial::constant, 0}},
                                        {"out_proj.bias", {ir::initial::constant, 0}}};
  static constexpr int width = D / Heads;

  static constexpr auto at(auto query, auto memory) { return attend(query, memory); }

 private:
  static constexpr auto attend(auto query, auto memory) {
    const auto q = projected(W<Query, D>(query) + b<Query>) * tenon::detail::inverse_sqrt(width);
    const auto k = ir::as_axis(projected(W<Key, D>(memory) + b<Key>));
    const auto v = ir::as_axis(projected(W<Value, D>(memory) + b<Value>));
    const auto weights = softmax(visible(ir::dot<Heads>(q, k), query, k), along(k));
    const auto found = matrix<Weight, D>(weighted_sum(weights, v, along(k))) + vector<Bias>;
    return with<"weights">(found, as_features(mean(weights), along(k)));
  }
  // Fixes the width to D: if it is 1, the equation would also accept a wider bias.
  static constexpr ir::value projected(ir::value x) {
    x.on->require_size(x.index, D, "a projection must have");
    return x;
  }
  // Later positions have no weight.
  static constexpr auto visible(auto scores, auto query, auto keys) {
    if constexpr (Causal) {
      const auto here = position_of(query, along(query));
      return masked(scores, greater(position_of(keys, along(keys)), here));
    } else {
      return scores;
    }
  }
};

}  // namespace detail

namespace detail {
struct multi_head_options {
  static constexpr const char* all =
      "is_causal, initialized<\"name\", start>, frozen, frozen_parameters<\"name\">";
  bool is_causal = false;
  ir::parameter_rules rules{};
  ir::name unknown{}, repeated{};
};
}  // namespace detail

namespace nn {

template <int D, int Heads, class... Options>
struct multi_head {
  static constexpr int build(builder& b, const edges& in) {
    if constexpr (D <= 0 || Heads <= 0 || D % (Heads > 0 ? Heads : 1) != 0) {
      return b.fail(
          {.rule = "multi_head<features, heads> needs positive sizes, and whole features for each head",
           .fix = "write multi_head<64, 4>"});
    } else {
      return detail::accept_options(b, options, "multi_head") ? attend(b, in) : -1;
    }
  }

 private:
  static constexpr detail::multi_head_options options =
      detail::read_options<Options...>(detail::multi_head_options{});
  static constexpr bool hides_later = options.is_causal;

  static constexpr int attend(builder& b, const edges& in) {
    if (!b.require_inputs(in, 1, 2, "multi_head", "name the queries, then the memory")) return -1;
    for (int e : in)
      if (!b.require_numbers(e, "multi_head") || !b.require_sequence(e, "multi_head")) return -1;
    const ir::edge &query = b[in[0]], &memory = b[in[in.size - 1]];
    if (hides_later && memory.axis != query.axis)
      return b.fail({.rule = "causal multi_head attends to its own sequence, and the memory is another",
                     .source = memory.path,
                     .fix = "name one source, or leave is_causal out"});
    return query.size == memory.size && query.size == D ? apply<true>(b, in) : apply<false>(b, in);
  }
  template <bool Joint>
  static constexpr int apply(builder& b, const edges& in) {
    using equation = detail::attending_heads<D, Heads, Joint, hides_later>;
    const edges both{in[0], in[in.size - 1]};
    const int features = b[in[in.size - 1]].size;
    return b.apply(
        ir::tracer_of<equation>, ir::sizes{b[in[0]].size, features}, b.axes_of(both), both, equation::storage,
        ir::detail::initializers_of<equation>({ir::initial::uniform, detail::inverse_sqrt(features)}));
  }
};

}  // namespace nn

}  // namespace tenon::inline v0_1
