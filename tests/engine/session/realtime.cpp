// Steps and runs that cannot fail, or say by a status why nothing was done. What they call is checked in tests/realtime.
#include "support/allocations.hpp"
#include "tenon/engine/session/session.hpp"
#include "tenon/nn/nn.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <span>
#include <vector>

namespace tenon::test {
using namespace nn;

using filters = graph<"filters", input<"x", features<2>, steps<512>>,
                      node<"a", chain<conv1d<8, 3, is_causal, dilation<4>>, activation::tanh>, "x">,
                      node<"states", lstm<6>, "a">, node<"y", linear<1>, "states">, output<"y">>;
using sound = graph<"sound", input<"x", features<1>, steps<64>>, node<"states", gru<6>, "x">,
                    node<"y", linear<1>, "states">, output<"y">>;
using text = graph<"text", input<"letter", token<9>, steps<12>>, node<"e", embedding<9, 4>, "letter">,
                   node<"y", transformer_encoder<4, 1, 6, is_causal>, "e">, output<"y">>;

std::vector<float> signal(int count, int phase = 0) {
  std::vector<float> x;
  for (int t = 0; t < count; ++t) x.push_back(std::sin(0.7f * float(t + phase)));
  return x;
}
std::vector<float> numbers(const auto& y) { return {y.begin(), y.end()}; }

TEST_CASE("spans of a static extent: the same bits as any other range, and no exception") {
  const parameters<filters> theta(seed{1});
  streaming<filters, block<8>> live(theta), other(theta);
  streaming<filters, batch<3>> three(theta), also(theta);
  const std::vector<float> x = signal(16);
  const std::span<const float> all(x);
  static_assert(noexcept(live.run(all.first<16>()))&& noexcept(live.step(all.first<2>())));
  static_assert(noexcept(three.step(all.first<6>()))&& noexcept(live.reset()));
  static_assert(noexcept(live.try_run(x))&& noexcept(three.try_step(x)));
  static_assert(!noexcept(live.run(x)) && !noexcept(live.run(all)) &&
                !noexcept(live.step(std::array{1.0f, 2.0f})));
  static_assert(!noexcept(three.step(all.first<4>())));  // fewer rows than the batch has

  live.prepare();
  three.prepare();
  CHECK(allocations_of([&] {
          live.run(all.first<16>());
          three.step(all.first<6>());
          live.reset();
          three.reset();
        }) == 0);
  for (int pass = 0; pass < 3; ++pass) {
    CHECK(numbers(live.run(all.first<16>())) == numbers(other.run(x)));
    CHECK(numbers(live.run(all.subspan<2, 6>())) == numbers(other.run(all.subspan(2, 6))));
    CHECK(numbers(live.step(all.first<2>())) == numbers(other.step(all.first(2))));
    CHECK(numbers(three.step(all.first<6>())) == numbers(also.step(all.first(6))));
  }
}

TEST_CASE("channels in spans") {
  const parameters<sound> theta(seed{1});
  streaming<sound, batch<2>, block<16>> live(theta), other(theta);
  const std::vector<float> left = signal(16), right = signal(16, 3);
  const std::array<std::span<const float, 16>, 2> channels{std::span<const float, 16>(left),
                                                           std::span<const float, 16>(right)};
  static_assert(noexcept(live.run(channels)));
  live.prepare();
  for (int pass = 0; pass < 2; ++pass) {
    CHECK(numbers(live.run(channels)) == numbers(other.run(std::vector{left, right})));
    CHECK(live.try_run(std::vector{left, right}) == step_status::taken);
    CHECK(numbers(get<"y">(live)) == numbers(other.run(std::vector{left, right})));
  }
  CHECK(live.try_run(std::vector<std::vector<float>>(1, left)) == step_status::wrong_size);
  CHECK(live.try_run(std::vector{left, signal(15)}) == step_status::wrong_size);
}

TEST_CASE("a status instead of an exception, and nothing has changed") {
  const parameters<text> theta(seed{1});
  streaming<text, block<4>> live(theta), other(theta);
  CHECK(live.try_run(std::array{1, 2}) == step_status::not_prepared);
  live.prepare();
  CHECK(live.try_run(std::array{1, 2}) == step_status::taken);
  CHECK(numbers(get<"y">(live)) == numbers(other.run(std::array{1, 2})));
  CHECK(live.try_run(std::vector<int>()) == step_status::wrong_size);
  CHECK(live.try_run(std::array{1, 2, 3, 4, 5}) == step_status::wrong_size);
  CHECK(live.try_run(std::array{1, 9}) == step_status::unknown_token);
  CHECK(live.try_step(std::array{-1}) == step_status::unknown_token);
  CHECK(live.try_run(std::array{3, 4, 5, 6}) == step_status::taken);
  CHECK(numbers(get<"y">(live)) == numbers(other.run(std::array{3, 4, 5, 6})));
  CHECK(live.try_run(std::array{3, 4, 5, 6}) == step_status::taken);
  CHECK(live.try_run(std::array{3, 4, 5}) == step_status::past_bound);
  CHECK(live.try_step(std::array{8}) == step_status::taken);
  CHECK(live.try_run(std::array{3, 4}) == step_status::past_bound);
  live.reset();
  CHECK(live.try_run(std::array{3, 4}) == step_status::taken);

  const parameters<filters> weights(seed{1});
  streaming<filters, batch<3>> three(weights);
  three.prepare();
  CHECK(three.try_step(signal(4)) == step_status::wrong_size);
  CHECK(three.try_step(signal(6)) == step_status::taken);
  three.permute_rows(std::array{2, 0});
  CHECK(three.try_step(signal(6)) == step_status::not_prepared);  // two rows are left
  streaming<filters> unbound;
  CHECK(unbound.try_step(signal(2)) == step_status::not_prepared);
  CHECK_THROWS_AS(unbound.prepare(), input_error);
}

TEST_CASE("prepare takes over what has changed") {
  parameters<sound> theta(seed{1}), fresh(seed{2});
  streaming<sound, block<8>> live(theta), other(fresh);
  const std::vector<float> x = signal(8);
  live.prepare();
  live.run(std::span<const float, 8>(x));
  theta = fresh;
  CHECK(live.try_run(x) == step_status::not_prepared);
  live.reset();
  live.prepare();
  CHECK(live.try_run(x) == step_status::taken);
  CHECK(numbers(get<"y">(live)) == numbers(other.run(x)));
  live.prepare();  // between two blocks: the states stay
  CHECK(live.try_run(x) == step_status::taken);
  CHECK(numbers(get<"y">(live)) == numbers(other.run(x)));
}

TEST_CASE("prepare asks for what stays, and computes what follows from it") {
  using G = graph<"led", input<"x", features<1>, steps<8>>, input<"h0", features<6>>,
                  node<"y", gru<6>, "x", "h0">, output<"y">>;
  const parameters<G> theta(seed{1});
  streaming<G, block<4>> live(theta), other(theta);
  CHECK_THROWS_WITH_AS(live.prepare(), "input 'h0' has not been given", input_error);
  const std::array h0{0.1f, 0.2f, 0.3f, 0.4f, 0.5f, 0.6f};
  set_input<"h0">(live, h0);
  set_input<"h0">(other, h0);
  live.prepare();
  const std::vector<float> x = signal(4);
  CHECK(numbers(live.run(std::span<const float, 4>(x))) == numbers(other.run(x)));
  set_input<"h0">(live, zeros{});
  CHECK(live.try_run(x) == step_status::not_prepared);
}

TEST_CASE("a copy of another stream's states needs no second preparation") {
  const parameters<filters> theta(seed{1});
  streaming<filters, block<8>> live(theta), saved(theta);
  const std::vector<float> x = signal(16);
  live.prepare();
  saved.prepare();
  CHECK(live.try_run(x) == step_status::taken);
  copy_states(live, saved);
  CHECK(live.try_run(x) == step_status::taken);
  CHECK(saved.try_run(x) == step_status::taken);
  CHECK(numbers(get<"y">(live)) == numbers(get<"y">(saved)));
}

}  // namespace tenon::test
