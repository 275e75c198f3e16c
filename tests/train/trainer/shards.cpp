// A batch that is split into shards trains as in one piece, and with the same bits for any number of threads:
// every kind of input, ragged and partial batches, targets left out. Error messages refer to the whole
// batch.
#include "tenon/train/trainer/shards.hpp"

#include "support/allocations.hpp"
#include "support/compare.hpp"
#include "support/machines.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/train/loop/fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace tenon::test {
using namespace nn;

// Tokens and numbers in time, tokens and numbers of a row, initial states in layers; a target for each step.
template <class... Dropped>
using tagger_of =
    graph<"tagger", input<"words", token<7>, steps<4>>, input<"x", features<3>, steps<4>>,
          input<"style", token<5>>, input<"speed", features<2>>, input<"h0", layers<2>, features<3>>,
          node<"e", embedding<7, 3>, "words">, node<"s", chain<embedding<5, 2>, linear<3>>, "style">,
          node<"v", linear<3>, "speed">, node<"sum", add, "e", "x">, node<"more", add, "sum", "s">,
          node<"most", add, "more", "v">, node<"h", gru<3, bidirectional>, "most", "h0">,
          node<"tags", chain<Dropped..., linear<6>>, "h">, output<"tags">>;
using tagger = tagger_of<>;
using dropping_tagger = tagger_of<dropout<0.5>>;
constexpr int tagger_size = parameters<tagger>::learned_size;

using sequences = std::vector<std::vector<int>>;

// A batch of `rows` sequences; `number` makes batches differ. Some sequences are empty, some targets are left out.
struct sample {
  int rows;
  sequences words, targets;
  std::vector<int> lengths, style;
  std::vector<float> x, x_time_first, speed, h0;

  sample(int number, int count) : rows(count) {
    auto value = [&, k = 0]() mutable { return std::sin(float(17 * number + 3 * k++)); };
    for (int r = 0; r < rows; ++r) {
      const int n = number + 3 * r, length = (n * n + r) % 5;
      words.emplace_back();
      targets.emplace_back();
      lengths.push_back(length);
      style.push_back(n % 5);
      for (int t = 0; t < length; ++t) {
        words.back().push_back((n + t * t) % 7);
        targets.back().push_back((n + t) % 7 - 1);
      }
      speed.push_back(value());
      speed.push_back(value());
    }
    for (int k = 0; k < rows * 4 * 3; ++k) x.push_back(value());
    for (int k = 0; k < 2 * rows * 3; ++k) h0.push_back(value());
    for (int t = 0; t < 4; ++t)
      for (int r = 0; r < rows; ++r)
        for (int j = 0; j < 3; ++j) x_time_first.push_back(x[std::size_t((r * 4 + t) * 3 + j)]);
  }
  void give_to(auto& session, bool time_first = false) const {
    const view<const float> in_rows(x.data(), {rows, 4, 3}, {12, 3, 1}),
        in_time(x_time_first.data(), {4, rows, 3}, {rows * 3, 3, 1});
    set_input<"words">(session, words);
    if (time_first) set_input<"x">(session, in_time, lengths, layout::time_first);
    else set_input<"x">(session, in_rows, lengths);
    set_input<"style">(session, style);
    set_input<"speed">(session, speed);
    set_input<"h0">(session, view<const float>(h0.data(), {2, rows, 3}, {rows * 3, 3, 1}));
    set_input<"target">(session, targets);
  }
};

