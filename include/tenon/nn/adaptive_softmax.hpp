// adaptive_softmax<Classes, Cutoffs..>: log-probabilities of many classes, few of which are frequent (Grave et
// al. 2017). Classes are numbered by falling frequency. Those below the first cutoff, c_1, belong to the head.
// Those between two cutoffs form a cluster: the head chooses a cluster as a whole, and fewer features
// distinguish the classes inside it.
//   h = log_softmax(W x)                                                           [c_1 + clusters]
//   log p(k) = h[k]                                                                k < c_1
//   log p(k) = h[c_1 + i] + log_softmax(V_i U_i x)[k - c_(i+1)]                    k in cluster i = 0, 1, ..
// with U_i: In -> In / 4^(i+1). Input [.., In], output [.., Classes], the loss losses::nll<..>.
// adaptive_softmax<33278, 2000, 10000> has two clusters. Parameters as in PyTorch's AdaptiveLogSoftmaxWithLoss:
// head.weight, tail.0.0.weight, tail.0.1.weight, ..
#pragma once

#include "tenon/graph/builder.hpp"
#include "tenon/nn/linear.hpp"

#include <utility>

namespace tenon::inline v0_1::nn {

template <int Classes, int... Cutoffs>
struct adaptive_softmax {
  static constexpr int build(builder& b, const edges& in) {
    if (!b.require_inputs(in, 1, 1, "adaptive_softmax", "concat several sources first") ||
        !b.require_numbers(in[0], "adaptive_softmax"))
      return -1;
    if constexpr (clusters == 0 || clusters > 6 || !is_increasing) {
      return b.fail(
          {.rule = "adaptive_softmax needs from one to six cutoffs that rise, from above 0 to below its "
                   "classes",
           .fix = "write adaptive_softmax<classes, 2000, 10000>"});
    } else {
      const int least = 1 << (2 * clusters), features = b[in[0]].size;
      if (features < least)
        return b.fail(
            {.rule = "adaptive_softmax gives a cluster a quarter of the features of the one before, and its "
                     "last would have none:",
             .axis = "features",
             .expected = least,
             .got = features,
             .source = b[in[0]].path,
             .fix = "widen its source, or write fewer cutoffs"});
      edges parts{b.within("head", [&] { return map(b, in[0], first + clusters); })};
      for (int i = 0; i < clusters; ++i) {
        ir::name cluster = "tail.";
        cluster.append(i);
        parts.add(b.within(cluster.view(), [&] {
          const int narrow = b.within("0", [&] { return map(b, in[0], features >> (2 * (i + 1))); });
          return b.ok() ? b.within("1", [&] { return map(b, narrow, bounds[i + 1] - bounds[i]); }) : -1;
        }));
        if (!b.ok()) return -1;
      }
      return join(b, parts, std::make_integer_sequence<int, clusters>{});
    }
  }

 private:
  static constexpr int clusters = sizeof...(Cutoffs);
  static constexpr int bounds[sizeof...(Cutoffs) + 1]{Cutoffs..., Classes};
  static constexpr int first = bounds[0];
  static constexpr bool is_increasing = [] {
    for (int i = 0; i < clusters; ++i)
      if (bounds[i] >= bounds[i + 1]) return false;
    return first > 0;
  }();

  static constexpr int map(builder& b, int x, int out) {
    const auto product = [](const auto& v) {
      return ir::list<ir::value, 8>{equations::symbols::matrix<"weight">(v[0])};
    };
    return b.apply(ir::trace(ir::sizes{b[x].size}, ir::sizes{out}, {}, product, b.axes_of(edges{x})),
                   edges{x}, {}, {ir::initial::uniform, detail::inverse_sqrt(b[x].size)});
  }
  template <int... I>
  static constexpr int join(builder& b, const edges& parts, std::integer_sequence<int, I...>) {
    ir::sizes features;
    for (int e : parts) features.add(b[e].size);
    const auto log_p = [](const auto& x) {
      const ir::value head = log_softmax(x[0]);
      return ir::list<ir::value, 8>{
          concat(slice<0, first>(head), log_softmax(x[1 + I]) + slice<first + I, 1>(head)...)};
    };
    return b.apply(ir::trace(features, {}, {}, log_p, b.axes_of(parts)), parts, {}, {});
  }
};

}  // namespace tenon::inline v0_1::nn
