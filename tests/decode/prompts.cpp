// Prompts of generate, greedy and beam_search, and given outputs of forced_decoding, read step by step or in blocks.
#include "support/allocations.hpp"
#include "tenon/decode/beam_search.hpp"
#include "tenon/decode/forced_decoding.hpp"
#include "tenon/decode/generate.hpp"
#include "tenon/nn/nn.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace tenon::test {
using namespace nn;

constexpr int letters = 5, longest = 40;
using recurrent_writer = graph<"recurrent", input<"letter", token<letters>, steps<longest>>,
                               node<"e", embedding<letters, 7>, "letter">, node<"states", gru<11>, "e">,
                               node<"logits", linear<letters>, "states">, output<"logits">, output<"states">>;
using transforming_writer =
    graph<"transforming", input<"letter", token<letters>, steps<longest>>,
          node<"e", chain<embedding<letters, 6>, sinusoidal_positions<6>>, "letter">,
          node<"states", transformer_encoder<6, 2, 7, is_causal>, "e">,
          node<"logits", linear<letters>, "states">, output<"logits">, output<"states">>;

// Parameters whose scores are far apart, so that rounding changes no choice.
template <class G>
parameters<G> decided() {
  parameters<G> theta(seed{11});
  for (long k = 0; k < theta.count(); ++k) theta.data()[k] *= 3;
  return theta;
}
const std::vector<std::vector<int>> prompts{{1, 2, 3, 4, 1, 1, 2}, {}, {4}, {2, 2, 3}};

template <class G>
void check_texts() {
  const parameters<G> theta = decided<G>();
  streaming<G, batch<4>> single(theta);
  streaming<G, batch<4>, block<3>> live(theta);
  const decoding::generate_options options{.start = 0, .max_steps = 9, .choice = {.temperature = 0.7}};
  auto one = generate<"letter", "logits", "states">(single, options);
  auto other = generate<"letter", "logits", "states">(live, options);
  auto likeliest = greedy<"letter">(single, options);
  auto in_blocks = greedy<"letter">(live, options);
  for (int call = 0; call < 2; ++call) {
    one(prompts);
    other(prompts);
    for (int r = 0; r < 4; ++r) {
      CHECK(std::ranges::equal(one.text(r), other.text(r)));
      const auto x = one.kept(r), y = other.kept(r);
      for (std::size_t t = 0; t < x.shape(0); ++t)
        for (std::size_t k = 0; k < x.shape(1); ++k) CHECK(x(t, k) == doctest::Approx(y(t, k)).epsilon(1e-4));
    }
    likeliest(prompts);
    in_blocks(prompts);
    for (int r = 0; r < 4; ++r) CHECK(std::ranges::equal(likeliest.text(r), in_blocks.text(r)));
  }
  likeliest.more();
  in_blocks.more();
  CHECK(std::ranges::equal(likeliest.text(0), in_blocks.text(0)));
  CHECK(allocations_of([&] { in_blocks(prompts); }) == 0);

  // A row alone, its prompt in one call of another length.
  streaming<G, block<8>> alone(theta);
  auto write = greedy<"letter">(alone, options);
  write(prompts[0]);
  likeliest(prompts);
  CHECK(std::ranges::equal(write.text(), likeliest.text(0)));
}
TEST_CASE("texts after prompts are the same, read step by step or in blocks") {
  check_texts<recurrent_writer>();
  check_texts<transforming_writer>();
}

template <class G>
void check_given_outputs() {
  const parameters<G> theta = decided<G>();
  streaming<G, batch<4>> single(theta);
  streaming<G, batch<4>, block<3>> live(theta);
  auto one = forced_decoding<"letter", "logits", "states">(single, {.start = 0, .max_steps = 9});
  auto other = forced_decoding<"letter", "logits", "states">(live, {.start = 0, .max_steps = 9});
  one(prompts);
  other(prompts);
  for (int r = 0; r < 4; ++r) {
    REQUIRE(one.log_probabilities(r).size() == prompts[std::size_t(r)].size());
    REQUIRE(other.log_probabilities(r).size() == prompts[std::size_t(r)].size());
    for (std::size_t t = 0; t < prompts[std::size_t(r)].size(); ++t) {
      CHECK(one.log_probabilities(r)[t] == doctest::Approx(other.log_probabilities(r)[t]).epsilon(1e-4));
      for (std::size_t k = 0; k < one.kept(r).shape(1); ++k)
        CHECK(one.kept(r)(t, k) == doctest::Approx(other.kept(r)(t, k)).epsilon(1e-4));
    }
  }
}
TEST_CASE("given outputs are as likely, read step by step or in blocks") {
  check_given_outputs<recurrent_writer>();
  check_given_outputs<transforming_writer>();
}

