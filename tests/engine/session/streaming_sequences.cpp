// Streams of a graph with two axes: the encoder's input is given once, whole, and the decoder is stepped. Each step gives the
// results of a whole run at that step.
#include "support/worse.hpp"
#include "tenon/engine/session/session.hpp"
#include "tenon/nn/nn.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

namespace tenon::test {
using namespace nn;

using sentences = std::vector<std::vector<int>>;

struct attending_gru : equations::symbols {  // Bahdanau et al. 2015
  static constexpr auto step(auto y, auto s, auto memory) {
    const auto e = matrix<"v", 1>(tanh(W<"a", 7>(s) + U<"a", 7>(memory)));
    const auto c = sum<"source">(softmax<"source">(e) * memory);
    const auto z = sigmoid(W<"z">(y) + U<"z">(s) + V<"z">(c) + b<"z">);
    const auto r = sigmoid(W<"r">(y) + U<"r">(s) + V<"r">(c) + b<"r">);
    return (1 - z) * s + z * tanh(W<"n">(y) + U<"n">(r * s) + V<"n">(c) + b<"n">);
  }
};
// The decoder of PyTorch's tutorial: a weight for each of 5 steps, from the input and the state.
struct tutorial_decoder : equations::symbols {
  static constexpr auto step(auto y, auto s, auto memory) {
    const auto weights = softmax(W<"attn", 5>(concat(y, s)) + b<"attn">);
    const auto found = sum<"source">(pick(weights, position_of<"source">(memory)) * memory);
    return tanh(W<"in">(concat(y, found)) + U<"in">(s));
  }
};
// Sees a sequence and a vector, through equations that a step does not change, and carries a second state.
struct peeking_cell : equations::symbols {
  static constexpr auto step(auto x, auto h, auto weights, auto memory, auto style) {
    const auto keys = tanh(U<"k", 6>(memory) + V<"k">(exp(b<"scale"> + style)));
    const auto seen = softmax<"source">(dot(W<"q", 6>(concat(h, style)), keys));
    const auto found = sum<"source">(seen * memory) + mean<"source">(memory);
    const auto next_h = tanh(W<"h">(x) + U<"h">(h) + V<"h">(concat(found, style)));
    return next(next_h, 0.5 * weights + as_features<"source">(seen));
  }
};

struct side_by_side {
  static constexpr auto at(auto a, auto b) { return concat(a, b); }
};
struct start_of : equations::symbols {
  static constexpr auto at(auto last) { return tanh(W<"start", 7>(last) + b<"start">); }
};

template <class... Decoder>
using translator =
    graph<"translator", input<"words", token<9>, steps<5, "source">>,
          input<"written", token<8>, steps<6, "target">>, node<"read", embedding<9, 4>, "words">,
          node<"states", gru<3, bidirectional>, "read">, node<"before", embedding<8, 4>, "written">,
          Decoder..., node<"logits", linear<8>, "decoder">, output<"logits">>;
using bahdanau =
    translator<node<"start", start_of, "states.final">,
               node<"decoder", recurrent<attending_gru, hidden<7>>, "before", "start", "states">>;
using tutorial = translator<node<"decoder", recurrent<tutorial_decoder, hidden<7>>, "before", "states">>;
using attention_behind = translator<node<"over_target", gru<6, layers<2>>, "before">,
                                    node<"context", attention<score::additive<5>>, "over_target", "states">,
                                    node<"decoder", side_by_side, "over_target", "context">>;
// Sutskever et al. 2014: only the last state of the source.
using last_state =
    translator<node<"start", start_of, "states.final">, node<"decoder", gru<7>, "before", "start">>;
using heads = translator<node<"over_target", gru<6>, "before">,
                         node<"decoder", multi_head<6, 2>, "over_target", "states">>;
using peeking =
    graph<"peeking", input<"words", token<9>, steps<5, "source">>,
          input<"written", token<8>, steps<6, "target">>, input<"style", features<2>>,
          node<"read", embedding<9, 4>, "words">, node<"states", gru<3>, "read">,
          node<"before", embedding<8, 4>, "written">,
          node<"decoder", recurrent<peeking_cell, hidden<6, 5>, layers<2>>, "before", "states", "style">,
          node<"logits", linear<8>, "decoder">, output<"logits">, output<"states">>;

// The sources of three rows, and the target of each: two sets, so that a second sentence follows the first.
const sentences sources[]{{{3, 1, 4, 1, 5}, {2, 7}, {8, 2, 8}}, {{6}, {1, 2, 3, 4}, {5, 5, 5}}};
const sentences targets[]{{{1, 2, 3, 4, 5, 6}, {0, 7, 1, 2, 2, 1}, {3, 3, 3, 1, 0, 2}},
                          {{4, 4, 1, 0, 2, 3}, {2, 1, 2, 1, 2, 1}, {7, 6, 5, 4, 3, 2}}};
sentences first_rows(const sentences& all, int rows) { return {all.begin(), all.begin() + rows}; }
const std::vector<float> styles{0.5f, -1, 0.25f, 0.75f, -0.5f, 1};

template <class Session>
void set_style([[maybe_unused]] Session& session, [[maybe_unused]] int rows) {
  if constexpr (engine::input_edge<typename Session::plan>("style") >= 0)
    set_input<"style">(session, std::vector<float>(styles.begin(), styles.begin() + 2 * rows));
}

template <class G, class Backend, int Batch>
void check_steps(int rows, double tolerance) {
  const parameters<G> theta(seed{3}), other(seed{4});
  inference<G, batch<3>, on<Backend>> whole;
  streaming<G, batch<Batch>, on<Backend>> live;
  const auto compare = [&](const parameters<G>& used, const sentences& source, const sentences& target) {
    set_input<"words">(whole, source);
    set_input<"written">(whole, target);
    set_style(whole, rows);
    whole.run(used);
    live.reset();
    double worst = 0;
    for (std::size_t t = 0; t < 6; ++t) {
      std::vector<int> tokens;
      for (const auto& row : target) tokens.push_back(row[t]);
      live.step(used, tokens);
      const auto y = get<"logits">(live);
      REQUIRE(y.shape(0) == rows);
      for (int r = 0; r < rows; ++r)
        for (int k = 0; k < 8; ++k)
          worst = worse(worst, std::abs(double(y(r, k)) - double(get<"logits">(whole)(r, t, k))));
    }
    CHECK(worst <= tolerance);
  };
  for (int pass : {0, 1, 1}) {
    set_input<"words">(live, first_rows(sources[pass], rows));
    set_style(live, rows);
    compare(theta, first_rows(sources[pass], rows), first_rows(targets[pass], rows));
  }
  compare(other, first_rows(sources[1], rows), first_rows(targets[0], rows));  // the source stays
  compare(theta, first_rows(sources[1], rows), first_rows(targets[1], rows));
}
TEST_CASE("Bahdanau's decoder step by step, of one row, of fewer than there is room for, in both backends") {
  check_steps<bahdanau, backend::cpu, 1>(1, 2e-6);
  check_steps<bahdanau, backend::cpu, 4>(3, 2e-6);
  check_steps<bahdanau, backend::cpu, 4>(2, 2e-6);
  check_steps<bahdanau, backend::reference, 4>(2, 2e-6);
}
// How many products of a stream's decoder run in this phase.
template <class G>
constexpr int products_in(ir::phase when) {
  using plan = typename streaming<G>::plan;
  int count = 0;
  const auto look = [&]<int O>() {
    if constexpr (plan::net.operations[O].path == ir::name("decoder"))
      for (const ir::kernel& k : plan::template program_of<O>::forward_schedule::value.kernels)
        count += k.when == when && k.kind == ir::kernel_kind::matmul;
  };
  [&]<int... O>(std::integer_sequence<int, O...>) { (look.template operator()<O>(), ...); }
  (std::make_integer_sequence<int, plan::net.operations.size>{});
  return count;
}
TEST_CASE("what the steps do not change is no part of them") {
  CHECK(products_in<bahdanau>(ir::phase::once) == 1);  // U_a of all of the memory
  CHECK(products_in<last_state>(ir::phase::once) == 0);
  using plan = streaming<bahdanau>::plan;
  for (int o = 0; o < plan::net.operations.size; ++o) {
    const std::string path(plan::net.operations[o].path.view());
    CAPTURE(path);
    CHECK(plan::runs_once(o) == (path == "read" || path == "states" || path == "start"));
  }
}
TEST_CASE("the decoder of the tutorial") { check_steps<tutorial, backend::cpu, 3>(3, 2e-6); }
TEST_CASE("attention behind a recurrence") { check_steps<attention_behind, backend::cpu, 3>(3, 2e-6); }
TEST_CASE("a decoder that knows the last state alone") { check_steps<last_state, backend::cpu, 3>(3, 2e-6); }
TEST_CASE("heads over the memory") { check_steps<heads, backend::cpu, 3>(3, 2e-6); }
TEST_CASE("a cell that sees a sequence and a vector through equations, in two layers") {
  check_steps<peeking, backend::cpu, 3>(2, 2e-6);
}

}  // namespace tenon::test
