// Gradients of several batches give one update, the same as for one batch of all their rows.
#include "tenon/train/optimizers/accumulation.hpp"

#include "support/worse.hpp"
#include "tenon/data/data_set.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/train/loop/fit.hpp"
#include "tenon/train/trainer/shards.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <type_traits>
#include <vector>

namespace tenon::test {
using namespace nn;

// A class for each step: sequences of different lengths, and steps without a target.
using tagger =
    graph<"tagger", input<"tokens", token<5>, steps<4>>, node<"embedded", embedding<5, 3>, "tokens">,
          node<"states", gru<4>, "embedded">, node<"tags", linear<3>, "states">, output<"tags">>;
constexpr int sentences = 8;
std::vector<int> tokens_of(int r) {
  std::vector<int> all;
  for (int t = 0; t < 1 + (r * 3) % 4; ++t) all.push_back((r * 7 + t * 3) % 5);
  return all;
}
std::vector<int> tags_of(int r) {
  std::vector<int> all;
  for (int t = 0; t < 1 + (r * 3) % 4; ++t) all.push_back(r == 5 ? -1 : (r + 2 * t) % 4 - 1);
  return all;
}
auto data() { return data_set(column<"tokens">(sentences, tokens_of), column<"target">(sentences, tags_of)); }

template <class Parameters>
double largest_difference(const Parameters& a, const Parameters& b) {
  double most = 0;
  for (int k = 0; k < Parameters::block_size; ++k)
    most = worse(most, std::abs(double(a.data()[k]) - double(b.data()[k])));
  return most;
}
template <int Batch, class... Options>
using training = trainer<tagger, losses::cross_entropy<"tags">, optimizers::sgd, batch<Batch>, Options...>;

// The rows of one update, in batches of these sizes.
template <class Trainer>
void update_with(Trainer& t, std::vector<int> sizes) {
  t.accumulate = static_cast<int>(sizes.size());
  int first = 0;
  for (int size : sizes) {
    std::vector<int> rows;
    for (int k = 0; k < size; ++k) rows.push_back(first++);
    data().set_inputs(t, std::span<const int>(rows));
    t.step();
  }
  CHECK(t.pending() == 0);
}

TEST_CASE("gradients of means are scaled to the mean over all positions") {
  const double positions[]{4, 1, 0, 5},
      gradients[]{0.5, -2, 7, 3};  // a batch without positions does not count
  engine::accumulated_positions all;
  double sum = 0, expected = 0;
  for (int k = 0; k < 4; ++k) {
    sum *= all.add(positions[k]);
    if (positions[k] > 0) sum += gradients[k];
    expected += positions[k] * gradients[k] / 10;
  }
  CHECK(sum * all.mean() == doctest::Approx(expected));
  engine::accumulated_positions equal;
  CHECK(equal.add(3) == 1);
  CHECK(equal.mean() == 1);  // the mean of one batch is the batch itself
  CHECK(equal.add(3) == 1);
  CHECK(equal.mean() == 0.5);
  CHECK(engine::accumulated_positions{}.mean() == 1);
}

TEST_CASE("an update is of at least one batch") {
  parameters<tagger> theta(seed{1});
  training<4> t(theta);
  data().set_inputs(t, std::array{0, 1});
  for (const int n : {0, -3}) {
    t.accumulate = n;
    CHECK_THROWS_WITH_AS(
        t.step(), ("accumulate: expected at least 1 batch for an update, got " + std::to_string(n)).c_str(),
        input_error);
  }
  CHECK((t.pending() == 0 && t.steps() == 0));
}

TEST_CASE("batches count as much as their positions, so that several are one") {
  using reference = parameters<tagger, double>;
  const auto one_update = []<class Trainer>(std::type_identity<Trainer>, const std::vector<int>& sizes) {
    reference theta(seed{1});
    Trainer t(theta, {.learning_rate = 0.5, .momentum = 0.5});
    update_with(t, sizes);
    update_with(t, sizes);
    CHECK(t.steps() == 2);
    return theta;
  };
  using whole = training<8, scalar_type<double>>;
  const reference expected = one_update(std::type_identity<whole>{}, {8});
  for (const std::vector<int>& sizes :
       {std::vector<int>{2, 2, 2, 2}, {4, 4}, {1, 4, 3}, {1, 1, 1, 1, 1, 1, 1, 1}})
    CHECK(largest_difference(one_update(std::type_identity<whole>{}, sizes), expected) < 1e-14);
  using cut = training<8, scalar_type<double>, shards<4>>;
  CHECK(largest_difference(one_update(std::type_identity<cut>{}, {2, 5, 1}), expected) < 1e-14);
  // and batches do differ
  CHECK(largest_difference(reference(seed{1}), expected) > 0.1);
}
TEST_CASE("a loss of numbers is weighted by its rows, and a batch without targets by nothing") {
  using line = graph<"line", input<"x", features<2>>, node<"y", linear<1>, "x">, output<"y">>;
  using fitting = trainer<line, losses::mse<"y">, optimizers::sgd, batch<4>, scalar_type<double>>;
  const auto step_of = [](fitting& t, int first, int count) {
    std::vector<double> x, y;
    for (int r = first; r < first + count; ++r) {
      x.push_back(r * 0.5);
      x.push_back(1.0 - r);
      y.push_back(r * 0.25);
    }
    set_input<"x">(t, view<const double>(x.data(), {count, 2}, {2, 1}));
    set_input<"target">(t, view<const double>(y.data(), {count, 1}, {1, 1}));
    t.step();
  };
  parameters<line, double> one(seed{1}), three(seed{1});
  fitting a(one, {.learning_rate = 0.1}), b(three, {.learning_rate = 0.1});
  step_of(a, 0, 4);
  b.accumulate = 2;
  step_of(b, 0, 3);
  step_of(b, 3, 1);
  CHECK(largest_difference(one, three) < 1e-15);

  parameters<tagger> with(seed{1}), without(seed{1});
  training<8> c(with), d(without);
  c.accumulate = 3;
  for (int row : {5, 0, 5}) {  // sentence 5 has no target
    const std::vector<int> rows{row};
    data().set_inputs(c, std::span<const int>(rows));
    c.step();
  }
  const std::vector<int> rows{0};
  data().set_inputs(d, std::span<const int>(rows));
  d.step();
  CHECK(largest_difference(with, without) < 1e-7);
  CHECK(c.steps() == 1);
}
TEST_CASE("clipping sees the gradient of all batches") {
  parameters<tagger> theta(seed{1});
  training<8> t(theta);
  t.max_norm = 0.01;
  update_with(t, {2, 6});
  CHECK(optimizers::global_norm(t.gradients()) == doctest::Approx(0.01).epsilon(1e-3));
}

TEST_CASE("fit updates after so many batches and at the end of an epoch; schedules count updates") {
  parameters<tagger> theta(seed{1});
  training<3> t(theta);  // batches of 3, 3 and 2
  t.accumulate = 2;
  std::vector<schedules::progress> seen;
  fit(t, data(), {.epochs = 2, .schedule = [&](const schedules::progress& p) {
                    seen.push_back(p);
                    return 0.1;
                  }});
  CHECK(t.steps() == 4);
  REQUIRE(seen.size() == 4);
  for (int k = 0; k < 4; ++k) {
    const schedules::progress& p = seen[static_cast<std::size_t>(k)];
    CHECK(p.step == k);
    CHECK(p.steps == 4);
    CHECK(p.starts_epoch == (k % 2 == 0));
  }
}
TEST_CASE("fit with batches that are accumulated learns what large batches learn") {
  parameters<tagger> small(seed{1}), large(seed{1});
  training<2> a(small);
  training<4> b(large);
  a.accumulate = 2;
  fit(a, data(), {.epochs = 5, .shuffle = seed{3}, .schedule = schedules::cosine(0.5)});
  fit(b, data(), {.epochs = 5, .shuffle = seed{3}, .schedule = schedules::cosine(0.5)});
  CHECK(a.steps() == b.steps());
  CHECK(largest_difference(small, large) < 1e-5);
  CHECK(largest_difference(small, parameters<tagger>(seed{1})) > 0.1);
}
TEST_CASE("each batch that is accumulated drops others") {
  using dropped = graph<"dropped", input<"x", features<8>>,
                        node<"logits", chain<dropout<0.5>, linear<2>>, "x">, output<"logits">>;
  parameters<dropped> theta(seed{1});
  trainer<dropped, losses::cross_entropy<"logits">, optimizers::sgd> t(theta, {}, seed{2});
  t.accumulate = 3;
  const std::vector<float> x(8, 1.0f);
  std::vector<float> losses;
  for (int k = 0; k < 3; ++k) {
    set_input<"x">(t, x);
    set_input<"target">(t, std::vector{1});
    losses.push_back(t.step());
  }
  CHECK(losses[0] != losses[1]);
  CHECK(losses[1] != losses[2]);
}

}  // namespace tenon::test