// The oracle asks forced_decoding for every output of two letters after the prompt.
template <class G, class... Options>
void check_search() {
  const parameters<G> theta = decided<G>();
  streaming<G, batch<4 * 5>, Options...> live(theta);
  auto search = beam_search<"letter">(
      live, {.width = 5, .start = 0, .max_steps = 2, .best = 5, .normalization = decoding::no_normalization});
  search(prompts);
  REQUIRE(search.sentences() == 4);
  streaming<G> judge(theta);
  auto likely = forced_decoding<"letter">(judge, {.start = 0, .max_steps = longest});
  const auto log_p = [&](std::vector<int> all, std::size_t first) {
    likely(std::vector<std::vector<int>>(1, all));
    const auto each = likely.log_probabilities();
    double sum = 0;
    for (std::size_t t = first; t < all.size(); ++t) sum += each[t];
    return sum;
  };
  for (int s = 0; s < 4; ++s) {
    const std::vector<int>& prompt = prompts[std::size_t(s)];
    std::vector<double> scores;
    for (int a = 0; a < letters; ++a)
      for (int b = 0; b < letters; ++b) {
        std::vector<int> all = prompt;
        all.insert(all.end(), {a, b});
        scores.push_back(log_p(all, prompt.size()));
      }
    std::sort(scores.rbegin(), scores.rend());
    for (int n = 0; n < 5; ++n) {
      const auto found = search.nth(s, n);
      REQUIRE(found.tokens.size() == 2);
      std::vector<int> all = prompt;
      all.insert(all.end(), found.tokens.begin(), found.tokens.end());
      CHECK(found.log_probability == doctest::Approx(log_p(all, prompt.size())).epsilon(1e-4));
      CHECK(found.log_probability == doctest::Approx(scores[std::size_t(n)]).epsilon(1e-4));
    }
  }
  auto of_one = beam_search<"letter">(
      live, {.width = 5, .start = 0, .max_steps = 2, .normalization = decoding::no_normalization});
  of_one(prompts[0]);
  CHECK(std::ranges::equal(of_one.best().tokens, search.best(0).tokens));
  CHECK(allocations_of([&] { search(prompts); }) == 0);
}
TEST_CASE("a beam as wide as the vocabulary finds the likeliest pairs after a prompt") {
  check_search<recurrent_writer>();
  check_search<recurrent_writer, block<3>>();
  check_search<transforming_writer>();
  check_search<transforming_writer, block<4>>();
}

TEST_CASE("a search after a prompt, of sentences with inputs of their own") {
  using G = graph<"led", input<"letter", token<letters>, steps<longest>>, input<"h0", features<6>>,
                  node<"e", embedding<letters, 4>, "letter">, node<"states", gru<6>, "e", "h0">,
                  node<"logits", linear<letters>, "states">, output<"logits">>;
  const parameters<G> theta = decided<G>();
  streaming<G, batch<2 * 3>, block<4>> live(theta);
  streaming<G, batch<3>> alone(theta);
  const decoding::beam_search_options options{.width = 3, .start = 0, .end = 1, .max_steps = 6};
  auto search = beam_search<"letter">(live, options);
  auto one = beam_search<"letter">(alone, options);
  std::vector<float> h0;
  for (int k = 0; k < 12; ++k) h0.push_back(std::sin(float(k)));
  set_input<"h0">(live, h0);
  const std::vector<std::vector<int>> two{{3, 2, 4, 4, 2}, {2}};
  search(two);
  for (int s = 0; s < 2; ++s) {
    set_input<"h0">(alone, std::vector<float>(h0.begin() + 6 * s, h0.begin() + 6 * s + 6));
    one(two[std::size_t(s)]);
    CHECK(std::ranges::equal(search.best(s).tokens, one.best().tokens));
    CHECK(search.best(s).score == doctest::Approx(one.best().score).epsilon(1e-4));
  }
  CHECK_THROWS_WITH_AS(search(two[0]), "beam_search: expected a prompt for each of the 2 sentences, got 1",
                       input_error);
  CHECK_THROWS_WITH_AS(search(std::vector<std::vector<int>>{{1}, {letters}}),
                       "input 'letter': row 1, step 0: token 5 is outside table 'e.weight' of 5 rows",
                       input_error);
  search(two);
  CHECK(search.sentences() == 2);
}

}  // namespace tenon::test
