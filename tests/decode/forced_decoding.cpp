// Forced decoding against whole runs on the given tokens, and against the results of greedy decoding.
#include "decode/translator.hpp"
#include "support/allocations.hpp"
#include "tenon/decode/decode.hpp"

#include <doctest/doctest.h>

#include <limits>

namespace tenon::test {

TEST_CASE("the probability of an output is that of its tokens, each behind those before it") {
  const parameters<translator> theta = some_weights(4, 0.5f);
  streaming<translator, batch<3>> live(theta);
  set_input<"source">(live, sources);
  auto judge = forced_decoding<"word">(live, {.start = start, .max_steps = 5});
  const sentences outputs{{1, 2, 0}, {}, {4, 5, 6, 1, 2}};
  judge(outputs);
  CHECK(judge.rows() == 3);
  inference<translator> whole(theta);
  for (int r = 0; r < 3; ++r) {
    const tokens& output = outputs[static_cast<std::size_t>(r)];
    set_input<"source">(whole, sentences{sources[static_cast<std::size_t>(r)]});
    REQUIRE(judge.log_probabilities(r).size() == output.size());
    double sum = 0;
    for (std::size_t t = 0; t < output.size(); ++t) {
      const tokens before(output.begin(), output.begin() + static_cast<std::ptrdiff_t>(t));
      const double p = log_probabilities(whole, start, before)[static_cast<std::size_t>(output[t])];
      CHECK(judge.log_probabilities(r)[t] == doctest::Approx(p).epsilon(1e-5));
      sum += p;
    }
    CHECK(judge.log_probability(r) == doctest::Approx(sum).epsilon(1e-5));
  }
}

TEST_CASE("of what greedy decoding writes it keeps the same rows") {
  const parameters<translator> theta = some_weights(4, 0.5f);
  streaming<translator, batch<3>> live(theta);
  set_input<"source">(live, sources);
  auto write = greedy<"word", "logits", "weights">(live, {.start = start, .end = end, .max_steps = 5});
  auto judge = forced_decoding<"word", "logits", "weights">(live, {.start = start, .max_steps = 5});
  write();
  sentences written;
  for (int r = 0; r < 3; ++r) written.emplace_back(write.text(r).begin(), write.text(r).end());
  judge(written);
  int seen = 0;
  for (int r = 0; r < 3; ++r)
    for (int t = 0; t < static_cast<int>(write.text(r).size()); ++t, ++seen)
      for (int j = 0; j < 4; ++j) CHECK(judge.kept(r)(t, j) == write.kept(r)(t, j));
  CHECK(seen > 3);
}

TEST_CASE("a call allocates nothing") {
  const parameters<translator> theta = some_weights(2, 0);
  streaming<translator, batch<3>> live(theta);
  auto judge = forced_decoding<"word">(live, {.start = start, .max_steps = 5});
  const sentences outputs{{1, 2, 0}, {3}, {4, 5, 6, 1, 2}};
  double seen = 0;
  CHECK(allocations_of([&] {
          for (int pass = 0; pass < 2; ++pass) {
            set_input<"source">(live, sources);
            judge(outputs);
            seen += judge.log_probability(2);
          }
        }) == 0);
  CHECK(seen < 0);
}

TEST_CASE("what does not fit is refused in a sentence") {
  const parameters<translator> theta = some_weights(2, 0);
  streaming<translator, batch<3>> live(theta);
  CHECK_THROWS_WITH_AS((void)forced_decoding<"word">(live, {.max_steps = 2}),
                       "forced_decoding: no start token is given; say .start = the token in front of all",
                       input_error);
  CHECK_THROWS_WITH_AS((void)forced_decoding<"word">(live, {.start = 8, .max_steps = 2}),
                       "forced_decoding: the start token 8 is outside the vocabulary of 8", input_error);
  set_input<"source">(live, sentences{{1}, {2, 3}});
  auto judge = forced_decoding<"word">(live, {.start = start, .max_steps = 2});
  CHECK_THROWS_WITH_AS(judge(sentences{{1}, {1, 2, 3}}),
                       "forced_decoding: row 1 has 3 tokens, and max_steps is 2", input_error);
  CHECK_THROWS_WITH_AS(judge(sentences{{1}, {1, 7}}),
                       "forced_decoding: row 1: token 7 is outside the vocabulary of 7", input_error);
  CHECK_THROWS_WITH_AS(judge(sentences{{1}}), "input 'word' has 1 rows, input 'source' has 2", input_error);
  CHECK_THROWS_WITH_AS(judge(sentences{}),
                       "forced_decoding: expected from 1 to 3 outputs, as batch<3> has rows, got 0",
                       input_error);
  CHECK_THROWS_WITH_AS((void)judge.log_probabilities(0),
                       "forced_decoding: row 0 is outside the 0 rows of the last outputs", input_error);
  parameters<translator> broken = theta;
  get<"logits.bias">(broken)(3) = std::numeric_limits<float>::quiet_NaN();
  streaming<translator, batch<3>> of_broken(broken);
  set_input<"source">(of_broken, sentences{{1}, {2, 3}});
  auto nothing = forced_decoding<"word">(of_broken, {.start = start, .max_steps = 2});
  CHECK_THROWS_WITH_AS(nothing(sentences{{}, {1}}), "forced_decoding: the scores of row 1 are not numbers",
                       input_error);
  CHECK(nothing.rows() == 0);
}

}  // namespace tenon::test
