// Cells, equations and a graph of one's own, for the networks that tests/random draws.
#pragma once

#include "support/crossed_cell.hpp"
#include "tenon/graph/graph.hpp"
#include "tenon/nn/nn.hpp"

namespace tenon::test {

struct swish {  // Ramachandran, Zoph and Le 2017
  static constexpr auto at(auto x) { return x * sigmoid(x); }
};
template <int In, int Out>
using tower = graph<"tower", input<"u", features<In>>,
                    node<"v", nn::chain<nn::linear<Out>, nn::activation::tanh>, "u">, output<"v">>;

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

}  // namespace tenon::test
