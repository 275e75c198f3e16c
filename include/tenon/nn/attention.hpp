// attention<Score, ..>: what a query finds in a sequence (Bahdanau et al. 2015; Luong et al. 2015).
// Sources: query [batch, Q], or one for each step of a sequence, and states [time, batch, D].
// e_t = score(q, h_t) of the query q and the states h, alpha = softmax_t(e) up to each sequence's end,
// output [batch, D] = sum_t alpha_t h_t. A sequence of length 0 gives zeros.
// Second output, node.weights: alpha [time, batch, 1] for a single query, [queries, batch, time] for one at each step.
// Options: those of its parameters, initialized<"name", start> and frozen.
#pragma once

#include "tenon/graph/builder.hpp"
#include "tenon/nn/linear.hpp"

namespace tenon::inline v0_1 {

namespace nn::score {
// q . h
struct dot {
  static constexpr auto score(auto q, auto h) { return tenon::ir::dot(q, h); }
};
// q . W h (Luong et al. 2015, "general")
struct multiplicative : equations::symbols {
  static constexpr auto score(auto q, auto h) { return tenon::ir::dot(q, W<>(h)); }
};
// v . tanh(W q + U h + b) (Bahdanau et al. 2015), A units
template <int A>
struct additive : equations::symbols {  // with its size: score::additive<64>
  static constexpr auto score(auto q, auto h) {
    return matrix<"v", 1>(tanh(W<"", A>(q) + U<"", A>(h) + b<>));
  }
};
// W q . U h / sqrt(A), both projected to A features (Vaswani et al. 2017, with one head)
template <int A>
struct scaled_dot : equations::symbols {  // with its size: score::scaled_dot<64>
  static constexpr auto score(auto q, auto h) {
    return tenon::ir::dot(W<"", A>(q), U<"", A>(h)) * tenon::detail::inverse_sqrt(A);
  }
};
}  // namespace nn::score

namespace detail {
template <class S>
struct attended {
  static constexpr auto storage = ir::detail::layout_of<S>();
  static constexpr ir::named_results at(auto query, auto sequence) {
    const bool is_each = query.on->has_axis(query.index);
    const auto states = is_each ? ir::as_axis(sequence) : sequence;
    const auto weights = softmax(one_score(query, states), along(states));
    const auto found = sum(weights * states, along(states));
    return with<"weights">(found, is_each ? as_features(weights, along(states)) : weights);
  }

 private:
  // One number for each state and each query. A score that does not read one of them is constant along that one's axis.
  static constexpr ir::value one_score(ir::value query, ir::value states) {
    ir::tape& t = *states.on;
    if constexpr (ir::Operand<decltype(S::score(query, states))>) {
      int e = ir::detail::write(t, S::score(query, states));
      t.require_size(e, 1, "the score must have");
      for (ir::dimension axis : ir::both_axes)
        if (t.has_axis(states.index, axis) || t.has_axis(query.index, axis)) e = t.spread(e, axis);
      return {&t, e};
    } else {
      t.fail({.rule = "the score must return one value",
              .fix = "return what it computes, such as dot(query, state)"});
      return states;
    }
  }
};
}  // namespace detail

namespace nn {

template <class S, class... Options>
struct attention {
  static constexpr int build(builder& b, const edges& in) {
    constexpr auto options = detail::read_options<Options...>(detail::options_of_parameters{});
    if (!detail::accept_options(b, options, "attention")) return -1;
    if constexpr (!concepts::Score<S>)
      return b.fail({.rule = ir::sentence("attention needs a score, and '")
                                 .append(ir::type_name<S>().view())
                                 .append("' has no static score(auto query, auto state) that compiles"),
                     .fix = ir::detail::mend<S>("mend it: ", "mend it, or write attention<score::dot>")});
    else if constexpr (!ir::detail::RunsAtCompileTime<ir::detail::calls_score<S>, 2>)
      return b.fail(ir::detail::runs_later("the score"));
    else return attend(b, in);
  }

 private:
  static constexpr int attend(builder& b, const edges& in) {
    if (!b.require_inputs(in, 2, 2, "attention",
                          "name the query, then the states; without a query write attention_over<64>") ||
        !b.require_numbers(in[0], "attention's query") ||
        !b.require_numbers(in[1], "attention's second source") ||
        !b.require_sequence(in[1], "attention's second source"))
      return -1;
    const int query = b[in[0]].size, key = b[in[1]].size;
    if (std::same_as<S, score::dot> && query != key)
      return b.fail({.rule = "dot attention needs a query as wide as the states:",
                     .axis = "features",
                     .expected = key,
                     .got = query,
                     .source = b[in[0]].path,
                     .fix = ir::sentence("put linear<")
                                .append(key)
                                .append("> before the query, or use score::multiplicative")});
    return b.apply(ir::tracer_of<detail::attended<S>>, ir::sizes{query, key}, b.axes_of(in), in,
                   ir::detail::layout_of<S>(),
                   ir::detail::initializers_of<S>({ir::initial::uniform, detail::inverse_sqrt(key)}),
                   "score");
  }
};

}  // namespace nn

}  // namespace tenon::inline v0_1
