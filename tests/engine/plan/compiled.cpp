// The options that a plan gives to the compiler of programs, by batch and backend: here, which products a time loop keeps.
#include <tenon/tenon.hpp>

#include <doctest/doctest.h>

#include <vector>

using namespace tenon;
using namespace tenon::nn;
using namespace tenon::ir;

namespace {

// clang-format off
template <int Hidden>
using of_features = graph<"of_features",
    input<"x", features<8>, steps<5>>,
    node<"states", lstm<Hidden>, "x">,
    output<"states">>;
using of_tokens = graph<"of_tokens",
    input<"tokens", token<3>, steps<5>>,
    node<"vectors", embedding<3, 8>, "tokens">,
    node<"states",  lstm<8>,      "vectors">,
    output<"states">>;
// clang-format on

/// Products before the loop of the recurrent layer, and in it.
struct products {
  int before = 0, loop = 0, of_table = 0;
  constexpr bool operator==(const products&) const = default;
};
template <class Session, int O = 0>
constexpr products products_of() {
  using plan = typename Session::plan;
  constexpr auto& operations = plan::net.operations;
  if constexpr (operations[O].kind != operation_kind::scan) return products_of<Session, O + 1>();
  else {
    products n;
    for (const kernel& k : plan::template program_of<O>::forward_schedule::value.kernels)
      if (k.kind == kernel_kind::matmul) {
        n.before += k.when == phase::before;
        n.loop += k.when == phase::loop;
        n.of_table += k.of_table;
      }
    return n;
  }
}

static_assert(products_of<inference<of_features<8>>>() == products{0, 2, 0}, "one row, few weights");
static_assert(products_of<inference<of_features<8>, batch<2>>>() == products{1, 1, 0}, "several rows");
static_assert(products_of<inference<of_features<64>>>() == products{1, 1, 0}, "many weights");
static_assert(products_of<inference<of_features<8>, on<backend::reference>>>() == products{1, 1, 0});
static_assert(products_of<inference<of_tokens>>() == products{1, 1, 1}, "rows of a table are not multiplied");

}  // namespace

TEST_CASE("a small loop computes what it computes at a larger batch, to rounding") {
  const parameters<of_features<8>> theta(seed{3});
  inference<of_features<8>> alone;
  inference<of_features<8>, batch<2>> together;
  std::vector<float> x(2 * 5 * 8);
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = static_cast<float>(k % 13) / 8 - 0.75f;
  const auto both = together(theta, view<const float>(x.data(), {2, 5, 8}, {40, 8, 1}));
  const auto first = alone(theta, view<const float>(x.data(), {1, 5, 8}, {40, 8, 1}));
  for (int t = 0; t < 5; ++t)
    for (int n = 0; n < 8; ++n) CHECK(first(0, t, n) == doctest::Approx(both(0, t, n)).epsilon(1e-5));
}
