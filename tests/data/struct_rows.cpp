// Rows that are structs give the numbers of their members as columns, and as inputs by name: the same training bit for bit, the same
// outputs of inference and of a stream.
#include "tenon/data/struct_rows.hpp"

#include "support/allocations.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/tenon.hpp"

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

enum class species { setosa, versicolor, virginica };
struct sighting {
  std::string seen_at;  // ignored: text
  std::vector<int> words;
  std::array<float, 2> weather;
  float warmth;
  std::vector<std::array<float, 3>> track;
  species kind;
  int target;
};
using observer = graph<"observer", input<"words", token<9>, steps<4>>, input<"weather", features<2>>,
                       input<"warmth", features<1>>, input<"track", features<3>, steps<5, "moves">>,
                       input<"kind", token<3>>, node<"embedded", embedding<9, 3>, "words">,
                       node<"read", gru<4>, "embedded">, node<"moved", gru<4>, "track">,
                       node<"of_kind", embedding<3, 4>, "kind">,
                       node<"seen", concatenate, "weather", "warmth">, node<"sky", linear<4>, "seen">,
                       node<"sum", add, "read.final", "moved.final">, node<"more", add, "sum", "of_kind">,
                       node<"all", add, "more", "sky">, node<"logits", linear<3>, "all">, output<"logits">>;

struct frame {
  BOOST_HANA_DEFINE_STRUCT(frame, (std::array<float, 2>, levels), (int, key), (float, volume));
};
using listener = graph<"listener", input<"levels", features<2>, steps<8>>, input<"key", token<4>, steps<8>>,
                       input<"volume", features<1>, steps<8>>, node<"of_key", embedding<4, 2>, "key">,
                       node<"all", concatenate, "levels", "of_key", "volume">, node<"states", gru<3>, "all">,
                       output<"states">>;

}  // namespace
}  // namespace tenon::test
BOOST_HANA_ADAPT_STRUCT(tenon::test::sighting, seen_at, words, weather, warmth, track, kind, target);

