// Clipping of gradients: by norm against PyTorch, by value, and the norm itself.
#include "tenon/train/optimizers/clip.hpp"

#include "support/compare.hpp"
#include "support/machines.hpp"
#include "tenon/backend/reference/numbers.hpp"
#include "tenon/nn/linear.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tenon::test {
using namespace nn;

struct scale : equations::symbols {
  static constexpr auto at(auto x) { return x * vector<"w">; }
};
// "a" is [3, 5], "b" is [7], as in the golden file
using two = graph<"two", input<"x", features<5>>, input<"y", features<7>>, node<"a", linear<3, no_bias>, "x">,
                  node<"b", scale, "y">, output<"a">, output<"b">>;

template <class M>
typename M::template parameters<two> golden_gradients(const golden::file& f) {
  typename M::template parameters<two> g(zeros{});
  fill(get<"a.weight">(g), f["clip.before.a"]);
  fill(get<"b.w">(g), f["clip.before.b"]);
  return g;
}

TEST_CASE_TEMPLATE("clipping by norm agrees with PyTorch", M, oracle, processor) {
  const golden::file f = golden::read("optimizers");
  auto g = golden_gradients<M>(f);
  const double expected = f["clip.norm"].values[0];
  CHECK(optimizers::global_norm(g) == doctest::Approx(expected).epsilon(1e-6));
  CHECK(optimizers::clip_norm(g, f["clip.max_norm"].values[0]) == doctest::Approx(expected).epsilon(1e-6));
  compare(get<"a.weight">(g), f["clip.after.a"], 1e-7, "a");
  compare(get<"b.w">(g), f["clip.after.b"], 1e-7, "b");
  CHECK(optimizers::global_norm(g) == doctest::Approx(1).epsilon(1e-5));
}

// The pieces of a block, which are groups or rows of a table, have any length.
TEST_CASE("all of a piece counts in its norm, and nothing beside it") {
  for (std::ptrdiff_t count = 0; count <= 40; ++count) {
    CAPTURE(count);
    std::vector<float> x(static_cast<std::size_t>(count) + 2, 1e6f);
    double squares = 0;
    for (std::ptrdiff_t k = 1; k <= count; ++k) {
      x[static_cast<std::size_t>(k)] = float(k);
      squares += double(k * k);
    }
    CHECK(engine::sum_of_squares(x.data() + 1, count) == squares);
  }
}

TEST_CASE_TEMPLATE("gradients within the norm stay as they are", M, oracle, processor) {
  const golden::file f = golden::read("optimizers");
  auto g = golden_gradients<M>(f);
  const double expected = f["clip.norm"].values[0];
  CHECK(optimizers::clip_norm(g, 1.01 * expected) == doctest::Approx(expected).epsilon(1e-6));
  const auto same = [](auto got, float before) { CHECK(double(got) == double(before)); };
  zip(get<"a.weight">(g), f["clip.before.a"], same);
  zip(get<"b.w">(g), f["clip.before.b"], same);
}

// The run's numbers are those of earlier steps: the first piece begins a new sum, the others continue it.
TEST_CASE("pieces are clipped by the norm of all of them, whatever a backend's numbers were before") {
  const auto pieces = [](auto f) {
    f(std::ptrdiff_t(0), std::ptrdiff_t(3));
    f(std::ptrdiff_t(4), std::ptrdiff_t(1));
    f(std::ptrdiff_t(5), std::ptrdiff_t(2));
  };
  const std::vector<double> before{1, -2, 3, 7,
                                   5, -1, 3};  // all but the 7: squares of 1 + 4 + 9 + 25 + 1 + 9
  for (const double most : {0.0, 1.0, 3.5, 6.9, 7.1}) {
    CAPTURE(most);
    std::vector<double> x = before;
    backend::run_numbers numbers{.squares = 1e6, .all_squares = 2};
    engine::clip_pieces_there<backend::reference>(x.data(), pieces, most, &numbers);
    for (std::size_t k = 0; k < x.size(); ++k)
      CHECK(x[k] == doctest::Approx(k == 3 ? 7 : before[k] * std::min(1.0, most / 7)).epsilon(1e-6));
    CHECK(numbers.all_squares == 2 + 49);
  }
}

// One gradient of this size after clipping.
double clipped(double g, double most) {
  parameters<two, double> gradients(zeros{});
  get<"b.w">(gradients)(3) = g;
  CHECK(optimizers::clip_norm(gradients, most) == doctest::Approx(g).epsilon(1e-12));
  return get<"b.w">(gradients)(3);
}
TEST_CASE("the scale is most / (norm + 1e-6), wherever that is below 1") {
  for (double scale : {0.999, 0.9, 0.75, 0.5, 0.4, 1e-3}) {
    CAPTURE(scale);
    const double most = scale * (4 + 1e-6);
    CHECK(clipped(4, most) == doctest::Approx(4 * scale).epsilon(1e-12));
  }
  CHECK(clipped(4, 4 + 1e-6) == 4);
  CHECK(clipped(4, 4.5) == 4);
  // If the norm is as small as the 1e-6 in the divisor, the 1e-6 matters.
  CHECK(clipped(3e-6, 1e-6) == doctest::Approx(0.75e-6).epsilon(1e-9));
  CHECK(clipped(1e-6, 1e-6) == doctest::Approx(0.5e-6).epsilon(1e-9));
}

TEST_CASE("a negative limit is an error: it would turn the gradients round") {
  parameters<two> g(zeros{});
  CHECK_THROWS_WITH_AS(optimizers::clip_norm(g, -1),
                       "clip_norm: expected a limit of at least 0, got -1.000000", input_error);
  CHECK_THROWS_WITH_AS(optimizers::clip_value(g, -0.5),
                       "clip_value: expected a limit of at least 0, got -0.500000", input_error);
}

TEST_CASE("the norm does not overflow in float, and of nothing it is 0") {
  parameters<two> g(zeros{});
  CHECK(optimizers::global_norm(g) == 0);
  CHECK(optimizers::clip_norm(g, 1) == 0);
  get<"a.weight">(g)(2, 4) = 3e30f;
  get<"b.w">(g)(6) = -4e30f;
  CHECK(optimizers::global_norm(g) == doctest::Approx(5e30).epsilon(1e-6));
  optimizers::clip_norm(g, 10);
  CHECK(get<"a.weight">(g)(2, 4) == doctest::Approx(6).epsilon(1e-6));
  CHECK(get<"b.w">(g)(6) == doctest::Approx(-8).epsilon(1e-6));
}

TEST_CASE_TEMPLATE("clipping by value", M, oracle, processor) {
  typename M::template parameters<two> g(zeros{});
  const double given[]{-3, -0.5, -0.25, 0, 0.25, 0.5, 7}, expected[]{-0.5, -0.5, -0.25, 0, 0.25, 0.5, 0.5};
  for (std::size_t k = 0; k < 7; ++k) get<"b.w">(g)(k) = typename M::scalar(given[k]);
  get<"a.weight">(g)(0, 0) = typename M::scalar(-1e30);
  optimizers::clip_value(g, 0.5);
  for (std::size_t k = 0; k < 7; ++k) CHECK(double(get<"b.w">(g)(k)) == expected[k]);
  CHECK(double(get<"a.weight">(g)(0, 0)) == -0.5);
}

}  // namespace tenon::test
