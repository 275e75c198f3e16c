// Learning rates over time, each against values worked out by hand or by another formula.
#include "tenon/train/schedules/schedule.hpp"

#include "tenon/train/schedules/plateau.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace tenon::test {

using rates = std::vector<double>;

// The rates of all steps of a training of these epochs, and the one after the last.
rates rates_of(const schedules::schedule& schedule, long steps, int epochs = 1) {
  rates seen;
  for (long k = 0; k <= steps; ++k) {
    const long each = steps / epochs;
    seen.push_back(schedule({.step = k,
                             .steps = steps,
                             .epoch = static_cast<int>(k / each),
                             .epochs = epochs,
                             .loss = 1,
                             .starts_epoch = k % each == 0}));
  }
  return seen;
}
void check_rates(const rates& got, const rates& expected) {
  REQUIRE(got.size() == expected.size());
  for (std::size_t k = 0; k < got.size(); ++k) {
    CAPTURE(k);
    CHECK(got[k] == doctest::Approx(expected[k]).epsilon(1e-12));
  }
}

TEST_CASE("the share of a training that is done is that of its steps") {
  CHECK(schedules::progress{.step = 3, .steps = 12}.share() == 0.25);
  CHECK(schedules::progress{.step = 0, .steps = 0}.share() == 1);
}

TEST_CASE("a constant rate stays") {
  check_rates(rates_of(schedules::constant(0.3), 3), {0.3, 0.3, 0.3, 0.3});
}

TEST_CASE("cosine falls along half a wave to the last rate") {
  const double root = 1.7320508075688772;
  check_rates(rates_of(schedules::cosine(2), 6), {2, 1 + 0.5 * root, 1.5, 1, 0.5, 1 - 0.5 * root, 0});
  check_rates(rates_of(schedules::cosine(3, 1), 6), {3, 2 + 0.5 * root, 2.5, 2, 1.5, 2 - 0.5 * root, 1});
  CHECK(schedules::cosine(2, 0.5)({.step = 9, .steps = 6}) == 0.5);  // constant past the end
}

TEST_CASE("step decay halves every so many epochs, or takes another factor") {
  // two steps an epoch
  check_rates(rates_of(schedules::step_decay(8, 3), 14, 7), {8, 8, 8, 8, 8, 8, 4, 4, 4, 4, 4, 4, 2, 2, 2});
  check_rates(rates_of(schedules::step_decay(8, 1, 0.1), 2, 2), {8, 0.8, 0.08});
}