TEST_CASE_TEMPLATE("shards train as one piece does", M, oracle, processor) {
  using T = typename M::scalar;
  using loss = losses::cross_entropy<"tags">;
  using backend = on<typename M::backend>;
  typename M::template parameters<tagger> whole_theta(seed{1}), cut_theta(seed{1});
  trainer<tagger, loss, optimizers::sgd, batch<8>, backend, scalar_type<T>> whole(whole_theta,
                                                                                  {.learning_rate = 0.5});
  trainer<tagger, loss, optimizers::sgd, shards<4>, backend, batch<8>, scalar_type<T>> cut(
      cut_theta, {.learning_rate = 0.5}, {}, threads{2});
  const double tolerance = sizeof(T) == 4 ? 2e-6 : 1e-13;
  int number = 0;
  for (int rows : {8, 5, 1, 8, 4, 3, 7, 8}) {
    const sample s(++number, rows);
    s.give_to(whole);
    s.give_to(cut, number % 2 == 0);
    const double expected = double(whole.step());
    CHECK(expected > 0);
    CHECK(std::abs(double(cut.step()) - expected) <= tolerance);
    CHECK(cut.rows() == rows);
    for (int k = 0; k < whole_theta.block_size; ++k) {
      REQUIRE(std::abs(double(cut.gradients().data()[k]) - double(whole.gradients().data()[k])) <= tolerance);
      REQUIRE(std::abs(double(std::as_const(cut_theta).data()[k]) -
                       double(std::as_const(whole_theta).data()[k])) <= tolerance);
    }
    for (int r = 0; r < rows; ++r)
      for (int t = 0; t < 4; ++t)
        CHECK(std::abs(double(get<"tags">(cut.shard(r / 2))(r % 2, t, 5)) -
                       double(get<"tags">(whole)(r, t, 5))) <= tolerance);
  }
}

// An input that only attention reads is stored as rows of steps, in the whole batch and in each shard; a shard
// of one row has no such order.
template <int Count>
void check_attended_input() {
  using model = graph<"model", input<"q", features<4>>, input<"h", features<4>, steps<5>>,
                      node<"c", attention<score::dot>, "q", "h">, node<"y", linear<3>, "c">, output<"y">>;
  using loss = losses::cross_entropy<"y">;
  const auto is_rows_of_steps = []<class Session>(std::type_identity<Session>) {
    return engine::row_order<typename Session::plan>::is_rows_of_steps(Session::plan::net.inputs[1]);
  };
  CHECK(is_rows_of_steps(std::type_identity<differentiation<model, loss, batch<8>>>{}));
  CHECK(is_rows_of_steps(std::type_identity<differentiation<model, loss, batch<8 / Count>>>{}) ==
        (Count < 8));
  parameters<model> whole_theta(seed{1}), cut_theta(seed{1});
  trainer<model, loss, optimizers::sgd, batch<8>> whole(whole_theta, {.learning_rate = 0.5f});
  trainer<model, loss, optimizers::sgd, batch<8>, shards<Count>> cut(cut_theta, {.learning_rate = 0.5f}, {},
                                                                     threads{2});
  std::vector<float> numbers;
  for (int k = 0; k < 7 * (4 + 5 * 4); ++k) numbers.push_back(std::sin(float(k * k)));
  const auto give = [&](auto& to) {
    set_input<"q">(to, view<const float>(numbers.data(), {7, 4}, {4, 1}));
    set_input<"h">(to, view<const float>(numbers.data() + 28, {7, 5, 4}, {20, 4, 1}),
                   std::vector<int>{5, 3, 1, 0, 5, 2, 4});
    set_input<"target">(to, std::vector<int>{0, 1, 2, 0, 1, 2, 0});
  };
  give(whole);
  give(cut);
  for (int step = 0; step < 3; ++step) {
    CHECK(std::abs(whole.step() - cut.step()) <= 1e-6f);
    for (int k = 0; k < whole_theta.block_size; ++k)
      REQUIRE(std::abs(std::as_const(cut_theta).data()[k] - std::as_const(whole_theta).data()[k]) <= 1e-6f);
  }
}
TEST_CASE("shards of an input that attention alone reads") {
  check_attended_input<2>();
  check_attended_input<8>();
}

