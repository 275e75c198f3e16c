// Which equations of a network become one: those whose only reader maps what they make. Results and gradients are those of the same
// network whose nodes are all outputs, so that none is joined.
#include "tenon/engine/plan/joined_operations.hpp"

#include "support/trial.hpp"
#include "tenon/engine/session/session.hpp"
#include "tenon/nn/nn.hpp"

#include <doctest/doctest.h>

namespace tenon::test {

using namespace nn;

namespace {

// --- which ---------------------------------------------------------------------------------------------------
constexpr int equations_of(const auto& net) {
  int n = 0;
  for (const operation& o : net.operations) n += traits_of(o.kind).is_equation;
  return n;
}
template <class G>
constexpr int as_written = equations_of(network_of<G>);
template <class G>
constexpr int joined = equations_of(engine::detail::joined_network_of<G, void>());

using sequence = input<"x", features<5>, steps<7>>;
template <class... Nodes>
using net = graph<"net", sequence, Nodes..., output<"y">>;

using residual = net<node<"a", linear<5>, "x">, node<"b", activation::tanh, "a">, node<"y", add, "x", "b">>;
static_assert(as_written<residual> == 3 && joined<residual> == 1);
using normalised = net<node<"a", linear<3>, "x">, node<"y", layer_norm, "a">>;
static_assert(as_written<normalised> == 2 && joined<normalised> == 1, "sums of features are maps");
using products = net<node<"a", linear<3>, "x">, node<"y", linear<2>, "a">>;
static_assert(joined<products> == 2, "a product of what a product makes is another one");
using read_twice = net<node<"a", linear<5>, "x">, node<"b", activation::tanh, "a">, node<"c", linear<5>, "a">,
                       node<"y", add, "b", "c">>;
static_assert(as_written<read_twice> == 4 && joined<read_twice> == 2, "tanh, product and sum are one");
using shown = graph<"shown", sequence, node<"a", linear<5>, "x">, node<"y", activation::tanh, "a">,
                    output<"a">, output<"y">>;
static_assert(joined<shown> == 2, "the caller reads a");
using lost = net<node<"a", linear<5>, "x">, node<"b", dropout<0.5>, "a">, node<"y", add, "x", "b">>;
static_assert(as_written<lost> == 2 && joined<lost> == 2, "what is dropped is drawn between them");
using tied_vectors = graph<"tied", sequence, node<"a", linear<3>, "x">, node<"y", layer_norm, "a">,
                           tied<"a.bias", "y.bias">, output<"y">>;
static_assert(joined<tied_vectors> == 2, "both would add to one gradient at once");
using of_sequences = graph<"of sequences", sequence, input<"z", features<5>>, node<"a", linear<5>, "z">,
                           node<"y", add, "x", "a">, output<"y">>;
static_assert(as_written<of_sequences> == 2 && joined<of_sequences> == 2, "a runs once, y at every step");
using averaged = net<node<"a", mean_over<>, "x">, node<"y", activation::tanh, "a">>;
static_assert(as_written<averaged> == 2 && joined<averaged> == 2,
              "a sum over the steps is a kernel of its own");
using recurrent = net<node<"a", gru<3>, "x">, node<"y", activation::tanh, "a">>;
static_assert(joined<recurrent> == 1, "a loop stays as it is");
using beside = net<node<"a", linear<3>, "x">, node<"b", linear<2>, "x">, node<"c", concatenate, "a", "b">,
                   node<"y", activation::tanh, "c">>;
static_assert(as_written<beside> == 4 && joined<beside> == 1, "both products of x");
// Windows that only products read stay where they are, and rows of a table are products of their own: such an input remains the first.
struct weighed : equations::symbols {
  static constexpr auto at(auto u, auto v) { return W<"", 3>(u) + v; }
};
using multiplied_first =
    net<node<"u", unfold<3, is_causal>, "x">, node<"a", linear<3>, "x">, node<"y", weighed, "u", "a">>;
static_assert(joined<multiplied_first> == 2);
using multiplied_number = net<node<"a", linear<3>, "x">, node<"y", weighed, "x", "a">>;
static_assert(joined<multiplied_number> == 1);
struct weighed_last : equations::symbols {
  static constexpr auto at(auto v, auto u) { return W<"", 3>(u) + v; }
};
using multiplied_last =
    net<node<"u", unfold<3, is_causal>, "x">, node<"a", linear<3>, "x">, node<"y", weighed_last, "a", "u">>;
static_assert(joined<multiplied_last> == 1);
struct times {
  static constexpr auto at(auto c, auto x) { return c * x; }
};
using static_factor = graph<"static factor", sequence, input<"z", features<5>>, node<"a", linear<5>, "z">,
                            node<"b", activation::tanh, "a">, node<"y", times, "b", "x">, output<"y">>;
static_assert(as_written<static_factor> == 3 && joined<static_factor> == 2, "a and b run once");

// A program has room for 16 sources.
template <ir::text Name>
using number = input<Name, features<2>>;
struct sum_of_eight {
  static constexpr auto at(auto a, auto b, auto c, auto d, auto e, auto f, auto g, auto h) {
    return a + b + c + d + e + f + g + h;
  }
};
struct sum_of_nine {
  static constexpr auto at(auto a, auto b, auto c, auto d, auto e, auto f, auto g, auto h, auto i) {
    return a + b + c + d + e + f + g + h + i;
  }
};
using of_many = graph<"of many", number<"a">, number<"b">, number<"c">, number<"d">, number<"e">, number<"f">,
                      number<"g">, number<"h">, number<"i">, number<"j">, number<"k">, number<"l">,
                      number<"m">, number<"n">, number<"o">, number<"p">,
                      node<"s", sum_of_eight, "a", "b", "c", "d", "e", "f", "g", "h">,
                      node<"t", sum_of_nine, "s", "i", "j", "k", "l", "m", "n", "o", "p">,
                      node<"z", linear<2>, "a">, node<"y", add, "t", "z">, output<"y">, output<"z">>;
static_assert(as_written<of_many> == 4 && joined<of_many> == 3, "z would be the seventeenth");
static_assert(engine::detail::joined_network_of<of_many, void>().programs.size == 3, "only those that run");
template <class T>
struct sums;
template <int... K>
struct sums<std::integer_sequence<int, K...>> {
  static constexpr auto letter(int k) {
    text<3> t;
    t.chars[0] = 's';
    t.chars[1] = static_cast<char>('a' + k);
    return t;
  }
  using type = graph<"sums", input<"x", features<2>, steps<3>>, node<letter(0), activation::tanh, "x">,
                     node<letter(K + 1), add, letter(K), "x">..., output<letter(sizeof...(K))>>;
};
using one_source = sums<std::make_integer_sequence<int, 20>>::type;
static_assert(as_written<one_source> == 21 && joined<one_source> == 1, "all read x, which is one source");

// Two equations that surely fit into all capacities make one that does.
template <int N>
struct long_map {
  static constexpr auto at(auto x) {
    for (int k = 1; k <= N; ++k) x = tanh(x) + k;  // three instructions with the number
    return x;
  }
};
using short_enough = net<node<"a", long_map<6>, "x">, node<"y", long_map<6>, "a">>;
using too_long = net<node<"a", long_map<7>, "x">, node<"y", long_map<7>, "a">>;
static_assert(joined<short_enough> == 1 && joined<too_long> == 2);

// --- the same numbers ----------------------------------------------------------------------------------------
template <class M, class G, class Shown>
findings check_same(const std::vector<int>& lengths) {
  using loss = losses::mse<"y">;
  constexpr int rows = 3;
  static_assert(parameters<G>::block_size == parameters<Shown>::block_size);
  trial<M, G, rows, loss> got(5);
  trial<M, Shown, rows, loss> expected(5);
  const findings of_all = expected(sample<Shown, loss>(lengths, 7));
  findings found = got(sample<G, loss>(lengths, 7));
  double largest = 0;
  for (const auto& [what, numbers] : found) {
    const auto same = of_all.find(what);
    REQUIRE_MESSAGE(same != of_all.end(), what);
    REQUIRE_MESSAGE(same->second.size() == numbers.size(), what);
    CAPTURE(what);
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      CAPTURE(k);
      CHECK(numbers[k] == doctest::Approx(same->second[k]).epsilon(1e-5).scale(1));
      largest = std::max(largest, std::abs(numbers[k]));
    }
  }
  CHECK(largest > 0);
  return found;
}
// On both machines, for rows of one length and of several.
template <class G, class Shown>
void check_joined() {
  static_assert(joined<G> < as_written<G> && joined<Shown> == as_written<Shown>);
  check_same<oracle, G, Shown>({7, 7, 7});
  check_same<oracle, G, Shown>({7, 3, 5});
  check_same<processor, G, Shown>({7, 7, 7});
  check_same<processor, G, Shown>({7, 3, 5});
}

// What a stream gives for each step, in single steps and in blocks.
template <class Stream, class G>
std::vector<float> stream_of(const parameters<G>& theta, int block) {
  Stream live(theta);
  std::vector<float> x(size_t(5 * 7)), y;
  random_numbers random(3);
  for (float& v : x) v = static_cast<float>(random());
  const std::span<const float> all(x);
  for (int t = 0; t < 7; t += block) {
    const auto here = all.subspan(size_t(5 * t), size_t(5 * std::min(block, 7 - t)));
    if constexpr (requires { live.run(here); }) live.run(here);
    else live.step(here);
    const auto made = get<"y">(live);
    y.insert(y.end(), made.begin(), made.end());
  }
  return y;
}
template <class G, class Shown>
void check_streams() {
  const parameters<G> theta(seed{4});
  parameters<Shown> of_all(seed{4});
  const std::vector<float> expected = stream_of<streaming<Shown>>(of_all, 1);
  for (const std::vector<float>& got :
       {stream_of<streaming<G>>(theta, 1), stream_of<streaming<G, block<4>>>(theta, 4)}) {
    REQUIRE(got.size() == expected.size());
    for (std::size_t k = 0; k < got.size(); ++k) CHECK(got[k] == doctest::Approx(expected[k]).epsilon(1e-5));
  }
}

using dilated = net<node<"c", conv1d<5, 3, is_causal, dilation<2>>, "x">, node<"a", activation::tanh, "c">,
                    node<"m", linear<5>, "a">, node<"n", add, "x", "m">, node<"h", add, "a", "n">,
                    node<"y", linear<2>, "h">>;
using dilated_shown = graph<"net", sequence, node<"c", conv1d<5, 3, is_causal, dilation<2>>, "x">,
                            node<"a", activation::tanh, "c">, node<"m", linear<5>, "a">,
                            node<"n", add, "x", "m">, node<"h", add, "a", "n">, node<"y", linear<2>, "h">,
                            output<"y">, output<"c">, output<"a">, output<"m">, output<"n">, output<"h">>;
// Windows whose product is added to what has as many steps as there are windows.
using strided =
    graph<"strided", input<"x", grid<6, 6>, features<2>>, node<"c", conv2d<3, 3, 3, stride<2>>, "x">,
          node<"d", conv2d<3, 3, 3, stride<2>>, "x">, node<"e", activation::tanh, "d">,
          node<"n", add, "c", "e">, node<"y", activation::sigmoid, "n">, output<"y">>;
using strided_shown =
    graph<"strided", input<"x", grid<6, 6>, features<2>>, node<"c", conv2d<3, 3, 3, stride<2>>, "x">,
          node<"d", conv2d<3, 3, 3, stride<2>>, "x">, node<"e", activation::tanh, "d">,
          node<"n", add, "c", "e">, node<"y", activation::sigmoid, "n">, output<"y">, output<"c">,
          output<"d">, output<"e">, output<"n">>;
using looked_up = graph<"looked up", input<"word", token<11>, steps<7>>, node<"e", embedding<11, 4>, "word">,
                        node<"a", linear<5>, "e">, node<"b", activation::gelu, "a">,
                        node<"n", layer_norm, "b">, node<"y", linear<3>, "n">, output<"y">>;
using looked_up_shown =
    graph<"looked up", input<"word", token<11>, steps<7>>, node<"e", embedding<11, 4>, "word">,
          node<"a", linear<5>, "e">, node<"b", activation::gelu, "a">, node<"n", layer_norm, "b">,
          node<"y", linear<3>, "n">, output<"y">, output<"a">, output<"b">, output<"n">>;
// The products of both rows give adjoints to x, one after the other; a frozen parameter has none.
using branches = net<node<"a", linear<5, frozen>, "x">, node<"b", linear<5>, "x">,
                     node<"c", activation::tanh, "a">, node<"d", add, "b", "c">, node<"e", linear<4>, "x">,
                     node<"f", linear<5>, "e">, node<"y", add, "d", "f">>;
using branches_shown =
    graph<"net", sequence, node<"a", linear<5, frozen>, "x">, node<"b", linear<5>, "x">,
          node<"c", activation::tanh, "a">, node<"d", add, "b", "c">, node<"e", linear<4>, "x">,
          node<"f", linear<5>, "e">, node<"y", add, "d", "f">, output<"y">, output<"a">, output<"b">,
          output<"c">, output<"d">, output<"e">, output<"f">>;

// Dropout's numbers do not depend on what is joined before it.
using dropped = net<node<"a", linear<5>, "x">, node<"b", activation::tanh, "a">, node<"c", dropout<0.5>, "b">,
                    node<"y", linear<2>, "c">>;
using dropped_shown =
    graph<"net", sequence, node<"a", linear<5>, "x">, node<"b", activation::tanh, "a">,
          node<"c", dropout<0.5>, "b">, node<"y", linear<2>, "c">, output<"y">, output<"a">>;

}  // namespace

TEST_CASE("dropout after what is joined") { check_joined<dropped, dropped_shown>(); }
TEST_CASE("convolutions, maps and residuals") {
  check_joined<dilated, dilated_shown>();
  check_streams<dilated, dilated_shown>();
}
TEST_CASE("convolutions with a stride, whose windows are read in place") {
  check_joined<strided, strided_shown>();
}
TEST_CASE("products of rows of a table") { check_joined<looked_up, looked_up_shown>(); }
TEST_CASE("adjoints from several products, and frozen parameters") {
  check_joined<branches, branches_shown>();
}

}  // namespace tenon::test
