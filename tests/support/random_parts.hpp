// Cells, equations and a graph of one's own, for the networks that tests/random draws.
#pragma once

#include "support/crossed_cell.hpp"
#include "tenon/graph/graph.hpp"
#include "tenon/nn/adaptive_softmax.hpp"
#include "tenon/nn/nn.hpp"

namespace tenon::test {

struct swish {  // Ramachandran, Zoph and Le 2017
  static constexpr auto at(auto x) { return x * sigmoid(x); }
};
struct thinned {  // in training twice as large at some steps
  static constexpr auto at(auto x) { return nn::variational_dropout<0.1>(x) * (1 + bernoulli<0.3>(x)); }
};
template <int In, int Out>
using tower = graph<"tower", input<"u", features<In>>,
                    node<"v", nn::chain<nn::linear<Out>, nn::activation::tanh>, "u">, output<"v">>;
template <int In, int Out, int Bound, ir::text Axis>
using tower_of_steps =
    graph<"tower of steps", input<"u", features<In>, steps<Bound, Axis>>, node<"h", nn::gru<Out>, "u">,
          node<"v", nn::residual<nn::linear<Out>, nn::activation::tanh>, "h">, output<"v">>;

struct emitting_cell : equations::symbols {  // its output is not its state
  static constexpr auto step(auto x, auto h) {
    const auto s = tanh(W<"s">(x) + U<"s">(h) + b<"s">);
    return next(s).emitting(matrix<"out", 3>(concat(s, x)));
  }
};
template <ir::text Axis>
struct attending_cell : equations::symbols {
  static constexpr auto step(auto y, auto s, auto memory) {
    const auto weights = softmax<Axis>(matrix<"v", 1>(tanh(W<"a", 3>(s) + U<"a", 3>(memory))));
    return tanh(W<"y">(y) + U<"s">(s) + V<"c">(sum<Axis>(weights * memory)) + b<"y">);
  }
};

template <int Words>
struct reading_cell : equations::symbols {  // a matrix times a word is a row of a table
  static constexpr auto step(auto word, auto h) { return tanh(W<>(one_hot<Words>(word)) + U<>(h) + b<>); }
};
struct writing_cell : equations::symbols {
  static constexpr auto step(auto h) { return tanh(U<>(h) + b<>); }
};

template <ir::text Axis>
struct placed {
  static constexpr auto at(auto x) { return x * sigmoid(0.5 * position_of<Axis>(x) - 1); }
};
template <ir::text Axis>
struct ends {
  static constexpr auto at(auto x) {
    return concat(first<Axis>(x), last<Axis>(x) / (1 + length_of<Axis>(x)));
  }
};
template <ir::text Axis, int Size>
struct neighbours : equations::symbols {
  static constexpr auto at(auto x) { return tanh(W<"", Size>(window<3, Axis>(x)) + b<>); }
};
template <ir::text Axis>
struct found_by_thirds {
  static constexpr auto at(auto target, auto source) {
    return weighted_sum<Axis>(softmax<Axis>(dot<3>(target, source)), source);
  }
};
template <ir::text Axis, int Steps>
struct delayed {
  static constexpr auto at(auto x) { return x + 0.5 * shift<Steps, Axis>(x); }
};
template <ir::text Axis>
struct backwards {
  static constexpr auto at(auto x) { return x * tanh(reversed<Axis>(x)); }
};
template <int Size>
struct bilinear : equations::symbols {
  static constexpr auto at(auto x, auto y) {
    return matrix<"A", Size>(x) * matrix<"B", Size>(y) + vector<"c">;
  }
};
template <ir::text Axis>
struct earlier_steps {
  static constexpr auto at(auto x) {
    const auto others = as_axis<"other">(x);
    const auto is_later = greater(position_of<"other">(others), position_of<Axis>(x));
    return sum<"other">(softmax<"other">(masked(dot(x, others), is_later)) * others);
  }
};
template <ir::text Axis>
struct gated_by_its_mean : equations::symbols {  // Hu, Shen and Sun 2018
  static constexpr auto at(auto x) { return x * sigmoid(W<"gate">(relu(W<"squeeze", 3>(mean<Axis>(x))))); }
};
template <ir::text Axis, int Size>
struct found : equations::symbols {  // Luong, Pham and Manning 2015
  static constexpr auto at(auto target, auto source) {
    const auto weights = softmax<Axis>(dot(W<"a", Size>(target), U<"a", Size>(source)));
    return concat(target, sum<Axis>(weights * source));
  }
};
template <ir::text Axis>
struct smooth_maximum {
  static constexpr auto at(auto x) { return log_sum_exp<Axis>(x); }
};

struct quantile {  // Koenker and Bassett 1978
  static constexpr auto at(auto y, auto t) { return max(0.9 * (t - y), 0.1 * (y - t)); }
};
struct where_it_is_positive {
  static constexpr auto at(auto y, auto t) {
    const auto counts = greater(t, 0);
    return with<"count">(counts * square(y - t), counts);
  }
};
struct small_elsewhere {
  static constexpr auto at(auto y, auto t) {
    const auto counts = greater(t, 0);
    return with<"divisor">(counts * square(y - t) + 0.01 * square(y), counts);
  }
};
// Nix and Weigend 1994, with variances from exp(-4) to exp(4): at exp(-40) a difference of losses is only rounding.
struct likelihood {
  static constexpr auto at(auto mean, auto any, auto t) {
    const auto log_variance = 4 * tanh(any / 4);
    return 0.5 * (log_variance + square(t - mean) * exp(-log_variance));
  }
};
struct focal {  // Lin et al. 2017
  static constexpr auto at(auto y, auto t) {
    const auto log_p = pick(log_softmax(y), t), is_there = greater(t, -0.5);
    return with<"count">(-square(1 - exp(log_p)) * log_p * is_there, is_there);
  }
};

}  // namespace tenon::test