// A table that is only multiplied: each shard multiplies a piece of it, and of its gradient, for all shards. A table
// may have fewer rows than there are shards, and a batch fewer shards than there are pieces; two readers share it.
template <int Entries, int Count>
void check_table() {
  using model = graph<"model", input<"t", token<Entries>, steps<7>>,
                      node<"e", embedding<Entries, 4, padding_idx<1>>, "t">,
                      node<"h", gru<3, bidirectional>, "e">, node<"y", linear<3>, "h.final">, output<"y">>;
  using loss = losses::cross_entropy<"y">;
  static_assert(differentiation<model, loss, batch<8 / Count>>::plan::has_tables);
  parameters<model> whole_theta(seed{1}), cut_theta(seed{1});
  trainer<model, loss, optimizers::adam, batch<8>> whole(whole_theta, {.learning_rate = 0.01f});
  trainer<model, loss, optimizers::adam, batch<8>, shards<Count>> cut(cut_theta, {.learning_rate = 0.01f}, {},
                                                                      threads{2});
  for (int rows : {8, 3, 8, 1, 5}) {
    sequences tokens;
    std::vector<int> targets;
    for (int r = 0; r < rows; ++r) {
      tokens.emplace_back();
      targets.push_back(r % 3);
      for (int t = 0; t < 1 + (3 * r + rows) % 7; ++t) tokens.back().push_back((r * r + t + rows) % Entries);
    }
    set_input<"t">(whole, tokens);
    set_input<"t">(cut, tokens);
    set_input<"target">(whole, targets);
    set_input<"target">(cut, targets);
    CHECK(std::abs(whole.step() - cut.step()) <= 1e-6f);
    for (int k = 0; k < whole_theta.block_size; ++k)
      REQUIRE(std::abs(cut.gradients().data()[k] - whole.gradients().data()[k]) <= 2e-6f);
  }
}
TEST_CASE("a table that is multiplied once for all shards") {
  check_table<6, 2>();
  check_table<3, 4>();
  check_table<2, 8>();
}

// Products of tiny numbers: shared work flushes subnormals as a run does, in any mode of the caller's thread.
TEST_CASE("no shared piece computes with subnormal numbers") {
  using model = graph<"model", input<"t", token<4>>, node<"e", embedding<4, 4>, "t">,
                      node<"y", linear<3>, "e">, output<"y">>;
  using loss = losses::cross_entropy<"y">;
  static_assert(differentiation<model, loss, batch<8>>::plan::has_tables);
  const auto gradients = [](int rows, int count, bool caller_flushes) {
    parameters<model> theta(seed{1});
    std::fill_n(theta.data(), theta.block_size, 1e-19f);
    theta.for_each([](std::string_view path, auto values) {
      if (path == "y.bias") {
        std::fill_n(values.data(), 3, 0.f);
        values.data()[0] = 46;
      }
    });
    trainer<model, loss, optimizers::sgd, batch<16>, shards<2>> train(theta, {.learning_rate = 1e-3f}, {},
                                                                      threads{count});
    std::vector<int> tokens, targets(static_cast<std::size_t>(rows), 0);
    for (int r = 0; r < rows; ++r) tokens.push_back(r % 4);
    set_input<"t">(train, tokens);
    set_input<"target">(train, targets);
    std::optional<backend::flush_to_zero> mode;
    if (caller_flushes) mode.emplace();
    train.step();
    return std::vector<float>(train.gradients().data(), train.gradients().data() + theta.block_size);
  };
  for (int rows : {8, 16}) {  // rows of one shard, whose gradients are used directly, and of both
    CAPTURE(rows);
    const auto expected = gradients(rows, 1, false);
    CHECK(std::none_of(expected.begin(), expected.end(),
                       [](float g) { return std::fpclassify(g) == FP_SUBNORMAL; }));
    CHECK(std::any_of(expected.begin(), expected.end(), [](float g) { return g != 0; }));
    for (int count : {1, 2}) CHECK((gradients(rows, count, true) == expected));
    CHECK((gradients(rows, 2, false) == expected));
  }
}

using training =
    trainer<dropping_tagger, losses::cross_entropy<"tags">, optimizers::adam, batch<8>, shards<4>>;

// The losses of some steps and what was learned, as bytes.
std::string learned_with(int count) {
  parameters<dropping_tagger> theta(seed{1});
  training train(theta, {.learning_rate = 0.02}, seed{5}, threads{count});
  train.max_norm = 0.1;
  std::string all;
  const auto add = [&](const float* x, std::size_t n) {
    all.append(reinterpret_cast<const char*>(x), n * sizeof(float));
  };
  for (int step = 0; step < 40; ++step) {
    sample(step, 1 + step * 5 % 8).give_to(train, step % 3 == 0);
    const float loss = train.step();
    add(&loss, 1);
    add(train.gradients().data(), theta.block_size);
  }
  add(std::as_const(theta).data(), theta.block_size);
  return all;
}
TEST_CASE("the number of threads changes no bit") {
  const std::string one = learned_with(1);
  for (int count : {1, 2, 3, 4, 9}) {
    CAPTURE(count);
    CHECK((learned_with(count) == one));
  }
}
TEST_CASE("a trainer without threads runs its shards one after the other") {
  parameters<dropping_tagger> theta(seed{1}), same(seed{1});
  training none(theta, {}, seed{5}), one(same, {}, seed{5}, threads{1});
  sample(3, 8).give_to(none);
  sample(3, 8).give_to(one);
  CHECK(none.step() == one.step());
}

