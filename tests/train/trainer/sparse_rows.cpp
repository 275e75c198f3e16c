// Tables with sparse gradients: against PyTorch's sparse optimisers, against dense training, and what a step touches.
#include "tenon/train/trainer/sparse_rows.hpp"

#include "support/allocations.hpp"
#include "support/compare.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/train/loop/fit.hpp"
#include "tenon/train/trainer/shards.hpp"

#include <cmath>
#include <cstddef>
#include <cstring>
#include <set>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tenon::test {
using namespace nn;

// A loss whose gradient at each row that is looked up is the target.
struct weighted_sum {
  static constexpr auto at(auto y, auto target) { return sum(y * target); }
};
template <class... Options>
using table_of = graph<"table", input<"tokens", token<6>, steps<4>>,
                       node<"rows", embedding<6, 3, Options...>, "tokens">, output<"rows">>;

template <class Rule>
void check_rule(const char* name, Rule rule) {
  const golden::file f = golden::read("sparse_optimizers");
  parameters<table_of<sparse>> theta(zeros{});
  fill(get<"rows.weight">(theta), f["initial"]);
  trainer<table_of<sparse>, losses::mean_loss<weighted_sum, "rows">, Rule> t(theta, rule);
  const std::vector<int> tokens = as_ints(f["tokens"]);
  for (std::size_t step = 0; step < 10; ++step) {
    std::vector<float> upstream;
    for (std::size_t k = 0; k < 12; ++k)
      upstream.push_back(4 * f["upstream"].values[12 * step + k]);  // a mean of 4
    set_input<"tokens">(t, view<const int>(tokens.data() + 4 * step, {1, 4}, {4, 1}));
    set_input<"target">(t, view<const float>(upstream.data(), {1, 4, 3}, {12, 3, 1}));
    t.step();
    const auto now = get<"rows.weight">(std::as_const(theta));
    for (std::size_t k = 0; k < 18; ++k) {
      INFO(name, ", step ", step + 1, ", element ", k);
      CHECK(std::abs(double(now.data()[k]) - double(f[name].values[18 * step + k])) <= 1e-6);
    }
    for (std::size_t k = 15; k < 18; ++k)
      CHECK(now.data()[k] == f["initial"].values[k]);  // row 5 is never looked up
  }
}
TEST_CASE("sparse rules agree with PyTorch's") {
  check_rule("sgd", optimizers::sgd{.learning_rate = 0.1});
  check_rule("adagrad", optimizers::adagrad{.learning_rate = 0.1});
  check_rule("sparse_adam", optimizers::sparse_adam{.learning_rate = 0.1});
}

// Two tables, one of them looked up twice, and layers with dense gradients before, between and after them.
struct join {
  static constexpr auto at(auto a, auto b, auto c) { return concat(a, b, c); }
};
template <class... Options>
using reader =
    graph<"reader", input<"words", token<9>, steps<5>>, input<"topic", token<7>>, input<"other", token<9>>,
          node<"word", embedding<9, 3, padding_idx<0>, Options...>, "words">, node<"states", gru<4>, "word">,
          node<"of_topic", embedding<7, 5, Options...>, "topic">,
          node<"of_other", embedding<9, 3, Options...>, "other">, tied<"of_other.weight", "word.weight">,
          node<"joined", join, "states.final", "of_topic", "of_other">, node<"logits", linear<3>, "joined">,
          output<"logits">>;
template <class G, class Rule, class... Options>
using reading = trainer<G, losses::cross_entropy<"logits">, Rule, batch<4>, Options...>;

