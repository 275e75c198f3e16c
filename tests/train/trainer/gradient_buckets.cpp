// Ranges of gradients that are finished together: constants of a network.
#include "tenon/train/trainer/gradient_buckets.hpp"

#include "tenon/nn/nn.hpp"
#include "tenon/parameters/parameters.hpp"

#include <doctest/doctest.h>

namespace tenon::test {
using namespace nn;

using deep =
    graph<"deep", input<"x", features<256>>, node<"a", linear<256>, "x">, node<"b", linear<256>, "a">,
          node<"c", linear<256>, "b">, node<"d", linear<256>, "c">, output<"d">>;
constexpr int size = parameters<deep>::learned_size;
constexpr auto none_late = [](int) { return false; };
template <class G, class IsLate>
constexpr auto buckets_of(IsLate is_late) {
  return engine::gradient_buckets<network_of<G>.operations.size, parameters<G>::learned_size>::of(
      network_of<G>, is_late);
}

/// Each number is in one bucket, and the last ones are finished first.
template <class Buckets>
void check_whole(const Buckets& all, int numbers) {
  std::ptrdiff_t end = numbers;
  for (int k = 0; k < all.count(); ++k) {
    CHECK(all.range(k).end == end);
    CHECK(all.range(k).first < end);
    end = all.range(k).first;
  }
  CHECK(end == 0);
}

TEST_CASE("a bucket ends where a layer begins") {
  constexpr auto all = buckets_of<deep>(none_late);
  check_whole(all, size);
  CHECK(all.count() == 4);
  CHECK(all.range(0).first == 3 * (256 * 256 + 256));
  CHECK(all.finished_after(network_of<deep>.operations.size - 1) == 1);
  CHECK(all.finished_after(0) == 4);
}
TEST_CASE("what is computed behind the backward run is finished last") {
  constexpr auto all = buckets_of<deep>([](int o) { return o == 0; });
  check_whole(all, size);
  CHECK(all.finished_after(0) == all.count() - 1);
}
TEST_CASE("a small network has one") {
  using little = graph<"little", input<"x", features<3>>, node<"a", linear<5>, "x">,
                       node<"b", linear<2>, "a">, output<"b">>;
  constexpr auto all = buckets_of<little>(none_late);
  check_whole(all, parameters<little>::learned_size);
  CHECK(all.count() == 1);
}
TEST_CASE("a table that is tied to the last layer is finished with the first operation that reads it") {
  using tied_words = graph<"tied_words", input<"x", token<500>>, node<"table", embedding<500, 128>, "x">,
                           node<"h", linear<128>, "table">, node<"y", linear<500, no_bias>, "h">,
                           tied<"table.weight", "y.weight">, output<"y">>;
  constexpr auto all = buckets_of<tied_words>(none_late);
  check_whole(all, parameters<tied_words>::learned_size);
  for (int k = 0; k < all.count(); ++k)
    if (all.range(k).first < 500 * 128) CHECK(all.finished_after(1) <= k);
}

}  // namespace tenon::test
