// Laws of weights stored as bfloat16 on a device: a session gives the same bits as one whose parameters an oracle has rounded before, and
// the numbers of the reference in double.
#pragma once

#include "support/bfloat16_oracle.hpp"
#include "support/trial.hpp"
#include "support/worse.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::test {

template <concepts::Graph G>
void fill_at_random(parameters<G>& theta, std::uint64_t seed) {
  random_numbers random(seed);
  for (std::ptrdiff_t k = 0; k < theta.block_size; ++k) theta.data()[k] = static_cast<float>(0.7 * random());
}
/// Matrices that products read are rounded. Tables that are looked up and vectors that are added are not.
template <concepts::Graph G>
bool is_multiplied(std::string_view path) {
  for (const operation& o : network_of<G>.operations)
    if (o.kind == operation_kind::gather && network_of<G>.parameters[o.parameters[0]].path.view() == path)
      return false;
  return path.find("weight") != std::string_view::npos;
}
template <class T, concepts::Graph G>
parameters<G, T> with_rounded_weights(const parameters<G>& theta) {
  parameters<G, T> rounded{zeros{}};
  for (std::ptrdiff_t k = 0; k < theta.block_size; ++k) rounded.data()[k] = theta.data()[k];
  rounded.for_each([](std::string_view path, auto v) {
    if (is_multiplied<G>(path))
      for (std::size_t k = 0; k < v.size(); ++k)
        v.data()[k] = static_cast<T>(rounded_to_bfloat16(static_cast<double>(v.data()[k])));
  });
  return rounded;
}

template <concepts::Graph G, class Session>
std::vector<double> numbers_of(const Session& session, int rows) {
  std::vector<double> all;
  each_output<G>([&]<int O>() {
    for (int r = 0; r < rows; ++r)
      each_of_row(get<output_name<G, O>>(session), network_of<G>.edges[network_of<G>.outputs[O]].layers > 1,
                  r, [&](auto y) { all.push_back(static_cast<double>(y)); });
  });
  return all;
}
inline void check_numbers_near(const std::vector<double>& expected, const std::vector<double>& got) {
  REQUIRE(expected.size() == got.size());
  double largest = 0;
  for (std::size_t k = 0; k < got.size(); ++k)
    largest = worse(largest, std::abs(got[k] - expected[k]) / (1 + std::abs(expected[k])));
  CHECK(largest < 1e-5);
}

/// One row of the batch is not given.
template <concepts::Graph G, int Rows, class Plain, class Rounded>
void check_rounded_weights() {
  CAPTURE(std::string(G::title));
  constexpr int bound = network_of<G>.axes.size > 0 ? network_of<G>.axes[0].bound : 1;
  std::vector<int> mixed, full;
  for (int r = 0; r < Rows - (Rows > 1); ++r) {
    mixed.push_back((bound - 1 + 3 * r) % (bound + 1));
    full.push_back(bound);
  }
  parameters<G> theta{zeros{}};
  inference<G, batch<Rows>, on<Rounded>> session;
  inference<G, batch<Rows>, on<Plain>> plain;
  inference<G, batch<Rows>, on<backend::reference>, scalar_type<double>> exact;
  const auto numbers = [&](auto& of, const auto& parameters, const sample<G>& s) {
    s.feed(of);
    of.run(parameters);
    return numbers_of<G>(of, s.rows);
  };
  for (const std::uint64_t seed : {1u, 2u}) {  // parameters change between the rounds and are packed again
    fill_at_random(theta, seed);
    const auto rounded = with_rounded_weights<float>(theta);
    const auto rounded_exactly = with_rounded_weights<double>(theta);
    for (const auto& lengths : {full, mixed, std::vector<int>(full.size(), 0)}) {
      const sample<G> s(lengths, seed);
      const std::vector<double> got = numbers(session, theta, s);
      CHECK(got == numbers(plain, rounded, s));
      if (lengths == full) CHECK(got != numbers(plain, theta, s));
      check_numbers_near(numbers(exact, rounded_exactly, s), got);
    }
  }
}

/// A stream over input x, [rows, features], that ends and begins again.
template <concepts::Graph G, int Rows, class Plain, class Rounded>
void check_rounded_stream() {
  constexpr int features = network_of<G>.edges[network_of<G>.inputs[0]].size;
  parameters<G> theta{zeros{}};
  streaming<G, batch<Rows>, on<Rounded>> live;
  streaming<G, batch<Rows>, on<Plain>> plain;
  for (const std::uint64_t seed : {1u, 2u}) {
    fill_at_random(theta, seed);
    const auto rounded = with_rounded_weights<float>(theta);
    random_numbers random(seed);
    for (int t = 0; t < 4; ++t) {
      std::vector<float> x;
      for (int k = 0; k < Rows * features; ++k) x.push_back(static_cast<float>(random()));
      const view<const float> given(x.data(), {Rows, features}, {features, 1});
      live.step(theta, given);
      plain.step(rounded, given);
      CHECK(numbers_of<G>(live, Rows) == numbers_of<G>(plain, Rows));
    }
    live.reset();
    plain.reset();
  }
}

}  // namespace tenon::test