void feed(auto& t, int step) {
  std::vector<std::vector<int>> words;
  std::vector<int> topic, other, target;
  const int rows = step % 3 == 2 ? 2 : 4;
  for (int r = 0; r < rows; ++r) {
    words.emplace_back();
    for (int k = 0; k < 1 + (r + step) % 5; ++k) words.back().push_back((2 * r + k * k + step) % 8);
    topic.push_back((r + step) % 3);
    other.push_back(step % 8);
    target.push_back((r + step) % 3);
  }
  set_input<"words">(t, words);
  set_input<"topic">(t, topic);
  set_input<"other">(t, other);
  set_input<"target">(t, target);
}
template <class A, class B>
bool same_bits(const A& a, const B& b) {
  static_assert(A::block_size == B::block_size);
  return std::memcmp(a.data(), b.data(), sizeof(*a.data()) * A::block_size) == 0;
}
template <class... Options, class Rule>
void check_same_as_dense(Rule rule, auto configure) {
  parameters<reader<>> dense(seed{1});
  parameters<reader<sparse>> rows(seed{1});
  reading<reader<>, Rule, Options...> a(dense, rule);
  reading<reader<sparse>, Rule, Options...> b(rows, rule);
  configure(a);
  configure(b);
  for (int step = 0; step < 12; ++step) {
    feed(a, step);
    feed(b, step);
    CHECK(a.step() == b.step());
  }
  CHECK(same_bits(std::as_const(dense), std::as_const(rows)));
  CHECK(!same_bits(std::as_const(dense), parameters<reader<>>(seed{1})));
}
TEST_CASE(
    "where a row without a gradient does not change, a sparse table learns what a dense one does, to the "
    "bit") {
  const auto nothing = [](auto&) {};
  check_same_as_dense(optimizers::sgd{.learning_rate = 0.5}, nothing);
  check_same_as_dense(optimizers::adagrad{.learning_rate = 0.1}, nothing);
  check_same_as_dense(optimizers::sgd{.learning_rate = 0.5}, [](auto& t) { t.max_value = 0.01; });
  check_same_as_dense(optimizers::sgd{.learning_rate = 0.5}, [](auto& t) {
    t.groups({{"word.*", {.rate_factor = 0.5}},
              {"*.bias*", {.learning_rate = 0.1}},
              {"of_topic.*", {.frozen = true}}});
  });
  check_same_as_dense(optimizers::sgd{.learning_rate = 0.5}, [](auto& t) { t.accumulate = 3; });
}
TEST_CASE("in shards, too") {
  const auto nothing = [](auto&) {};
  check_same_as_dense<shards<2>>(optimizers::sgd{.learning_rate = 0.5}, nothing);
  check_same_as_dense<shards<4>>(optimizers::adagrad{.learning_rate = 0.1}, nothing);
  check_same_as_dense<shards<4>>(optimizers::sgd{.learning_rate = 0.5}, [](auto& t) { t.max_value = 0.01; });
  check_same_as_dense<shards<4>>(optimizers::sgd{.learning_rate = 0.5}, [](auto& t) { t.accumulate = 3; });
}
// The product of the table is computed once for all shards, and its gradient in pieces.
TEST_CASE("a sparse table that is multiplied, in shards of which each touches other rows") {
  const auto learned = []<class Table, class... Options>(std::type_identity<Table>, int count,
                                                         Options... threads) {
    using G = graph<"tagged", input<"t", token<6>, steps<8>>, node<"e", Table, "t">, node<"h", gru<3>, "e">,
                    node<"y", linear<3>, "h.final">, output<"y">>;
    using loss = losses::cross_entropy<"y">;
    static_assert(differentiation<G, loss, batch<2>>::plan::has_tables);
    parameters<G> theta(seed{1});
    trainer<G, loss, optimizers::adagrad, batch<8>, shards<4>> t(theta, {.learning_rate = 0.1}, threads...);
    t.accumulate = count;
    t.max_norm = 0.5;
    for (int step = 0; step < 12; ++step) {
      std::vector<std::vector<int>> tokens;
      std::vector<int> targets;
      for (int r = 0; r < 8 - step % 3; ++r) {
        tokens.emplace_back();
        for (int k = 0; k < 1 + (r + step) % 8; ++k) tokens.back().push_back((r / 2 + step + k % 2) % 6);
        targets.push_back((r + step) % 3);
      }
      set_input<"t">(t, tokens);
      set_input<"target">(t, targets);
      t.step();
    }
    return std::vector<float>(std::as_const(theta).data(), std::as_const(theta).data() + theta.block_size);
  };
  for (const int count : {1, 2}) {
    CAPTURE(count);
    const auto dense = learned(std::type_identity<embedding<6, 2>>{}, count),
               rows = learned(std::type_identity<embedding<6, 2, sparse>>{}, count);
    CHECK((rows == learned(std::type_identity<embedding<6, 2, sparse>>{}, count, seed{}, threads{3})));
    for (std::size_t k = 0; k < dense.size(); ++k) CHECK(rows[k] == doctest::Approx(dense[k]).epsilon(1e-5));
  }
}
TEST_CASE("norms are those of the rows that a step touched") {
  parameters<reader<>> dense(seed{1});
  parameters<reader<sparse>> rows(seed{1});
  reading<reader<>, optimizers::sgd> a(dense);
  reading<reader<sparse>, optimizers::sgd> b(rows);
  for (int step = 0; step < 6; ++step) {
    feed(a, step);
    feed(b, step);
    a.max_norm = b.max_norm = 0;
    a.step();
    b.step();
    const double whole = optimizers::global_norm(a.gradients());
    CHECK(optimizers::global_norm(b.gradients()) == doctest::Approx(whole).epsilon(1e-6));
    a.max_norm = b.max_norm = 0.1;
    feed(a, step);
    feed(b, step);
    a.step();
    b.step();
    CHECK(optimizers::global_norm(b.gradients()) == doctest::Approx(0.1).epsilon(1e-4));
  }
  b.groups({{"word.weight", {.max_norm = 1e-3}}});
  b.max_norm = 0;
  feed(b, 1);
  b.step();
  double squares = 0;
  for (float g : get<"word.weight">(b.gradients())) squares += double(g) * double(g);
  CHECK(std::sqrt(squares) == doctest::Approx(1e-3).epsilon(1e-2));
}
TEST_CASE("a step writes no row that its batch has no token for, and padding rows stay") {
  parameters<reader<sparse>> theta(seed{1});
  reading<reader<sparse>, optimizers::sparse_adam> t(theta);
  feed(t, 0);
  t.step();  // moments of these rows are no longer 0
  for (int step = 1; step < 8; ++step) {
    const parameters<reader<sparse>> before = theta;
    set_input<"words">(t, std::vector<std::vector<int>>{{step, 0}, {step}});
    set_input<"topic">(t, std::vector{step % 7, step % 7});
    set_input<"other">(t, std::vector{step, step});
    set_input<"target">(t, std::vector{0, 1});
    t.step();
    const auto changed = [&](auto now, auto old, std::size_t row) {
      return std::memcmp(&now(row, 0), &old(row, 0), now.shape(1) * sizeof(float)) != 0;
    };
    for (std::size_t row = 0; row < 9; ++row)
      CHECK(changed(get<"word.weight">(std::as_const(theta)), get<"word.weight">(before), row) ==
            (row == std::size_t(step)));
    for (std::size_t row = 0; row < 7; ++row)
      CHECK(changed(get<"of_topic.weight">(std::as_const(theta)), get<"of_topic.weight">(before), row) ==
            (row == std::size_t(step) % 7));
  }
}
// In any range of parameters, each element is visited once: those of a table if their row is touched, all others always.
TEST_CASE("the pieces of a range are the touched rows of its tables, and whole what is beside them") {
  using G = reader<sparse>;
  using plan = differentiation<G, losses::cross_entropy<"logits">, batch<4>>::plan;
  // Two steps of four rows; padding, a row of padding, and tokens that come again.
  const std::vector<int> words{0, 3, 3, -1, 5, 0, 0, 8}, topic{6, 0, 6, 0}, other{1, 1, 5, 1};
  std::vector<const int*> tokens(plan::net.edges.size);
  tokens[engine::input_edge<plan>("words")] = words.data();
  tokens[engine::input_edge<plan>("topic")] = topic.data();
  tokens[engine::input_edge<plan>("other")] = other.data();
  const std::vector<int> steps(plan::net.axes.size, 2);
  engine::touched_rows<G, plan> touched;
  touched.add(tokens.data(), steps.data(), 4);

  const parameters<G> theta(seed{1});
  const int size = parameters<G>::learned_size;
  std::vector<int> expected(std::size_t(size), 1), bounds{0, size};
  theta.for_each([&](std::string_view path, auto values) {
    const auto at = values.data() - theta.data();
    bounds.push_back(int(at));
    if (path != "word.weight" && path != "of_topic.weight") return;
    const std::set<int> rows = path == "word.weight" ? std::set{1, 3, 5, 8} : std::set{0, 6};
    for (std::size_t k = 0; k < values.size(); ++k)
      expected[std::size_t(at) + k] = int(rows.count(int(k / values.shape(1))));
  });
  for (const int from : bounds)
    for (const int end : bounds) {
      if (from >= end) continue;
      CAPTURE(from);
      CAPTURE(end);
      std::vector<int> visits(std::size_t(size), 0);
      touched.each(from, end, [&](std::ptrdiff_t first, std::ptrdiff_t count) {
        REQUIRE(count > 0);
        for (; count > 0; --count) ++visits.at(std::size_t(first++));
      });
      for (int k = 0; k < size; ++k)
        CHECK(visits[std::size_t(k)] == (k >= from && k < end ? expected[std::size_t(k)] : 0));
    }
}
TEST_CASE("a step with a sparse table does not allocate") {
  parameters<reader<sparse>> theta(seed{1});
  reading<reader<sparse>, optimizers::adagrad> t(theta);
  feed(t, 0);
  CHECK(allocations_of([&] { t.step(); }) == 0);
}
TEST_CASE("momentum and weight decay are refused, and change nothing") {
  parameters<reader<sparse>> theta(seed{1});
  const parameters<reader<sparse>> before = theta;
  reading<reader<sparse>, optimizers::sgd> t(theta, {.momentum = 0.9});
  feed(t, 0);
  CHECK_THROWS_WITH_AS(
      t.step(),
      "'of_topic.weight' is sparse: update rule 'optimizers::sgd' changes rows that have no gradient, with a "
      "momentum or a weight_decay other than 0",
      input_error);
  t.optimizer().momentum = 0;
  t.groups({{"word.*", {.weight_decay = 0.1}}});
  CHECK_THROWS_AS(t.step(), input_error);
  CHECK(same_bits(std::as_const(theta), before));
  t.groups({{"logits.*", {.weight_decay = 0.1}}});
  t.step();
  CHECK(t.steps() == 1);
  reading<reader<sparse>, optimizers::adagrad> u(theta, {.weight_decay = 0.1});
  feed(u, 0);
  CHECK_THROWS_AS(u.step(), input_error);
  u.optimizer().weight_decay = 0;
  u.step();
  CHECK(u.steps() == 1);
}

}  // namespace tenon::test
