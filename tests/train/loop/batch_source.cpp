// Sources of batches: which inputs they set, in which order, how far they are, and that an epoch goes on where it was left.
#include "tenon/train/loop/batch_source.hpp"

#include "tenon/nn/nn.hpp"
#include "tenon/train/trainer/trainer.hpp"

#include <doctest/doctest.h>

#include <array>
#include <span>
#include <string>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

using pointwise = graph<"pointwise", input<"x", features<1>>, node<"y", linear<1>, "x">, output<"y">>;
using fitting = trainer<pointwise, losses::mse<"y">, optimizers::sgd, batch<4>>;

namespace {

// Rows that note which of them are asked for, and how long they are.
struct noted_rows {
  mutable std::vector<std::vector<int>> asked{};
  int count = 10;
  int size() const { return count; }
  int length(int row) const { return row % 3; }
  template <class Session>
  void set_inputs(Session&, std::span<const int> rows) const {
    asked.emplace_back(rows.begin(), rows.end());
  }
};
// Windows that note what is called.
struct noted_windows {
  mutable std::string calls{};
  template <class Session>
  int windows(const Session&) const {
    return 3;
  }
  template <class Session>
  void set_window(Session&, int k) const {
    calls += " window " + std::to_string(k);
  }
  template <class Session>
  void start(Session&) const {
    calls += " start";
  }
  template <class Session>
  void carry(Session&) const {
    calls += " carry";
  }
};
// The same, which can say and restore what they carry.
struct kept_windows : noted_windows {
  template <class Session>
  std::vector<double> carried(const Session&) const {
    return {0.5, 7};
  }
  template <class Session>
  static constexpr std::size_t carried_count() {
    return 2;
  }
  template <class Session>
  void start_from(Session&, const std::vector<double>& state) const {
    calls += " from " + std::to_string(state.size());
  }
};
struct one_short {  // has no position
  [[maybe_unused]] static constexpr bool can_pause = false;
  [[maybe_unused]] static constexpr std::size_t carried_count = 0;
  long size(const fitting&) const { return 0; }
  void begin(fitting&, int, const engine::source_position&) {}
  long batches() const { return 0; }
  long rows_before() const { return 0; }
  long next(fitting&) { return 0; }
  void passed(fitting&) {}
};

}  // namespace

static_assert(engine::BatchSource<engine::row_source<noted_rows, fitting>, fitting>);
static_assert(engine::BatchSource<engine::window_source<kept_windows, fitting>, fitting>);
static_assert(!engine::BatchSource<one_short, fitting> && !engine::BatchSource<noted_rows, fitting>);
static_assert(engine::row_source<noted_rows, fitting>::can_pause);
static_assert(!engine::window_source<noted_windows, fitting>::can_pause);
static_assert(engine::window_source<kept_windows, fitting>::carried_count == 2);

TEST_CASE("rows: each row once, in another order each epoch, and the same from a position in it") {
  parameters<pointwise> theta(seed{1});
  fitting train(theta);
  noted_rows data;
  auto source = engine::source_of<fitting>(data, {}, seed{3});
  CHECK(source.size(train) == 10);
  std::vector<std::vector<std::vector<int>>> epochs;
  for (int epoch : {1, 2}) {
    data.asked.clear();
    source.begin(train, epoch, {});
    REQUIRE(source.batches() == 3);
    long rows = 0;
    for (long k = 0; k < 3; ++k) {
      CHECK(source.rows_before() == rows);
      rows += source.next(train);
      source.passed(train);
      CHECK(source.position(train).batch == k + 1);
    }
    CHECK(rows == 10);
    std::array<int, 10> seen{};
    for (const auto& some : data.asked)
      for (int row : some) ++seen[static_cast<std::size_t>(row)];
    CHECK(seen == std::array{1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
    epochs.push_back(data.asked);
  }
  CHECK(epochs[0] != epochs[1]);
  data.asked.clear();
  source.begin(train, 1, {.batch = 2});
  CHECK(source.rows_before() == 8);
  CHECK(source.next(train) == 2);
  CHECK(data.asked == std::vector<std::vector<int>>{epochs[0][2]});
}

TEST_CASE("rows of similar length are in one batch") {
  parameters<pointwise> theta(seed{1});
  fitting train(theta);
  noted_rows data{.count = 12};
  auto source = engine::source_of<fitting>(data, similar_length(3), seed{3});
  source.begin(train, 1, {});
  for (long k = 0; k < source.batches(); ++k) source.next(train);
  for (const auto& some : data.asked)
    for (int row : some) CHECK(row % 3 == some[0] % 3);
}

TEST_CASE("windows follow each other, and carry after each step") {
  parameters<pointwise> theta(seed{1});
  fitting train(theta);
  const noted_windows data;
  auto source = engine::source_of<fitting>(data, {}, seed{});
  CHECK(source.size(train) == 3);
  source.begin(train, 1, {});
  while (source.rows_before() < source.batches()) {
    CHECK(source.next(train) == 1);
    source.passed(train);
  }
  CHECK(data.calls == " start window 0 carry window 1 carry window 2 carry");
  CHECK_THROWS_WITH_AS(engine::source_of<fitting>(data, similar_length(3), seed{}),
                       "fit: .batches sorts rows, and windows keep their order; leave it out", input_error);
}

TEST_CASE("windows go on with the state that was carried") {
  parameters<pointwise> theta(seed{1});
  fitting train(theta);
  const kept_windows data;
  auto source = engine::source_of<fitting>(data, {}, seed{});
  source.begin(train, 1, {});
  source.next(train);
  source.passed(train);
  const engine::source_position left = source.position(train);
  CHECK(left.batch == 1);
  CHECK(left.carried == std::vector{0.5, 7.0});
  data.calls.clear();
  source.begin(train, 1, left);
  source.next(train);
  CHECK(data.calls == " start from 2 window 1");
}
