// A column sets an input to some of its rows as set_input does with the same rows, for every container of values.
#include "tenon/data/column.hpp"

#include "data/by_hand.hpp"
#include "tenon/data/data_set.hpp"
#include "tenon/engine/session/session.hpp"
#include "tenon/io/xarray.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/tensor/xtensor.hpp"

#include <doctest/doctest.h>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>

#include <array>
#include <deque>
#include <list>
#include <ranges>
#include <vector>

namespace tenon::test {
using namespace nn;

using classes = graph<"classes", input<"x", token<9>>, node<"y", embedding<9, 3>, "x">, output<"y">>;
using words = graph<"words", input<"x", token<9>, steps<5>>, node<"e", embedding<9, 3>, "x">,
                    node<"y", gru<4>, "e">, output<"y">>;
using points = graph<"points", input<"x", features<3>>, node<"y", linear<2>, "x">, output<"y">>;
using numbers = graph<"numbers", input<"x", features<1>>, node<"y", linear<2>, "x">, output<"y">>;
using signals = graph<"signals", input<"x", features<2>, steps<5>>, node<"y", gru<4>, "x">, output<"y">>;
using images = graph<"images", input<"x", features<2>, grid<2, 3>>, node<"y", linear<2>, "x">, output<"y">>;

// --- the values, and how they are set by hand ------------------------------------------------------------------
const std::vector<int> ids{3, 1, 4, 8, 5};
const auto set_ids = [](auto& session, const rows& some) {
  std::vector<int> given;
  for (int r : some) given.push_back(ids[at(r)]);
  set_input<"x">(session, given);
};
const std::vector<std::vector<int>> sentences{{1, 2, 3}, {4}, {5, 6, 7, 8, 1}, {}, {2, 2}};
const auto set_sentences = [](auto& session, const rows& some) {
  std::vector<std::vector<int>> given;
  for (int r : some) given.push_back(sentences[at(r)]);
  set_input<"x">(session, given);
};
const auto set_points = [](auto& session, const rows& some) {
  std::vector<float> given;
  for (int r : some)
    for (int j = 0; j < 3; ++j) given.push_back(number(r, j));
  set_input<"x">(session, given);
};
// Sequences of features: row r has signal_lengths[r] steps.
const std::vector<int> signal_lengths{3, 0, 5, 1, 4};
float signal(int r, int t, int j) { return std::cos(static_cast<float>(11 * r + 2 * t + j)); }
const auto set_signals = [](auto& session, const rows& some) {
  std::vector<float> given(some.size() * 5 * 2, 99);  // elements past an end are not read
  std::vector<int> lengths;
  for (std::size_t k = 0; k < some.size(); ++k) {
    lengths.push_back(signal_lengths[at(some[k])]);
    for (int t = 0; t < lengths.back(); ++t)
      for (int j = 0; j < 2; ++j) given[(k * 5 + at(t)) * 2 + at(j)] = signal(some[k], t, j);
  }
  set_input<"x">(session, view<const float>(given.data(), {some.size(), 5, 2}), lengths);
};
std::vector<float> signal_of_row(int r) {  // [steps, 2]
  std::vector<float> all;
  for (int t = 0; t < signal_lengths[at(r)]; ++t)
    for (int j = 0; j < 2; ++j) all.push_back(signal(r, t, j));
  return all;
}

TEST_CASE("a range of whole numbers is a token for each row") {
  check_column<classes>(column<"x">(ids), set_ids);
  check_column<classes>(column<"x">(std::vector<long>(ids.begin(), ids.end())), set_ids);
  check_column<classes>(column<"x">(std::array<unsigned char, 5>{3, 1, 4, 8, 5}), set_ids);
  check_column<classes>(column<"x">(std::deque<int>(ids.begin(), ids.end())), set_ids);
  check_column<classes>(column<"x">(std::span<const int>(ids)), set_ids);
  check_column<classes>(
      column<"x">(std::views::iota(0, 5) | std::views::transform([](int r) { return ids[at(r)]; })), set_ids);
  const int array[]{3, 1, 4, 8, 5};
  check_column<classes>(column<"x">(array), set_ids);
}
TEST_CASE("a range of truth values is one of zeros and ones") {
  const auto by_hand = [](auto& session, const rows& some) {
    std::vector<int> given;
    for (int r : some) given.push_back(r % 3 == 0 ? 1 : 0);
    set_input<"x">(session, given);
  };
  check_column<classes>(column<"x">(std::vector<bool>{true, false, false, true, false}), by_hand);
  check_column<classes>(column<"x">(5, [](int r) { return r % 3 == 0; }), by_hand);
}
TEST_CASE("a range of numbers is a feature for each row") {
  const std::vector<double> values{0.5, -1, 2, 0.25, 8};
  check_column<numbers>(column<"x">(values), [&](auto& session, const rows& some) {
    std::vector<float> given;
    for (int r : some) given.push_back(static_cast<float>(values[at(r)]));
    set_input<"x">(session, given);
  });
}
TEST_CASE("a tensor of rank 1 is a range of numbers") {
  xt::xtensor<double, 2> table({5, 2});
  for (std::size_t r = 0; r < 5; ++r) {
    table(r, 0) = 99;
    table(r, 1) = 0.5 * double(r * r) - 1;
  }
  const xt::xtensor<float, 1> values = xt::view(table, xt::all(), 1);
  const auto by_hand = [&](auto& session, const rows& some) {
    std::vector<float> given;
    for (int r : some) given.push_back(values(at(r)));
    set_input<"x">(session, given);
  };
  check_column<numbers>(column<"x">(values), by_hand);
  check_column<numbers>(column<"x">(xt::view(table, xt::all(), 1)), by_hand);
  check_column<numbers>(column<"x">(values * 1.0f), by_hand);
  check_column<numbers>(column<"x">(xt::xarray<float>(values)), by_hand);
  check_column<numbers>(column<"x">(view<const float>(values.data(), {5})), by_hand);
  check_column<numbers>(column<"x">(view<const float, 1>(values.data(), {5})), by_hand);
  check_column<numbers>(column<"x">(view<const float, 2>(values.data(), {5, 1})), by_hand);
}
TEST_CASE("a range of ranges of whole numbers is a sequence of tokens for each row") {
  check_column<words>(column<"x">(sentences), set_sentences);
  std::vector<std::span<const int>> spans(sentences.begin(), sentences.end());
  check_column<words>(column<"x">(spans), set_sentences);
  std::vector<std::list<int>> lists;
  for (const auto& s : sentences) lists.emplace_back(s.begin(), s.end());
  check_column<words>(column<"x">(lists), set_sentences);
  std::vector<std::vector<char>> letters;
  for (const auto& s : sentences) letters.emplace_back(s.begin(), s.end());
  check_column<words>(column<"x">(letters), set_sentences);
  // each row is computed when it is read, and destroyed after it
  check_column<words>(
      column<"x">(std::views::iota(0, 5) | std::views::transform([](int r) { return sentences[at(r)]; })),
      set_sentences);
}
TEST_CASE("a range of ranges of floating-point numbers is a row of features for each row") {
  std::vector<std::vector<float>> vectors;
  std::vector<std::array<double, 3>> arrays;
  for (int r = 0; r < 5; ++r) {
    vectors.push_back({number(r, 0), number(r, 1), number(r, 2)});
    arrays.push_back({number(r, 0), number(r, 1), number(r, 2)});
  }
  check_column<points>(column<"x">(vectors), set_points);
  check_column<points>(column<"x">(arrays), set_points);
}
TEST_CASE("a row of a grid is all of its places") {
  std::vector<std::vector<float>> pictures(5);
  std::vector<float> all;
  for (int r = 0; r < 5; ++r)
    for (int k = 0; k < 12; ++k) {
      pictures[at(r)].push_back(number(r, k));
      all.push_back(number(r, k));
    }
  const auto by_hand = [&](auto& session, const rows& some) {
    std::vector<float> given;
    for (int r : some) given.insert(given.end(), pictures[at(r)].begin(), pictures[at(r)].end());
    set_input<"x">(session, view<const float>(given.data(), {some.size(), 2, 3, 2}));
  };
  check_column<images>(column<"x">(pictures), by_hand);
  check_column<images>(column<"x">(view<const float>(all.data(), {5, 2, 3, 2})), by_hand);
}
TEST_CASE("a range of tensors is a sequence of features for each row, padded to the longest") {
  std::vector<std::vector<float>> memory;
  for (int r = 0; r < 5; ++r) memory.push_back(signal_of_row(r));
  std::vector<view<const float>> views;
  std::vector<xt::xtensor<double, 2>> tensors;
  for (int r = 0; r < 5; ++r) {
    views.emplace_back(memory[at(r)].data(),
                       std::initializer_list<detail::whole_number>{signal_lengths[at(r)], 2});
    tensors.push_back(xt::xtensor<double, 2>(std::array<std::size_t, 2>{at(signal_lengths[at(r)]), 2}));
    std::copy(memory[at(r)].begin(), memory[at(r)].end(), tensors.back().begin());
  }
  check_column<signals>(column<"x">(views), set_signals);
  check_column<signals>(column<"x">(tensors), set_signals);
}
TEST_CASE("a range of ranges of rows of numbers is a sequence of features for each row") {
  std::vector<std::vector<std::array<float, 2>>> arrays(5);
  std::vector<std::vector<std::vector<double>>> vectors(5);
  std::vector<std::list<std::array<float, 2>>> lists(5);
  for (int r = 0; r < 5; ++r)
    for (int t = 0; t < signal_lengths[at(r)]; ++t) {
      arrays[at(r)].push_back({signal(r, t, 0), signal(r, t, 1)});
      lists[at(r)].push_back({signal(r, t, 0), signal(r, t, 1)});
      vectors[at(r)].push_back({static_cast<double>(signal(r, t, 0)), static_cast<double>(signal(r, t, 1))});
    }
  check_column<signals>(column<"x">(arrays), set_signals);
  check_column<signals>(column<"x">(lists), set_signals);
  check_column<signals>(column<"x">(vectors), set_signals);
  check_column<signals>(column<"x">(5, [&](int r) { return arrays[at(r)]; }), set_signals);
}
TEST_CASE("a session is given rows and sequences of numbers as they are, too") {
  const std::vector<std::array<float, 3>> rows_of_numbers{{number(2, 0), number(2, 1), number(2, 2)}};
  CHECK(outcome<points>([&](auto& session) { set_input<"x">(session, rows_of_numbers); }) ==
        outcome<points>([&](auto& session) { set_points(session, rows{2}); }));
  const parameters<signals> theta(seed{3});
  inference<signals, batch<2>> model(theta);
  const auto y = model(std::vector<std::vector<std::array<float, 2>>>{{{1, 2}, {3, 4}}, {}});
  inference<signals> alone(theta);
  const std::vector<float> four{1, 2, 3, 4};
  CHECK(y(0, 1, 3) == alone(view<const float>(four.data(), {1, 2, 2}))(0, 1, 3));
  CHECK(y(1, 0, 3) == 0);
}
TEST_CASE("a tensor has a row for each row, whatever its strides") {
  check_column<classes>(column<"x">(view<const int>(ids.data(), {5})), set_ids);
  check_column<classes>(column<"x">(xt::xtensor<int, 1>{3, 1, 4, 8, 5}), set_ids);

  std::vector<float> by_feature(2 * 3 * 5, 99);  // [3, 5], every second number
  xt::xtensor<float, 2> tensor(std::array<std::size_t, 2>{5, 3});
  for (int r = 0; r < 5; ++r)
    for (int j = 0; j < 3; ++j) {
      by_feature[at(j * 10 + r * 2)] = number(r, j);
      tensor(at(r), at(j)) = number(r, j);
    }
  check_column<points>(column<"x">(view<const float>(by_feature.data(), {5, 3}, {2, 10})), set_points);
  check_column<points>(column<"x">(tensor), set_points);
  check_column<points>(column<"x">(tensor * 2.f - tensor),
                       set_points);  // only the expression is kept
}
TEST_CASE("lengths behind a tensor say where each row ends") {
  std::vector<float> all(5 * 5 * 2, 99);
  std::vector<int> tokens(5 * 5, 77);  // 77 is no token, and is not read
  for (int r = 0; r < 5; ++r) {
    const std::vector<float> own = signal_of_row(r);
    std::copy(own.begin(), own.end(), all.begin() + r * 10);
    std::copy(sentences[at(r)].begin(), sentences[at(r)].end(), tokens.begin() + r * 5);
  }
  check_column<signals>(column<"x">(view<const float>(all.data(), {5, 5, 2}), signal_lengths), set_signals);
  xt::xtensor<float, 3> tensor(std::array<std::size_t, 3>{5, 5, 2});
  std::copy(all.begin(), all.end(), tensor.begin());
  check_column<signals>(column<"x">(tensor, std::array<short, 5>{3, 0, 5, 1, 4}), set_signals);
  check_column<words>(column<"x">(view<const int>(tokens.data(), {5, 5}), std::vector<int>{3, 1, 5, 0, 2}),
                      set_sentences);
}
TEST_CASE("a function of the row returns what one row of a range is") {
  check_column<classes>(column<"x">(5, [](int r) { return ids[at(r)]; }), set_ids);
  check_column<words>(column<"x">(5, [](int r) { return sentences[at(r)]; }), set_sentences);
  check_column<words>(column<"x">(5, [](int r) -> const std::vector<int>& { return sentences[at(r)]; }),
                      set_sentences);
  check_column<words>(column<"x">(5, [](int r) { return std::span<const int>(sentences[at(r)]); }),
                      set_sentences);
  check_column<points>(column<"x">(5,
                                   [](int r) {
                                     return std::array<float, 3>{number(r, 0), number(r, 1), number(r, 2)};
                                   }),
                       set_points);
  check_column<signals>(
      column<"x">(5,
                  [](int r) {
                    const std::vector<float> own = signal_of_row(r);
                    xt::xtensor<float, 2> made(std::array<std::size_t, 2>{at(signal_lengths[at(r)]), 2});
                    std::copy(own.begin(), own.end(), made.begin());
                    return made;
                  }),
      set_signals);
}
TEST_CASE("a function with a state is called anew for each batch, once for each of its rows") {
  const auto counted = [calls = 0](int r) mutable {
    return std::array<float, 3>{static_cast<float>(r), static_cast<float>(calls++), 0};
  };
  const data_set data(column<"x">(5, counted));
  const parameters<points> theta(seed{3});
  inference<points, batch<4>> session;
  for (const rows& some : {rows{2, 4, 0}, rows{3, 2}}) {
    const float earlier = some.size() == 2 ? 3 : 0;
    data.set_inputs(session, some);
    const view<const float> x = get_input<"x">(session);
    for (std::size_t k = 0; k < some.size(); ++k) {
      CHECK(x(k, 0) == static_cast<float>(some[k]));
      CHECK(x(k, 1) == earlier + static_cast<float>(k));
    }
  }
}

TEST_CASE("more rows than an int can count are refused") {
  const char* const message = "column 'x': expected at most 2147483647 rows, got 3000000000; divide them";
  CHECK_THROWS_WITH_AS(column<"x">(std::views::iota(0L, 3'000'000'000L)), message, input_error);
  const float number = 0;  // one row, seen many times
  CHECK_THROWS_WITH_AS(column<"x">(view<const float>(&number, {3'000'000'000, 1}, {0, 1})), message,
                       input_error);
  CHECK_THROWS_WITH_AS(
      column<"x">(view<const float>(&number, {3'000'000'000, 1, 1}, {0, 1, 1}), std::vector<int>{1}), message,
      input_error);
  CHECK(column<"x">(view<const float>(&number, {2'147'483'647, 1}, {0, 1})).size() == 2'147'483'647);
}
TEST_CASE("a column keeps a copy, or what is moved; a view is read where it looks at") {
  std::vector<int> values = ids, given = ids;
  xt::xtensor<int, 1> tensor{3, 1, 4, 8, 5};
  const std::span<const int> looking(values);
  const auto of_copy = column<"x">(values);
  const auto of_view = column<"x">(looking);  // the view object itself may be destroyed
  const auto moved = column<"x">(std::move(given));
  const auto of_tensor = column<"x">(tensor);
  const auto of_view_of_tensor = column<"x">(view<const int>(tensor.data(), {5}));
  const auto first = [](const auto& c) {
    return outcome<classes>([&](auto& session) { data_set(c).set_inputs(session, rows{0}); });
  };
  const std::vector<float> three = first(of_copy);
  CHECK(first(of_view) == three);
  CHECK(first(moved) == three);
  CHECK(first(of_tensor) == three);
  CHECK(first(of_view_of_tensor) == three);
  values[0] = 7;
  tensor(0) = 7;
  CHECK(first(of_copy) == three);
  CHECK(first(of_tensor) == three);
  const std::vector<float> seven = first(of_view);
  CHECK(seven != three);
  CHECK(first(of_view_of_tensor) == seven);
  CHECK(given.empty());  // moved, not copied
}
TEST_CASE("a function returns a data set of what is its own") {
  const auto made = [] {
    const std::vector<std::vector<int>> mine = sentences;
    const std::span<const std::vector<int>> looking(sentences);
    const std::vector<int> classes_of_rows = ids;
    return data_set(column<"tokens">(mine), column<"others">(looking), column<"target">(classes_of_rows));
  };
  const auto data = made();  // the address sanitizer would find a range that was destroyed
  CHECK(data.size() == 5);
  CHECK(data.length(2) == 5);
}

TEST_CASE("the length of a row is its number of steps; features are none") {
  const auto lengths = [](const auto& c) {
    std::vector<int> all;
    for (int r = 0; r < c.size(); ++r) all.push_back(c.length(r));
    return all;
  };
  const std::vector<int> none(5, 0);
  CHECK(lengths(column<"x">(sentences)) == std::vector<int>{3, 1, 5, 0, 2});
  CHECK(lengths(column<"x">(5, [](int r) { return sentences[at(r)]; })) == std::vector<int>{3, 1, 5, 0, 2});
  CHECK(lengths(column<"x">(ids)) == none);
  CHECK(lengths(column<"x">(std::vector<std::array<float, 3>>(5))) == none);
  CHECK(lengths(column<"x">(std::vector<std::vector<std::array<float, 2>>>{{}, {{}, {}}, {}, {}, {{}}})) ==
        std::vector<int>{0, 2, 0, 0, 1});
  const std::vector<float> all(50);
  CHECK(lengths(column<"x">(view<const float>(all.data(), {5, 10}))) == none);
  CHECK(lengths(column<"x">(view<const float>(all.data(), {5, 5, 2}), signal_lengths)) == signal_lengths);
  CHECK(lengths(column<"x">(std::vector<view<const float>>(5, view<const float>(all.data(), {4, 2})))) ==
        std::vector<int>(5, 4));
}

TEST_CASE("values that are no rows of the input are errors that name the column") {
  const std::vector<float> all(50);
  const auto refused = []<class G>(std::type_identity<G>, auto made, const char* message) {
    const data_set data(made);
    CHECK_THROWS_WITH_AS(outcome<G>([&](auto& session) {
                           data.set_inputs(session, rows{0, 1});
                         }),
                         message, input_error);
  };
  using rank_of = std::vector<view<const float>>;
  refused(std::type_identity<signals>{}, column<"x">(rank_of(2, view<const float>(all.data(), {10}))),
          "column 'x': expected tensors [steps, features], got rank 1");
  refused(std::type_identity<signals>{},
          column<"x">(rank_of{view<const float>(all.data(), {3, 2}), view<const float>(all.data(), {2, 4})}),
          "column 'x': expected tensors of as many features, got 2 and 4");
  refused(std::type_identity<points>{}, column<"x">(std::vector<std::vector<float>>{{1, 2, 3, 4}, {5, 6}}),
          "input 'x': row 0: expected 3 numbers, got 4");
  refused(std::type_identity<points>{}, column<"x">(2, [](int r) { return std::vector<float>(at(3 - r)); }),
          "column 'x', row 1: 2 numbers, expected 3; mend the rows, or the features<> of the input");
  refused(std::type_identity<classes>{}, column<"x">(std::vector<int>{1, 9}),
          "input 'x': row 1: token 9 is outside table 'y.weight' of 9 rows");
  CHECK_THROWS_WITH_AS(column<"x">(view<const float>(all.data(), {5, 5, 2}), rows{1, 2}),
                       "column 'x': expected 5 lengths, one for each row, got 2", input_error);
  CHECK_THROWS_WITH_AS(column<"x">(-1, [](int) { return 0; }), "column 'x': expected at least 0 rows, got -1",
                       input_error);
}

}  // namespace tenon::test
