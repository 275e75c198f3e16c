// The states of a stream: read, set, moved from row to row and to another stream. A stream that continues from them gives the
// results of a stream that has taken the same steps.
#include "support/allocations.hpp"
#include "tenon/engine/session/session.hpp"
#include "tenon/nn/recurrent.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

namespace tenon::test {
using namespace nn;

using numbers = std::vector<float>;

// A first state of 5, a second of 3, a third of 2.
struct three_states : equations::symbols {
  static constexpr auto step(auto x, auto h, auto slow, auto fast) {
    const auto next_slow = 0.5 * slow + W<"slow", 3>(h);
    const auto next_fast = tanh(W<"fast", 2>(x) + U<"fast">(fast));
    return next(tanh(W<"h">(x) + U<"h">(h) + V<"h">(concat(next_slow, next_fast))), next_slow, next_fast);
  }
};
using deep = graph<"deep", input<"x", features<2>, steps<9>>, node<"below", lstm<7, layers<3>>, "x">,
                   node<"y", recurrent<three_states, hidden<5, 3, 2>>, "below">, output<"y">,
                   output<"below.h_n">, output<"below.c_n">, output<"y.state_2_n">>;

numbers frame(int t, int rows) {
  numbers x;
  for (int k = 0; k < 2 * rows; ++k) x.push_back(static_cast<float>((3 * t + 5 * k) % 7) / 4 - 1);
  return x;
}
template <class Live>
numbers step(Live& live, int t, int rows) {
  live.step(frame(t, rows));
  const auto y = get<"y">(live);
  numbers all;
  for (int r = 0; r < rows; ++r)
    for (int k = 0; k < 5; ++k) all.push_back(y(r, k));
  return all;
}
numbers row_of_frame(int t, std::size_t r) {
  const numbers x = frame(t, 4);
  return {x[2 * r], x[2 * r + 1]};
}
numbers row_of(const numbers& all, std::size_t r) {
  return {all.begin() + static_cast<long>(5 * r), all.begin() + static_cast<long>(5 * r + 5)};
}

TEST_CASE("a state is what the graph gives as its last state") {
  const parameters<deep> theta(seed{3});
  streaming<deep, batch<3>> live(theta);
  for (int t = 0; t < 3; ++t) {
    step(live, t, 2);
    const auto h = get_state<"below">(live), same = get_state<"below.h_n">(live),
               c = get_state<"below.c_n">(live);
    REQUIRE(h.dimension() == 3);
    REQUIRE(h.shape(0) == 3);
    REQUIRE(h.shape(1) == 2);
    REQUIRE(h.shape(2) == 7);
    for (int layer = 0; layer < 3; ++layer)
      for (int r = 0; r < 2; ++r)
        for (int k = 0; k < 7; ++k) {
          CHECK(h(layer, r, k) == get<"below.h_n">(live)(layer, r, k));
          CHECK(same(layer, r, k) == h(layer, r, k));
          CHECK(c(layer, r, k) == get<"below.c_n">(live)(layer, r, k));
        }
    const auto fast = get_state<"y.state_2_n">(live), y = get_state<"y">(live);
    REQUIRE(fast.shape(1) == 2);
    for (int r = 0; r < 2; ++r) CHECK(fast(r, 1) == get<"y.state_2_n">(live)(r, 1));
    for (int r = 0; r < 2; ++r) CHECK(y(r, 4) == get<"y">(live)(r, 4));
  }
}

// All numbers of a view, copied into a tensor, because the view's numbers change with the next step.
struct kept_tensor {
  numbers all;
  std::vector<long> extents;
  explicit kept_tensor(const view<const float>& x) {
    for (std::size_t k = 0; k < x.dimension(); ++k) extents.push_back(static_cast<long>(x.shape(k)));
    for_each(x);
  }
  view<const float> shown() const {
    if (extents.size() == 2) return {all.data(), {extents[0], extents[1]}, {extents[1], 1}};
    return {all.data(), {extents[0], extents[1], extents[2]}, {extents[1] * extents[2], extents[2], 1}};
  }

