// One long text in windows: the contents of each window, and that carrying the state makes the windows one run over the streams.
#include "tenon/data/contiguous.hpp"

#include "tenon/engine/session/session.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/train/loop/fit.hpp"
#include "tenon/train/trainer/shards.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tenon::test {
using namespace nn;

// Shows its inputs: the tables contain the token plus 1, so that padding is 0.
using mirror = graph<"mirror", input<"letters", token<50>, steps<4>>, input<"next", token<50>, steps<4>>,
                     node<"seen", embedding<50, 1>, "letters">, node<"following", embedding<50, 1>, "next">,
                     output<"seen">, output<"following">>;
using tokens = std::vector<int>;
using windows = std::vector<std::vector<tokens>>;  // [window][stream][step]

template <int Streams>
struct shown {
  windows seen, following;
  explicit shown(const auto& data) {
    parameters<mirror> theta(zeros{});
    for (int t = 0; t < 50; ++t)
      get<"seen.weight">(theta)(t, 0) = get<"following.weight">(theta)(t, 0) = static_cast<float>(t + 1);
    inference<mirror, batch<Streams>> session;
    for (int k = 0; k < data.windows(session); ++k) {
      data.set_window(session, k);
      session.run(theta);
      seen.push_back(read(get<"seen">(session)));
      following.push_back(read(get<"following">(session)));
    }
  }
  static std::vector<tokens> read(const view<const float>& v) {
    std::vector<tokens> all(v.extent(0));
    for (std::size_t r = 0; r < v.extent(0); ++r)
      for (std::size_t t = 0; t < v.extent(1); ++t)
        if (v(r, t, 0) > 0) all[r].push_back(static_cast<int>(v(r, t, 0)) - 1);
    return all;
  }
};
tokens count_up(int from, int to) {
  tokens all;
  for (int t = from; t < to; ++t) all.push_back(t);
  return all;
}