TEST_CASE("each shard draws other zeros, each step and seed too") {
  parameters<dropping_tagger> theta(seed{1});
  sample s(0, 8);  // the same row eight times
  for (std::size_t r = 0; r < 8; ++r) {
    s.words[r] = {1, 2, 3, 4};
    s.targets[r] = {0, 1, 2, 3};
    s.lengths[r] = 4;
    s.style[r] = 1;
    s.speed[2 * r] = s.speed[2 * r + 1] = 0.5f;
  }
  std::fill(s.x.begin(), s.x.end(), 0.5f);
  std::fill(s.h0.begin(), s.h0.end(), 0.5f);
  const auto losses = [&](seed given, int steps) {
    training train(theta, {.learning_rate = 0}, given);
    s.give_to(train);
    while (steps-- > 0) train.step();
    std::vector<float> all;
    for (int k = 0; k < 4; ++k) all.push_back(train.shard(k).loss());
    return all;
  };
  const auto first = losses({1}, 1), second = losses({1}, 2), other = losses({2}, 1);
  for (std::size_t k = 0; k < 4; ++k) {
    for (std::size_t j = 0; j < k; ++j) CHECK(first[k] != first[j]);
    for (std::size_t j = 0; j < 4; ++j) CHECK(first[k] != second[j]);
    CHECK(first[k] != other[k]);
  }
  CHECK(first == losses({1}, 1));
}

TEST_CASE("rows without a target count in no shard") {
  parameters<tagger> whole_theta(seed{1}), cut_theta(seed{1});
  trainer<tagger, losses::cross_entropy<"tags">, optimizers::sgd, batch<8>> whole(whole_theta);
  trainer<tagger, losses::cross_entropy<"tags">, optimizers::sgd, batch<8>, shards<2>> cut(cut_theta);
  sample s(2, 8);
  for (int kept : {7, 2, -1}) {  // the row that keeps its targets
    for (int r = 0; r < 8; ++r)
      if (r != kept) std::fill(s.targets[std::size_t(r)].begin(), s.targets[std::size_t(r)].end(), -1);
    s.give_to(whole);
    s.give_to(cut);
    CHECK(std::abs(cut.step() - whole.step()) <= 1e-6);
    CHECK((kept >= 0 || cut.loss() == 0));
    s = sample(2, 8);
  }
}

// The one row of the first shard is of a class of weight 0: it has a loss all the same, which the smoothing gives it.
TEST_CASE("a shard whose classes have no weight keeps its loss") {
  using G = graph<"row", input<"x", features<3>>, node<"y", linear<3>, "x">, output<"y">>;
  using loss =
      losses::cross_entropy<"y", "target", losses::class_weights<0, 2, 1>, losses::label_smoothing<0.1>>;
  parameters<G> whole_theta(seed{5}), theta(seed{5});
  trainer<G, loss, optimizers::sgd, batch<2>> whole(whole_theta);
  trainer<G, loss, optimizers::sgd, batch<2>, shards<2>> cut(theta);
  const auto step = [](auto& learner) {
    set_input<"x">(learner, std::vector<float>{1, 2, 3, -1, 0.5f, 2});
    set_input<"target">(learner, std::vector<int>{0, 1});
    return learner.step();
  };
  CHECK(step(cut) == doctest::Approx(step(whole)).epsilon(1e-6));
  for (int k = 0; k < theta.block_size; ++k)
    CHECK(cut.gradients().data()[k] == doctest::Approx(whole.gradients().data()[k]).epsilon(1e-5));
}

