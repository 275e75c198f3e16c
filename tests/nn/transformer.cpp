// The laws of multi-head attention, layer normalisation and the blocks of a transformer, and what their parameters are
// called.
#include "tenon/nn/transformer.hpp"

#include "support/graphs.hpp"
#include "support/laws.hpp"
#include "tenon/nn/position.hpp"
#include "tenon/nn/recurrent.hpp"

namespace tenon::test {

template <class Layer, int Query, int Memory, int T, int S>
using crossing =
    graph<"crossing", input<"q", features<Query>, steps<T, "target">>,
          input<"m", features<Memory>, steps<S, "source">>, node<"y", Layer, "q", "m">, output<"y">>;
template <class Layer, int Features, int T = 4>
using meeting_itself =
    graph<"meeting itself", input<"x", features<Features>, steps<T>>, node<"y", Layer, "x">, output<"y">>;

TEST_CASE("multi-head attention to another sequence") {
  check_laws<crossing<multi_head<6, 2>, 6, 6, 4, 3>>();
  check_laws<crossing<multi_head<6, 3>, 2, 5, 3, 4>>();
}
TEST_CASE("multi-head attention to itself") {
  check_laws<meeting_itself<multi_head<8, 2, is_causal>, 8>>();
  check_laws<meeting_itself<multi_head<3, 1>, 3, 1>>();
}
// Normalised products, and the state itself: a layer normalisation in a cell (Ba et al. 2016).
struct normal_cell {
  static constexpr auto step(auto x, auto h) {
    using namespace equations;
    return tanh(normalize(W<"", 4>(x)) * vector<"gain"> + normalize(U<>(h)) + b<>);
  }
};
TEST_CASE("layer normalisation, as a layer and in a cell") {
  check_laws<meeting_itself<layer_norm, 5>>();
  check_laws<meeting_itself<recurrent<normal_cell, hidden<4>>, 3>>();
}
TEST_CASE("learned positions") {
  check_laws<meeting_itself<learned_positions<4>, 3>>();
  check_laws<meeting_itself<learned_positions<2>, 1>>();  // steps from the bound on get nothing
}
TEST_CASE("sines of positions") {
  check_laws<meeting_itself<sinusoidal_positions<6>, 6>>();
  using G = meeting_itself<sinusoidal_positions<8>, 8, 300>;
  inference<G> run;
  const std::vector<float> zeros(300 * 8);
  run.input<"x">(view<const float>(zeros.data(), {1, 300, 8}, {2400, 8, 1}));
  run.run(parameters<G>(seed{1}));
  for (int t : {0, 1, 7, 299})
    for (int i = 0; i < 4; ++i) {
      const double angle = t * std::pow(10000.0, -2.0 * i / 8);
      CHECK(std::abs(static_cast<double>(run.output<"y">()(0, t, i)) - std::sin(angle)) < 3e-5);
      CHECK(std::abs(static_cast<double>(run.output<"y">()(0, t, 4 + i)) - std::cos(angle)) < 3e-5);
    }
}
TEST_CASE("an encoder") {
  check_laws<meeting_itself<transformer_encoder<4, 2, 5>, 4>>();
  check_laws<meeting_itself<transformer_encoder<4, 1, 3, norm_first, is_causal, activation::gelu>, 4, 3>>();
}
TEST_CASE("a decoder") { check_laws<crossing<transformer_decoder<4, 2, 3>, 4, 3, 3, 4>>(); }

// --- names and starts as in PyTorch ------------------------------------------------------------------------
using encoder = meeting_itself<transformer_encoder<8, 2, 16, dropout<0.1>>, 8>;
constexpr bool has_parameter(const char* path, int rows, int columns) {
  const int p = network_of<encoder>.find_parameter(path);
  return p >= 0 && network_of<encoder>.parameters[p].rows == rows &&
         network_of<encoder>.parameters[p].columns == columns;
}
static_assert(has_parameter("y.self_attn.in_proj_weight", 24, 8) &&
              has_parameter("y.self_attn.in_proj_bias", 24, 0));
static_assert(has_parameter("y.self_attn.out_proj.weight", 8, 8) &&
              has_parameter("y.self_attn.out_proj.bias", 8, 0));
static_assert(has_parameter("y.linear1.weight", 16, 8) && has_parameter("y.linear1.bias", 16, 0));
static_assert(has_parameter("y.linear2.weight", 8, 16) && has_parameter("y.linear2.bias", 8, 0));
static_assert(has_parameter("y.norm1.weight", 8, 0) && has_parameter("y.norm2.bias", 8, 0));
static_assert(network_of<encoder>.parameters.size == 12);

TEST_CASE("gains start at one, biases of attention at zero") {
  parameters<encoder> theta(seed{1});
  const auto all_are = [](auto v, float expected) {
    for (std::size_t k = 0; k < v.size(); ++k) CHECK(v.data()[k] == expected);
  };
  all_are(theta.get<"y.norm1.weight">(), 1);
  all_are(theta.get<"y.norm2.bias">(), 0);
  all_are(theta.get<"y.self_attn.in_proj_bias">(), 0);
}

}  // namespace tenon::test
