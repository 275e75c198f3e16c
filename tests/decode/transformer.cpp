// Decoders that see what they have written: beam search against all outputs of a small transformer, whose scores come from whole
// runs, and the other decoders against each other.
#include "support/allocations.hpp"
#include "tenon/decode/decode.hpp"
#include "tenon/nn/nn.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace tenon::test {
using namespace nn;

using tokens = std::vector<int>;
using sentences = std::vector<tokens>;

using translator = graph<"translator", input<"source", token<9>, steps<4, "source">>,
                         input<"word", token<5>, steps<4, "target">>,
                         node<"memory", chain<embedding<9, 8>, learned_positions<4>>, "source">,
                         node<"before", chain<embedding<5, 8>, sinusoidal_positions<8>>, "word">,
                         node<"decoder", transformer_decoder<8, 2, 8>, "before", "memory">,
                         node<"logits", linear<4>, "decoder">, output<"logits">>;
constexpr int start = 4, end = 0, most = 4;
const sentences sources{{1, 2, 3, 4}, {5, 6}, {7, 8, 1}};

parameters<translator> some_weights(unsigned s) {
  parameters<translator> theta(seed{s});
  for (auto w : {get<"logits.weight">(theta), get<"before.0.weight">(theta)})
    for (std::size_t k = 0; k < w.size(); ++k) w.data()[k] *= 4;
  get<"logits.bias">(theta)(end) -= 1;
  return theta;
}

struct output_of_all {
  tokens written;  // with the end token
  double log_probability, score;
  bool has_ended;
};
// All outputs of a source, the best first.
std::vector<output_of_all> all_outputs(inference<translator>& whole, const tokens& source,
                                       const decoding::length_normalization& normalization) {
  std::vector<output_of_all> all;
  const auto extend = [&](auto& self, const tokens& written, double before) -> void {
    tokens fed = written;
    fed.insert(fed.begin(), start);
    whole(sentences{source}, sentences{fed});
    const auto x = get<"logits">(whole)[0][written.size()];
    std::vector<double> p;
    double sum = 0;
    for (std::size_t k = 0; k < 4; ++k) sum += std::exp(double(x(k)));
    for (std::size_t k = 0; k < 4; ++k) p.push_back(double(x(k)) - std::log(sum));
    for (int token = 0; token < 4; ++token) {
      tokens longer = written;
      longer.push_back(token);
      const double total = before + p[static_cast<std::size_t>(token)];
      if (token != end && longer.size() < most) self(self, longer, total);
      else
        all.push_back({longer, total, total / normalization(static_cast<int>(longer.size())), token == end});
    }
  };
  extend(extend, {}, 0);
  std::sort(all.begin(), all.end(), [](const output_of_all& a, const output_of_all& b) {
    return a.has_ended != b.has_ended ? a.has_ended : a.score > b.score;
  });
  return all;
}

TEST_CASE("a beam that has room for all outputs of a transformer finds them, of several sentences at once") {
  const parameters<translator> theta = some_weights(5);
  inference<translator> whole(theta);
  constexpr int width = 3;  // of 4 tokens; all outputs are 1 + 3 + 9 + 27 * 4
  streaming<translator, batch<3 * width>> live(theta);
  set_input<"source">(live, sources);
  auto search = beam_search<"word">(live, {.width = width,
                                           .start = start,
                                           .end = end,
                                           .max_steps = most,
                                           .best = width,
                                           .normalization = decoding::wu_2016()});
  auto judge = forced_decoding<"word">(live, {.start = start, .max_steps = most});
  for (int pass = 0; pass < 2; ++pass) {
    search();
    REQUIRE(search.sentences() == 3);
    for (int s = 0; s < 3; ++s) {
      const auto all = all_outputs(whole, sources[static_cast<std::size_t>(s)], decoding::wu_2016());
      REQUIRE(all.size() == 1 + 3 + 9 + 27 * 4);
      for (int n = 0; n < search.found(s); ++n) {
        const auto found = search.nth(s, n);
        tokens written(found.tokens.begin(), found.tokens.end());
        if (found.has_ended) written.push_back(end);
        const auto same =
            std::find_if(all.begin(), all.end(), [&](const auto& o) { return o.written == written; });
        REQUIRE(same != all.end());
        CHECK(found.log_probability == doctest::Approx(same->log_probability).epsilon(1e-5));
        CHECK(found.score == doctest::Approx(same->score).epsilon(1e-5));
      }
    }
  }
  // A forced output has the probability of the whole run, beside rows of other lengths.
  sentences outputs;
  std::vector<double> expected;
  for (std::size_t s = 0; s < 3; ++s) {
    const auto all = all_outputs(whole, sources[s], decoding::no_normalization);
    outputs.push_back(all[3 * s].written);
    expected.push_back(all[3 * s].log_probability);
  }
  judge(outputs);
  for (int s = 0; s < 3; ++s)
    CHECK(judge.log_probability(s) == doctest::Approx(expected[static_cast<std::size_t>(s)]).epsilon(1e-5));
}