TEST_CASE("windows follow each other in each stream, the last one shorter, with the next tokens as targets") {
  // 24 tokens: two streams of 11 steps, and 23, which only predicts
  const shown<2> got(contiguous<"letters", "next">(count_up(0, 24)));
  CHECK(got.seen == windows{{{0, 1, 2, 3}, {11, 12, 13, 14}},
                            {{4, 5, 6, 7}, {15, 16, 17, 18}},
                            {{8, 9, 10}, {19, 20, 21}}});
  CHECK(got.following == windows{{{1, 2, 3, 4}, {12, 13, 14, 15}},
                                 {{5, 6, 7, 8}, {16, 17, 18, 19}},
                                 {{9, 10, 11}, {20, 21, 22}}});
}
TEST_CASE("what does not fill a step of all streams is left out, and whole windows are whole") {
  const shown<3> got(contiguous<"letters", "next">(count_up(0, 27)));  // 26 = 3 * 8 + 2
  CHECK(got.seen == windows{{{0, 1, 2, 3}, {8, 9, 10, 11}, {16, 17, 18, 19}},
                            {{4, 5, 6, 7}, {12, 13, 14, 15}, {20, 21, 22, 23}}});
  CHECK(got.following[1] == std::vector<tokens>{{5, 6, 7, 8}, {13, 14, 15, 16}, {21, 22, 23, 24}});
}
TEST_CASE("more steps than an int can count are refused") {
  const int* const nowhere = nullptr;  // no step is read
  const std::span<const int> many(nowhere, 3'000'000'000), most(nowhere, 2'147'483'647);
  CHECK_THROWS_WITH_AS((contiguous<"letters", "next">(many)),
                       "contiguous: expected at most 2147483647 tokens, got 3000000000; divide them",
                       input_error);
  CHECK(contiguous<"letters", "next">(most).size() == 2'147'483'647);
}
TEST_CASE("of one stream every token is seen but the last") {
  for (int n = 2; n < 15; ++n) {
    CAPTURE(n);
    tokens seen, following;
    const shown<1> got(contiguous<"letters", "next">(count_up(0, n)));
    for (const auto& window : got.seen) seen.insert(seen.end(), window[0].begin(), window[0].end());
    for (const auto& window : got.following)
      following.insert(following.end(), window[0].begin(), window[0].end());
    CHECK(seen == count_up(0, n - 1));
    CHECK(following == count_up(1, n));
  }
}
TEST_CASE(
    "tokens are any whole numbers; a copy is kept, or what is moved, and a view is read where it looks at") {
  tokens text = count_up(0, 9), moved = text;
  const auto of_view = [&] {
    const std::span<const int> looking(text);  // ends here
    return contiguous<"letters", "next">(looking);
  }();
  const auto copied = contiguous<"letters", "next">(text);
  const auto owned = contiguous<"letters", "next">(std::move(moved));
  CHECK(moved.empty());
  CHECK(of_view.size() == 9);
  CHECK(shown<1>(of_view).seen == shown<1>(owned).seen);
  text[0] = 30;
  CHECK(shown<1>(of_view).seen[0][0][0] == 30);
  CHECK(shown<1>(copied).seen[0][0][0] == 0);
  CHECK(shown<1>(owned).seen[0][0][0] == 0);
  CHECK(shown<1>(contiguous<"letters", "next">(std::vector<char>{5, 6, 7})).following == windows{{{6, 7}}});
}
// The same for numbers: padding is -1.
using series_mirror = graph<"series_mirror", input<"x", features<2>, steps<4>>,
                            input<"next", features<2>, steps<4>>, node<"seen", add, "x", "x">,
                            node<"following", add, "next", "next">, output<"seen">, output<"following">>;
TEST_CASE("a long series of numbers, one or several at each step, is cut as a text is") {
  std::vector<std::array<float, 2>> pairs;
  std::vector<float> numbers;
  for (int k = 0; k < 24; ++k) {
    pairs.push_back({static_cast<float>(k), static_cast<float>(-k)});
    numbers.push_back(static_cast<float>(k));
  }
  const shown<2> expected(contiguous<"letters", "next">(count_up(0, 24)));
  const auto of_pairs = contiguous<"x", "next">(pairs);
  inference<series_mirror, batch<2>> session;
  REQUIRE(of_pairs.size() == 24);
  REQUIRE(of_pairs.windows(session) == 3);
  for (int k = 0; k < 3; ++k) {
    of_pairs.set_window(session, k);
    const parameters<series_mirror> nothing;
    session.run(nothing);
    for (std::size_t r = 0; r < 2; ++r) {
      const tokens &seen = expected.seen[std::size_t(k)][r], &next = expected.following[std::size_t(k)][r];
      for (std::size_t t = 0; t < seen.size(); ++t) {
        CHECK(get<"seen">(session)(r, t, 0) == 2 * static_cast<float>(seen[t]));
        CHECK(get<"seen">(session)(r, t, 1) == -2 * static_cast<float>(seen[t]));
        CHECK(get<"following">(session)(r, t, 1) == -2 * static_cast<float>(next[t]));
      }
      for (std::size_t t = seen.size(); t < 4; ++t) CHECK(get<"seen">(session)(r, t, 0) == 0);
    }
  }
  using single = graph<"single", input<"x", features<1>, steps<4>>, input<"target", features<1>, steps<4>>,
                       node<"sum", add, "x", "target">, output<"sum">>;
  inference<single, batch<2>> of_one;
  const auto of_numbers = contiguous<"x">(std::vector<double>(numbers.begin(), numbers.end()));
  of_numbers.set_window(of_one, 1);
  of_one.run(parameters<single>());
  CHECK(get<"sum">(of_one)(1, 3, 0) == 18 + 19);
  of_numbers.check_inputs<inference<single, batch<2>>>();
  CHECK_THROWS_WITH_AS(
      contiguous<"x">(std::array{1.0f, 2.0f}).windows(of_one),
      "contiguous: 2 steps are too few for 2 streams, which need one each and one to predict", input_error);
}
TEST_CASE("fewer tokens than streams and one more are an error") {
  const inference<mirror, batch<3>> session;
  const auto windows_of = [&](int n) {
    return contiguous<"letters", "next">(count_up(0, n)).windows(session);
  };
  CHECK(windows_of(4) == 1);
  CHECK_THROWS_WITH_AS(
      windows_of(3), "contiguous: 3 tokens are too few for 3 streams, which need one each and one to predict",
      input_error);
  CHECK_THROWS_AS(windows_of(0), input_error);
}

// --- states ----------------------------------------------------------------------------------------------------
template <int T>
using one_state = graph<"one state", input<"x", token<6>, steps<T>>, input<"h0", features<5>>,
                        node<"e", embedding<6, 4>, "x">, node<"states", gru<5>, "e", "h0">,
                        node<"logits", linear<6>, "states">, output<"logits">, output<"states.h_n">>;
template <int T>
using stacked = graph<"stacked", input<"x", token<6>, steps<T>>, input<"h0", layers<2>, features<5>>,
                      node<"e", embedding<6, 4>, "x">, node<"states", gru<5, layers<2>>, "e", "h0">,
                      node<"logits", linear<6>, "states">, output<"logits">, output<"states.h_n">>;
template <int T>
using two_states =
    graph<"two states", input<"x", token<6>, steps<T>>, input<"h0", features<5>>, input<"c0", features<5>>,
          node<"e", embedding<6, 4>, "x">, node<"states", lstm<5>, "e", "h0", "c0">,
          node<"logits", linear<6>, "states">, output<"logits">, output<"states.h_n">, output<"states.c_n">>;
using hand_h = carry<"states.h_n", "h0">;
using hand_c = carry<"states.c_n", "c0">;

constexpr int streams = 3, window = 4, steps_of_stream = 18;
// Knuth 1998, 3.3.4, a generator whose high bits repeat late: each stream has a text of its own, and so states of its own.
tokens text() {
  tokens all;
  std::uint32_t number = 1;
  for (int k = 0; k < streams * steps_of_stream + 1; ++k) {
    number = number * 1664525u + 1013904223u;
    all.push_back(static_cast<int>((number >> 16) % 6));
  }
  return all;
}
TEST_CASE("no two streams of the text are equal") {
  const tokens all = text();
  for (int a = 0; a < streams; ++a)
    for (int b = 0; b < a; ++b) {
      const auto first = all.begin() + a * steps_of_stream, second = all.begin() + b * steps_of_stream;
      CHECK_FALSE(std::equal(first, first + window, second));
    }
}
template <class G, class... Options>
using learner_of = trainer<G, losses::cross_entropy<"logits">, optimizers::sgd, batch<streams>, Options...>;

template <class Short, class Long>
void copy_parameters(const parameters<Short>& from, parameters<Long>& to) {
  static_assert(parameters<Short>::block_size == parameters<Long>::block_size);
  std::copy_n(from.data(), parameters<Short>::block_size, to.data());
}
// The loss of one run over the whole streams from states of zero.
template <template <int> class Model, class Zero>
double loss_at_once(const parameters<Model<window>>& theta, Zero zero) {
  parameters<Model<steps_of_stream>> same(zeros{});
  copy_parameters(theta, same);
  learner_of<Model<steps_of_stream>> whole(same, {.learning_rate = 0});
  const tokens all = text();
  std::vector<tokens> x, target;
  for (int s = 0; s < streams; ++s) {
    const auto begin = all.begin() + s * steps_of_stream;
    x.emplace_back(begin, begin + steps_of_stream);
    target.emplace_back(begin + 1, begin + 1 + steps_of_stream);
  }
  set_input<"x">(whole, x);
  set_input<"target">(whole, target);
  zero(whole);
  return static_cast<double>(whole.step());
}
const auto zero_row = [](auto& session) { set_input<"h0">(session, std::vector<float>(streams * 5)); };
const auto zero_layers = [](auto& session) {
  const std::vector<float> none(2 * streams * 5);
  set_input<"h0">(session, view<const float>(none.data(), {2, streams, 5}));
};
const auto zero_both = [](auto& session) {
  zero_row(session);
  set_input<"c0">(session, std::vector<float>(streams * 5));
};

template <template <int> class Model, class... Carried>
void check_states(auto zero) {
  parameters<Model<window>> theta(seed{4});
  for (float& w : std::span(theta.data(), static_cast<std::size_t>(theta.block_size))) w *= 3;
  learner_of<Model<window>> t(theta);
  const auto data = contiguous<"x", Carried...>(text());
  const double expected = loss_at_once<Model>(theta, zero);
  CHECK(evaluate(t, data).loss == doctest::Approx(expected).epsilon(1e-6));
  CHECK(evaluate(t, data).loss == evaluate(t, data).loss);  // each begins with zeros
}
TEST_CASE("windows that hand on a state lose what one run over the streams loses") {
  check_states<one_state, hand_h>(zero_row);
  check_states<stacked, hand_h>(zero_layers);
  check_states<two_states, hand_h, hand_c>(zero_both);
}
TEST_CASE("without a state handed on they lose something else") {
  parameters<one_state<window>> theta(seed{4});
  learner_of<one_state<window>> t(theta);
  const tokens all = text();
  evaluation<one_state<window>, losses::cross_entropy<"logits">, batch<streams>> forgetful;
  const auto data = contiguous<"x">(all);
  for (int k = 0; k < data.windows(forgetful); ++k) {
    data.set_window(forgetful, k);
    zero_row(forgetful);
    forgetful.add(theta);
  }
  const double lost = forgetful.loss(), carried = evaluate(t, contiguous<"x", hand_h>(all)).loss;
  CHECK(std::abs(lost - carried) > 1e-4);
}

// What fit must do, written out: first zero states, then those of the window before, copied by hand.
template <class G>
std::vector<double> train_by_hand(parameters<G>& theta, int epochs) {
  learner_of<G> t(theta, {.learning_rate = 0.5});
  const tokens all = text();
  std::vector<double> losses;
  for (int e = 0; e < epochs; ++e) {
    std::vector<float> h(streams * 5);
    double sum = 0;
    for (int from = 0; from < steps_of_stream; from += window) {
      const int some = std::min(window, steps_of_stream - from);
      std::vector<tokens> x, target;
      for (int s = 0; s < streams; ++s) {
        const auto begin = all.begin() + s * steps_of_stream + from;
        x.emplace_back(begin, begin + some);
        target.emplace_back(begin + 1, begin + 1 + some);
      }
      set_input<"x">(t, x);
      set_input<"target">(t, target);
      set_input<"h0">(t, h);
      sum += static_cast<double>(t.step());
      h.clear();
      for (float v : get<"states.h_n">(t)) h.push_back(v);
    }
    losses.push_back(sum / 5);  // five windows
  }
  return losses;
}
TEST_CASE("fit trains on the windows in their order, and begins each epoch with zeros") {
  using model = one_state<window>;
  parameters<model> by_fit(seed{4}), by_hand(seed{4});
  learner_of<model> t(by_fit, {.learning_rate = 0.5});
  const reports::history h = fit(t, contiguous<"x", hand_h>(text()), {.epochs = 3});
  const std::vector<double> losses = train_by_hand(by_hand, 3);
  REQUIRE(h.epochs.size() == 3);
  for (std::size_t e = 0; e < 3; ++e) CHECK(h.epochs[e].loss == doctest::Approx(losses[e]).epsilon(1e-12));
  CHECK(losses[2] < losses[0]);
  CHECK(t.steps() == 15);
  for (int k = 0; k < by_fit.block_size; ++k)
    REQUIRE(std::as_const(by_fit).data()[k] == std::as_const(by_hand).data()[k]);
}
TEST_CASE("an epoch that learns nothing is the next one again") {
  parameters<one_state<window>> theta(seed{4});
  learner_of<one_state<window>> t(theta, {.learning_rate = 0});
  const reports::history h = fit(t, contiguous<"x", hand_h>(text()), {.epochs = 2});
  CHECK(h.epochs[0].loss == h.epochs[1].loss);
}
TEST_CASE("a text can validate a training on another") {
  parameters<one_state<window>> theta(seed{4});
  learner_of<one_state<window>> t(theta, {.learning_rate = 0.5});
  const tokens other = count_up(0, 6);
  tokens held;
  for (int k = 0; k < 8; ++k) held.insert(held.end(), other.begin(), other.end());
  const auto data = contiguous<"x", hand_h>(held);
  std::vector<double> seen;
  const reports::history h = fit(t, contiguous<"x", hand_h>(text()),
                                 {.epochs = 2, .validate = data, .after_epoch = [&](const reports::epoch&) {
                                    seen.push_back(evaluate(t, data).loss);
                                  }});
  REQUIRE(seen.size() == 2);
  for (std::size_t e = 0; e < 2; ++e) CHECK(h.epochs[e].validation_loss == seen[e]);
  CHECK(seen[0] != seen[1]);
}
TEST_CASE("a batch that is cut into shards trains on windows that carry nothing") {
  using model = graph<"memoryless", input<"x", token<6>, steps<window>>, node<"logits", embedding<6, 6>, "x">,
                      output<"logits">>;
  using whole_batch = trainer<model, losses::cross_entropy<"logits">, optimizers::sgd, batch<4>>;
  parameters<model> whole_theta(seed{4}), cut_theta(seed{4});
  whole_batch whole(whole_theta, {.learning_rate = 0.5});
  trainer<model, losses::cross_entropy<"logits">, optimizers::sgd, batch<4>, shards<2>> cut(
      cut_theta, {.learning_rate = 0.5}, {}, threads{2});
  const auto data = contiguous<"x">(text());
  const double expected = fit(whole, data).last().loss;
  CHECK(fit(cut, data).last().loss == doctest::Approx(expected).epsilon(1e-6));
  CHECK(evaluate(cut, data).loss == doctest::Approx(evaluate(whole, data).loss).epsilon(1e-6));
}

// Three streams in three shards, each with its own states: they learn the same as one batch of all.
template <template <int> class Model, class... Carried>
void check_states_of_shards() {
  using G = Model<window>;
  parameters<G> whole_theta(seed{4}), cut_theta(seed{4});
  for (parameters<G>* theta : {&whole_theta, &cut_theta})
    for (float& w : std::span(theta->data(), static_cast<std::size_t>(theta->block_size))) w *= 3;
  learner_of<G> whole(whole_theta, {.learning_rate = 0.5});
  learner_of<G, shards<3>> cut(cut_theta, {.learning_rate = 0.5}, {}, threads{2});
  const auto data = contiguous<"x", Carried...>(text());
  const reports::history expected = fit(whole, data, {.epochs = 3}), got = fit(cut, data, {.epochs = 3});
  for (std::size_t e = 0; e < 3; ++e)
    CHECK(got.epochs[e].loss == doctest::Approx(expected.epochs[e].loss).epsilon(1e-5));
  CHECK(evaluate(cut, data).loss == doctest::Approx(evaluate(whole, data).loss).epsilon(1e-5));
}
TEST_CASE("each shard hands on the states of its rows") {
  check_states_of_shards<one_state, hand_h>();
  check_states_of_shards<stacked, hand_h>();
  check_states_of_shards<two_states, hand_h, hand_c>();
}

}  // namespace tenon::test
