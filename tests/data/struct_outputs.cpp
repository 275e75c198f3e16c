// A struct has the numbers that get<"name"> and predict<"name"> have: outputs of every kind, rows of a batch, steps of a stream.
#include "tenon/data/struct_outputs.hpp"

#include "tenon/data/column.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/tenon.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace tenon::test {
using namespace nn;
namespace {

using reader = graph<"reader", input<"words", token<7>, steps<4>>, node<"embedded", embedding<7, 3>, "words">,
                     node<"states", gru<5, layers<2>>, "embedded">, node<"tags", linear<2>, "states">,
                     node<"logits", linear<4>, "states.final">, node<"certainty", linear<1>, "logits">,
                     output<"logits">, output<"certainty">, output<"tags">, output<"states.h_n">>;
using looker = graph<"looker", input<"image", features<1>, grid<2, 3>>,
                     node<"seen", conv2d<2, 1, 1>, "image">, output<"seen">>;
using listener =
    graph<"listener", input<"x", features<2>, steps<8>>, node<"states", gru<3>, "x">, output<"states">>;

struct answer {
  std::string note;  // text: stays
  double certainty;
  std::array<float, 4> logits;
  std::vector<std::array<float, 2>> tags;
  std::array<float, 10> states_h_n;  // states.h_n
};
struct some {
  std::vector<float> tags, logits;
};
struct shown {
  std::array<float, 12> seen;
};
struct heard {
  std::array<float, 3> states;
};

}  // namespace
}  // namespace tenon::test
BOOST_HANA_ADAPT_STRUCT(tenon::test::answer, note, certainty, logits, tags, states_h_n);
BOOST_HANA_ADAPT_STRUCT(tenon::test::some, tags, logits);
BOOST_HANA_ADAPT_STRUCT(tenon::test::shown, seen);
BOOST_HANA_ADAPT_STRUCT(tenon::test::heard, states);

namespace tenon::test {
namespace {

constexpr int count = 5;
std::vector<std::vector<int>> texts() { return {{1, 2, 3}, {4}, {}, {5, 6, 0, 1}, {2, 2}}; }
auto data() { return data_set(column<"words">(texts())); }
template <class Numbers>
std::vector<float> flat(const Numbers& all) {
  std::vector<float> numbers;
  for (const auto& step : all) numbers.insert(numbers.end(), step.begin(), step.end());
  return numbers;
}
template <class Numbers>
std::vector<float> numbers_of(const Numbers& all) {
  return {all.begin(), all.end()};
}

}  // namespace

TEST_CASE("a member is the output whose name is the same in each letter, with underscores for dots") {
  using plan = inference<reader>::plan;
  const std::string members[]{"logits", "certainty", "tags", "states_h_n"};
  for (int o = 0; o < 4; ++o) {
    const std::string& member = members[o];
    CHECK(engine::output_of_member<plan>(member) == o);
    for (std::size_t k = 0; k < member.size(); ++k) {
      std::string wrong = member;
      wrong[k] = 'x';
      CHECK(engine::output_of_member<plan>(wrong) == -1);
    }
    CHECK(engine::output_of_member<plan>(member + "s") == -1);
    CHECK(engine::output_of_member<plan>(member.substr(1)) == -1);
  }
}
TEST_CASE("each row of a data set, as predict has its outputs by name") {
  const parameters<reader> theta(seed{3});
  inference<reader, batch<2>> model(theta);
  const auto all = predict<answer>(model, data());
  static_assert(std::is_same_v<decltype(all), const std::vector<answer>>);
  REQUIRE(all.size() == count);
  const auto few = predict<some>(model, theta, data());
  const auto logits = predict<"logits">(model, data()), tags = predict<"tags">(model, data()),
             certainty = predict<"certainty">(model, data()), states = predict<"states.h_n">(model, data());
  for (std::size_t r = 0; r < count; ++r) {
    CHECK(all[r].note.empty());
    CHECK(numbers_of(all[r].logits) == logits[r]);
    CHECK(static_cast<float>(all[r].certainty) == certainty[r][0]);
    CHECK(all[r].tags.size() == texts()[r].size());
    CHECK(flat(all[r].tags) == tags[r]);
    CHECK(numbers_of(all[r].states_h_n) == states[r]);
    CHECK(few[r].logits == logits[r]);
    CHECK(few[r].tags == tags[r]);
  }
}
TEST_CASE("a row of the last run") {
  const parameters<reader> theta(seed{3});
  inference<reader, batch<8>> model(theta);
  const auto all = predict<answer>(model, data());
  model(texts());
  for (int r = 0; r < count; ++r) {
    const answer a = get<answer>(model, r);
    CHECK(a.logits == all[static_cast<std::size_t>(r)].logits);
    CHECK(a.tags == all[static_cast<std::size_t>(r)].tags);
  }
  CHECK_THROWS_WITH_AS(get<answer>(model),
                       "get of a struct: the last run had 5 rows; write get<answer>(session, row), or "
                       "predict<answer>(session, data)",
                       input_error);
  CHECK_THROWS_WITH_AS(get<answer>(model, 5), "row 5 is outside a run of 5 rows", input_error);
  CHECK_THROWS_AS(get<answer>(model, -1), input_error);
  model(std::array{texts()[3]});
  CHECK(get<answer>(model).tags == all[3].tags);
}
TEST_CASE("a grid, and a step of a stream") {
  const parameters<looker> looking(seed{3});
  inference<looker> eye(looking);
  const auto seen = eye(std::array{std::array<float, 6>{1, 2, 3, 4, 5, 6}});
  CHECK(numbers_of(get<shown>(eye).seen) == numbers_of(seen));

  const parameters<listener> theta(seed{3});
  streaming<listener, batch<2>> live(theta);
  live.step(std::array<float, 4>{1, 2, 3, 4});
  const auto states = live.step(std::array<float, 4>{2, 1, 0, 4});
  for (int r = 0; r < 2; ++r)
    for (int k = 0; k < 3; ++k)
      CHECK(get<heard>(live, r).states[static_cast<std::size_t>(k)] == states(r, k));
}

}  // namespace tenon::test
