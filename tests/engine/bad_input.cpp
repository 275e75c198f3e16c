// Wrong input is an error that names the input, the place, expected and got, and changes nothing.
#include "support/tagger.hpp"
#include "tenon/engine/session/session.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace tenon::test {
using namespace nn;

using namespace tenon::ir;

using sequences = std::vector<std::vector<int>>;

// A session that has run once without error; `expect` gives it wrong input and checks that it still runs as before.
struct session {
  parameters<tagger> theta{seed{4}};
  differentiation<tagger, losses::cross_entropy<"tags">, batch<3>> run;
  const std::vector<float> numbers = std::vector<float>(3 * 4 * 3, 0.5f);
  float loss;

  session() {
    set_input<"words">(run, sequences{{1, 2}, {3, 4, 5, 6}});
    set_input<"x">(run, x(2, 4, 3), std::vector<int>{2, 4});
    set_input<"style">(run, std::vector<int>{0, 4});
    set_input<"speed">(run, std::vector<float>{1, 2, 3, 4});
    set_input<"h0">(run, x(2, 2, 3));
    set_input<"target">(run, sequences{{0, -1}, {1, 2, 3, 5}});
    loss = run.forward(theta);
  }
  view<const float> x(std::ptrdiff_t a, std::ptrdiff_t b, std::ptrdiff_t c) const {
    return {numbers.data(), {a, b, c}, {b * c, c, 1}};
  }

  template <text Name, class... Given>
  void expect(const char* message, const Given&... given) {
    CHECK_THROWS_WITH_AS(set_input<Name>(run, given...), message, input_error);
    CHECK(run.forward(theta) == loss);
  }
};

TEST_CASE("tokens outside their table") {
  session s;
  s.expect<"words">("input 'words': row 1, step 2: token 7 is outside table 'e.weight' of 7 rows",
                    sequences{{1}, {0, 6, 7}});
  s.expect<"words">("input 'words': row 0, step 0: token -1 is outside table 'e.weight' of 7 rows",
                    sequences{{-1}});
  s.expect<"words">("input 'words': row 0, step 0: token 4294967297 is outside table 'e.weight' of 7 rows",
                    std::vector<std::vector<long>>{{4294967297}});
  s.expect<"style">("input 'style': row 1: token 5 is outside table 's.0.weight' of 5 rows",
                    std::vector<int>{0, 5});
  s.expect<"target">("input 'target': row 0, step 1: token 6 is outside the range of 6", sequences{{0, 6}});
  s.expect<"target">("input 'target': row 1, step 0: token -2 is outside the range of 6",
                     sequences{{0}, {-2}});
  const std::vector<long> grid{0, 1, 2, 9, 3, 4, 5, 6};
  s.expect<"words">("input 'words': row 0, step 3: token 9 is outside table 'e.weight' of 7 rows",
                    view<const long>(grid.data(), {2, 4}, {4, 1}));
  s.expect<"words">("input 'words': row 1, step 1: token 9 is outside table 'e.weight' of 7 rows",
                    view<const long>(grid.data(), {4, 2}, {2, 1}), layout::time_first);
}
TEST_CASE("whole numbers of any type: none is another because it is cut to fewer bits") {
  session s;
  constexpr std::uint64_t all_ones = ~std::uint64_t{0};
  s.expect<"target">("input 'target': row 0, step 0: token 18446744073709551615 is outside the range of 6",
                     std::vector<std::vector<std::uint64_t>>{{all_ones}});
  s.expect<"target">("input 'target': row 0, step 1: token 4294967295 is outside the range of 6",
                     std::vector<std::vector<std::uint32_t>>{{0, 4294967295}});
  s.expect<"target">("input 'target': row 0, step 0: token 255 is outside the range of 6",
                     std::vector<std::vector<unsigned char>>{{255}});
  s.expect<"words">(
      "input 'words': row 0, step 0: token 18446744073709551615 is outside table 'e.weight' of 7 rows",
      std::vector<std::vector<std::uint64_t>>{{all_ones}});
  s.expect<"style">(
      "input 'style': row 0: token -9223372036854775808 is outside table 's.0.weight' of 5 rows",
      std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::min(), 0});
  s.expect<"x">("input 'x': row 1: length 18446744073709551615 is beyond the bound of 4 steps", s.x(2, 4, 3),
                std::vector<std::uint64_t>{2, all_ones});
  set_input<"target">(s.run, std::vector<std::vector<signed char>>{{0, -1}, {1, 2, 3, 5}});
  CHECK(s.run.forward(s.theta) == s.loss);
}
TEST_CASE("lengths out of bounds, or not one for each row") {
  session s;
  s.expect<"words">("input 'words': row 1: length 5 is beyond the bound of 4 steps",
                    sequences{{1}, {1, 2, 3, 4, 5}});
  s.expect<"x">("input 'x': row 0: length 5 is beyond the bound of 4 steps", s.x(2, 4, 3),
                std::vector<int>{5, 4});
  s.expect<"x">("input 'x': row 1: length 3 is beyond the bound of 2 steps", s.x(2, 2, 3),
                std::vector<int>{1, 3});
  s.expect<"x">("input 'x': row 1: length -1 is negative", s.x(2, 4, 3), std::vector<int>{2, -1});
  s.expect<"x">("input 'x': expected 2 lengths, one for each row, got 3", s.x(2, 4, 3),
                std::vector<int>{2, 4, 4});
  s.expect<"x">("input 'x': expected 2 lengths, one for each row, got 0", s.x(2, 4, 3), std::vector<int>{});
  s.expect<"x">("input 'x': at most 4 steps fit, got 6", s.x(1, 6, 3));
}
TEST_CASE("wrong rank, features or layers") {
  session s;
  const std::vector<int> tokens{1, 2};
  s.expect<"x">("input 'x': expected rank 3, got rank 2",
                view<const float>(s.numbers.data(), {2, 3}, {3, 1}));
  s.expect<"words">("input 'words': expected rank 2, got rank 1", view<const int>(tokens.data(), {2}, {1}));
  s.expect<"x">("input 'x': expected 3 features, got 4", s.x(2, 4, 4));
  s.expect<"speed">("input 'speed': expected 2 features, got 3",
                    view<const float>(s.numbers.data(), {2, 3}, {3, 1}));
  s.expect<"speed">("input 'speed': expected a multiple of 2 numbers, got 3", std::vector<float>{1, 2, 3});
  s.expect<"h0">("input 'h0': expected 2 layers, got 1", s.x(1, 2, 3));
  s.expect<"h0">("input 'h0': expected rank 3, got rank 2; give [layers, rows, features]",
                 view<const float>(s.numbers.data(), {2, 3}, {3, 1}));
  s.expect<"speed">(
      "input 'speed': expected rank 2, got rank 3; its first axis is that of layers: give one of them, x[k], "
      "or give the "
      "input layers<n>",
      s.x(2, 2, 2));
}
TEST_CASE("rows and sequences of numbers of another width, or too many") {
  session s;
  using rows = std::vector<std::vector<float>>;
  s.expect<"speed">("input 'speed': row 1: expected 2 numbers, got 3", rows{{1, 2}, {1, 2, 3}});
  s.expect<"speed">("input 'speed': at most 3 rows fit into batch<3>, got 4", rows(4, {1, 2}));
  s.expect<"x">("input 'x': row 1, step 1: expected 3 numbers, got 0",
                std::vector<rows>{{}, {{1, 2, 3}, {}}});
  s.expect<"x">("input 'x': row 0: length 5 is beyond the bound of 4 steps",
                std::vector<rows>{rows(5, {1, 2, 3})});
  s.expect<"x">("input 'x': the batch is empty", std::vector<rows>{});
}
TEST_CASE("too many rows, or none") {
  session s;
  s.expect<"words">("input 'words': at most 3 rows fit into batch<3>, got 4", sequences{{1}, {1}, {1}, {1}});
  s.expect<"style">("input 'style': at most 3 rows fit into batch<3>, got 4", std::vector<int>{1, 1, 1, 1});
  s.expect<"x">("input 'x': at most 3 rows fit into batch<3>, got 4", s.x(4, 1, 3));
  s.expect<"h0">("input 'h0': at most 3 rows fit into batch<3>, got 4", s.x(2, 4, 1));
  s.expect<"words">("input 'words': the batch is empty", sequences{});
  s.expect<"style">("input 'style': the batch is empty", std::array<int, 0>{});
  s.expect<"speed">("input 'speed': the batch is empty", std::vector<float>{});
  s.expect<"x">("input 'x': the batch is empty", s.x(0, 4, 3));
}