namespace tenon::test {
namespace {

float number(int row, int k) { return std::sin(static_cast<float>(7 * row + k)); }
std::vector<sighting> sightings(int count) {
  std::vector<sighting> all(static_cast<std::size_t>(count));
  for (int r = 0; r < count; ++r) {
    sighting& s = all[static_cast<std::size_t>(r)];
    s.seen_at = std::string(static_cast<std::size_t>(r), 'x');
    for (int t = 0; t < r * 3 % 5; ++t) s.words.push_back((r + t) % 9);
    s.weather = {number(r, 1), number(r, 2)};
    s.warmth = number(r, 3);
    for (int t = 0; t < r * 2 % 6; ++t) s.track.push_back({number(r, t), number(t, r), 1});
    s.kind = static_cast<species>(r % 3);
    s.target = r % 3;
  }
  return all;
}
template <class F>
auto each(const std::vector<sighting>& rows, F f) {
  std::vector<std::remove_cvref_t<decltype(f(rows[0]))>> all;
  for (const sighting& s : rows) all.push_back(f(s));
  return all;
}
auto by_columns(const std::vector<sighting>& rows) {
  return data_set(column<"words">(each(rows, [](const sighting& s) { return s.words; })),
                  column<"weather">(each(rows, [](const sighting& s) { return s.weather; })),
                  column<"warmth">(each(rows, [](const sighting& s) { return s.warmth; })),
                  column<"track">(each(rows, [](const sighting& s) { return s.track; })),
                  column<"kind">(each(rows, [](const sighting& s) { return static_cast<int>(s.kind); })),
                  column<"target">(each(rows, [](const sighting& s) { return s.target; })));
}
template <class Data>
std::vector<float> trained_on(const Data& data) {
  parameters<observer> theta(seed{2});
  trainer<observer, losses::cross_entropy<"logits">, optimizers::adam, batch<4>> learner(theta);
  fit(learner, data, {.epochs = 2, .batches = similar_length(2)});
  return {theta.data(), theta.data() + theta.count()};
}
template <class View>
std::vector<float> numbers_of(const View& y) {
  return {y.begin(), y.end()};
}
frame frame_at(int row, int step) {
  frame f;
  f.levels = {number(row, step), number(step, row)};
  f.key = (row + step) % 4;
  f.volume = number(row + step, 5);
  return f;
}

}  // namespace

// The inputs that a struct must have as members: all of them for rows; of a stream, those that are set before its steps, and for a
// step those with steps.
using teller = graph<"teller", input<"x", features<2>, steps<8>>, input<"topic", features<3>>,
                     node<"states", gru<3>, "x">, node<"all", add, "states", "topic">, output<"all">>;
template <class Session, bool OneStep>
std::vector<std::string> asked() {
  using plan = typename Session::plan;
  std::vector<std::string> names;
  for (const int e : plan::net.inputs)
    if (detail::unfit_members<plan, frame, OneStep, false>::is_asked(e))
      names.emplace_back(plan::net.edges[e].path.view());
  return names;
}
TEST_CASE("which inputs a struct must have") {
  using list = std::vector<std::string>;
  CHECK(asked<inference<teller>, false>() == list{"x", "topic"});
  CHECK(asked<streaming<teller>, false>() == list{"topic"});
  CHECK(asked<streaming<teller>, true>() == list{"x"});
}
struct topic_alone {
  BOOST_HANA_DEFINE_STRUCT(topic_alone, (std::array<float, 3>, topic));
};
struct x_alone {
  BOOST_HANA_DEFINE_STRUCT(x_alone, (std::array<float, 2>, x));
};
// What is wrong with a struct as the inputs of a session; nothing if it has those that are asked for.
template <class Session, class Struct, bool OneStep>
std::string problem_of() {
  constexpr ir::problem p = detail::unfit_members<typename Session::plan, Struct, OneStep, false>::find();
  return p ? std::string(p.rule.view()) : "";
}
TEST_CASE("a struct need not have the inputs that are not asked for") {
  CHECK(problem_of<streaming<teller>, topic_alone, false>() == "");
  CHECK(problem_of<streaming<teller>, x_alone, true>() == "");
  CHECK(problem_of<inference<teller>, topic_alone, false>().starts_with("input 'x' is no member of"));
  CHECK(problem_of<streaming<teller>, x_alone, false>().ends_with("a stream takes those one at a time"));
  CHECK(problem_of<streaming<teller>, topic_alone, true>().ends_with("input 'topic' has no steps"));
}
TEST_CASE("a data set of structs is that of its members as columns") {
  const std::vector<sighting> rows = sightings(11);
  data_set data = columns_of(rows);
  CHECK(data.size() == 11);
  for (int r = 0; r < 11; ++r) CHECK(data.length(r) == by_columns(rows).length(r));  // texts have no length
  CHECK(trained_on(data) == trained_on(by_columns(rows)));
  const auto parts = split(data, 0.3, seed{1});
  CHECK(trained_on(parts.rest) == trained_on(split(by_columns(rows), 0.3, seed{1}).rest));
}
TEST_CASE("a vector is copied or moved, the memory behind a span is read") {
  std::vector<sighting> rows = sightings(5);
  const std::vector<float> expected = trained_on(by_columns(rows));
  const auto copied = columns_of(rows);
  const auto read = columns_of(std::span<const sighting>(rows));
  CHECK(trained_on(read) == expected);
  rows[2].weather = {9, 9};
  CHECK(trained_on(copied) == expected);
  CHECK(trained_on(read) == trained_on(by_columns(rows)));
  CHECK(trained_on(columns_of(sightings(5))) == expected);
  const sighting fixed[] = {sightings(2)[0], sightings(2)[1]};
  CHECK(columns_of(fixed).size() == 2);
  CHECK(columns_of(std::array{fixed[0]}).size() == 1);
}
TEST_CASE("rows that no session could accept are found by their column and row") {
  std::vector<sighting> rows = sightings(5);
  rows[3].words.assign(7, 1);
  parameters<observer> theta(seed{2});
  trainer<observer, losses::cross_entropy<"logits">, optimizers::adam, batch<4>> learner(theta);
  CHECK_THROWS_WITH_AS(
      fit(learner, columns_of(rows)),
      "column 'words', row 3: 7 steps, expected at most 4; write steps<7>, or cut the sequence", input_error);
}
TEST_CASE("one struct, or a range of them, is the inputs of a call") {
  const std::vector<sighting> rows = sightings(6);
  const parameters<observer> theta(seed{4});
  inference<observer, batch<8>> model(theta), other(theta);
  by_columns(rows).set_inputs(other, std::vector{0, 1, 2, 3, 4, 5});
  other.run();
  const std::vector<float> expected = numbers_of(get<"logits">(other));
  CHECK(numbers_of(model(rows)) == expected);
  CHECK(numbers_of(model(theta, std::span<const sighting>(rows))) == expected);
  for (int r = 0; r < 6; ++r) {
    by_columns(rows).set_inputs(other, std::vector{r});
    other.run();
    CHECK(numbers_of(model(rows[static_cast<std::size_t>(r)])) == numbers_of(get<"logits">(other)));
    CHECK(model.rows() == 1);
  }
  CHECK_THROWS_AS(model(sightings(9)), input_error);  // more rows than the batch
}
TEST_CASE("a trainer's inputs, then its step") {
  const std::vector<sighting> rows = sightings(4);
  parameters<observer> theta(seed{4}), same(seed{4});
  trainer<observer, losses::cross_entropy<"logits">, optimizers::adam, batch<4>> learner(theta), other(same);
  set_inputs(learner, rows);
  by_columns(rows).set_inputs(other, std::vector{0, 1, 2, 3});
  CHECK(learner.step() == other.step());
}
TEST_CASE("a step of one struct takes no memory from the heap") {
  const parameters<listener> theta(seed{5});
  streaming<listener> live(theta);
  live.step(frame_at(0, 0));
  const frame next = frame_at(0, 1);
  CHECK(allocations_of([&] { live.step(next); }) == 0);
}
TEST_CASE("a step of a stream") {
  const parameters<listener> theta(seed{5});
  streaming<listener> one(theta), other(theta);
  streaming<listener, batch<3>> several(theta), others(theta);
  for (int t = 0; t < 4; ++t) {
    const frame f = frame_at(0, t);
    CHECK(numbers_of(one.step(f)) ==
          numbers_of(other.step(f.levels, std::array{f.key}, std::array{f.volume})));
    const std::vector<frame> rows{frame_at(0, t), frame_at(1, t), frame_at(2, t)};
    const std::vector levels{rows[0].levels, rows[1].levels, rows[2].levels};
    CHECK(numbers_of(several.step(theta, rows)) ==
          numbers_of(others.step(levels, std::array{rows[0].key, rows[1].key, rows[2].key},
                                 std::array{rows[0].volume, rows[1].volume, rows[2].volume})));
  }
}

}  // namespace tenon::test
