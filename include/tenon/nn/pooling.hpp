// Pooling. Over time: a whole sequence, up to its length, becomes one row, feature by feature; length 0 gives zeros.
//   node<"pooled", mean_over<>, "states">      states [time, batch, D] -> [batch, D]
//   node<"pooled", attention_over<64>, "states">
// The axis may be named: mean_over<"time">, attention_over<64, "time">. They reduce the places of a grid too: global
// pooling. Over windows: max_pool1d<Width, ..>, avg_pool1d<Width, ..> along a sequence, [time, D] to [windows, D], and
// max_pool2d<Height, Width, ..>, avg_pool2d<Height, Width, ..> over a grid. Options: those of unfold; without a stride
// the windows are side by side. Elements outside are never the largest (a window that lies outside altogether gives 0),
// and count as zeros in the mean (as in PyTorch).
#pragma once

#include "tenon/nn/unfold.hpp"

#include <limits>

namespace tenon::inline v0_1 {

namespace detail {
template <ir::text Axis, class... Options>
constexpr ir::axis axis_named(auto x, const char* layer) {
  if (const ir::problem p = unfit_no_options<Options...>(layer)) x.on->fail(p);
  if constexpr (Axis.view().empty()) return along(x);
  else return {Axis.view()};
}
}  // namespace detail

namespace nn {

template <ir::text Axis = "", class... Options>
struct sum_over {
  static constexpr auto at(auto x) { return sum(x, detail::axis_named<Axis, Options...>(x, "sum_over")); }
};
template <ir::text Axis = "", class... Options>
struct mean_over {
  static constexpr auto at(auto x) { return mean(x, detail::axis_named<Axis, Options...>(x, "mean_over")); }
};
// If several steps have the largest value, they share its gradient.
template <ir::text Axis = "", class... Options>
struct max_over {
  static constexpr auto at(auto x) { return max(x, detail::axis_named<Axis, Options...>(x, "max_over")); }
};

template <ir::text Axis = "", class... Options>
struct first_over {
  static constexpr auto at(auto x) { return first(x, detail::axis_named<Axis, Options...>(x, "first_over")); }
};
template <ir::text Axis = "", class... Options>
struct last_over {  // of each sequence, where it ends
  static constexpr auto at(auto x) { return last(x, detail::axis_named<Axis, Options...>(x, "last_over")); }
};

// The mean over the steps, weighted by attention without a query: the weight of a step is the softmax of
// v . tanh(W_a x + b_a), with a learned vector v of Size numbers (Yang et al. 2016). "pooled.weights" are the weights,
// [time, batch, 1], whose sum over a sequence is 1.
template <int Size, ir::text Axis = "", class... Options>
struct attention_over : equations::symbols {
  static constexpr auto at(auto x) {
    const auto steps = detail::axis_named<Axis, Options...>(x, "attention_over");
    if (Size < 1)
      x.on->fail({.rule = "attention_over expects a learned vector of at least",
                  .axis = "number",
                  .expected = 1,
                  .got = Size,
                  .fix = "write attention_over<64>"});
    const auto scores = matrix<"v", 1>(tanh(W<"a", Size>(x) + b<"a">));
    const auto weights = softmax(scores, steps);
    return with<"weights">(sum(weights * x, steps), weights);
  }
};

}  // namespace nn

namespace detail {

// Feature by feature the largest of Count rows side by side, or their mean. A window that lies
// outside altogether gives 0.
template <int Count, bool Largest, bool IsPadded>
struct pooled {
  static constexpr double outside = Largest && IsPadded ? std::numeric_limits<double>::lowest() : 0;

  static constexpr auto at(auto windows) {
    ir::tape& t = *windows.on;
    const int features = windows.size() / Count;
    const auto row = [&](int k) { return ir::value{&t, t.slice(windows.index, k * features, features)}; };
    ir::value found = row(0);
    for (int k = 1; k < Count; ++k) found = Largest ? max(found, row(k)) : found + row(k);
    if (Largest) return IsPadded ? select(equal(found, outside), 0, found) : found;
    return found * (1.0 / Count);
  }
};

template <bool Largest, bool OfGrid, int Height, int Width, class... Options>
struct pooling {
  static constexpr auto options = windows_of<Options...>([] {
    window_options side_by_side{OfGrid, Height, Width};
    nn::stride<Height, Width>::set(side_by_side);
    return side_by_side;
  }());
  static constexpr bool is_padded = options.over.vertical.is_padded() || options.over.horizontal.is_padded();

  static constexpr int build(builder& b, const edges& in) {
    constexpr const char* layer = Largest  ? OfGrid ? "max_pool2d" : "max_pool1d"
                                  : OfGrid ? "avg_pool2d"
                                           : "avg_pool1d";
    using equation = pooled<options.over.size(), Largest, is_padded>;
    if (!accept_windows(b, in, options, layer)) return -1;
    const int windows = add_windows(b, in[0], options, equation::outside);
    return b.apply(ir::tracer_of<equation>, ir::sizes{b[windows].size}, b.axes_of(edges{windows}),
                   edges{windows}, {}, {});
  }
};

}  // namespace detail

namespace nn {

template <int Width, class... Options>
struct max_pool1d : detail::pooling<true, false, 1, Width, Options...> {};
template <int Width, class... Options>
struct avg_pool1d : detail::pooling<false, false, 1, Width, Options...> {};
template <int Height, int Width, class... Options>
struct max_pool2d : detail::pooling<true, true, Height, Width, Options...> {};
template <int Height, int Width, class... Options>
struct avg_pool2d : detail::pooling<false, true, Height, Width, Options...> {};

}  // namespace nn

}  // namespace tenon::inline v0_1