TEST_CASE("step decay counts steps, or parts of epochs, and may begin late") {
  check_rates(rates_of(schedules::step_decay(8, {.steps = 2}), 6, 3), {8, 8, 4, 4, 2, 2, 1});
  check_rates(rates_of(schedules::step_decay(8, {.steps = 4}, 0.25), 6, 2), {8, 8, 8, 8, 2, 2, 2});
  check_rates(rates_of(schedules::step_decay(8, {.epochs = 0.5}), 8, 2), {8, 8, 4, 4, 2, 2, 1, 1, 0.5});
  // ten steps an epoch; a third of an epoch is no whole number of steps
  const rates thirds = rates_of(schedules::step_decay(1, {.epochs = 1.0 / 3}), 30, 3);
  for (std::size_t k = 0; k <= 30; ++k) CHECK(thirds[k] == std::pow(0.5, static_cast<double>(3 * k / 10)));
  // Sutskever et al. 2014: 0.7, halved every half epoch after the fifth
  const rates s = rates_of(schedules::step_decay(0.7, {.epochs = 0.5, .after = 5}), 32, 8);
  for (std::size_t k = 0; k < 22; ++k) CHECK(s[k] == 0.7);
  for (std::size_t k : {22u, 23u}) CHECK(s[k] == 0.35);
  for (std::size_t k : {24u, 25u}) CHECK(s[k] == 0.175);
  CHECK(s[31] == doctest::Approx(0.7 / 32));
  check_rates(rates_of(schedules::step_decay(8, {.epochs = 1}), 14, 7),
              rates_of(schedules::step_decay(8, 1), 14, 7));
}
TEST_CASE("multi-step lowers the rate at moments that are listed") {
  check_rates(rates_of(schedules::multi_step(1, {1, 2.5}), 8, 4),
              {1, 1, 0.1, 0.1, 0.1, 0.01, 0.01, 0.01, 0.01});
  check_rates(rates_of(schedules::multi_step(8, {0, 1, 1}, 0.5), 4, 2), {4, 4, 1, 1, 1});
  check_rates(rates_of(schedules::multi_step(8, {}), 1), {8, 8});
}
TEST_CASE("linear decay falls in equal steps") {
  check_rates(rates_of(schedules::linear_decay(4), 4), {4, 3, 2, 1, 0});
  check_rates(rates_of(schedules::linear_decay(4, 6), 4), {4, 4.5, 5, 5.5, 6});
  CHECK(schedules::linear_decay(4)({.step = 9, .steps = 6}) == 0);
}
TEST_CASE("the inverse square root of the steps, behind a warm-up") {
  // width^-0.5 min(n^-0.5, n w^-1.5), as in section 5.3 of the paper
  const auto paper = [](double n, double w) {
    return std::pow(512, -0.5) * std::min(std::pow(n, -0.5), n * std::pow(w, -1.5));
  };
  const rates got = rates_of(schedules::inverse_square_root(std::pow(512.0 * 4, -0.5), 4), 40);
  for (std::size_t k = 0; k <= 40; ++k)
    CHECK(got[k] == doctest::Approx(paper(static_cast<double>(k + 1), 4)).epsilon(1e-12));
}
TEST_CASE("a schedule goes on from the numbers that it remembered, inside another one too") {
  const auto progress = [](int epoch, double loss) {
    return schedules::progress{
        .step = epoch, .steps = 99, .epoch = epoch, .epochs = 99, .loss = loss, .starts_epoch = true};
  };
  const schedules::plateau_options options{.factor = 0.5, .patience = 1, .cooldown = 1};
  for (int stopped = 0; stopped < 12; ++stopped) {
    const schedules::schedule whole = schedules::warm_up(3, schedules::reduce_on_plateau(8, options));
    schedules::schedule first = schedules::warm_up(3, schedules::reduce_on_plateau(8, options)),
                        second = first;
    for (int epoch = 0; epoch < 12; ++epoch) {
      if (epoch == stopped) second.restore(first.state());
      const schedules::progress p = progress(epoch, epoch < 3 ? 9 - epoch : 7);
      const double expected = whole(p);
      CHECK((epoch < stopped ? first : second)(p) == expected);
    }
    CHECK(second.state().size() == 4);
  }
  CHECK(schedules::cosine(1).state().empty());
  schedules::schedule none = schedules::cosine(1);
  none.restore({});
  CHECK_THROWS_WITH_AS(none.restore({1, 2}), "a schedule that remembers 0 numbers cannot go on from 2",
                       input_error);
}
TEST_CASE("a copy of a schedule remembers for itself") {
  const schedules::schedule a = schedules::reduce_on_plateau(8, {.factor = 0.5, .patience = 0});
  const schedules::schedule b = a;
  for (int epoch = 0; epoch < 3; ++epoch) a({.epoch = epoch, .epochs = 3, .loss = 1, .starts_epoch = true});
  CHECK(a.state()[0] == 4);
  CHECK(b.state()[0] == 8);
}

// A rate that counts its instances.
struct counted {
  int* alive;
  explicit counted(int& all) : alive(&all) { ++all; }
  counted(const counted& other) : alive(other.alive) { ++*alive; }
  ~counted() { --*alive; }
  double operator()(const schedules::progress& p) const { return p.epoch; }
};
TEST_CASE("a schedule destroys what it holds, moved, copied and assigned") {
  int alive = 0;
  {
    schedules::schedule a = counted(alive), b = a;
    CHECK(alive == 2);
    schedules::schedule c = std::move(a);
    CHECK(alive == 2);
    CHECK((!a && b && c));
    b = c;
    c = schedules::constant(3);
    CHECK(alive == 1);
    b = *&b;
    a = std::move(b);
    CHECK(alive == 1);
    CHECK(a({.epoch = 5}) == 5);
    CHECK(c({.epoch = 5}) == 3);
    a = {};
    CHECK(alive == 0);
    a = c;
  }
  CHECK(alive == 0);
}

TEST_CASE("exponential multiplies after each epoch") {
  check_rates(rates_of(schedules::exponential(3, 0.9), 6, 3), {3, 3, 2.7, 2.7, 2.43, 2.43, 2.187});
}

TEST_CASE("warm-up climbs to the rates of another schedule, then follows them") {
  check_rates(rates_of(schedules::warm_up(4, schedules::constant(2)), 5), {0.5, 1, 1.5, 2, 2, 2});
  check_rates(rates_of(schedules::warm_up(2, schedules::exponential(8, 0.5)), 4, 4), {4, 4, 2, 1, 0.5});
  check_rates(rates_of(schedules::warm_up(0, schedules::constant(2)), 1), {2, 2});
}

