// xtensor types: arrays, fixed tensors and lazy expressions as inputs; outputs and parameters as adaptors.
#include "tenon/tensor/xtensor.hpp"

#include "tenon/engine/session/session.hpp"
#include "tenon/nn/chain.hpp"
#include "tenon/nn/embedding.hpp"
#include "tenon/nn/recurrent.hpp"

#include <doctest/doctest.h>
#include <xtensor/xarray.hpp>
#include <xtensor/xfixed.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>

#include <vector>

namespace tenon::test {
using namespace nn;

using model =
    graph<"model", input<"words", token<9>, steps<4>>, input<"x", features<3>, steps<4>>,
          input<"style", token<5>>, input<"h0", layers<2>, features<2>>, node<"e", embedding<9, 3>, "words">,
          node<"s", embedding<5, 3>, "style">, node<"a", add, "e", "x">, node<"b", add, "a", "s">,
          node<"h", rnn<2, bidirectional>, "b", "h0">, output<"h">, output<"h.h_n">>;
const parameters<model> theta(seed{3});

const xt::xtensor<int, 2> words{{1, 2, 3, 4}, {5, 6, 7, 8}};
const xt::xtensor<double, 3> x = [] {
  xt::xtensor<double, 3> filled(std::array<std::size_t, 3>{2, 4, 3});
  for (std::size_t k = 0; k < filled.size(); ++k) filled.data()[k] = double(k) / 24;
  return filled;
}();
const xt::xtensor_fixed<long, xt::xshape<2>> style{1, 4};
const xt::xtensor<float, 3> h0 = xt::ones<float>({2, 2, 2}) * 0.25f;
const std::vector<int> lengths{4, 2};

template <class Session>
xt::xtensor<float, 3> run(Session& s) {
  s.run(theta);
  return as_xtensor<3>(get<"h">(s));
}
xt::xtensor<float, 3> expected() {
  inference<model, batch<2>> s;
  const std::vector<int> t{1, 2, 3, 4, 5, 6, 7, 8};
  set_input<"words">(s, view<const int>(t.data(), {2, 4}, {4, 1}), lengths);
  set_input<"x">(s, view<const double>(x.data(), {2, 4, 3}, {12, 3, 1}), lengths);
  set_input<"style">(s, std::vector<int>{1, 4});
  set_input<"h0">(s, view<const float>(h0.data(), {2, 2, 2}, {4, 2, 1}));
  return run(s);
}

TEST_CASE("arrays, fixed tensors and expressions are inputs like any other") {
  const xt::xtensor<float, 3> same = expected();
  inference<model, batch<2>> s;
  set_input<"words">(s, words, lengths);
  set_input<"x">(s, x, lengths);
  set_input<"style">(s, style);
  set_input<"h0">(s, h0);
  CHECK(run(s) == same);

  set_input<"words">(s, words + 0, lengths);  // computed while it is read
  set_input<"x">(s, 2.0 * x - x, lengths);
  set_input<"style">(s, xt::view(xt::xtensor<int, 2>{{1, 7, 4}}, 0, xt::range(0, 3, 2)));
  set_input<"h0">(s, xt::ones<double>({2, 2, 2}) / 4.0);
  CHECK(run(s) == same);

  const xt::xtensor<int, 2> by_time = xt::transpose(words);
  set_input<"words">(s, by_time, lengths, layout::time_first);
  set_input<"words">(s, xt::transpose(words), lengths, layout::time_first);
  set_input<"x">(s, xt::transpose(x, {1, 0, 2}), lengths, layout::time_first);
  CHECK(run(s) == same);

  const xt::xtensor<std::size_t, 1> as_tensor{4, 2};
  set_input<"words">(s, words, as_tensor);
  CHECK(run(s) == same);
}
#ifndef __clang__  // xtensor 0.24: the shape type of xarray is ambiguous to clang 19
TEST_CASE("arrays whose rank is known at run time") {
  inference<model, batch<2>> s;
  const xt::xarray<int> own_words = words;
  set_input<"words">(s, own_words, lengths);
  set_input<"x">(s, xt::xarray<float>(x), lengths);
  set_input<"style">(s, xt::xarray<int>{1, 4});
  set_input<"h0">(s, xt::xarray<double>(h0) * 1.0);
  CHECK(run(s) == expected());
  CHECK_THROWS_WITH_AS(set_input<"words">(s, xt::xarray<int>{1, 2}),
                       "input 'words': expected rank 2, got rank 1", input_error);
  CHECK_THROWS_WITH_AS(set_input<"x">(s, xt::xarray<double>(xt::ones<double>({2, 3}))),
                       "input 'x': expected rank 3, got rank 2", input_error);
}
#endif
TEST_CASE("wrong expressions are errors with the words of any other input") {
  inference<model, batch<2>> s;
  CHECK_THROWS_WITH_AS(set_input<"x">(s, x * 2.0, std::vector<int>{5, 1}),
                       "input 'x': row 0: length 5 is beyond the bound of 4 steps", input_error);
  CHECK_THROWS_WITH_AS(set_input<"words">(s, words + 3),
                       "input 'words': row 1, step 1: token 9 is outside table 'e.weight' of 9 rows",
                       input_error);
  CHECK_THROWS_WITH_AS(set_input<"style">(s, xt::xtensor_fixed<int, xt::xshape<3>>{1, 1, 1}),
                       "input 'style': at most 2 rows fit into batch<2>, got 3", input_error);
}
TEST_CASE("outputs and parameters are seen without a copy") {
  inference<model, batch<3>> s;
  set_input<"words">(s, words, lengths);
  set_input<"x">(s, x, lengths);
  set_input<"style">(s, style);
  set_input<"h0">(s, h0);
  s.run(theta);
  const auto h = as_xtensor<3>(get<"h">(s));
  CHECK(h.shape(0) == 2);
  CHECK(h.shape(1) == 4);
  CHECK(h.shape(2) == 4);
  for (std::size_t r = 0; r < 2; ++r)
    for (std::size_t t = 0; t < 4; ++t)
      for (std::size_t j = 0; j < 4; ++j) CHECK(&h(r, t, j) == &get<"h">(s)(r, t, j));
  CHECK(h(1, 3, 0) == 0);  // past its end
  CHECK_THROWS_WITH_AS(as_xtensor<2>(get<"h">(s)), "as_xtensor<2>: the tensor has rank 3",
                       std::invalid_argument);

  parameters<model> own(seed{3});
  auto table = as_xtensor<2>(get<"e.weight">(own));
  CHECK(table.data() == get<"e.weight">(std::as_const(own)).data());
  xt::view(table, 1) = 7;
  for (int j = 0; j < 3; ++j) CHECK(get<"e.weight">(std::as_const(own))(1, j) == 7);
  const auto bias = as_xtensor<1>(get<"h.bias_ih_l0">(std::as_const(own)));
  CHECK(xt::sum(bias)() == doctest::Approx(bias(0) + bias(1)));
}
TEST_CASE("a streaming step takes expressions") {
  using G = graph<"live", input<"x", features<3>, steps<4>>, node<"h", gru<2>, "x">, output<"h">>;
  const parameters<G> own(seed{3});
  inference<G, batch<2>> whole;
  whole(own, x);
  streaming<G, batch<2>> live;
  for (std::size_t t = 0; t < 4; ++t) {
    const auto y = live.step(own, xt::view(x, xt::all(), t, xt::all()) * 1.0);
    CHECK(y(1, 1) == doctest::Approx(get<"h">(whole)(1, t, 1)).epsilon(1e-6));
  }
}

}  // namespace tenon::test
