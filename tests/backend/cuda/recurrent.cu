// An LSTM on a GPU, all its steps one kernel: its values are those of the reference.
#include "tenon/backend/cuda/cuda.hpp"
#include "tenon/engine/session/session.hpp"
#include "tenon/nn/recurrent.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace tenon::test {

using model =
    graph<"model", input<"x", features<5>, steps<7>>, node<"states", lstm<40>, "x">, output<"states">>;

template <class Backend, class T>
std::vector<double> values() {
  std::vector<T> x;
  for (int k = 0; k < 3 * 7 * 5; ++k) x.push_back(static_cast<T>(std::sin(0.7 * k)));
  const parameters<model, T> theta(seed{1});
  inference<model, batch<3>, on<Backend>, scalar_type<T>> run(theta);
  const auto y = run(view<const T>(x.data(), {3, 7, 5}, {35, 5, 1}));
  std::vector<double> all;
  for (int r = 0; r < 3; ++r)
    for (int t = 0; t < 7; ++t)
      for (int j = 0; j < 40; ++j) all.push_back(static_cast<double>(y(r, t, j)));
  return all;
}
TEST_CASE("an LSTM on a GPU") {
  const std::vector<double> expected = values<backend::reference, float>(),
                            got = values<backend::cuda, float>();
  REQUIRE(expected.size() == got.size());
  for (std::size_t k = 0; k < got.size(); ++k) CHECK(got[k] == doctest::Approx(expected[k]).epsilon(1e-4));
}

}  // namespace tenon::test