// torch.optim.lr_scheduler.OneCycleLR(max_lr, total_steps) with its defaults, as its documentation and source state them:
// its phases end at the steps pct_start * total - 1 and total - 1.
double one_cycle_of_pytorch(double highest, double k, double total) {
  const auto annealed = [](double start, double end, double share) {
    return end + (start - end) / 2 * (1 + std::cos(std::acos(-1.0) * share));
  };
  const double initial = highest / 25, least = initial / 1e4, turn = 0.3 * total - 1, end = total - 1;
  return k <= turn ? annealed(initial, highest, k / turn)
                   : annealed(highest, least, (k - turn) / (end - turn));
}
TEST_CASE("one cycle rises in the first three tenths and falls to next to nothing") {
  const rates all = rates_of(schedules::one_cycle(0.5), 1000);
  CHECK(all[0] == doctest::Approx(0.02).epsilon(1e-12));
  CHECK(all[150] == doctest::Approx(0.26).epsilon(1e-12));  // half way up
  CHECK(all[300] == doctest::Approx(0.5).epsilon(1e-12));
  CHECK(all[650] == doctest::Approx(0.250001).epsilon(1e-12));  // half way down
  CHECK(all[1000] == doctest::Approx(2e-6).epsilon(1e-12));
  for (std::size_t k = 1; k <= 1000; ++k) CHECK((all[k] > all[k - 1]) == (k <= 300));
}
TEST_CASE("one cycle is PyTorch's but for a step") {
  const rates all = rates_of(schedules::one_cycle(0.5), 100000);
  for (int k = 0; k < 100000; k += 777) {
    CAPTURE(k);
    CHECK(std::abs(all[static_cast<std::size_t>(k)] - one_cycle_of_pytorch(0.5, k, 100000)) < 2e-5);
  }
}

TEST_CASE("arguments that mean nothing are errors") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [](auto call, const char* message) {
    CHECK_THROWS_WITH_AS(call(), message, input_error);
  };
  refused([] { schedules::constant(-1); }, "constant: expected a rate of at least 0, got -1");
  refused([] { schedules::warm_up(3, {}); }, "warm_up: expected a schedule to climb to, got an empty one");
  refused([&] { schedules::constant(nan); }, "constant: expected a rate of at least 0, got nan");
  refused([] { schedules::constant(std::numeric_limits<double>::infinity()); },
          "constant: expected a rate of at least 0, got inf");
  refused([] { schedules::cosine(-0.5); }, "cosine: expected a rate of at least 0, got -0.5");
  refused([] { schedules::cosine(1, -1); }, "cosine: expected a last rate of at least 0, got -1");
  refused([] { schedules::step_decay(1, 0); }, "step_decay: expected a period of at least 1 epoch, got 0");
  refused([] { schedules::step_decay(1, -20); },
          "step_decay: expected a period of at least 1 epoch, got -20");
  refused([] { schedules::step_decay(1, 0.5); },
          "step_decay: expected a period of at least 1 epoch, got 0.5");
  refused([] { schedules::step_decay(1, 2.5); },
          "step_decay: expected a period of whole epochs, or {.epochs = ..} of parts of them, got 2.5");
  refused([] { schedules::step_decay(-1, 2); }, "step_decay: expected a rate of at least 0, got -1");
  refused([] { schedules::step_decay(1, 2, 0); }, "step_decay: expected a factor above 0, got 0");
  refused([&] { schedules::step_decay(1, 2, nan); }, "step_decay: expected a factor above 0, got nan");
  refused([] { schedules::step_decay(1, {.epochs = 0}); }, "step_decay: expected a period above 0, got 0");
  refused([] { schedules::step_decay(1, {.steps = -3}); }, "step_decay: expected a period above 0, got -3");
  refused([] { schedules::step_decay(1, {.after = -1}); },
          "step_decay: expected a start of at least 0 epochs, got -1");
  refused([] { schedules::step_decay(1, {.steps = 3}, -1); },
          "step_decay: expected a factor above 0, got -1");
  refused(
      [] {
        schedules::multi_step(1, {2, -1});
      },
      "multi_step: expected moments of at least 0 epochs, got -1");
  refused(
      [] {
        schedules::multi_step(1, {3, 1});
      },
      "multi_step: expected moments in rising order, got 1 after 3");
  refused([] { schedules::multi_step(1, {2}, 0); }, "multi_step: expected a factor above 0, got 0");
  refused([] { schedules::linear_decay(1, -1); }, "linear_decay: expected a last rate of at least 0, got -1");
  refused([] { schedules::inverse_square_root(1, 0); },
          "inverse_square_root: expected a warm-up of at least 1 step, got 0");
  refused([] { schedules::exponential(-1, 0.5); }, "exponential: expected a rate of at least 0, got -1");
  refused([] { schedules::exponential(1, -0.5); }, "exponential: expected a factor above 0, got -0.5");
  refused([] { schedules::warm_up(-1, schedules::constant(1)); },
          "warm_up: expected at least 0 steps, got -1");
  refused([] { schedules::one_cycle(-1); }, "one_cycle: expected a highest rate of at least 0, got -1");
}

}  // namespace tenon::test
