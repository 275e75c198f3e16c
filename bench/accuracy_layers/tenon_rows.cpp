// Layers that look at one position at a time, and the loss.
#include "accuracy_layers/measure.hpp"

namespace accuracy {

template <int Size>
using linear = tenon::nn::linear<Size>;
template <int Size>
using residual =
    tenon::nn::residual<tenon::nn::linear<4 * Size>, tenon::nn::activation::gelu, tenon::nn::linear<Size>>;
template <int Size>
using dropout = tenon::nn::dropout<0.5>;

struct same {
  static constexpr auto at(auto x) { return x; }
};
template <int Size>
using logits = tenon::graph<"loss", tenon::input<"x", tenon::features<Size>, tenon::steps<bound>>,
                            tenon::node<"logits", same, "x">, tenon::output<"logits">>;
template <int Size>
using embedded =
    tenon::graph<"embedding", tenon::input<"t", tenon::token<50>, tenon::steps<bound>>,
                 tenon::node<"y", tenon::nn::embedding<50, Size, tenon::nn::padding_idx<0>>, "t">,
                 tenon::output<"y">>;

void row_layers() {
  both_sizes<linear>("linear");
  both_sizes<residual>("residual<linear, gelu, linear>");
  both_sizes<dropout>("dropout<0.5>");
  both_lengths<embedded<8>>("embedding<50, size>", 8);
  both_lengths<embedded<100>>("embedding<50, size>", 100);
  both_lengths<logits<8>, tenon::losses::cross_entropy<"logits">>("cross_entropy", 8);
  both_lengths<logits<100>, tenon::losses::cross_entropy<"logits">>("cross_entropy", 100);
}

}  // namespace accuracy