 private:
  void for_each(const view<const float>& x) {
    if (x.dimension() == 2)
      tenon::detail::for_each_element<2>(x, [&](float v, auto...) { all.push_back(v); });
    else tenon::detail::for_each_element<3>(x, [&](float v, auto...) { all.push_back(v); });
  }
};

TEST_CASE("what is set is where the stream goes on, at a later step and at the first") {
  const parameters<deep> theta(seed{3});
  streaming<deep, batch<3>> live(theta), late(theta);
  for (int t = 0; t < 3; ++t) step(live, t, 2);
  const kept_tensor h(get_state<"below">(live)), c(get_state<"below.c_n">(live)), y(get_state<"y">(live)),
      slow(get_state<"y.c_n">(live)), fast(get_state<"y.state_2_n">(live));
  const auto set_all = [&](auto& stream) {
    set_state<"below">(stream, h.shown());
    set_state<"below.c_n">(stream, c.shown());
    set_state<"y">(stream, y.all);
    set_state<"y.c_n">(stream, slow.shown());
    set_state<"y.state_2_n">(stream, std::vector<double>(fast.all.begin(), fast.all.end()));
  };
  const numbers next = step(live, 3, 2), after_next = step(live, 4, 2);
  CHECK(next != after_next);
  set_all(live);
  CHECK(step(live, 3, 2) == next);
  set_all(late);  // which has taken no step
  CHECK(get_state<"y">(late)(1, 4) == y.shown()(1, 4));
  CHECK(step(late, 3, 2) == next);
  CHECK(step(late, 4, 2) == after_next);
  late.reset();
  live.reset();
  CHECK(step(late, 0, 2) == step(live, 0, 2));
}
TEST_CASE("one state is set in front of the first step, the others are zero") {
  const parameters<deep> theta(seed{3});
  streaming<deep, batch<3>> live(theta), zero(theta);
  const numbers first = step(zero, 0, 2);
  set_state<"y.c_n">(live, numbers(6, 1));
  CHECK(step(live, 0, 2) != first);
  live.reset();
  set_state<"y.c_n">(live, zeros{});
  CHECK(step(live, 0, 2) == first);
  live.reset();
  set_state<"below">(live, zeros{});
  set_state<"y.c_n">(live, numbers(6, 1));  // zero states fit any number of rows
  set_state<"y">(live, zeros{});
  CHECK(get_state<"y">(live).shape(0) == 2);
  CHECK(step(live, 0, 2) != first);
  live.reset();
  set_state<"below">(live, zeros{});
  set_state<"below.c_n">(live, zeros{});
  set_state<"y">(live, zeros{});
  set_state<"y.c_n">(live, zeros{});
  set_state<"y.state_2_n">(live, zeros{});
  CHECK(step(live, 0, 2) == first);
}

TEST_CASE("rows go on from other rows, more of them, too") {
  const parameters<deep> theta(seed{3});
  streaming<deep, batch<4>> live(theta), other(theta);
  streaming<deep> alone[2];
  for (int t = 0; t < 3; ++t) {
    step(live, t, 2);
    step(other, t, 2);
    for (std::size_t r = 0; r < 2; ++r) alone[r].step(theta, row_of_frame(t, r));
  }
  live.permute_rows(std::array{1, 0});
  CHECK(get_state<"y">(live)(0, 0) == get_state<"y">(other)(1, 0));
  const numbers swapped = step(live, 3, 2);
  live.permute_rows(std::vector<long>{1, 1, 0, 1});
  CHECK(get_state<"below">(live).shape(1) == 4);
  const numbers four = step(live, 4, 4);
  CHECK(row_of(four, 0) != row_of(four, 2));
  // The same steps in separate streams.
  for (std::size_t r = 0; r < 2; ++r) alone[1 - r].step(theta, row_of_frame(3, r));
  const int from[]{0, 0, 1, 0};  // live's row 0 was alone[1]
  for (std::size_t r = 0; r < 4; ++r) {
    streaming<deep> one(theta);
    copy_states(alone[from[r]], one);
    one.step(row_of_frame(4, r));
    for (std::size_t k = 0; k < 5; ++k)
      CHECK(four[5 * r + k] == doctest::Approx(get<"y">(one)(0, k)).epsilon(1e-5));
  }
  CHECK(swapped.size() == 10);
}

TEST_CASE("the states of a stream go to another, of another batch and scalar") {
  const parameters<deep> theta(seed{3});
  streaming<deep> one(theta);
  streaming<deep, batch<3>> three(theta);
  streaming<deep, scalar_type<double>> exact;
  for (int t = 0; t < 3; ++t) one.step(frame(t, 1));
  copy_states(one, three);
  three.permute_rows(std::array{0, 0, 0});
  one.step(frame(3, 1));
  const auto x = frame(3, 1);
  three.step(numbers{x[0], x[1], x[0], x[1], x[0], x[1]});
  for (int r = 0; r < 3; ++r)
    for (int k = 0; k < 5; ++k)
      CHECK(get<"y">(three)(r, k) == doctest::Approx(get<"y">(one)(0, k)).epsilon(1e-6));
  copy_states(one, exact);
  CHECK(get_state<"y.c_n">(exact)(0, 2) == double(get_state<"y.c_n">(one)(0, 2)));
  one.reset();
  copy_states(one, three);  // which also restarts
  CHECK_THROWS_AS(get_state<"y">(three), input_error);
  streaming<deep, batch<2>> two(theta);
  step(two, 0, 2);
  CHECK_THROWS_WITH_AS(copy_states(two, one),
                       "copy_states: 2 rows, and the other stream has room for 1, batch<1>", input_error);
}

TEST_CASE("zeros before the first step are of all rows, in the stream that they are copied to, too") {
  const parameters<deep> theta(seed{3});
  streaming<deep> one(theta), small(theta);
  streaming<deep, batch<4>> four(theta);
  streaming<deep, batch<2>> two(theta), expected(theta);
  const auto goes_on_with_two = [&](auto& live) {
    const numbers state(10, 0.5f);
    set_state<"y">(live, state);  // of two rows: the number of rows is not yet known
    set_state<"y">(expected, state);
    const numbers y = step(live, 1, 2), other = step(expected, 1, 2);
    for (std::size_t k = 0; k < y.size(); ++k) CHECK(y[k] == doctest::Approx(other[k]).epsilon(1e-6));
    expected.reset();
  };
  set_state<"below">(four, zeros{});
  copy_states(four, two);  // to a batch of fewer rows
  CHECK(get_state<"below">(two).shape(1) == 2);
  goes_on_with_two(two);
  set_state<"below">(one, zeros{});
  copy_states(one, four);  // to one of more
  CHECK(get_state<"below">(four).shape(1) == 4);
  goes_on_with_two(four);
  four.reset();
  step(four, 0, 3);
  four.reset();  // the rows of an earlier sequence do not count
  set_state<"below">(four, zeros{});
  CHECK(get_state<"below">(four).shape(1) == 4);
  copy_states(four, small);
  small.step(frame(1, 1));
  one.step(frame(1, 1));
  for (int k = 0; k < 5; ++k) CHECK(get<"y">(small)(0, k) == get<"y">(one)(0, k));
  // Once the number of rows is known, states must fit it.
  four.reset();
  set_state<"below">(four, zeros{});
  set_state<"y">(four, numbers(15, 0.5f));
  CHECK_THROWS_WITH_AS(copy_states(four, two),
                       "copy_states: 3 rows, and the other stream has room for 2, batch<2>", input_error);
}

TEST_CASE("none of it allocates") {
  const parameters<deep> theta(seed{3});
  streaming<deep, batch<4>> live(theta), other(theta);
  const auto x = frame(0, 2), wide = frame(0, 4);
  const numbers h(10, 0.25f);
  float seen = 0;
  CHECK(allocations_of([&] {
          for (int pass = 0; pass < 2; ++pass) {
            live.step(x);
            set_state<"y">(live, h);
            seen += get_state<"y">(live)(1, 1);
            live.permute_rows(std::array{1, 0, 1, 1});
            live.step(wide);
            copy_states(live, other);
            other.step(wide);
            live.reset();
          }
        }) == 0);
  CHECK(seen == 0.5f);
}

TEST_CASE("what does not fit is refused, and changes nothing") {
  const parameters<deep> theta(seed{3});
  streaming<deep, batch<3>> live(theta), other(theta);
  CHECK_THROWS_WITH_AS(
      get_state<"y">(live),
      "state 'y': the stream is at the beginning, where there is none yet; take a step first", input_error);
  CHECK_THROWS_WITH_AS(
      live.permute_rows(std::array{0}),
      "permute_rows: the stream is at the beginning, where no row has a state yet; take a step first",
      input_error);
  step(live, 0, 2);
  step(other, 0, 2);
  CHECK_THROWS_WITH_AS(live.permute_rows(std::array{0, 2}),
                       "permute_rows: row 1 from row 2, and the stream has 2 rows", input_error);
  CHECK_THROWS_WITH_AS(live.permute_rows(std::array{-1, 0}),
                       "permute_rows: row 0 from row -1, and the stream has 2 rows", input_error);
  CHECK_THROWS_WITH_AS(live.permute_rows(std::array{0, 0, 0, 0}),
                       "permute_rows: expected from 1 to 3 rows, as batch<3> has, got 4", input_error);
  CHECK_THROWS_WITH_AS(set_state<"y">(live, numbers(5)),
                       "state 'y': expected 2 rows, as the stream has, got 1", input_error);
  CHECK_THROWS_WITH_AS(set_state<"y">(live, numbers(11)),
                       "state 'y': expected a multiple of 5 numbers, got 11", input_error);
  CHECK_THROWS_WITH_AS(set_state<"y">(live, numbers(20)),
                       "state 'y': expected from 1 to 3 rows, as batch<3> has, got 4", input_error);
  const numbers x(42);
  CHECK_THROWS_WITH_AS(set_state<"below">(live, view<const float>(x.data(), {2, 2, 7}, {14, 7, 1})),
                       "state 'below': expected 3 layers, got 2", input_error);
  CHECK_THROWS_WITH_AS(set_state<"below">(live, view<const float>(x.data(), {3, 2, 6}, {14, 7, 1})),
                       "state 'below': expected 7 features, got 6", input_error);
  CHECK_THROWS_WITH_AS(set_state<"below">(live, view<const float>(x.data(), {2, 7}, {7, 1})),
                       "state 'below': expected rank 3, got rank 2", input_error);
  CHECK(step(live, 1, 2) == step(other, 1, 2));
}

}  // namespace tenon::test
