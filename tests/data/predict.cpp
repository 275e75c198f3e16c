// The outputs for each row of a data set equal those for the row alone: outputs of every kind, batches that are not full, parameters that
// are bound or given, a user's own data.
#include "tenon/data/predict.hpp"

#include "tenon/data/data_set.hpp"
#include "tenon/decode/choose.hpp"
#include "tenon/nn/nn.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace tenon::test {
using namespace nn;

namespace {
constexpr int count = 11;
std::vector<int> words(int row) {
  std::vector<int> all;
  for (int t = 0; t < row * 5 % 4; ++t) all.push_back((row + t * t) % 7);  // from none to 3
  return all;
}
float number(int row, int k) { return std::sin(static_cast<float>(5 * row + k)); }

using reader =
    graph<"reader", input<"words", token<7>, steps<4>>, node<"embedded", embedding<7, 3>, "words">,
          node<"states", gru<5, layers<2>>, "embedded">, node<"tags", linear<2>, "states">,
          node<"logits", linear<4>, "states.final">, output<"logits">, output<"tags">, output<"states.h_n">>;
using looker = graph<"looker", input<"image", features<1>, grid<2, 3>>,
                     node<"seen", conv2d<2, 1, 1>, "image">, output<"seen">>;

auto sentences() {
  return data_set(column<"words">(count, words), column<"target">(count, [](int row) { return row % 4; }));
}
// The output for a row alone.
template <ir::text Output>
std::vector<float> alone(const parameters<reader>& theta, int row) {
  inference<reader> session(theta);
  set_input<"words">(session, std::vector<std::vector<int>>{words(row)});
  session.run();
  const auto y = get<Output>(session);
  return {y.begin(), y.end()};
}
// Parameters that are not zero.
parameters<reader> trained() { return parameters<reader>(seed{3}); }

void check_near(const std::vector<float>& a, const std::vector<float>& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t k = 0; k < a.size(); ++k) CHECK(a[k] == doctest::Approx(b[k]).epsilon(1e-5));
}
}  // namespace

