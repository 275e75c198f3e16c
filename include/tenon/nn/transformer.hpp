// transformer_encoder<D, Heads, FeedForward>: one block of self-attention and a feed-forward network, each followed by
// a residual connection and a layer normalisation (Vaswani et al. 2017). transformer_decoder<D, Heads, FeedForward>
// attends to a second source between the two, and to its own sequence causally. Sources and output [time, batch, D].
// Options: norm_first (normalise before each part, Xiong et al. 2020), dropout<rate> (after each part and inside the
// feed-forward network), is_causal (an encoder sees no later step), an activation in place of relu: activation::gelu.
// Parameters as in PyTorch's TransformerEncoderLayer and TransformerDecoderLayer: self_attn, multihead_attn, linear1,
// linear2, norm1 .. norm3; epsilon 1e-5.
#pragma once

#include "tenon/nn/activation.hpp"
#include "tenon/nn/chain.hpp"
#include "tenon/nn/dropout.hpp"
#include "tenon/nn/multi_head.hpp"
#include "tenon/nn/normalization.hpp"

namespace tenon::inline v0_1 {

namespace nn {

struct norm_first {
  static constexpr void set(auto& options) requires requires { options.norm_first; }
  { options.norm_first = true; }
};

}  // namespace nn

namespace detail {

struct add_and_norm {
  static constexpr auto& starts = nn::layer_norm::starts;
  static constexpr auto at(auto x, auto y) { return nn::layer_norm::at(x + y); }
};
template <int Out, class Activation>
struct activated {
  static constexpr auto at(auto x) { return Activation::at(affine<Out, true>::at(x)); }
};

template <class O>
concept Activation = concepts::Pointwise<O> && !concepts::Layer<O>;
struct transformer_options {
  static constexpr const char* all =
      "norm_first, is_causal, dropout<rate>, an activation, initialized<\"name\", start>, frozen, "
      "frozen_parameters<\"name\">";
  template <class O>
  static constexpr bool takes = Activation<O>;
  double dropout = 0;
  bool norm_first = false, is_causal = false;
  ir::parameter_rules rules{};
  ir::name unknown{}, repeated{};
};

// What an encoder and a decoder share: parts, each followed by a residual connection and a normalisation.
template <int D, int FeedForward, class... Options>
struct transformer_block {
  static constexpr transformer_options options = read_options<Options...>(transformer_options{});
  template <class... O>
  struct activation_among {
    using type = nn::activation::relu;
  };
  template <class First, class... More>
  struct activation_among<First, More...> {
    using type = std::conditional_t<Activation<First>, First, typename activation_among<More...>::type>;
  };
  using hidden = activated<FeedForward, typename activation_among<Options...>::type>;

  static constexpr bool accept(builder& b, const edges& in, const char* layer) {
    if (!accept_options(b, options, layer)) return false;
    if (D <= 0 || FeedForward <= 0) {
      b.fail({.rule = sentence(layer).append(" needs positive sizes"),
              .fix = "write <features, heads, feed-forward units>"});
      return false;
    }
    for (int e : in)
      if (!b.require_numbers(e, layer) || !b.require_sequence(e, layer)) return false;
    return b.require_size(in[0], D, layer, "put linear<features> or an embedding of that width before it");
  }
  // x plus what `part` computes from it; `norm` is the name of its normalisation.
  template <class F>
  static constexpr int with_part(builder& b, int x, characters norm, F part) {
    const auto normal = [&](auto layer, const edges& of) {
      return b.within(norm, [&] { return ir::build<decltype(layer)>(b, of); });
    };
    if (!b.ok()) return -1;
    if (!options.norm_first) return normal(add_and_norm{}, edges{x, dropped(b, part(x), norm)});
    return ir::build<nn::add>(b, edges{x, dropped(b, part(normal(nn::layer_norm{}, edges{x})), norm)});
  }
  static constexpr int feed_forward(builder& b, int x) {
    const int wide = b.within("linear1", [&] { return ir::build<hidden>(b, edges{x}); });
    return b.within("linear2",
                    [&] { return ir::build<nn::linear<D>>(b, edges{dropped(b, wide, "dropout")}); });
  }
  static constexpr int dropped(builder& b, int x, characters where) {
    if (options.dropout == 0 || !b.ok()) return x;
    return b.within(where, [&] { return add_dropout(b, x, options.dropout); });
  }
};

}  // namespace detail

namespace nn {

template <int D, int Heads, int FeedForward, class... Options>
struct transformer_encoder {
  static constexpr int build(builder& b, const edges& in) {
    using block = detail::transformer_block<D, FeedForward, Options...>;
    if (!b.require_inputs(in, 1, 1, "transformer_encoder", "name one source") ||
        !block::accept(b, in, "transformer_encoder"))
      return -1;
    const auto attend = [&](int x) {
      return b.within("self_attn", [&] {
        using seeing_all = multi_head<D, Heads>;
        using seeing_earlier = multi_head<D, Heads, is_causal>;
        return ir::build<std::conditional_t<block::options.is_causal, seeing_earlier, seeing_all>>(b,
                                                                                                   edges{x});
      });
    };
    const int attended = block::with_part(b, in[0], "norm1", attend);
    return block::with_part(b, attended, "norm2", [&](int x) { return block::feed_forward(b, x); });
  }
};

template <int D, int Heads, int FeedForward, class... Options>
struct transformer_decoder {
  static constexpr int build(builder& b, const edges& in) {
    using block = detail::transformer_block<D, FeedForward, Options...>;
    if (!b.require_inputs(in, 2, 2, "transformer_decoder", "name the targets, then the memory") ||
        !block::accept(b, in, "transformer_decoder"))
      return -1;
    const int own = block::with_part(b, in[0], "norm1", [&](int x) {
      return b.within("self_attn", [&] { return ir::build<multi_head<D, Heads, is_causal>>(b, edges{x}); });
    });
    const int met = block::with_part(b, own, "norm2", [&](int x) {
      return b.within("multihead_attn", [&] { return ir::build<multi_head<D, Heads>>(b, edges{x, in[1]}); });
    });
    return block::with_part(b, met, "norm3", [&](int x) { return block::feed_forward(b, x); });
  }
};

}  // namespace nn

}  // namespace tenon::inline v0_1
