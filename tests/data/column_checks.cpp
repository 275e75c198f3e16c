// A whole data set is checked before it is used: errors name the column, row and step of a value that no run could accept.
#include "tenon/data/column_checks.hpp"

#include "tenon/data/contiguous.hpp"
#include "tenon/data/data_set.hpp"
#include "tenon/engine/session/session.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/train/trainer/trainer.hpp"

#include <doctest/doctest.h>
#include <xtensor/xtensor.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace tenon::test {
using namespace nn;

using tagger = graph<"tagger", input<"words", token<9>, steps<5>>, node<"e", embedding<9, 3>, "words">,
                     node<"h", gru<4>, "e">, node<"y", linear<3>, "h">, output<"y">>;
using tagging = trainer<tagger, losses::cross_entropy<"y">, optimizers::sgd, batch<2>>;
using signals = graph<"signals", input<"x", features<2>, steps<5>>, node<"h", gru<4>, "x">,
                      node<"y", linear<2>, "h.final">, output<"y">>;
using measuring = trainer<signals, losses::mse<"y">, optimizers::sgd, batch<2>>;
using series = graph<"series", input<"x", features<2>, steps<5>>, node<"h", gru<4>, "x">,
                     node<"y", linear<1>, "h.final">, output<"y">>;
using predicting = trainer<series, losses::mse<"y">, optimizers::sgd, batch<2>>;
using images = graph<"images", input<"x", features<1>, grid<2, 3>>, node<"y", chain<flatten, linear<2>>, "x">,
                     output<"y">>;
using coloured =
    graph<"coloured", input<"x", features<2>, grid<2, 3>>, node<"y", linear<2>, "x">, output<"y">>;
using maps = graph<"maps", input<"x", token<9>, grid<2, 3>>, node<"y", embedding<9, 3>, "x">, output<"y">>;
using looking = trainer<images, losses::mse<"y">, optimizers::sgd, batch<2>>;

using sequences = std::vector<std::vector<int>>;
const sequences words{{1, 2}, {8}, {}, {0, 1, 2, 3, 4}}, tags{{0, 1}, {2}, {}, {0, 1, 2, -1, 0}};

template <class Session, class... Columns>
void refused(const char* message, Columns... columns) {
  const data_set data(columns...);
  CHECK_THROWS_WITH_AS(data.template check_inputs<Session>(), message, input_error);
}