// A shard's gradient of y.weight is a number that we choose: parameters are zero, so both classes have
// probability 1/2, and class 0 gets -x / 2 for each row of the batch.
template <int Count>
void check_order_of_sums() {
  using line = graph<"line", input<"x", features<24>>, node<"y", linear<2>, "x">, output<"y">>;
  float of_shard[Count][24];
  for (int k = 0; k < Count; ++k)
    for (int j = 0; j < 24; ++j)
      of_shard[k][j] = std::ldexp(std::sin(float(24 * k + j + 1)), (5 * k + 7 * j) % 12);
  const auto along_the_tree = [&](auto self, int first, int count, int j) -> float {
    if (count == 1) return of_shard[first][j];
    int left = 1;
    while (2 * left < count) left *= 2;
    return self(self, first, left, j) + self(self, first + left, count - left, j);
  };
  const auto in_a_row = [&](int j) {
    float sum = of_shard[0][j];
    for (int k = 1; k < Count; ++k) sum += of_shard[k][j];
    return sum;
  };
  bool differ = false;
  for (int j = 0; j < 24; ++j) differ = differ || along_the_tree(along_the_tree, 0, Count, j) != in_a_row(j);
  CHECK(differ == (Count > 3));
  for (int count : {1, 2, 4}) {
    parameters<line> theta(zeros{});
    trainer<line, losses::cross_entropy<"y">, optimizers::sgd, batch<Count>, shards<Count>> train(
        theta, {}, {}, threads{count});
    std::vector<float> x;
    for (const auto& row : of_shard)
      for (float g : row) x.push_back(2 * g);
    set_input<"x">(train, x);
    set_input<"target">(train, std::vector<int>(Count, 1));
    train.step();
    for (int j = 0; j < 24; ++j) {
      const float expected = along_the_tree(along_the_tree, 0, Count, j);
      // the loss divides by the rows, which rounds if they are no power of two
      if ((Count & (Count - 1)) == 0) CHECK(get<"y.weight">(train.gradients())(0, j) * Count == expected);
      else CHECK(get<"y.weight">(train.gradients())(0, j) * Count == doctest::Approx(expected).epsilon(1e-5));
    }
  }
}
TEST_CASE("gradients are summed along the tree of the shards, to the last bit") {
  check_order_of_sums<2>();
  check_order_of_sums<3>();
  check_order_of_sums<4>();
  check_order_of_sums<6>();
  check_order_of_sums<8>();
}

// The batches of an update have fewer rows from one to the next, or more: some shards are in none of them, some only in a later one.
TEST_CASE("each shard adds up its own gradients over the batches of an update") {
  const auto learned = [](auto& learner, bool looks_on = false) {
    learner.accumulate = 3;
    std::vector<float> all;
    const auto add_gradients = [&] {
      const float* const g = learner.gradients().data();
      all.insert(all.end(), g, g + tagger_size);
    };
    int number = 0;
    for (int rows : {8, 3, 5, 1, 2, 7, 2, 1}) {
      sample(++number, rows).give_to(learner);
      all.push_back(learner.step());
      if (learner.pending() == 0) add_gradients();
      if (looks_on) {  // leaves the gradients of the update alone, also where it is refused
        parameters<tagger> gradients(zeros{});
        learner.session().forward(learner.theta());
        learner.session().backward(learner.theta(), gradients);
        CHECK_THROWS_AS(learner.session().backward(learner.theta(), gradients), input_error);
      }
    }
    learner.update();
    add_gradients();
    return all;
  };
  using loss = losses::cross_entropy<"tags">;
  using cut = trainer<tagger, loss, optimizers::sgd, batch<8>, shards<4>>;
  parameters<tagger> whole_theta(seed{1}), one_theta(seed{1}), two_theta(seed{1});
  trainer<tagger, loss, optimizers::sgd, batch<8>> whole(whole_theta, {.learning_rate = 0.5});
  cut one(one_theta, {.learning_rate = 0.5}), two(two_theta, {.learning_rate = 0.5}, {}, threads{2});
  const auto expected = learned(whole), got = learned(one);
  CHECK((got == learned(two, true)));
  REQUIRE(got.size() == expected.size());
  for (std::size_t k = 0; k < got.size(); ++k) CHECK(std::abs(got[k] - expected[k]) <= 2e-6f);
}