// A language model in which a beam of 3 words holds all likely hypotheses.
using language = graph<"language", input<"word", token<40>, steps<4>>,
                       node<"e", chain<embedding<40, 8>, learned_positions<4>>, "word">,
                       node<"block", transformer_encoder<8, 2, 8, is_causal>, "e">,
                       node<"logits", linear<40>, "block">, output<"logits">>;
TEST_CASE("a beam that has room for all outputs of a language model ranks them as they are") {
  parameters<language> theta(seed{7});
  auto bias = get<"logits.bias">(theta);
  for (int k = 0; k < 40; ++k)
    bias(k) = k % 13 == 1 ? 0.0f : -std::numeric_limits<float>::infinity();  // 1, 14, 27: 1 ends
  inference<language> whole(theta);
  streaming<language, batch<40>> live(theta);
  std::vector<output_of_all> all;
  const auto extend = [&](auto& self, const tokens& written, double before) -> void {
    tokens fed = written;
    fed.insert(fed.begin(), 7);
    const auto x = whole(sentences{fed})[0][written.size()];
    double sum = 0;
    for (int k : {1, 14, 27}) sum += std::exp(double(x(k)));
    for (int token : {1, 14, 27}) {
      tokens longer = written;
      longer.push_back(token);
      const double total = before + double(whole(sentences{fed})(0, written.size(), token)) - std::log(sum);
      if (token != 1 && longer.size() < 4) self(self, longer, total);
      else all.push_back({longer, total, total / double(longer.size()), token == 1});
    }
  };
  extend(extend, {}, 0);
  std::sort(all.begin(), all.end(), [](const output_of_all& a, const output_of_all& b) {
    return a.has_ended != b.has_ended ? a.has_ended : a.score > b.score;
  });
  REQUIRE(all.size() == 1 + 2 + 4 + 8 * 3);
  auto search = beam_search<"word">(live, {.width = 40, .start = 7, .end = 1, .max_steps = 4, .best = 40});
  search();
  REQUIRE(search.found() == static_cast<int>(all.size()));
  for (int n = 0; n < search.found(); ++n) {
    const auto found = search.nth(0, n);
    tokens written(found.tokens.begin(), found.tokens.end());
    if (found.has_ended) written.push_back(1);
    CAPTURE(n);
    CHECK(written == all[static_cast<std::size_t>(n)].written);
    CHECK(found.log_probability ==
          doctest::Approx(all[static_cast<std::size_t>(n)].log_probability).epsilon(1e-5));
  }
  CHECK_THROWS_WITH_AS((void)beam_search<"word">(live, {.width = 2, .start = 7, .end = 1, .max_steps = 5}),
                       "beam_search: max_steps is 5, and the axis 'time' has a bound of 4", input_error);
}

TEST_CASE("rows that rest keep what they have seen: prompts of several lengths, and more behind them") {
  const parameters<language> theta(seed{9});
  inference<language> whole(theta);
  streaming<language, batch<3>> live(theta);
  auto write = greedy<"word">(live, {.max_steps = 1});
  const sentences prompts{{3}, {4, 5, 6}, {7, 8}};
  sentences expected = prompts;
  const auto grow = [&](std::size_t r) {
    whole(sentences{expected[r]});
    expected[r].push_back(argmax(get<"logits">(whole)[0][expected[r].size() - 1]));
  };
  write(prompts);
  for (int pass = 0; pass < 2;
       ++pass, pass < 2 ? write.more() : void())  // row 1 reaches the bound of the axis
    for (std::size_t r = 0; r < 3; ++r) {
      grow(r);
      CHECK(write.text(static_cast<int>(r))[0] == expected[r].back());
    }
  CHECK_THROWS_AS(write.more(), input_error);
}

TEST_CASE("a search of a transformer allocates nothing") {
  const parameters<translator> theta = some_weights(2);
  streaming<translator, batch<9>> live(theta);
  auto search = beam_search<"word">(live, {.width = 3, .start = start, .end = end, .max_steps = most});
  double seen = 0;
  CHECK(allocations_of([&] {
          for (int pass = 0; pass < 2; ++pass) {
            set_input<"source">(live, sources);
            search();
            seen += search.best(1).score;
          }
        }) == 0);
  CHECK(seen < 0);
}

}  // namespace tenon::test