TEST_CASE("what fits passes, for a session without a target, too") {
  const data_set data(column<"words">(words), column<"target">(tags));
  CHECK_NOTHROW(data.check_inputs<tagging>());
  CHECK_NOTHROW(data.check_inputs<inference<tagger>>());
  CHECK_NOTHROW(
      data_set(column<"words">(words), column<"target">(sequences(4))).check_inputs<inference<tagger>>());
}
TEST_CASE("tokens and classes outside their range") {
  refused<tagging>(
      "column 'words', row 3, step 1: token 9, expected 0 to 8, the rows of table 'e.weight'; write "
      "token<10> and as "
      "many rows, or bound the vocabulary: {.max_size = 9}",
      column<"words">(sequences{{1, 2}, {8}, {}, {0, 9, 2, 3, 4}}), column<"target">(tags));
  refused<tagging>(
      "column 'words', row 1, step 0: token -1, expected 0 to 8, the rows of table 'e.weight'; numbers begin "
      "at 0",
      column<"words">(sequences{{1, 2}, {-1}, {}, {0, 1, 2, 3, 4}}), column<"target">(tags));
  refused<tagging>(
      "column 'target', row 1, step 0: class 3, expected 0 to 2, or -1 for none; the output needs 4 "
      "features, one for "
      "each class",
      column<"words">(words), column<"target">(sequences{{0, 1}, {3}, {}, {0, 1, 2, -1, 0}}));
  refused<tagging>(
      "column 'target', row 0, step 0: class -2, expected 0 to 2, or -1 for none; numbers begin at 0",
      column<"words">(words), column<"target">(sequences{{-2, 1}, {2}, {}, {0, 1, 2, -1, 0}}));
}
TEST_CASE("sequences beyond their bound, and of two lengths on one axis") {
  refused<tagging>("column 'words', row 2: 6 steps, expected at most 5; write steps<6>, or cut the sequence",
                   column<"words">(sequences{{1, 2}, {8}, {0, 0, 0, 0, 0, 0}, {0, 1, 2, 3, 4}}),
                   column<"target">(tags));
  refused<tagging>("column 'target', row 3: 4 steps, and column 'words' has 5 on the same time axis",
                   column<"words">(words), column<"target">(sequences{{0, 1}, {2}, {}, {0, 1, 2, -1}}));
  refused<measuring>("column 'x', row 1: 6 steps, expected at most 5; write steps<6>, or cut the sequence",
                     column<"x">(std::vector<std::vector<std::array<float, 2>>>{{}, {6, {0, 0}}}),
                     column<"target">(std::vector<std::array<float, 2>>(2)));
}
TEST_CASE("rows of another width") {
  const std::vector<std::vector<std::array<float, 2>>> x(2, {{1, 2}, {3, 4}});
  refused<measuring>("column 'target', row 1: 1 number, expected 2; a target is as wide as its output",
                     column<"x">(x), column<"target">(std::vector<std::vector<float>>{{1, 2}, {3}}));
  refused<measuring>(
      "column 'x', row 1, step 1: 3 numbers, expected 2; mend the rows, or the features<> of the input",
      column<"x">(std::vector<std::vector<std::vector<float>>>{{}, {{1, 2}, {1, 2, 3}}}),
      column<"target">(std::vector<std::array<float, 2>>(2)));
  refused<looking>("column 'x', row 0: 5 numbers, expected 6; mend the rows, or the features<> of the input",
                   column<"x">(std::vector<std::vector<float>>{{1, 2, 3, 4, 5}}),
                   column<"target">(std::vector<std::array<float, 2>>(1)));
}
TEST_CASE("tensors of all rows, and a tensor for each row") {
  const std::vector<std::array<float, 2>> y(2);
  refused<measuring>(
      "column 'x', row 0: 3 numbers, expected 2; mend the rows, or the features<> of the input",
      column<"x">(xt::xtensor<float, 3>({2, 4, 3})), column<"target">(y));
  refused<measuring>("column 'x', row 0: 6 steps, expected at most 5; write steps<6>, or cut the sequence",
                     column<"x">(xt::xtensor<float, 3>({2, 6, 2})), column<"target">(y));
  refused<measuring>("column 'x', row 1: -1 steps, expected 0 to 5",
                     column<"x">(xt::xtensor<float, 3>({2, 5, 2}), std::vector<int>{2, -1}),
                     column<"target">(y));
  refused<measuring>("column 'x', row 1: 5 steps, and the tensor has 4",
                     column<"x">(xt::xtensor<float, 3>({2, 4, 2}), std::vector<int>{4, 5}),
                     column<"target">(y));
  refused<measuring>("column 'target', row 0: 3 numbers, expected 2; a target is as wide as its output",
                     column<"x">(std::vector<xt::xtensor<float, 2>>(2, xt::xtensor<float, 2>({4, 2}))),
                     column<"target">(xt::xtensor<float, 2>({2, 3})));
  refused<measuring>("column 'x', row 0: 1 number, expected 2; mend the rows, or the features<> of the input",
                     column<"x">(std::vector<xt::xtensor<float, 2>>(2, xt::xtensor<float, 2>({4, 1}))),
                     column<"target">(y));
  const std::vector<float> numbers(24);
  refused<measuring>("column 'x', row 0: a tensor of rank 2, expected rank 3",
                     column<"x">(view<const float>(numbers.data(), {2, 4})), column<"target">(y));
  refused<looking>("column 'x', row 0: 3 x 2 places, expected 2 x 3",
                   column<"x">(view<const float>(numbers.data(), {2, 3, 2, 1})), column<"target">(y));
  const auto predicted = [&](auto made) {
    data_set(column<"x">(xt::xtensor<float, 3>({2, 4, 2})), column<"target">(made))
        .template check_inputs<predicting>();
  };
  predicted(view<const float>(numbers.data(), {2}));
  predicted(view<const float, 1>(numbers.data(), {2}));
  predicted(xt::xtensor<float, 1>::from_shape({2}));
  predicted(xt::xtensor<float, 2>({2, 1}));
  CHECK_THROWS_WITH_AS(predicted(view<const float>(numbers.data(), {2, 1, 1})),
                       "column 'target', row 0: a tensor of rank 3, expected rank 2, or 1", input_error);
  const std::vector<int> tokens{1, 2, 3, 4, 5, 77, 77, 77, 9, 1};  // elements past a length are not read
  refused<tagging>(
      "column 'words', row 1, step 0: token 77, expected 0 to 8, the rows of table 'e.weight'; write "
      "token<78> and as "
      "many rows, or bound the vocabulary: {.max_size = 9}",
      column<"words">(view<const int>(tokens.data(), {2, 5}), std::vector<int>{5, 2}),
      column<"target">(sequences{{0, 0, 0, 0, 0}, {0, 0}}));
}
TEST_CASE("a sequence that is too long is said with the longest of its column") {
  const sequences given{{1}, {1, 2, 3, 4, 5, 6}, {1}, {1, 2, 3, 4, 5, 6, 7, 8, 0}, {1, 2, 3, 4, 5, 6, 7}};
  refused<tagging>(
      "column 'words', row 1: 6 steps, expected at most 5, and the longest row has 9; write steps<9>, or "
      "cut the sequences",
      column<"words">(given), column<"target">(given));
  std::vector<xt::xtensor<float, 2>> signal;
  for (std::size_t steps : {2u, 6u, 8u}) signal.push_back(xt::xtensor<float, 2>({steps, 2u}));
  refused<measuring>(
      "column 'x', row 1: 6 steps, expected at most 5, and the longest row has 8; write steps<8>, or "
      "cut the sequences",
      column<"x">(signal), column<"target">(std::vector<std::array<float, 2>>(3)));
}
TEST_CASE("a tensor for each image") {
  const std::vector<float> all(100);
  const std::vector<std::array<float, 2>> target(2);
  using rows = std::vector<view<const float>>;
  const auto said = [&](const char* message, std::initializer_list<detail::whole_number> second) {
    refused<looking>(message, column<"x">(rows{{all.data(), {2, 3, 1}}, {all.data(), second}}),
                     column<"target">(target));
  };
  said("column 'x', row 1: 3 x 2 places, expected 2 x 3", {3, 2, 1});
  said("column 'x', row 1: 2 numbers, expected 1; mend the rows, or the features<> of the input", {2, 3, 2});
  said("column 'x', row 1: a tensor of rank 1, expected [height, width], or [height, width, 1]", {6});
  CHECK_NOTHROW(data_set(column<"x">(view<const float>(all.data(), {2, 2, 3})), column<"target">(target))
                    .check_inputs<looking>());
  refused<looking>("column 'x', row 0: 2 x 4 places, expected 2 x 3",
                   column<"x">(view<const float>(all.data(), {2, 2, 4})), column<"target">(target));
  refused<looking>("column 'x', row 0: a tensor of rank 2, expected rank 4, or 3",
                   column<"x">(view<const float>(all.data(), {2, 6})), column<"target">(target));
  const data_set data(column<"x">(rows(2, {all.data(), {2, 3}})), column<"target">(target));
  CHECK_NOTHROW(data.check_inputs<looking>());
  refused<inference<coloured>>("column 'x', row 1: a tensor of rank 2, expected [height, width, features]",
                               column<"x">(rows{{all.data(), {2, 3, 2}}, {all.data(), {2, 3}}}));
  std::vector<xt::xtensor<int, 2>> kinds(2, xt::xtensor<int, 2>(std::array<std::size_t, 2>{2, 3}, 0));
  kinds[1](1, 0) = 9;
  refused<inference<maps>>(
      "column 'x', row 1, step 3: token 9, expected 0 to 8, the rows of table 'y.weight'; write token<10> "
      "and as many rows, or bound the vocabulary: {.max_size = 9}",
      column<"x">(kinds));
}
TEST_CASE("rows that a function makes are checked as they are made, and named as the data set's") {
  const data_set data(column<"words">(4, [](int r) { return std::vector<int>{r == 3 ? 9 : r}; }),
                      column<"target">(4, [](int) { return std::vector<int>{0}; }));
  CHECK_NOTHROW(data.check_inputs<tagging>());
  parameters<tagger> theta;
  tagging t(theta);
  CHECK_THROWS_WITH_AS(
      data.set_inputs(t, std::vector<int>{1, 3}),
      "column 'words', row 3, step 0: token 9, expected 0 to 8, the rows of table 'e.weight'; write "
      "token<10> and as many rows, or bound the vocabulary: {.max_size = 9}",
      input_error);
}
TEST_CASE("a part is checked for its rows, which keep their numbers") {
  const data_set data(column<"words">(sequences{{1}, {9}, {2}, {3, 10}}),
                      column<"target">(sequences{{0}, {0}, {0}, {0, 0}}));
  CHECK_NOTHROW(data.part(std::vector<int>{0, 2}).check_inputs<tagging>());
  CHECK_THROWS_WITH_AS(
      data.part(std::vector<int>{2, 3}).check_inputs<tagging>(),
      "column 'words', row 3, step 1: token 10, expected 0 to 8, the rows of table 'e.weight'; write "
      "token<11> and as many rows, or bound the vocabulary: {.max_size = 9}",
      input_error);
}
TEST_CASE("more classes than an int counts: the remedy is no larger network") {
  const sequences one{{1}};
  refused<tagging>(
      "column 'target', row 0, step 0: class 2147483647, expected 0 to 2, or -1 for none; no network has so "
      "many",
      column<"words">(one), column<"target">(sequences{{std::numeric_limits<int>::max()}}));
  refused<tagging>(
      "column 'target', row 0, step 0: class 18446744073709551615, expected 0 to 2, or -1 for none; no "
      "network has so many",
      column<"words">(one), column<"target">(std::vector<std::vector<std::uint64_t>>{{~std::uint64_t{0}}}));
  refused<tagging>(
      "column 'words', row 0, step 0: token 9223372036854775807, expected 0 to 8, the rows of table "
      "'e.weight'; no network has so many",
      column<"words">(std::vector<std::vector<std::int64_t>>{{std::numeric_limits<std::int64_t>::max()}}),
      column<"target">(one));
}
TEST_CASE("a text in windows: the first token is no target, and the last is nothing else") {
  const auto text = contiguous<"words">(std::vector<int>{8, 0, 1, 2, 1});
  CHECK_NOTHROW(text.check_inputs<tagging>());
  CHECK_THROWS_WITH_AS(
      contiguous<"words">(std::vector<int>{0, 1, 2, 3}).check_inputs<tagging>(),
      "input 'target', position 3: class 3, expected 0 to 2, or -1 for none; the output needs 4 features, "
      "one for each class",
      input_error);
  CHECK_THROWS_WITH_AS(contiguous<"words">(std::vector<int>{0, 1, -1, 2}).check_inputs<tagging>(),
                       "input 'words', position 2: token -1, expected 0 to 8, the rows of table 'e.weight'; "
                       "numbers begin at 0",
                       input_error);
  CHECK_THROWS_WITH_AS(contiguous<"words">(std::vector<int>{-1, 0, 1, 2}).check_inputs<tagging>(),
                       doctest::Contains("input 'words', position 0: token -1, expected 0 to 8"),
                       input_error);
  CHECK_NOTHROW(
      contiguous<"words">(std::vector<int>{0, 1, 2, -1}).check_inputs<tagging>());  // no target at the end
}

}  // namespace tenon::test
