// The laws of the blocks of a transformer, and the names and initial values of their parameters.
#include "tenon/nn/transformer.hpp"

#include "support/graphs.hpp"
#include "support/laws.hpp"
#include "support/sequences.hpp"

namespace tenon::test {
using namespace nn;

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
  all_are(get<"y.norm1.weight">(theta), 1);
  all_are(get<"y.norm2.bias">(theta), 0);
  all_are(get<"y.self_attn.in_proj_bias">(theta), 0);
}

}  // namespace tenon::test