// Slices begin anywhere in a parameter and in a group.
TEST_CASE("shards clip and update what one piece does, in slices") {
  using loss = losses::cross_entropy<"tags">;
  parameters<tagger> whole_theta(seed{1}), cut_theta(seed{1}), same_theta(seed{1});
  trainer<tagger, loss, optimizers::adamw, batch<8>> whole(whole_theta);
  trainer<tagger, loss, optimizers::adamw, batch<8>, shards<8>> cut(cut_theta),
      same(same_theta, {}, {}, threads{3});
  const auto step = [](auto& learner, int number) {
    learner.max_value = 0.05;
    learner.max_norm = number < 4 ? 0.2 : 0;
    if (number == 2)
      learner.groups({{"h.*", {.rate_factor = 0.5, .max_norm = 0.1}},
                      {"*.bias*", {.weight_decay = 0}},
                      {"v.*", {.frozen = true}}});
    sample(number, 3 + number % 6).give_to(learner);
    learner.step();
  };
  for (int number = 0; number < 7; ++number) {
    CAPTURE(number);
    step(whole, number);
    step(cut, number);
    step(same, number);
    for (int k = 0; k < tagger_size; ++k) {
      REQUIRE(std::abs(cut.gradients().data()[k] - whole.gradients().data()[k]) <= 2e-6f);
      REQUIRE(std::abs(std::as_const(cut_theta).data()[k] - std::as_const(whole_theta).data()[k]) <= 1e-4f);
      REQUIRE(std::as_const(same_theta).data()[k] == std::as_const(cut_theta).data()[k]);
    }
  }
}

TEST_CASE("backward runs once after each forward, on the inputs of that forward") {
  const parameters<tagger> theta(seed{1});
  parameters<tagger> given(seed{1}), gradients(zeros{});
  trainer<tagger, losses::cross_entropy<"tags">, optimizers::sgd, batch<8>, shards<4>> train(given);
  const auto refused = [&] {
    CHECK_THROWS_WITH_AS(train.session().backward(theta, gradients),
                         doctest::Contains("a forward of its own"), input_error);
  };
  refused();
  sample s(1, 8);
  s.give_to(train);
  refused();
  train.session().forward(theta);
  train.session().backward(theta, gradients);
  refused();
  train.session().forward(theta);
  set_input<"style">(train, s.style);
  refused();
  train.session().forward(theta);
  train.session().randomness({1}, 2);
  refused();
  train.session().forward(theta);
  train.session().backward(theta, gradients);
}

TEST_CASE("weights that changed are packed again for all shards") {
  parameters<tagger> theta(seed{1});
  using cut = trainer<tagger, losses::cross_entropy<"tags">, optimizers::sgd, batch<8>, shards<4>>;
  cut train(theta);
  sample s(1, 8);
  s.give_to(train);
  float before = train.session().forward(theta);
  const auto check = [&] {
    cut fresh(theta);
    s.give_to(fresh);
    const float loss = train.session().forward(theta);
    CHECK(loss == fresh.session().forward(theta));
    CHECK(loss != before);
    before = loss;
  };
  get<"h.weight_hh_l0">(theta)(1, 2) += 1;
  check();
  get<"e.weight">(theta)(3, 1) += 1;
  check();
  get<"tags.0.weight">(theta)(2, 2) += 1;
  check();
}

TEST_CASE("the loss of many shards is as right as that of one") {
  using line = graph<"line", input<"x", features<1>>, node<"y", linear<3>, "x">, output<"y">>;
  parameters<line> theta(zeros{});  // zeros: each loss is log 3
  trainer<line, losses::cross_entropy<"y">, optimizers::sgd, batch<150>, shards<150>> train(theta);
  set_input<"x">(train, std::vector<float>(150, 1.0f));
  set_input<"target">(train, std::vector<int>(150, 2));
  CHECK(std::abs(double(train.step()) / std::log(3.0) - 1) <= 6e-8);
}

struct samples {
  static int size() { return 19; }
  static void set_inputs(auto& session, std::span<const int> rows) {
    sample(1, static_cast<int>(rows.size())).give_to(session);
  }
};
TEST_CASE("fit feeds a trainer with shards, the last batch partial") {
  parameters<tagger> theta(seed{1});
  trainer<tagger, losses::cross_entropy<"tags">, optimizers::adam, batch<8>, shards<2>> train(
      theta, {.learning_rate = 0.03}, {}, threads{2});
  const reports::history h = fit(train, samples{}, {.epochs = 60});
  CHECK(train.steps() == 60 * 3);
  CHECK(h.last().loss < h.epochs[0].loss / 2);
}