using joined = graph<"joined", input<"words", token<7>, steps<4>>, input<"x", features<3>, steps<4>>,
                     node<"e", embedding<7, 3>, "words">, node<"sum", add, "e", "x">, output<"sum">>;

TEST_CASE("inputs that do not belong together") {
  const parameters<joined> theta(seed{1});
  inference<joined, batch<3>> run;
  const std::vector<float> numbers(36, 0.5f);
  const auto x = [&](std::ptrdiff_t rows, std::ptrdiff_t steps) {
    return view<const float>(numbers.data(), {rows, steps, 3}, {steps * 3, 3, 1});
  };
  CHECK_THROWS_WITH_AS(run.run(theta), "input 'words' has not been given", input_error);
  set_input<"words">(run, sequences{{1, 2}, {3}});
  CHECK_THROWS_WITH_AS(run.run(theta), "input 'x' has not been given", input_error);
  set_input<"x">(run, x(3, 2));
  CHECK_THROWS_WITH_AS(run.run(theta), "input 'x' has 3 rows, input 'words' has 2", input_error);
  set_input<"x">(run, x(2, 2));
  CHECK_THROWS_WITH_AS(
      run.run(theta), "input 'x': row 1 has length 2, in input 'words' on the same time axis it has length 1",
      input_error);
  set_input<"x">(run, x(2, 2), std::vector<int>{2, 1});
  run.run(theta);
  const float y = get<"sum">(run)(1, 0, 2);
  CHECK(y == get<"e.weight">(theta)(3, 2) + 0.5f);
  CHECK(run.rows() == 2);

  // after an error the outputs of the last run are still there
  set_input<"words">(run, sequences{{1}});
  CHECK_THROWS_AS(run.run(theta), input_error);
  CHECK(run.rows() == 2);
  CHECK(get<"sum">(run)(1, 0, 2) == y);
}
TEST_CASE("targets come with the sequences they belong to") {
  session s;
  set_input<"target">(s.run, sequences{{0}, {1, 2, 3, 5}});
  CHECK_THROWS_WITH_AS(
      s.run.forward(s.theta),
      "input 'target': row 0 has length 1, in input 'words' on the same time axis it has length 2",
      input_error);
}

}  // namespace tenon::test
