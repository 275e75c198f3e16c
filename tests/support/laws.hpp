// The laws of every layer, cell and graph: gradients agree with finite differences, machines with each other,
// rows of a batch with single runs; padding and history have no effect; the same input gives the same bits.
#pragma once

#include "support/trial.hpp"
#include "tenon/meta/host_device.hpp"

#include <cmath>
#include <limits>

namespace tenon::test {

inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// |got - expected| <= absolute + relative |expected| for every number; the worst entry is reported by name.
inline void check_near(const findings& expected, const findings& got, double absolute, double relative) {
  std::string worst;
  double excess = 0;
  for (const auto& [what, numbers] : expected) {
    const auto found = got.find(what);
    REQUIRE_MESSAGE(found != got.end(), what);
    REQUIRE_MESSAGE(found->second.size() == numbers.size(), what);
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      const double y = found->second[k],
                   e = std::abs(y - numbers[k]) - absolute - relative * std::abs(numbers[k]);
      if (e <= excess) continue;
      excess = std::isnan(e) ? std::numeric_limits<double>::infinity() : e;
      worst = what + "[" + std::to_string(k) + "]: expected " + std::to_string(numbers[k]) + ", got " +
              std::to_string(y);
    }
  }
  INFO("worst entry: ", worst);
  CHECK(worst.empty());
}
// The same numbers to the last bit; a NaN is never right.
inline void check_same(const findings& expected, const findings& got) { check_near(expected, got, 0, 0); }

// Every gradient of trial `mine`, of parameters and inputs, against central differences of its loss.
template <concepts::Graph G, int Rows>
void check_gradients(trial<oracle, G, Rows>& mine, sample<G> s) {
  const findings analytic = mine(s);
  findings measured;
  const auto slope = [&](double& x) {
    const double step = 1e-6, kept = x;
    x = kept + step;
    const double above = mine.loss(s);
    x = kept - step;
    const double below = mine.loss(s);
    x = kept;
    return (above - below) / (2 * step);
  };
  mine.theta.for_each([&](std::string_view path, auto v) {
    auto& slopes = measured["gradient of " + std::string(path)];
    for (std::size_t k = 0; k < v.size(); ++k) slopes.push_back(slope(v.data()[k]));
  });
  for (const operation& o : network_of<G>.operations)  // a padding row matters, but is not learned
    if (o.kind == operation_kind::gather && o.skipped >= 0) {
      const parameter& table = network_of<G>.parameters[o.parameters[0]];
      auto& slopes = measured["gradient of " + std::string(table.path.view())];
      std::fill_n(slopes.begin() + o.skipped * table.columns, table.columns, 0.0);
    }
  for (const parameter& p : network_of<G>.parameters)  // nor is a frozen parameter
    if (p.frozen) {
      auto& slopes = measured["gradient of " + std::string(p.path.view())];
      std::fill(slopes.begin(), slopes.end(), 0.0);
    }
  each_input<G>([&]<int I>() {
    static constexpr edge e = network_of<G>.edges[network_of<G>.inputs[I]];
    for (int r = 0; r < s.rows && !e.is_token(); ++r) {
      auto& slopes = measured[of_row("gradient of input " + std::string(input_name<G, I>.view()), r)];
      const int t = s.steps(I), outer = e.layers;
      for (int k = 0; k < outer * t; ++k)
        for (int j = 0; j < e.size; ++j) {
          const int at = outer > 1 ? k * s.rows + r : r * t + k;
          slopes.push_back(slope(s.numbers[I][static_cast<std::size_t>(at * e.size + j)]));
        }
    }
  });
  findings gradients;
  for (const auto& [what, numbers] : analytic)
    if (what.starts_with("gradient")) gradients[what] = numbers;
  REQUIRE(gradients.size() == measured.size());
  check_near(measured, gradients, 1e-5, 1e-3);
}

struct tolerance {
  double absolute = 1e-5, relative = 1e-4;  // cpu in float against the oracle in double
};

// All laws of one graph. Its time axes have at least one step; lengths are mixed, full and all zero. Three kinds of sessions
// would take three times as long to compile: without the sanitizers the batch is compared with the oracle, under them with single rows.
template <concepts::Graph G>
void check_laws(tolerance allowed = {}) {
  CAPTURE(std::string(G::title));
  constexpr int rows = 5, bound = network_of<G>.axes.size > 0 ? network_of<G>.axes[0].bound : 1;
  const int T = bound;
  const sample<G> mixed({T - 1, 0, T, 1, 2}, 1), full(std::vector<int>(rows, T), 2),
      empty(std::vector<int>(rows, 0), 3);

  trial<processor, G, rows + 1> used(9), fresh(9);  // one row of the batch stays empty
  if constexpr (TENON_SANITIZED) {
    for (const auto* s : {&full, &empty}) used(*s);
  } else {
    trial<oracle, G, rows + 1> exact(9);
    for (const auto* s : {&full, &empty, &mixed}) {
      INFO("lengths: ", std::string(s == &full ? "all full" : s == &empty ? "all zero" : "mixed"));
      check_gradients(exact, *s);
      const findings expected = exact(*s), got = used(*s);
      check_near(expected, got, allowed.absolute, allowed.relative);
      check_same(got, used(*s));
    }
    check_same(exact(mixed), exact(mixed.padded_with({not_a_number, -7})));
  }
  // `used` has seen longer sequences; `fresh` has not
  const findings once = fresh(mixed);
  check_same(once, used(mixed));
  for (const past_end p : {past_end{not_a_number, -7}, past_end{1e30, 999}})
    check_same(once, used(mixed.padded_with(p)));

  if constexpr (TENON_SANITIZED &&
                !has_dropout<G>) {  // the zeros of dropout depend on the place in the batch
    trial<processor, G, 1> single(9);
    for (int r = 0; r < rows; ++r) {
      findings alone;
      for (const auto& [what, numbers] : single(mixed.row(r)))
        if (what.ends_with(", row 0")) alone[what.substr(0, what.size() - 1) + std::to_string(r)] = numbers;
      check_near(alone, once, 1e-6, 1e-6);
    }
  }
}

}  // namespace tenon::test