TEST_CASE("what is wrong is said with the rows of the whole batch, and changes nothing") {
  parameters<tagger> theta(seed{1});
  trainer<tagger, losses::cross_entropy<"tags">, optimizers::sgd, batch<8>, shards<4>> train(
      theta, {.learning_rate = 0}, {}, threads{2});
  CHECK_THROWS_WITH_AS(train.step(), "input 'words' has not been given", input_error);
  sample s(1, 8);
  s.give_to(train);
  const float loss = train.step();
  sequences wrong = s.words;
  wrong[6] = {1, 2, 9};
  CHECK_THROWS_WITH_AS(set_input<"words">(train, wrong),
                       "input 'words': row 6, step 2: token 9 is outside table 'e.weight' of 7 rows",
                       input_error);
  wrong.resize(9);
  CHECK_THROWS_WITH_AS(set_input<"words">(train, wrong),
                       "input 'words': at most 8 rows fit into batch<8>, got 9", input_error);
  CHECK(train.step() == loss);
  std::vector<int> fewer(s.style.begin(), s.style.begin() + 5);
  set_input<"style">(train, fewer);
  CHECK_THROWS_WITH_AS(train.step(), "input 'style' has 5 rows, input 'x' has 8", input_error);
  set_input<"style">(train, s.style);
  wrong = s.words;
  wrong[7] = {1, 1, 1, 1};
  wrong[6] = {};
  REQUIRE((s.lengths[6] != 0 || s.lengths[7] != 4));
  set_input<"words">(train, wrong);
  CHECK_THROWS_AS(train.step(), input_error);
  set_input<"words">(train, s.words);
  CHECK(train.step() == loss);
  CHECK(train.steps() == 4 - 1);

  CHECK_THROWS_WITH_AS((trainer<tagger, losses::cross_entropy<"tags">, optimizers::sgd, batch<8>, shards<4>>(
                           theta, {}, {}, threads{0})),
                       "threads{0}: expected at least one thread", input_error);
}

TEST_CASE("a loss that is not finite names the first node, whichever shard it is in") {
  parameters<tagger> theta(seed{1}), before = theta;
  trainer<tagger, losses::cross_entropy<"tags">, optimizers::sgd, batch<8>, shards<4>> train(theta, {}, {},
                                                                                             threads{2});
  sample s(1, 8);
  s.speed[2 * 5] = std::numeric_limits<float>::infinity();  // row 5, in shard 2
  s.h0[0] = std::numeric_limits<float>::quiet_NaN();        // row 0, in shard 0, and after `v`
  s.give_to(train);
  CHECK_THROWS_WITH_AS(train.step(), doctest::Contains("value that is not finite is 'v'"), training_error);
  CHECK(std::memcmp(std::as_const(theta).data(), std::as_const(before).data(),
                    sizeof(float) * theta.block_size) == 0);
}

TEST_CASE("a value that is not finite is found in whichever shard it is alone") {
  for (int row = 0; row < 8; ++row) {
    CAPTURE(row);
    parameters<tagger> theta(seed{1});
    trainer<tagger, losses::cross_entropy<"tags">, optimizers::sgd, batch<8>, shards<4>> train(theta);
    sample s(1, 8);
    for (auto& row_of_targets : s.targets) std::fill(row_of_targets.begin(), row_of_targets.end(), 0);
    s.speed[std::size_t(2 * row)] = std::numeric_limits<float>::infinity();
    s.give_to(train);
    CHECK_THROWS_WITH_AS(train.step(), doctest::Contains("value that is not finite is 'v'"), training_error);
  }
}

TEST_CASE("a step allocates nothing, on any number of threads") {
  parameters<dropping_tagger> theta(seed{1});
  for (int count : {1, 2, 4}) {
    training train(theta, {}, seed{5}, threads{count});
    const sample s(1, 8), partial(2, 3);
    CHECK(allocations_of([&] {
            for (int step = 0; step < 3; ++step) {
              s.give_to(train);
              train.step();
              partial.give_to(train, true);
              train.step();
            }
          }) == 0);
  }
}

TEST_CASE("the workspace is that of the shards, their gradients and the inputs") {
  using one = differentiation<tagger, losses::cross_entropy<"tags">, batch<2>>;
  using four = trainer<tagger, losses::cross_entropy<"tags">, optimizers::sgd, batch<8>, shards<4>>;
  CHECK(four::workspace_bytes == 4 * one::workspace_bytes - 3 * one::packed_bytes +
                                     4 * (3 * parameters<tagger>::block_size + 8 * (4 * 3 + 2 + 2 * 3)));
}

}  // namespace tenon::test
