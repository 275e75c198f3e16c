// Sessions: every way to give an input and read an output; bounds of batch and time; one block of parameters
// for all.
#include "support/sample.hpp"
#include "support/worse.hpp"
#include "tenon/engine/session/session.hpp"
#include "tenon/nn/attention.hpp"
#include "tenon/nn/chain.hpp"
#include "tenon/nn/embedding.hpp"
#include "tenon/nn/recurrent.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace tenon::test {
using namespace nn;

using reader = graph<"reader", input<"words", token<9>, steps<5>>, input<"x", features<2>, steps<5>>,
                     input<"h0", layers<2>, features<3>>, node<"e", embedding<9, 2>, "words">,
                     node<"sum", add, "e", "x">, node<"h", gru<3, bidirectional>, "sum", "h0">,
                     node<"q", linear<6>, "h.final">, node<"c", attention<score::dot>, "q", "h">, output<"c">,
                     output<"h">, output<"h.h_n">, output<"c.weights">>;
using sequences = std::vector<std::vector<int>>;
const parameters<reader> theta(seed{11});

// All outputs of a session, one after the other.
template <class Session>
std::vector<float> outputs(const Session& s) {
  std::vector<float> all;
  const auto add = [&](const view<const float>& v) {
    if (v.dimension() == 2)
      tenon::detail::for_each_element<2>(v, [&](float y, auto...) { all.push_back(y); });
    else tenon::detail::for_each_element<3>(v, [&](float y, auto...) { all.push_back(y); });
  };
  add(get<"c">(s));
  add(get<"h">(s));
  add(get<"h.h_n">(s));
  add(get<"c.weights">(s));
  return all;
}

double worst_difference(const std::vector<float>& a, const std::vector<float>& b) {
  double worst = a.size() == b.size() ? 0 : 1;
  for (std::size_t k = 0; k < a.size() && worst < 1; ++k)
    worst = worse(worst, std::abs(double(a[k]) - double(b[k])));
  return worst;
}

const sequences words{{1, 2, 3}, {}, {4, 5, 6, 7, 8}};
const std::vector<int> lengths{3, 0, 5}, grid{1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 4, 5, 6, 7, 8};
const sample<graph<"numbers", input<"x", features<30>>, output<"x">>> random_rows({1, 1, 1}, 3);
const std::vector<double>& numbers = random_rows.numbers[0];
const view<const double> x(numbers.data(), {3, 5, 2}, {10, 2, 1}), h0(numbers.data(), {2, 3, 3}, {9, 3, 1});

std::vector<float> expected() {
  inference<reader, batch<3>> run;
  set_input<"words">(run, words);
  set_input<"x">(run, x, lengths);
  set_input<"h0">(run, h0);
  run.run(theta);
  return outputs(run);
}

// A view is a tensor, though it is also a range.
static_assert(!engine::Ragged<view<const int>> && !engine::Row<view<const int>> && !engine::Row<view<float>>);
static_assert(engine::Ragged<std::vector<view<const int>>> && engine::Lengths<view<const int>>);