TEST_CASE("what a function makes of each row, in the order of the rows") {
  const parameters<reader> theta = trained();
  inference<reader, batch<4>> model(theta);
  const std::vector<int> found =
      predict<"logits">(model, sentences(), [](const auto& scores) { return argmax(scores); });
  REQUIRE(found.size() == count);
  for (int row = 0; row < count; ++row)
    CHECK(found[static_cast<std::size_t>(row)] == argmax(alone<"logits">(theta, row)));
}
TEST_CASE("without a function all numbers of the row; the last batch may be smaller") {
  const parameters<reader> theta = trained();
  inference<reader, batch<4>> model(theta);
  const auto all = predict<"logits">(model, sentences());
  static_assert(std::is_same_v<decltype(all), const std::vector<std::vector<float>>>);
  REQUIRE(all.size() == count);
  for (int row = 0; row < count; ++row)
    check_near(all[static_cast<std::size_t>(row)], alone<"logits">(theta, row));
  const auto part = predict<"logits">(model, sentences().part(std::vector{9, 2, 2}));
  REQUIRE(part.size() == 3);
  CHECK(part[0] == all[9]);
  CHECK(part[1] == all[2]);
  CHECK(part[2] == all[2]);
}
TEST_CASE("of a sequence only the row's own steps") {
  const parameters<reader> theta = trained();
  inference<reader, batch<4>> model(theta);
  const auto all = predict<"tags">(model, sentences());
  int row = 0;
  const auto steps = predict<"tags">(model, sentences(), [&](const view<const float, 2>& tags) {
    CHECK(tags.extent(0) == words(row).size());
    CHECK(tags.extent(1) == 2);
    const std::vector<float> expected = alone<"tags">(theta, row);
    for (std::size_t t = 0; t < tags.extent(0); ++t)
      for (std::size_t j = 0; j < 2; ++j)
        CHECK(tags(t, j) == doctest::Approx(expected[2 * t + j]).epsilon(1e-5));
    check_near(all[static_cast<std::size_t>(row)],
               {expected.begin(), expected.begin() + std::ssize(words(row)) * 2});
    ++row;
    return tags.extent(0);
  });
  static_assert(std::is_same_v<decltype(steps), const std::vector<std::size_t>>);
  for (int k = 0; k < count; ++k) CHECK(steps[static_cast<std::size_t>(k)] == words(k).size());
}
TEST_CASE("of the states of several layers those of the row") {
  const parameters<reader> theta = trained();
  inference<reader, batch<4>> model(theta);
  const auto all = predict<"states.h_n">(model, sentences());
  for (int row = 0; row < count; ++row)
    check_near(all[static_cast<std::size_t>(row)], alone<"states.h_n">(theta, row));
  predict<"states.h_n">(model, sentences(), [](const auto& states) {
    CHECK(states.extent(0) == 2);
    CHECK(states.extent(1) == 5);
    return 0;
  });
}
TEST_CASE("of a grid the image of the row") {
  const parameters<looker> theta(seed{1});
  const data_set data(column<"image">(5, [](int row) {
    std::array<float, 6> image{};
    for (std::size_t k = 0; k < 6; ++k) image[k] = number(row, static_cast<int>(k));
    return image;
  }));
  inference<looker, batch<2>> model(theta);
  int row = 0;
  const auto sums = predict<"seen">(model, data, [&](const auto& seen) {
    REQUIRE(seen.dimension() == 3);
    CHECK(seen.extent(0) == 2);
    CHECK(seen.extent(1) == 3);
    float sum = 0;
    for (std::size_t y = 0; y < 2; ++y)
      for (std::size_t x = 0; x < 3; ++x) {
        const float pixel = number(row, static_cast<int>(3 * y + x));
        const auto w = get<"seen.weight">(theta);
        const auto b = get<"seen.bias">(theta);
        CHECK(seen(y, x, 1) == doctest::Approx(*(w.begin() + 1) * pixel + b(1)).epsilon(1e-5));
        sum += seen(y, x, 1);
      }
    ++row;
    return sum;
  });
  CHECK(sums.size() == 5);
  CHECK(predict<"seen">(model, data)[4].size() == 12);
}
TEST_CASE("of several outputs a row of each") {
  const parameters<reader> theta = trained();
  inference<reader, batch<4>> model(theta);
  struct judged {
    int kind;
    std::size_t steps;
    float state;
  };
  const auto all = predict<"logits", "tags", "states.h_n">(
      model, sentences(), [](const auto& logits, const auto& tags, const auto& states) {
        return judged{argmax(logits), tags.extent(0), states(1, 4)};
      });
  const auto kinds = predict<"logits">(model, sentences(), [](const auto& scores) { return argmax(scores); });
  REQUIRE(all.size() == count);
  for (std::size_t k = 0; k < count; ++k) {
    CHECK(all[k].kind == kinds[k]);
    CHECK(all[k].steps == words(static_cast<int>(k)).size());
    CHECK(all[k].state == doctest::Approx(alone<"states.h_n">(theta, static_cast<int>(k))[9]).epsilon(1e-5));
  }
}
TEST_CASE("an input may be an output, beside what is made of it") {
  using seer = graph<"seer", input<"x", features<2>>, node<"y", linear<3>, "x">, output<"x">, output<"y">>;
  const parameters<seer> theta(seed{3});
  inference<seer, batch<4>> model(theta);
  const data_set data(column<"x">(count, [](int row) { return std::array{number(row, 0), number(row, 1)}; }));
  const auto seen = predict<"x">(model, data, [](const auto& x) { return std::array{x(0), x(1)}; });
  const auto made = predict<"x", "y">(model, data, [](const auto& x, const auto& y) { return x(1) + y(2); });
  const auto y = predict<"y">(model, data);
  REQUIRE(made.size() == count);
  for (int row = 0; row < count; ++row) {
    const auto r = static_cast<std::size_t>(row);
    CHECK(seen[r] == std::array{number(row, 0), number(row, 1)});
    CHECK(made[r] == number(row, 1) + y[r][2]);
  }
}
TEST_CASE("parameters may be given at the call, and a session may end with it") {
  const parameters<reader> theta = trained(), other(seed{9});
  inference<reader, batch<4>> bound(theta), free;
  const auto of_bound = predict<"logits">(bound, sentences());
  CHECK(predict<"logits">(free, theta, sentences()) == of_bound);
  CHECK(predict<"logits">(bound, other, sentences()) != of_bound);
  CHECK(predict<"logits">(bound, sentences()) == of_bound);
  CHECK(predict<"logits">(inference<reader, batch<4>>(theta), sentences()) == of_bound);
  CHECK(predict<"logits">(free, theta, sentences(), [](const auto& scores) { return scores(3); })[7] ==
        of_bound[7][3]);
  CHECK_THROWS_WITH_AS(predict<"logits">(free, sentences()),
                       "the session of graph 'reader' has no parameters; write run(theta), or make the "
                       "session with them, model(theta)",
                       input_error);
}
TEST_CASE("the targets may be left out, in double, and what is found may be bits") {
  const parameters<reader, double> theta(seed{3});
  inference<reader, batch<3>, scalar_type<double>> model(theta);
  const data_set data(column<"words">(count, words));
  const std::vector<std::vector<double>> all = predict<"logits">(model, data);
  const std::vector<bool> positive =
      predict<"logits">(model, data, [](const auto& scores) { return scores(0) > 0; });
  for (std::size_t k = 0; k < count; ++k) CHECK(positive[k] == (all[k][0] > 0));
}

// Data without check_inputs, which is not told about the targets.
struct own_data {
  std::vector<std::vector<int>> all;
  int size() const { return static_cast<int>(all.size()); }
  void set_inputs(auto& session, std::span<const int> rows) const {
    std::vector<std::vector<int>> some;
    for (int row : rows) some.push_back(all[static_cast<std::size_t>(row)]);
    set_input<"words">(session, some);
  }
};
TEST_CASE("data of one's own") {
  const parameters<reader> theta = trained();
  inference<reader, batch<4>> model(theta);
  own_data own;
  for (int row = 0; row < count; ++row) own.all.push_back(words(row));
  CHECK(predict<"logits">(model, own) == predict<"logits">(model, sentences()));
}
TEST_CASE("no rows, no predictions, and no run") {
  inference<reader, batch<4>> free;  // not bound to parameters
  CHECK(predict<"logits">(free, sentences().part(std::vector<int>{})).empty());
  CHECK(predict<"tags">(free, own_data{}, [](const auto&) { return 1; }).empty());
}
TEST_CASE("a row that cannot be set is found before the first run") {
  const parameters<reader> theta = trained();
  inference<reader, batch<2>> model(theta);
  std::vector<std::vector<int>> all(6, {1, 2});
  all[5] = {1, 7};
  int calls = 0;
  CHECK_THROWS_WITH_AS(
      predict<"logits">(model, data_set(column<"words">(all)), [&](const auto&) { return ++calls; }),
      "column 'words', row 5, step 1: token 7, expected 0 to 6, the rows of table 'embedded.weight'; write "
      "token<8> and as many rows, or bound the vocabulary: {.max_size = 7}",
      input_error);
  CHECK(calls == 0);
}

}  // namespace tenon::test
