// A data set sets all inputs of a session to the same rows; its parts are drawn with a seed.
#include "tenon/data/data_set.hpp"

#include "data/by_hand.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/train/trainer/trainer.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <list>
#include <ranges>
#include <utility>
#include <vector>

namespace tenon::test {
using namespace nn;

// Two inputs: words, and the initial state.
using reader = graph<"reader", input<"words", token<9>, steps<4>>, input<"start", features<3>>,
                     node<"e", embedding<9, 2>, "words">, node<"h", gru<3>, "e", "start">,
                     node<"logits", linear<4>, "h.final">, output<"logits">>;
constexpr int count = 7;
int word(int row, int step) { return (row * 5 + step * step) % 9; }
int length_of(int row) { return row * 3 % 4 + 1; }
float start(int row, int j) { return std::sin(static_cast<float>(3 * row + j)); }
std::vector<int> words_of(int row) {
  std::vector<int> all;
  for (int t = 0; t < length_of(row); ++t) all.push_back(word(row, t));
  return all;
}
auto all_rows() {
  std::vector<std::array<float, 3>> of_rows(count);
  for (int r = 0; r < count; ++r)
    of_rows[static_cast<std::size_t>(r)] = {start(r, 0), start(r, 1), start(r, 2)};
  return data_set(column<"words">(count, words_of), column<"start">(std::move(of_rows)),
                  column<"target">(count, [](int r) { return r % 4; }));
}
void set_by_hand(auto& session, const rows& some) {
  std::vector<std::vector<int>> words;
  std::vector<float> starts;
  for (int r : some) {
    words.push_back(words_of(r));
    for (int j = 0; j < 3; ++j) starts.push_back(start(r, j));
  }
  set_input<"words">(session, words);
  set_input<"start">(session, starts);
}
std::vector<float> by_hand(const rows& some) {
  return outcome<reader, "logits">([&](auto& session) { set_by_hand(session, some); });
}
std::vector<float> by_data(const auto& data, const rows& some) {
  return outcome<reader, "logits">([&](auto& session) { data.set_inputs(session, some); });
}

TEST_CASE("all inputs are set to the same rows; an inference leaves the target out") {
  const auto data = all_rows();
  CHECK(data.size() == count);
  for (const rows& some : {rows{0, 1, 2, 3}, rows{6}, rows{5, 0}, rows{4, 4, 2}})
    CHECK(by_data(data, some) == by_hand(some));
  CHECK(by_data(data, {0, 1}) != by_hand({1, 0}));
}
TEST_CASE("a trainer is given the target too") {
  parameters<reader> of_data(seed{1}), of_hand(seed{1});
  trainer<reader, losses::cross_entropy<"logits">, optimizers::sgd, batch<4>> t(of_data), u(of_hand);
  const auto data = all_rows();
  for (const rows& some : {rows{0, 1, 2, 3}, rows{6, 5}}) {
    data.set_inputs(t, some);
    set_by_hand(u, some);
    rows targets;
    for (int r : some) targets.push_back(r % 4);
    set_input<"target">(u, targets);
    CHECK(t.step() == u.step());
  }
  for (int k = 0; k < of_data.block_size; ++k)
    REQUIRE(std::as_const(of_data).data()[k] == std::as_const(of_hand).data()[k]);
}

TEST_CASE("a part has its rows in their order, and a part of a part those of the part") {
  const auto data = all_rows();
  const auto part = data.part(rows{6, 2, 2, 5});
  CHECK(part.size() == 4);
  CHECK(data.size() == count);
  CHECK(by_data(part, {0, 3, 1}) == by_hand({6, 5, 2}));
  const auto smaller = part.part(rows{3, 0});
  CHECK(smaller.size() == 2);
  CHECK(by_data(smaller, {0, 1}) == by_hand({5, 6}));
  CHECK(smaller.length(1) == length_of(6));
  CHECK(data.part(rows{}).size() == 0);
}
TEST_CASE("positions are any range of whole numbers") {
  const auto data = all_rows();
  const auto set = [&](auto&& some) {
    return outcome<reader, "logits">([&](auto& session) { data.set_inputs(session, some); });
  };
  CHECK(set(std::views::iota(1, 4)) == by_hand({1, 2, 3}));
  CHECK(set(std::list<long>{6, 0}) == by_hand({6, 0}));
  CHECK(set(std::array<unsigned char, 2>{5, 5}) == by_hand({5, 5}));
  CHECK(by_data(data.part(std::views::iota(0u, 4u)), {3, 1}) == by_hand({3, 1}));
  CHECK(by_data(data.part(std::views::iota(0, count) | std::views::filter([](int r) { return r % 2 == 0; })),
                {0, 1, 2, 3}) == by_hand({0, 2, 4, 6}));
  CHECK_THROWS_WITH_AS(data.part(std::vector<std::size_t>{0, (1ull << 32) + 1}),
                       "row 4294967297 is outside a data set of 7 rows", input_error);
  CHECK_THROWS_WITH_AS(data.part(std::vector<std::size_t>{~0ull}),
                       "row 18446744073709551615 is outside a data set of 7 rows", input_error);
  CHECK_THROWS_WITH_AS(set(std::views::iota(5, 8)), "row 7 is outside a data set of 7 rows", input_error);
}
TEST_CASE("the length of a row is that of its longest sequence") {
  const auto data = all_rows();  // features and targets do not count as steps
  for (int r = 0; r < count; ++r) CHECK(data.length(r) == length_of(r));
  const data_set two(column<"source">(std::vector<rows>{{1, 2}, {}, {3}}),
                     column<"target">(std::vector<rows>{{1}, {}, {2, 3, 4}}));
  CHECK(two.length(0) == 2);
  CHECK(two.length(1) == 0);
  CHECK(two.length(2) == 3);
  CHECK(data_set(column<"x">(std::vector<float>(3))).length(2) == 0);
}

TEST_CASE("copies share their columns") {
  rows values{1, 2, 3};
  const data_set data(column<"x">(std::move(values)));
  auto copy = data;
  copy = copy.part(rows{2});
  CHECK(copy.size() == 1);
  CHECK(data.size() == 3);
}

TEST_CASE("a data set that was moved from says so") {
  auto data = all_rows();
  const auto taken = std::move(data);
  CHECK(taken.size() == count);
  const char* const message =
      "a data set whose contents were moved to another cannot be used; copy it instead: copies share their "
      "columns";
  CHECK_THROWS_WITH_AS(data.size(), message, input_error);
  CHECK_THROWS_WITH_AS(data.length(0), message, input_error);
  CHECK_THROWS_WITH_AS(data.part(rows{}), message, input_error);
  CHECK_THROWS_WITH_AS(split(data, 0.5, seed{1}), message, input_error);
  CHECK_THROWS_WITH_AS(by_data(data, {}), message, input_error);
  data = taken;
  CHECK(data.size() == count);
}

TEST_CASE("columns of different sizes and rows that are not there are errors") {
  CHECK_THROWS_WITH_AS(data_set(column<"x">(rows{1, 2, 3}), column<"target">(rows{1, 2})),
                       "column 'target' has 2 rows, column 'x' has 3", input_error);
  const auto data = all_rows();
  const char* const message = "row 7 is outside a data set of 7 rows";
  CHECK_THROWS_WITH_AS(by_data(data, {0, 7}), message, input_error);
  CHECK_THROWS_WITH_AS(data.part(rows{7}), message, input_error);
  CHECK_THROWS_WITH_AS((void)data.length(7), message, input_error);
  CHECK_THROWS_WITH_AS((void)data.part(rows{0}).length(1), "row 1 is outside a data set of 1 rows",
                       input_error);
  CHECK_THROWS_WITH_AS(by_data(data, {-1}), "row -1 is outside a data set of 7 rows", input_error);
}

}  // namespace tenon::test