TEST_CASE("shapes of outputs") {
  inference<reader, batch<4>> run;
  set_input<"words">(run, words);
  set_input<"x">(run, x, lengths);
  set_input<"h0">(run, h0);
  run.run(theta);
  const auto shape = [](const view<const float>& v) {
    return std::vector<std::size_t>(v.shape().begin(),
                                    v.shape().begin() + static_cast<std::ptrdiff_t>(v.dimension()));
  };
  using s = std::vector<std::size_t>;
  CHECK(run.rows() == 3);
  CHECK(shape(get<"c">(run)) == s{3, 6});
  CHECK(shape(get<"h">(run)) == s{3, 5, 6});
  CHECK(shape(get<"h.h_n">(run)) == s{2, 3, 3});
  CHECK(shape(get<"c.weights">(run)) == s{3, 5, 1});
  const auto by_time = get<"h">(run, layout::time_first);
  CHECK(shape(by_time) == s{5, 3, 6});
  for (int t = 0; t < 5; ++t) CHECK(by_time(t, 2, 4) == get<"h">(run)(2, t, 4));
}
TEST_CASE(
    "ragged vectors, grids with lengths of any integer type, views and time-first order are one input") {
  const std::vector<float> same = expected();
  inference<reader, batch<3>> run;
  set_input<"h0">(run, h0);
  const auto check = [&](const char* what) {
    run.run(theta);
    INFO(std::string(what));
    CHECK(outputs(run) == same);
  };
  set_input<"words">(run, words);
  set_input<"x">(run, x, lengths);
  check("ragged");
  set_input<"words">(run, std::vector<std::vector<std::uint8_t>>{{1, 2, 3}, {}, {4, 5, 6, 7, 8}});
  check("ragged bytes");
  set_input<"words">(run, view<const int>(grid.data(), {3, 5}, {5, 1}), std::vector<long>{3, 0, 5});
  check("grid, long lengths");
  set_input<"words">(run, view<const int>(grid.data(), {3, 5}, {5, 1}),
                     std::array<unsigned char, 3>{3, 0, 5});
  set_input<"x">(run, x, std::array<std::int64_t, 3>{3, 0, 5});
  check("lengths in arrays");
  const std::vector<view<const int>> rows_of_grid{
      {grid.data(), {3}}, {grid.data(), {0}}, {grid.data() + 10, {5}}};
  set_input<"words">(run, rows_of_grid);
  check("ragged views");
  const std::vector<int> spread{3, -1, 0, -1, 5, -1};
  set_input<"words">(run, view<const int>(grid.data(), {3, 5}), view<const int>(spread.data(), {3}, {2}));
  set_input<"x">(run, x, view<const int>(spread.data(), {3}, {2}));
  check("lengths in a view with strides");

  std::vector<int> grid_by_time(15);
  std::vector<double> x_by_time(30);
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t t = 0; t < 5; ++t) {
      grid_by_time[t * 3 + r] = grid[r * 5 + t];
      for (std::size_t j = 0; j < 2; ++j) x_by_time[(t * 3 + r) * 2 + j] = numbers[r * 10 + t * 2 + j];
    }
  set_input<"words">(run, view<const int>(grid_by_time.data(), {5, 3}, {3, 1}), lengths, layout::time_first);
  set_input<"x">(run, view<const double>(x_by_time.data(), {5, 3, 2}, {6, 2, 1}), lengths,
                 layout::time_first);
  check("time first");
  set_input<"words">(run, view<const int>(grid_by_time.data(), {3, 5}, {1, 3}), lengths);
  set_input<"x">(run, view<const double>(x_by_time.data(), {3, 5, 2}, {2, 6, 1}), lengths);
  check("strides");
}
TEST_CASE("without lengths every row has all the steps given; time first too") {
  using G = graph<"plain", input<"t", token<9>, steps<5>>, node<"e", embedding<9, 2>, "t">,
                  node<"y", rnn<3>, "e">, output<"y">>;
  const parameters<G> own(seed{1});
  inference<G, batch<2>> a, b, c;
  const std::vector<int> tokens{1, 2, 3, 4, 5, 6};
  const auto y = a(own, sequences{{1, 2, 3}, {4, 5, 6}});
  const auto z = b(own, view<const int>(tokens.data(), {2, 3}, {3, 1}));
  set_input<"t">(c, view<const int>(tokens.data(), {3, 2}, {1, 3}), layout::time_first);
  c.run(own);
  for (int r = 0; r < 2; ++r)
    for (int t = 0; t < 5; ++t)
      for (int j = 0; j < 3; ++j) {
        CHECK(z(r, t, j) == y(r, t, j));
        CHECK(get<"y">(c)(r, t, j) == y(r, t, j));
        if (t >= 3) CHECK(y(r, t, j) == 0);
      }
}
TEST_CASE("positional and named inputs are one") {
  using G = graph<"pair", input<"a", features<2>>, input<"b", features<2>>, node<"y", add, "a", "b">,
                  node<"z", linear<3>, "y">, output<"z">, output<"y">>;
  const parameters<G> own(seed{1});
  const std::vector<float> a{1, 2, 3, 4};
  const std::array<double, 4> b{5, 6, 7, 8};
  inference<G, batch<2>> positional, named;
  const auto [z, y] = positional(own, a, b);
  set_input<"b">(named, b);
  set_input<"a">(named, a);
  named.run(own);
  CHECK(z(1, 2) == get<"z">(named)(1, 2));
  CHECK(y(1, 0) == 10);
}
TEST_CASE("one block of parameters serves every bound of batch and time") {
  const std::vector<float> same = expected();
  inference<reader, batch<32>> wide;
  inference<reader, batch<3>, steps<8>> longer;
  set_input<"words">(wide, words);
  set_input<"x">(wide, x, lengths);
  set_input<"h0">(wide, h0);
  wide.run(theta);
  CHECK(worst_difference(outputs(wide), same) < 1e-6);
  inference<reader, batch<5>> odd;
  set_input<"words">(odd, words);
  set_input<"x">(odd, x, lengths);
  set_input<"h0">(odd, h0);
  odd.run(theta);
  CHECK(worst_difference(outputs(odd), same) < 1e-6);
  set_input<"words">(longer, words);
  set_input<"x">(longer, x, lengths);
  set_input<"h0">(longer, h0);
  longer.run(theta);
  CHECK(get<"h">(longer).shape(1) == 8);
  CHECK(std::abs(get<"c">(longer)(2, 1) - get<"c">(wide)(2, 1)) < 1e-6);
  CHECK(get<"h">(longer)(2, 7, 1) == 0);
  // more steps than the graph itself allows
  set_input<"words">(longer, sequences{{1, 2, 3, 4, 5, 6, 7, 8}});
  set_input<"x">(longer, view<const double>(numbers.data(), {1, 8, 2}, {16, 2, 1}));
  set_input<"h0">(longer, view<const double>(numbers.data(), {2, 1, 3}, {3, 3, 1}));
  longer.run(theta);
  CHECK(get<"h">(longer)(0, 7, 1) != 0);
}
TEST_CASE("the size of a workspace is a constant, and grows with its bounds alone") {
  static_assert(inference<reader, batch<3>>::workspace_bytes > 0);
  static_assert(inference<reader, batch<32>>::workspace_bytes > inference<reader, batch<3>>::workspace_bytes);
  static_assert(inference<reader, batch<3>, steps<8>>::workspace_bytes >
                inference<reader, batch<3>>::workspace_bytes);
  static_assert(differentiation<reader, void, batch<3>>::workspace_bytes >
                inference<reader, batch<3>>::workspace_bytes);
  static_assert(sizeof(inference<reader, batch<3>>) <
                2000);  // shapes are static, but their memory is not on the stack
}
TEST_CASE("sessions in several threads share one const block of parameters") {
  const std::vector<float> same = expected();
  std::array<int, 2> right{};
  const auto work = [&](std::size_t mine) {
    inference<reader, batch<3>> run;
    for (int n = 0; n < 50; ++n) {
      set_input<"words">(run, words);
      set_input<"x">(run, x, lengths);
      set_input<"h0">(run, h0);
      run.run(theta);
      right[mine] += outputs(run) == same;
    }
  };
  std::thread one(work, 0), two(work, 1);
  one.join();
  two.join();
  CHECK(right == std::array<int, 2>{50, 50});
}
TEST_CASE("gradients are added to what stands there") {
  differentiation<reader, void, batch<3>> run;
  parameters<reader> once(zeros{}), twice(zeros{});
  set_input<"words">(run, words);
  set_input<"x">(run, x, lengths);
  set_input<"h0">(run, h0);
  for (parameters<reader>* g : {&once, &twice, &twice}) {
    run.forward(theta);
    output_adjoint<"c">(run)(2, 1) += 1;
    run.backward(theta, *g);
  }
  double worst = 0, size = 0;
  for (int k = 0; k < parameters<reader>::block_size; ++k) {
    const double a = std::as_const(once).data()[k], b = std::as_const(twice).data()[k];
    worst = worse(worst, std::abs(b - 2 * a));
    size = std::max(size, std::abs(a));
  }
  CHECK(size > 1e-3);
  CHECK(worst < 1e-6);
}

}  // namespace tenon::test
