// Beam search against all outputs of a small language model, and against a beam of strings whose scores come from whole runs.
#include "decode/translator.hpp"
#include "support/allocations.hpp"
#include "tenon/decode/decode.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

namespace tenon::test {
using namespace nn;

// --- a language model of 301 tokens, of which 4 have a probability ---------------------------------------------
using language = graph<"language", input<"word", token<301>, steps<5>>, node<"e", embedding<301, 4>, "word">,
                       node<"states", gru<6>, "e">, node<"logits", linear<301>, "states">, output<"logits">>;

struct output_of_all {
  tokens written;  // with the end token
  double log_probability, score;
};

TEST_CASE("a beam that has room for all outputs finds all of them, from the best on") {
  parameters<language> theta(seed{5});
  auto bias = get<"logits.bias">(theta);
  for (int k = 0; k < 301; ++k)
    if (k % 20 != 2 || k % 80 > 2) bias(k) = -std::numeric_limits<float>::infinity();
  get<"logits.bias">(theta)(2) = 0.8f;
  inference<language> whole(theta);
  streaming<language, batch<64>> live(theta);
  const auto normalizations = {decoding::no_normalization, decoding::by_length(), decoding::by_length(0.5),
                               decoding::wu_2016(), decoding::wu_2016(1.5)};
  for (const decoding::length_normalization& normalization : normalizations) {
    std::vector<output_of_all> all;
    const auto extend = [&](auto& self, const tokens& written, double before) -> void {
      const auto p = log_probabilities(whole, 7, written);
      for (int token : {2, 82, 162, 242}) {
        tokens longer = written;
        longer.push_back(token);
        const double sum = before + p[static_cast<std::size_t>(token)];
        if (token != 2 && longer.size() < 3) self(self, longer, sum);
        else all.push_back({longer, sum, sum / normalization(static_cast<int>(longer.size()))});
      }
    };
    extend(extend, {}, 0);
    REQUIRE(all.size() == 1 + 3 + 9 * 4);
    std::sort(all.begin(), all.end(), [](const output_of_all& a, const output_of_all& b) {
      const bool first = a.written.back() == 2, second = b.written.back() == 2;
      return first != second ? first : a.score > b.score;
    });
    auto search = beam_search<"word">(
        live,
        {.width = 64, .start = 7, .end = 2, .max_steps = 3, .best = 64, .normalization = normalization});
    search();
    REQUIRE(search.sentences() == 1);
    REQUIRE(search.found() == static_cast<int>(all.size()));
    double probability = 0;
    for (int n = 0; n < search.found(); ++n) {
      const auto found = search.nth(0, n);
      const output_of_all& expected = all[static_cast<std::size_t>(n)];
      CAPTURE(n);
      CHECK(found.log_probability == doctest::Approx(expected.log_probability).epsilon(1e-5));
      CHECK(found.score == doctest::Approx(expected.score).epsilon(1e-5));
      REQUIRE(found.has_ended == (expected.written.back() == 2));
      tokens written(found.tokens.begin(), found.tokens.end());
      if (found.has_ended) written.push_back(2);
      CHECK(written == expected.written);
      probability += std::exp(found.log_probability);
    }
    CHECK(probability == doctest::Approx(1).epsilon(1e-5));
  }
}

TEST_CASE("one step of a beam finds the likeliest of all tokens, equal ones in their order") {
  parameters<language> theta(seed{6});
  auto bias = get<"logits.bias">(theta);
  streaming<language, batch<64>> live(theta);
  for (int s : {1, 2, 3}) {
    backend::random_stream random(static_cast<std::uint64_t>(s), 0);
    // With 40 different values, where the last or the first tokens are the likeliest; then with many.
    for (int k = 0; k < 301; ++k)
      bias(k) = s == 3 ? 40 * float(random.uniform())
                       : float(random.below(20)) + ((s == 1 ? k > 290 : k < 9) ? 20.f : 0.f);
    for (float& w : get<"logits.weight">(theta)) w = 0;
    std::vector<int> expected(301);
    std::iota(expected.begin(), expected.end(), 0);
    std::sort(expected.begin(), expected.end(),
              [&](int a, int b) { return bias(a) != bias(b) ? bias(a) > bias(b) : a < b; });
    for (int width : {1, 5, 64}) {
      auto search =
          beam_search<"word">(live, {.width = width, .start = 7, .end = 2, .max_steps = 1, .best = width});
      search();
      int n = 0;
      for (int pass = 0; pass < 2; ++pass)  // ended hypotheses come first
        for (int k = 0; k < width; ++k) {
          const int token = expected[static_cast<std::size_t>(k)];
          if ((token == 2) != (pass == 0)) continue;
          REQUIRE(search.nth(0, n).has_ended == (token == 2));
          if (token != 2) CHECK(search.nth(0, n).tokens[0] == token);
          ++n;
        }
      CHECK(search.found() == n);
    }
  }
}

struct followed {
  tokens written;
  double log_probability = 0, score = 0;
  bool has_ended = false;
};
// The beam of Sutskever et al. on strings: each string is run again as a whole.
template <class Session>
std::vector<followed> naive_beam(Session& whole, const tokens& source,
                                 const decoding::beam_search_options& o) {
  set_input<"source">(whole, sentences{source});
  std::vector<followed> live{{}}, done;
  for (int t = 0; t < o.max_steps && !live.empty(); ++t) {
    std::vector<followed> all;
    for (const followed& f : live) {
      const auto p = log_probabilities(whole, start, f.written);
      for (std::size_t k = 0; k < p.size(); ++k) {
        followed longer = f;
        longer.written.push_back(static_cast<int>(k));
        longer.log_probability += p[k];
        all.push_back(longer);
      }
    }
    std::sort(all.begin(), all.end(),
              [](const followed& a, const followed& b) { return a.log_probability > b.log_probability; });
    all.resize(std::min(all.size(), static_cast<std::size_t>(o.width) - done.size()));
    live.clear();
    for (followed& f : all) {
      f.has_ended = f.written.back() == o.end;
      f.score = f.log_probability / o.normalization(t + 1);
      (f.has_ended || t + 1 == o.max_steps ? done : live).push_back(f);
    }
  }
  std::sort(done.begin(), done.end(), [](const followed& a, const followed& b) {
    return a.has_ended != b.has_ended ? a.has_ended : a.score > b.score;
  });
  return done;
}

TEST_CASE("the beams of a batch of sentences are those of strings, one sentence after the other") {
  int ended = 0, cut = 0;
  for (int s : {1, 2, 3, 4}) {
    const parameters<translator> theta = some_weights(s, s % 2 == 0 ? -1.0f : 0.0f);
    inference<translator> whole(theta);
    streaming<translator, batch<16>> live(theta);
    for (int width : {1, 2, 5}) {
      const decoding::beam_search_options options{.width = width,
                                                  .start = start,
                                                  .end = end,
                                                  .max_steps = 5,
                                                  .best = width,
                                                  .normalization = s == 1   ? decoding::no_normalization
                                                                   : s == 2 ? decoding::by_length()
                                                                            : decoding::wu_2016()};
      auto search = beam_search<"word", "logits", "weights">(live, options);
      set_input<"source">(live, sources);
      for (int pass = 0; pass < 2; ++pass) {  // the inputs must be unchanged
        search();
        REQUIRE(search.sentences() == 3);
        for (int k = 0; k < 3; ++k) {
          const auto expected = naive_beam(whole, sources[static_cast<std::size_t>(k)], options);
          int same = 0;  // if the search has ended early, only the best are known
          for (int n = 0; n < search.found(k); ++n) {
            const auto found = search.nth(k, n);
            const followed& f = expected[static_cast<std::size_t>(n)];
            tokens written(found.tokens.begin(), found.tokens.end());
            if (found.has_ended) written.push_back(end);
            CAPTURE(n);
            CHECK(written == f.written);
            CHECK(found.log_probability == doctest::Approx(f.log_probability).epsilon(1e-5));
            CHECK(found.score == doctest::Approx(f.score).epsilon(1e-5));
            (found.has_ended ? ended : cut)++;
            ++same;
            // The weights of each step are those of a whole run on the written tokens.
            tokens fed(written.begin(), written.end() - 1);
            fed.insert(fed.begin(), start);
            set_input<"source">(whole, sentences{sources[static_cast<std::size_t>(k)]});
            set_input<"word">(whole, sentences{fed});
            whole.run();
            REQUIRE(found.kept.shape(0) == static_cast<long>(fed.size()));
            for (std::size_t t = 0; t < fed.size(); ++t)
              for (int j = 0; j < 4; ++j)
                CHECK(found.kept(t, j) == doctest::Approx(get<"weights">(whole)(0, t, j)).epsilon(1e-4));
          }
          CHECK(same == std::min(width, static_cast<int>(expected.size())));
        }
      }
    }
  }
  CHECK(ended > 20);
  CHECK(cut > 5);
}

TEST_CASE("without an end token every output has max_steps tokens") {
  for (int s : {1, 2, 3, 4}) {
    const parameters<translator> theta = some_weights(s, s % 2 == 0 ? 0.5f : 1.5f);
    inference<translator> whole(theta);
    streaming<translator, batch<15>> live(theta);
    const decoding::beam_search_options options{.width = 5, .start = start, .max_steps = 4, .best = 5};
    auto search = beam_search<"word">(live, options);
    set_input<"source">(live, sources);
    search();
    for (int k = 0; k < 3; ++k) {
      const auto expected = naive_beam(whole, sources[static_cast<std::size_t>(k)], options);
      REQUIRE(search.found(k) == 5);
      REQUIRE(expected.size() == 5);
      for (int n = 0; n < 5; ++n) {
        const auto found = search.nth(k, n);
        const followed& f = expected[static_cast<std::size_t>(n)];
        CHECK(!found.has_ended);
        CHECK(tokens(found.tokens.begin(), found.tokens.end()) == f.written);
        CHECK(found.tokens.size() == 4);
        CHECK(found.log_probability == doctest::Approx(f.log_probability).epsilon(1e-5));
      }
    }
    auto one = beam_search<"word">(live, {.width = 1, .start = start, .max_steps = 4});
    auto write = greedy<"word">(live, {.start = start, .max_steps = 4});
    set_input<"source">(live, sources);
    one();
    write();
    for (int k = 0; k < 3; ++k) {
      const auto found = one.best(k);
      CHECK(tokens(found.tokens.begin(), found.tokens.end()) ==
            tokens(write.text(k).begin(), write.text(k).end()));
    }
  }
}

TEST_CASE("the best alone is the best of all that a longer search gives") {
  int overtaken = 0;  // searches whose best hypothesis did not end first
  for (int s : {1, 2, 3, 4, 5, 6}) {
    const parameters<translator> theta = some_weights(s, s % 2 == 0 ? 0.5f : 1.5f);
    inference<translator> whole(theta);
    streaming<translator, batch<15>> live(theta);
    const decoding::beam_search_options options{.width = 5, .start = start, .end = end, .max_steps = 5};
    auto search = beam_search<"word">(live, options);
    set_input<"source">(live, sources);
    search();
    for (int k = 0; k < 3; ++k) {
      const auto expected = naive_beam(whole, sources[static_cast<std::size_t>(k)], options);
      REQUIRE(search.found(k) == 1);
      CHECK(search.best(k).score == doctest::Approx(expected[0].score).epsilon(1e-5));
      CHECK(search.best(k).tokens.size() == expected[0].written.size() - expected[0].has_ended);
      overtaken += std::any_of(expected.begin(), expected.end(), [&](const followed& f) {
        return f.has_ended && f.written.size() < expected[0].written.size();
      });
    }
  }
  CHECK(overtaken > 3);
}

TEST_CASE("a beam of one is greedy") {
  const parameters<translator> theta = some_weights(4, 0.5f);
  streaming<translator, batch<15>> live(theta);
  set_input<"source">(live, sources);
  auto search = beam_search<"word">(live, {.width = 1, .start = start, .end = end, .max_steps = 5});
  auto write = greedy<"word">(live, {.start = start, .end = end, .max_steps = 5});
  search();
  write();
  REQUIRE(write.rows() == 3);
  for (int k = 0; k < 3; ++k) {
    const auto found = search.best(k);
    CHECK(found.has_ended == write.has_ended(k));
    CHECK(tokens(found.tokens.begin(), found.tokens.end()) ==
          tokens(write.text(k).begin(), write.text(k).end()));
  }
}

TEST_CASE("a search allocates nothing") {
  const parameters<translator> theta = some_weights(2, 0);
  streaming<translator, batch<15>> live(theta);
  auto search = beam_search<"word", "logits", "weights">(
      live, {.width = 5, .start = start, .end = end, .max_steps = 5, .best = 5});
  auto write = greedy<"word">(live, {.start = start, .end = end, .max_steps = 5});
  double seen = 0;
  CHECK(allocations_of([&] {
          for (int pass = 0; pass < 2; ++pass) {
            set_input<"source">(live, sources);
            search();
            seen += search.nth(2, 1).score + search.best(0).kept(0, 0);
            write();
          }
        }) == 0);
  CHECK(seen < 0);
}

TEST_CASE("a program's own score, tokens that may not follow, and any function of the length") {
  const parameters<translator> theta = some_weights(2, 0);
  streaming<translator, batch<15>> live(theta);
  set_input<"source">(live, sources);
  const auto written = [&](const auto& search, int k) {
    const auto best = search.best(k);
    return tokens(best.tokens.begin(), best.tokens.end());
  };
  const auto search_with = [&](decoding::beam_search_options options) {
    options.start = start;
    options.end = end;
    options.max_steps = 5;
    auto search = beam_search<"word">(live, options);
    search();
    return search;
  };
  // A function that changes nothing finds the same.
  const auto plain = search_with({.best = 3});
  const auto same = search_with({.best = 3, .adjust = [](const decoding::next_token&) {}});
  for (int k = 0; k < 3; ++k)
    for (int n = 0; n < std::min(plain.found(k), same.found(k)); ++n) {
      CHECK(tokens(plain.nth(k, n).tokens.begin(), plain.nth(k, n).tokens.end()) ==
            tokens(same.nth(k, n).tokens.begin(), same.nth(k, n).tokens.end()));
      CHECK(plain.nth(k, n).score == doctest::Approx(same.nth(k, n).score).epsilon(1e-6));
    }
  // No token twice, and no end before three tokens; the third sentence must begin with token 4.
  const auto bound = search_with({.adjust = [](const decoding::next_token& next) {
    for (int token : next.written) next.log_probability[static_cast<std::size_t>(token)] = -INFINITY;
    if (next.written.size() < 3) next.log_probability[end] = -INFINITY;
    if (next.row == 2 && next.written.empty()) next.log_probability[4] += 1000;
  }});
  for (int k = 0; k < 3; ++k) {
    tokens sorted = written(bound, k);
    CHECK(sorted.size() >= 3);
    std::sort(sorted.begin(), sorted.end());
    CHECK(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end());
  }
  CHECK(written(bound, 2)[0] == 4);
  CHECK(bound.best(2).log_probability > 900);
  // A divisor of one's own is that of the library with the same numbers, also one that falls.
  const auto root = search_with({.normalization = [](int length) { return std::sqrt(length); }});
  const auto library = search_with({.normalization = decoding::by_length(0.5)});
  const auto falling = search_with({.best = 5, .normalization = [](int length) { return 1.0 / length; }});
  for (int k = 0; k < 3; ++k) {
    CHECK(written(root, k) == written(library, k));
    CHECK(root.best(k).score == doctest::Approx(library.best(k).score));
    CHECK(falling.best(k).score ==
          doctest::Approx(falling.best(k).log_probability *
                          double(falling.best(k).tokens.size() + falling.best(k).has_ended)));
  }
  CHECK_THROWS_WITH_AS(
      (void)search_with({.normalization = [](int length) { return length - 2; }}),
      "beam_search: .normalization of an output of 1 tokens: expected a finite number above 0, got -1.000000",
      input_error);
  CHECK_THROWS_WITH_AS(
      (void)search_with({.adjust = [](const decoding::next_token& next) { next.log_probability[3] = NAN; }}),
      "beam_search: .adjust left token 3 of row 0, step 0 a log probability of nan", input_error);
  // The same hook of greedy text.
  auto write = greedy<"word">(
      live, {.start = start, .end = end, .max_steps = 4, .adjust = [](const decoding::next_token& next) {
               for (int token : next.written)
                 next.log_probability[static_cast<std::size_t>(token)] = -INFINITY;
               next.log_probability[end] = -INFINITY;
             }});
  write();
  for (int k = 0; k < 3; ++k) {
    tokens sorted(write.text(k).begin(), write.text(k).end());
    REQUIRE(sorted.size() == 4);
    std::sort(sorted.begin(), sorted.end());
    CHECK(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end());
  }
}

TEST_CASE(
    "where no token may follow any output of a sentence, it is said where, and the next search is as "
    "before") {
  const parameters<translator> theta = some_weights(2, 0);
  streaming<translator, batch<15>> live(theta);
  set_input<"source">(live, sources);
  bool is_dead = false, throws = false;
  auto search = beam_search<"word">(
      live, {.start = start, .end = end, .max_steps = 5, .adjust = [&](const decoding::next_token& next) {
               if (throws && next.written.size() == 1) throw std::out_of_range("of the program");
               if (is_dead && next.row == 1 && next.written.size() == 2)
                 std::ranges::fill(next.log_probability, -INFINITY);
               if (next.written.size() < 3) next.log_probability[end] = -INFINITY;
             }});
  search();
  const tokens before(search.best(1).tokens.begin(), search.best(1).tokens.end());
  is_dead = true;
  CHECK_THROWS_WITH_AS(
      search(),
      "beam_search: sentence 1, step 2: all scores are minus infinity, so no token may follow; "
      "give one a finite score, such as the end token",
      input_error);
  CHECK(search.sentences() == 0);
  throws = true;  // what the function itself throws passes through
  CHECK_THROWS_AS(search(), std::out_of_range);
  throws = is_dead = false;
  search();
  CHECK(tokens(search.best(1).tokens.begin(), search.best(1).tokens.end()) == before);
}

TEST_CASE("what does not fit is refused in a sentence") {
  const parameters<translator> theta = some_weights(2, 0);
  streaming<translator, batch<10>> live(theta);
  const auto refused = [&](const decoding::beam_search_options& options, const char* sentence) {
    CHECK_THROWS_WITH_AS((void)beam_search<"word">(live, options), sentence, input_error);
  };
  refused({.end = end, .max_steps = 5},
          "beam_search: no start token is given; say .start = the token in front of all");
  refused({.start = start, .end = 7, .max_steps = 5},
          "beam_search: the end token 7 is outside the vocabulary of 7");
  refused({.start = 8, .end = end, .max_steps = 5},
          "beam_search: the start token 8 is outside the vocabulary of 8");
  refused({.start = start, .end = end}, "beam_search: expected at least one step, max_steps, got 0");
  refused({.width = 0, .start = start, .end = end, .max_steps = 5},
          "beam_search: expected a width of at least 1, got 0");
  refused({.width = 8, .start = start, .end = end, .max_steps = 5},
          "beam_search: a width of 8 is more than the vocabulary of 7");
  refused({.width = 2, .start = start, .end = end, .max_steps = 5, .best = 3},
          "beam_search: expected from 1 to 2 best outputs, got 3");
  refused({.start = start, .end = end, .max_steps = 5, .normalization = decoding::by_length(-1)},
          "beam_search: expected a normalisation's alpha of at least 0, got -1.000000");
  streaming<translator, batch<3>> small(theta);
  CHECK_THROWS_WITH_AS((void)beam_search<"word">(small, {.start = start, .end = end, .max_steps = 5}),
                       "beam_search: a width of 5 does not fit into batch<3>", input_error);
  auto search = beam_search<"word">(live, {.start = start, .end = end, .max_steps = 5});
  CHECK_THROWS_WITH_AS(search(), "input 'source' has not been given", input_error);
  CHECK_THROWS_WITH_AS((void)search.best(0), "beam_search: sentence 0 is outside the 0 of the last search",
                       input_error);
  set_input<"source">(live, sources);
  CHECK_THROWS_WITH_AS(search(),
                       "beam_search: 3 sentences of a width of 5 need 15 rows, and batch<10> has fewer",
                       input_error);
  set_input<"source">(live, sentences{{1}, {2, 3}});
  search();
  CHECK_THROWS_WITH_AS((void)search.nth(0, 1),
                       "beam_search: there is no output 1 of sentence 0; it has 1, which count from 0",
                       input_error);
}

TEST_CASE("max_steps is steps, of which the end token takes one, of a beam of one as of greedy text") {
  const parameters<translator> theta = some_weights(7, 2);
  streaming<translator, batch<3>> live(theta);
  set_input<"source">(live, sources);
  auto at_length = greedy<"word">(live, {.start = start, .end = end, .max_steps = 40});
  at_length();
  sentences whole;
  std::vector<bool> comes_to_an_end;
  for (int s = 0; s < 3; ++s) {
    whole.emplace_back(at_length.text(s).begin(), at_length.text(s).end());
    comes_to_an_end.push_back(at_length.has_ended(s));
  }
  int cut_before_end = 0, ended_at_last = 0;
  for (int most = 1; most <= 8; ++most) {
    CAPTURE(most);
    auto write = greedy<"word">(live, {.start = start, .end = end, .max_steps = most});
    auto search = beam_search<"word">(live, {.width = 1, .start = start, .end = end, .max_steps = most});
    write();
    search();
    for (int s = 0; s < 3; ++s) {
      const tokens& all = whole[static_cast<std::size_t>(s)];
      const auto most_tokens = static_cast<std::size_t>(most);
      const bool ends = comes_to_an_end[static_cast<std::size_t>(s)] && all.size() + 1 <= most_tokens;
      const tokens expected(all.begin(), all.begin() + std::min(std::ssize(all), std::ptrdiff_t(most)));
      const auto best = search.best(s);
      CHECK(tokens(write.text(s).begin(), write.text(s).end()) == expected);
      CHECK(tokens(best.tokens.begin(), best.tokens.end()) == expected);
      CHECK(write.has_ended(s) == ends);
      CHECK(best.has_ended == ends);
      cut_before_end += all.size() == most_tokens && !ends;
      ended_at_last += all.size() + 1 == most_tokens && ends;
    }
  }
  CHECK(cut_before_end > 0);
  CHECK(ended_at_last > 0);
}

}  // namespace tenon::test
