// Which windows a plan reads in place: those that each of their readers uses only in one product.
#include "tenon/engine/plan/multiplied_windows.hpp"

#include "support/graphs.hpp"
#include "tenon/backend/cpu/cpu.hpp"
#include "tenon/graph/graph.hpp"
#include "tenon/nn/convolution.hpp"
#include "tenon/nn/pooling.hpp"

#include <doctest/doctest.h>

namespace tenon::inline v0_1::engine {

using namespace nn;

namespace {

// Equations that read windows in place, and windows that are also read otherwise.
struct count {
  int in_place = 0, put_together = 0;
  constexpr bool operator==(const count&) const = default;
};
template <class G, class Backend>
constexpr count count_readers() {
  const auto& net = detail::network_for<G, void, Backend>();
  count all;
  for (const operation& o : net.operations) {
    all.in_place += multiplied_neighbours(o) > 0;
    if (!traits_of(o.kind).reads_neighbours) continue;
    bool is_read = net.is_output(o.out[0]);
    for (const operation& reader : net.operations)
      for (int e : reader.in) is_read = is_read || (e >= 0 && net.owner(e) == o.out[0]);
    all.put_together += is_read;
  }
  return all;
}

using image = input<"x", grid<6, 6>, features<2>>;
using convolutions = graph<"convolutions", image, node<"a", conv2d<3, 3, 3>, "x">,
                           node<"y", conv2d<4, 2, 2, stride<2>>, "a">, output<"y">>;
using read_twice = graph<"read twice", image, node<"u", unfold2d<3, 3>, "x">, node<"a", linear<3>, "u">,
                         node<"b", linear<4>, "u">, output<"a">, output<"b">>;
using shown = graph<"shown", image, node<"u", unfold2d<3, 3>, "x">, node<"a", linear<3>, "u">, output<"a">,
                    output<"u">>;
using pooled = graph<"pooled", image, node<"y", max_pool2d<2, 2>, "x">, output<"y">>;
using flat = graph<"flat", image, node<"u", flatten, "x">, node<"y", linear<3>, "u">, output<"y">>;
struct beside : equations::symbols {  // reads windows in a map, too
  static constexpr auto at(auto u) { return W<"", 18>(u) * u; }
};
using mapped = graph<"mapped", image, node<"u", unfold2d<3, 3>, "x">, node<"y", beside, "u">, output<"y">>;
struct both_ways : equations::symbols {  // reads windows in two products, the second by another input
  static constexpr auto at(auto u, auto v) { return W<"first", 5>(u) + W<"second", 5>(v); }
};
using given_twice =
    graph<"given twice", image, node<"u", unfold2d<3, 3>, "x">, node<"y", both_ways, "u", "u">, output<"y">>;
using unfolded =
    graph<"unfolded", image, node<"u", unfold2d<3, 3>, "x">, node<"y", linear<3>, "u">, output<"y">>;
using wide = graph<"wide", input<"x", features<1>, steps<70>>, node<"y", conv1d<2, 65>, "x">, output<"y">>;

static_assert(count_readers<convolutions, backend::cpu>() == count{2, 0});
static_assert(count_readers<read_twice, backend::cpu>() == count{2, 0});
static_assert(count_readers<convolutions, backend::reference>() == count{0, 2});
static_assert(count_readers<convolutions, void>() == count{0, 2});  // a stream's
static_assert(count_readers<shown, backend::cpu>() == count{0, 1});
static_assert(count_readers<pooled, backend::cpu>() == count{0, 1});
static_assert(count_readers<flat, backend::cpu>() == count{0, 1});
static_assert(count_readers<mapped, backend::cpu>() == count{0, 1});
static_assert(count_readers<wide, backend::cpu>() == count{0, 1});
static_assert(count_readers<given_twice, backend::cpu>() == count{0, 1});
static_assert(detail::most_neighbours<void> == 0 &&
              detail::most_neighbours<backend::reference> == 0);  // none

// Zeros stand for places outside of the border: not if another number does. Nor may the reader see a second axis.
constexpr bool reads_in_place(double outside, int inner) {
  auto net = network_of<unfolded>;
  for (operation& o : net.operations) {
    if (traits_of(o.kind).reads_neighbours) o.outside = outside;
    else o.inner = inner;
  }
  for (const operation& o : net.operations)
    if (detail::reads_in_place(net, o, 64)) return true;
  return false;
}
static_assert(reads_in_place(0, -1) && !reads_in_place(-1e30, -1) && !reads_in_place(0, 0));

}  // namespace

TEST_CASE("windows that stay where they are") {
  CHECK(&detail::network_for<pooled, void, backend::cpu>() ==
        &network_of<pooled>);  // the network is not copied needlessly
}

}  // namespace tenon::inline v0_1::engine
