// embedding<Vocabulary, Width>: maps tokens to rows of a learned table [Vocabulary, Width], in a sequence or single.
#pragma once

#include "tenon/nn/options.hpp"

namespace tenon::inline v0_1 {

namespace nn {

// The row of this token starts at zero and gets no gradient (PyTorch's padding_idx).
template <int Token>
struct padding_idx {
  static constexpr void set(auto& options) requires requires { options.padding; }
  {
    options.padding = Token;
    options.is_padded = true;
  }
};

// The gradient of a row is divided by how often its token occurs in the batch (PyTorch's scale_grad_by_freq).
struct scale_grad_by_freq {
  static constexpr void set(auto& options) requires requires { options.by_frequency; }
  { options.by_frequency = true; }
};
// For large tables: a training step reads, clears and updates only the rows whose tokens are in its batch (PyTorch's
// sparse). The update rule must leave rows without a gradient unchanged: sgd without momentum and adagrad, both without
// weight decay, and sparse_adam.
struct sparse {
  static constexpr void set(auto& options) requires requires { options.is_sparse; }
  { options.is_sparse = true; }
};

}  // namespace nn

namespace detail {
struct embedding_options {
  static constexpr const char* all =
      "padding_idx<token>, scale_grad_by_freq, sparse, initialized<\"weight\", start>, frozen, "
      "frozen_parameters<\"weight\">";
  int padding = -1;
  bool is_padded = false, by_frequency = false, is_sparse = false;
  ir::parameter_rules rules{};
  ir::name unknown{}, repeated{};
};
}  // namespace detail

namespace nn {

template <auto Rows, auto Columns = 0, class... Options>
struct embedding {
  static constexpr int Vocabulary = ir::size_from<Rows>, Width = ir::size_from<Columns>;
  static constexpr int build(builder& b, const edges& in) {
    if (!b.require_inputs(in, 1, 1, "embedding", "name one token source")) return -1;
    if (!b.require_int(Vocabulary, Width)) return -1;
    if (Vocabulary <= 0 || Width <= 0)
      return b.fail({.rule = "embedding<vocabulary, width> needs positive sizes",
                     .fix = "write the number of tokens, then the width of a row"});
    const ir::edge& tokens = b[in[0]];
    if (!tokens.is_token())
      return b.fail({.rule = "embedding expects tokens, got numbers",
                     .source = tokens.path,
                     .fix = "use linear<width> for numbers"});
    if (tokens.range > Vocabulary && tokens.range == Width)
      return b.fail({.rule = ir::sentence("embedding<")
                                 .append(Vocabulary)
                                 .append(", ")
                                 .append(Width)
                                 .append("> has its sizes in the other order"),
                     .fix = ir::sentence("write embedding<")
                                .append(Width)
                                .append(", ")
                                .append(Vocabulary)
                                .append(">: first how many tokens, then the width")});
    if (tokens.range > Vocabulary)
      return b.fail(
          {.rule = "the table has rows for",
           .axis = "tokens",
           .expected = Vocabulary,
           .got = tokens.range,
           .source = tokens.path,
           .fix =
               ir::sentence("write embedding<").append(tokens.range).append(", ").append(Width).append(">")});
    constexpr detail::embedding_options options =
        detail::read_options<Options...>(detail::embedding_options{});
    if (!detail::accept_options(b, options, "embedding")) return -1;
    if (options.is_padded && (options.padding < 0 || options.padding >= Vocabulary))
      return b.fail(
          {.rule = ir::sentence("padding_idx<").append(options.padding).append("> is not a row of the table"),
           .fix = ir::sentence("its rows are 0 to ").append(Vocabulary - 1)});
    return look_up(b, in, options.padding, options.by_frequency, options.is_sparse);
  }

 private:
  static constexpr int look_up(builder& b, const edges& in, int padding, bool by_frequency, bool is_sparse) {
    ir::operation o{.kind = ir::operation_kind::gather,
                    .in = in,
                    .skipped = padding,
                    .by_frequency = by_frequency,
                    .sparse = is_sparse};
    o.parameters.add(b.add_parameter("weight", Vocabulary, Width, {ir::initial::normal, 1}));
    b.net.parameters[o.parameters[0]].padding = padding;
    o.out.add(b.add_edge({.size = Width, .axis = b[in[0]].axis}));
    b.add_operation(o);
    return o.out[0];
  }
};

}  // namespace nn

}  // namespace tenon::inline v0_1
