// One step of an input in each of its forms: a sequence of one step, or rows of numbers; how many rows it has.
#include "tenon/engine/inputs/step_input.hpp"

#include "tenon/engine/session/options.hpp"
#include "tenon/nn/nn.hpp"

#include <doctest/doctest.h>

#include <array>
#include <vector>

namespace tenon::test {
using namespace nn;

using both_kinds = graph<"both_kinds", input<"t", token<9>, steps<4>>, input<"x", features<2>, steps<4>>,
                         node<"e", embedding<9, 2>, "t">, node<"y", add, "e", "x">, output<"y">>;
using plan = engine::plan_of<both_kinds, void, engine::purpose::streaming, batch<3>>;
using of_tokens = engine::step_input<plan, plan::net.inputs[0]>;
using of_numbers = engine::step_input<plan, plan::net.inputs[1]>;

template <class Input, class X>
std::vector<std::size_t> shape_of(const X& x) {
  std::vector<std::size_t> shape;
  Input::give(
      x,
      [&](const auto& sequence, const auto&...) {
        const auto extents = sequence.shape();
        for (std::size_t a = 0; a < static_cast<std::size_t>(sequence.dimension()); ++a)
          shape.push_back(static_cast<std::size_t>(extents[a]));
      },
      [&](const auto&... numbers) { shape.push_back(100 + sizeof...(numbers)); });
  return shape;
}
template <class Input, class X>
int rows_of(const X& x) {
  int rows = -1;
  const int* continues = nullptr;
  Input::look_at_rows(x, rows, continues);
  CHECK(continues == nullptr);
  return rows;
}
using shape = std::vector<std::size_t>;

TEST_CASE("tokens and tensors are sequences of one step") {
  CHECK(shape_of<of_tokens>(std::vector<int>{1, 2, 3}) == shape{3, 1});
  const float numbers[]{1, 2, 3, 4};
  CHECK(shape_of<of_numbers>(view<const float>(numbers, {2, 2}, {2, 1})) == shape{2, 1, 2});
  of_numbers::give(
      view<const float>(numbers, {2, 2}, {1, 2}), [](const auto& x) { CHECK(x(1, 0, 0) == 2); },
      [](auto&&...) {});
}
TEST_CASE("rows of numbers are given as they are") {
  CHECK(shape_of<of_numbers>(std::vector<float>{1, 2, 3, 4}) == shape{102});
  CHECK(shape_of<of_numbers>(std::vector<std::array<float, 2>>{{1, 2}, {3, 4}}) == shape{101});
}
TEST_CASE("rows of a step") {
  CHECK(rows_of<of_tokens>(std::vector<int>{1, 2, 3}) == 3);
  CHECK(rows_of<of_numbers>(std::vector<float>{1, 2, 3, 4}) == 2);
  CHECK(rows_of<of_numbers>(std::vector<std::array<float, 2>>{{1, 2}}) == 1);
  const float numbers[]{1, 2, 3, 4};
  CHECK(rows_of<of_numbers>(view<const float>(numbers, {2, 2}, {2, 1})) == 2);
  const int some[]{4, 5}, continues[]{1, 0};
  int rows = 0;
  const int* which = nullptr;
  of_tokens::look_at_rows(engine::tokens_of_some{some, continues, 2}, rows, which);
  CHECK((rows == 2 && which == continues));
}
TEST_CASE("of one feature a tensor may lack its axis") {
  using single = graph<"single", input<"x", features<1>, steps<4>>, node<"y", linear<1>, "x">, output<"y">>;
  using of_one = engine::plan_of<single, void, engine::purpose::streaming, batch<3>>;
  using input_of_one = engine::step_input<of_one, of_one::net.inputs[0]>;
  const float numbers[]{1, 2, 3};
  CHECK(shape_of<input_of_one>(view<const float>(numbers, {3})) == shape{3, 1, 1});
  CHECK(shape_of<input_of_one>(view<const float, 1>(numbers, {3})) == shape{3, 1, 1});
  CHECK(shape_of<input_of_one>(view<const float>(numbers, {3, 1})) == shape{3, 1, 1});
  input_of_one::give(
      view<const float, 1>(numbers, {3}), [](const auto& x) { CHECK(x(2, 0, 0) == 3); }, [](auto&&...) {});
  CHECK_THROWS_WITH_AS(shape_of<input_of_one>(view<const float>(numbers, {3, 1, 1})),
                       "input 'x': expected rank 2, or 1, for one step, got rank 3", input_error);
}
TEST_CASE("a tensor with a time axis is no step") {
  const float numbers[]{1, 2, 3, 4};
  CHECK_THROWS_WITH_AS(shape_of<of_numbers>(view<const float>(numbers, {2, 1, 2}, {2, 2, 1})),
                       "input 'x': expected rank 2 for one step, got rank 3", input_error);
}

}  // namespace tenon::test
