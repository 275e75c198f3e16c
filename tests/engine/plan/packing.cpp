// Weights and products of tables in pieces: all pieces together are the whole, and each number is in one of them.
#include "tenon/engine/plan/packing.hpp"

#include "support/worse.hpp"
#include "tenon/engine/session/session.hpp"
#include "tenon/nn/embedding.hpp"
#include "tenon/nn/linear.hpp"
#include "tenon/nn/loss.hpp"
#include "tenon/nn/recurrent.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace tenon::test {
using namespace nn;

static_assert([] {  // no row is left out or processed twice
  for (int rows : {0, 1, 5, 10, 257})
    for (int count : {1, 2, 3, 7, 11}) {
      int next = 0;
      for (int k = 0; k < count; ++k) {
        const engine::piece mine{k, count};
        if (mine.start(rows) != next || mine.end(rows) < next) return false;
        next = mine.end(rows);
      }
      if (next != rows) return false;
    }
  return true;
}());

using model =
    graph<"model", input<"t", token<5>, steps<6>>, node<"e", embedding<5, 4>, "t">,
          node<"h", lstm<7, bidirectional, layers<2>>, "e">, node<"y", linear<3>, "h.final">, output<"y">>;

template <class Session>
struct opened : Session {
  static_assert(Session::plan::has_tables);
  using Session::pack, Session::multiply_tables;
  engine::memory<float>& packed() { return this->packed_; }
};

template <class Session>
void check_pieces() {
  const parameters<model> theta(seed{1});
  opened<Session> whole;
  whole.pack(theta);
  const std::size_t size = whole.packed().size();
  for (int count : {2, 3, 9}) {
    CAPTURE(count);
    opened<Session> all;
    for (int k = 0; k < count; ++k) all.pack(theta, {k, count});
    REQUIRE(all.packed().size() == size);
    CHECK(std::equal(all.packed().begin(), all.packed().end(), whole.packed().begin()));

    constexpr float untouched = std::numeric_limits<float>::infinity();
    std::vector<int> written(size);  // how many pieces write each number
    std::vector<long> by_piece;
    for (int k = 0; k < count; ++k) {
      opened<Session> one;
      std::fill(one.packed().begin(), one.packed().end(), untouched);
      one.pack(theta, {k, count});
      by_piece.push_back(
          std::count_if(one.packed().begin(), one.packed().end(), [](float w) { return w != untouched; }));
      for (std::size_t n = 0; n < size; ++n) written[n] += one.packed().data()[n] != untouched;
    }
    const long all_written = std::accumulate(by_piece.begin(), by_piece.end(), 0L);
    CHECK(*std::max_element(by_piece.begin(), by_piece.end()) <=
          (count < 9 ? 0.6 : 0.25) * double(all_written));
    CHECK(*std::max_element(written.begin(), written.end()) == 1);
  }

  // A product of fewer rows may add in another order.
  const engine::memory<float> without = whole.packed();
  whole.multiply_tables();
  CHECK(!std::equal(without.begin(), without.end(), whole.packed().begin()));
  for (int count : {2, 3, 9}) {
    CAPTURE(count);
    opened<Session> all;
    all.pack(theta);
    for (int k = 0; k < count; ++k) all.multiply_tables({k, count});
    double worst = 0;
    for (std::size_t n = 0; n < size; ++n)
      worst = worse(worst, std::abs(double(all.packed().data()[n]) - double(whole.packed().data()[n])));
    CHECK(worst <= 1e-6);
  }
}

TEST_CASE("packed in pieces: inference") { check_pieces<inference<model, batch<2>>>(); }
TEST_CASE("packed in pieces: training") {
  check_pieces<differentiation<model, losses::cross_entropy<"y">, batch<4>>>();
}

}  // namespace tenon::test
