// Text that a stream writes: compared with whole runs token by token, its distribution, seeds, prompts, and continuing.
#include "support/allocations.hpp"
#include "tenon/decode/decode.hpp"
#include "tenon/nn/nn.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace tenon::test {
using namespace nn;

using tokens = std::vector<int>;
using sentences = std::vector<tokens>;

using language = graph<"language", input<"letter", token<6>, steps<40>>, node<"e", embedding<6, 4>, "letter">,
                       node<"states", lstm<6, layers<2>>, "e">, node<"scores", linear<6>, "states">,
                       output<"scores">, output<"states">>;

parameters<language> some_weights() {
  parameters<language> theta(seed{3});
  auto table = get<"e.weight">(theta);
  for (int k = 0; k < 6; ++k)
    for (int j = 0; j < 4; ++j) table(k, j) *= 4;
  auto scores = get<"scores.weight">(theta);
  for (int k = 0; k < 6; ++k)
    for (int j = 0; j < 6; ++j) scores(k, j) *= 12;
  return theta;
}
// The scores of the token after those that have been read, from a whole run.
view<const float> scores_behind(inference<language>& whole, const tokens& read) {
  set_input<"letter">(whole, sentences{read});
  whole.run();
  return get<"scores">(whole)[0][read.size() - 1];
}
tokens likeliest(inference<language>& whole, tokens read, int count, int end = -1) {
  tokens written;
  while (static_cast<int>(written.size()) < count) {
    const int next = argmax(scores_behind(whole, read));
    if (next == end) break;
    written.push_back(next);
    read.push_back(next);
  }
  return written;
}
tokens copy_of(std::span<const int> text) { return {text.begin(), text.end()}; }

TEST_CASE(
    "greedy text is the likeliest token of a whole run, step by step, behind a start and behind a prompt") {
  const parameters<language> theta = some_weights();
  inference<language> whole(theta);
  streaming<language, batch<3>> live(theta);
  auto write = greedy<"letter", "scores", "states">(live, {.start = 1, .max_steps = 9});
  write();
  CHECK(copy_of(write.text()) == likeliest(whole, {1}, 9));
  CHECK(!write.has_ended());
  write(std::array{4, 2, 5});
  CHECK(copy_of(write.text()) == likeliest(whole, {1, 4, 2, 5}, 9));
  tokens read{1, 4, 2, 5};
  for (int t = 0; t < 9; ++t) {  // there is a kept value for each token
    scores_behind(whole, read);
    for (int j = 0; j < 6; ++j)
      CHECK(write.kept()(t, j) == doctest::Approx(get<"states">(whole)(0, read.size() - 1, j)).epsilon(1e-5));
    read.push_back(write.text()[static_cast<std::size_t>(t)]);
  }
  auto without_start = greedy<"letter", "scores">(live, {.max_steps = 6});
  const sentences prompts{{3, 3, 3}, {0}, {5, 1}};  // of any lengths
  without_start(prompts);
  REQUIRE(without_start.rows() == 3);
  for (int r = 0; r < 3; ++r)
    CHECK(copy_of(without_start.text(r)) == likeliest(whole, prompts[static_cast<std::size_t>(r)], 6));
}
TEST_CASE("a row ends with the end token, and the others go on") {
  const parameters<language> theta = some_weights();
  inference<language> whole(theta);
  streaming<language, batch<6>> live(theta);
  const sentences prompts{{0}, {1}, {2}, {3}, {4}, {5}};
  bool some_end = false, some_do_not = false;
  for (int end = 0; end < 6; ++end) {
    auto write = greedy<"letter", "scores">(live, {.end = end, .max_steps = 5});
    write(prompts);
    for (int r = 0; r < 6; ++r) {
      const tokens expected = likeliest(whole, prompts[static_cast<std::size_t>(r)], 5, end);
      CHECK(copy_of(write.text(r)) == expected);
      CHECK(write.has_ended(r) == (expected.size() < 5));
      (write.has_ended(r) ? some_end : some_do_not) = true;
    }
  }
  CHECK(some_end);
  CHECK(some_do_not);
}

// Chi-square of drawn counts; see tests/decode/choose.cpp.
void check_distribution(const std::vector<long>& counts, const std::vector<double>& expected, double draws) {
  double chi_square = 0;
  int degrees = -1;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (expected[k] == 0) CHECK(counts[k] == 0);
    if (expected[k] == 0) continue;
    const double mean = draws * expected[k], off = static_cast<double>(counts[k]) - mean;
    chi_square += off * off / mean;
    ++degrees;
  }
  CAPTURE(chi_square);
  CHECK(chi_square < degrees + 5 * std::sqrt(2.0 * degrees) + 10);
}
TEST_CASE("tokens are drawn by their probabilities, mostly the likeliest where that is asked for") {
  const parameters<language> theta = some_weights();
  inference<language> whole(theta);
  streaming<language, batch<50>> live(theta);
  const sentences prompts(50, tokens{1, 4});
  const auto scores = scores_behind(whole, {1, 4});
  for (const auto& [choice, draws] : {std::pair{decoding::sampling{}, 1.0},
                                      {decoding::sampling{.temperature = 1.7}, 1.0},
                                      {decoding::sampling{.top_k = 3}, 1.0},
                                      {decoding::sampling{.temperature = 2, .top_p = 0.8}, 1.0},
                                      {decoding::sampling{}, 0.3}}) {
    std::vector<double> expected = softmax(scores, choice);
    for (double& p : expected) p *= draws;
    expected[static_cast<std::size_t>(argmax(scores))] += 1 - draws;
    auto write = generate<"letter", "scores">(
        live, {.max_steps = 1, .choice = choice, .draws = draws, .random = seed{9}});
    std::vector<long> counts(6);
    for (int call = 0; call < 200; ++call) {
      write(prompts);
      for (int r = 0; r < 50; ++r) ++counts[static_cast<std::size_t>(write.text(r)[0])];
    }
    check_distribution(counts, expected, 200 * 50);
  }
}
TEST_CASE("the same seed writes the same texts, row by row and call after call; going on is writing longer") {
  const parameters<language> theta = some_weights();
  streaming<language, batch<3>> live(theta), other(theta);
  const sentences prompts{{3, 3, 3}, {0}, {5, 1}};
  const decoding::generate_options options{.max_steps = 12, .choice = {.temperature = 2}, .random = seed{4}};
  decoding::generate_options half = options, another = options;
  half.max_steps = 6;
  another.random = seed{5};
  auto write = generate<"letter", "scores">(live, options),
       same = generate<"letter", "scores">(other, options),
       in_two = generate<"letter", "scores">(other, half),
       differently = generate<"letter", "scores">(live, another);
  tokens last;
  for (int call = 0; call < 2; ++call) {
    write(prompts);
    sentences texts;
    for (int r = 0; r < 3; ++r) texts.push_back(copy_of(write.text(r)));
    CHECK(texts[0] != last);
    last = texts[0];
    same(prompts);
    for (int r = 0; r < 3; ++r) CHECK(copy_of(same.text(r)) == texts[static_cast<std::size_t>(r)]);
    in_two(prompts);
    sentences halves;
    for (int r = 0; r < 3; ++r) halves.push_back(copy_of(in_two.text(r)));
    in_two.more();
    for (int r = 0; r < 3; ++r) {
      tokens& both = halves[static_cast<std::size_t>(r)];
      both.insert(both.end(), in_two.text(r).begin(), in_two.text(r).end());
      CHECK(both == texts[static_cast<std::size_t>(r)]);
    }
    differently(prompts);
    CHECK(copy_of(differently.text(0)) != texts[0]);
  }
}
TEST_CASE("writing allocates nothing") {
  const parameters<language> theta = some_weights();
  streaming<language, batch<3>> live(theta);
  auto write = generate<"letter", "scores", "states">(
      live, {.start = 1, .end = 2, .max_steps = 20, .choice = {.top_k = 5, .top_p = 0.9}, .draws = 0.5});
  const sentences prompts{{3, 3, 3}, {0}, {5, 1}};
  const tokens prompt{1, 2, 3};
  std::size_t seen = 0;
  CHECK(allocations_of([&] {
          for (int pass = 0; pass < 3; ++pass) {
            write(prompts);
            write.more();
            write(prompt);
            write();
            seen += write.text().size();
          }
        }) == 0);
  CHECK(seen > 0);
}
TEST_CASE("a prompt that is refused changes nothing") {
  const parameters<language> theta = some_weights();
  streaming<language, batch<2>> live(theta);
  auto write = greedy<"letter", "scores">(live, {.max_steps = 4});
  write(tokens{1, 2});
  const tokens before = copy_of(write.text());
  CHECK_THROWS_AS(write(tokens{1, 9}), input_error);
  CHECK(copy_of(write.text()) == before);
  write.more();
  const tokens expected = copy_of(write.text());
  write(tokens{1, 2});
  CHECK_THROWS_AS(write(sentences{{1}, {3, -1}}), input_error);
  write.more();
  CHECK(copy_of(write.text()) == expected);
}
TEST_CASE("a state that was set between two texts is none of the next one's") {
  const parameters<language> theta = some_weights();
  streaming<language> live(theta);
  auto write = greedy<"letter", "scores">(live, {.max_steps = 6});
  write(tokens{1, 2});
  const tokens expected = copy_of(write.text());
  const std::vector<float> high(2 * 6, 0.9f);
  set_state<"states">(live, view<const float>(high.data(), {2, 1, 6}));
  write(tokens{1, 2});
  CHECK(copy_of(write.text()) == expected);
}
// The table is the scores of what follows each letter.
TEST_CASE("where all scores are minus infinity no token follows, and it is said where") {
  using following = graph<"following", input<"letter", token<4>, steps<9>>,
                          node<"scores", embedding<4, 4>, "letter">, output<"scores">>;
  const float none = -std::numeric_limits<float>::infinity();
  parameters<following> theta(zeros{});
  auto table = get<"scores.weight">(theta);  // 0 is followed by 1, 1 by 2, 2 by nothing, 3 by 3
  for (int k = 0; k < 4; ++k)
    for (int j = 0; j < 4; ++j) table(k, j) = (k < 2 && j == k + 1) || (k == 3 && j == 3) ? 0 : none;
  streaming<following, batch<2>> live(theta);
  auto write = greedy<"letter", "scores">(live, {.max_steps = 5});
  CHECK_THROWS_WITH_AS(write(sentences{{3, 3}, {0}}),
                       "greedy: row 1, step 2: all scores are minus infinity, so no token may follow; give "
                       "one a finite score, such as the end token",
                       input_error);
  auto draw = generate<"letter", "scores">(live, {.max_steps = 5});
  CHECK_THROWS_WITH_AS(draw(tokens{1}),
                       doctest::Contains("generate: row 0, step 1: all scores are minus infinity"),
                       input_error);
  auto search = beam_search<"letter", "scores">(live, {.width = 2, .start = 2, .max_steps = 5});
  CHECK_THROWS_WITH_AS(search(),
                       "beam_search: the scores of row 0 are all minus infinity, so no token may follow",
                       input_error);
  write(sentences{{3}});  // and the next text is as if nothing had been tried
  CHECK(copy_of(write.text()) == tokens{3, 3, 3, 3, 3});
}
TEST_CASE("what does not fit is refused in a sentence") {
  const parameters<language> theta = some_weights();
  streaming<language, batch<2>> live(theta);
  const auto refused = [&](const decoding::generate_options& options, const char* sentence) {
    CHECK_THROWS_WITH_AS((void)(generate<"letter", "scores">(live, options)), sentence, input_error);
  };
  refused({}, "generate: expected at least one step, max_steps, got 0");
  refused({.start = 6, .max_steps = 4}, "generate: the start token 6 is outside the vocabulary of 6");
  refused({.end = 6, .max_steps = 4}, "generate: the end token 6 is outside the vocabulary of 6");
  refused({.max_steps = 4, .choice = {.temperature = 0}},
          "generate: expected a finite temperature above 0, got 0.000000");
  refused({.max_steps = 4, .choice = {.top_p = 0}},
          "generate: expected a top_p above 0 and at most 1, got 0.000000");
  refused({.max_steps = 4, .choice = {.top_k = -1}}, "generate: expected a top_k of at least 0, got -1");
  refused({.max_steps = 4, .draws = 1.5}, "generate: expected a share of draws from 0 to 1, got 1.500000");
  auto write = generate<"letter", "scores">(live, {.max_steps = 4});
  CHECK_THROWS_WITH_AS(write(),
                       "generate: row 0 has neither a start token nor a prompt; say .start = its number",
                       input_error);
  CHECK_THROWS_WITH_AS(write(sentences{{1}, {}}),
                       "generate: row 1 has neither a start token nor a prompt; say .start = its number",
                       input_error);
  CHECK_THROWS_WITH_AS(write(sentences{{1}, {2}, {3}}),
                       "generate: expected from 1 to 2 prompts, as batch<2> has rows, got 3", input_error);
  CHECK_THROWS_WITH_AS(write.more(), "generate: there is no text to continue yet; begin one", input_error);
  CHECK_THROWS_WITH_AS(write(tokens{1, 9}),
                       "input 'letter': row 0, step 1: token 9 is outside table 'e.weight' of 6 rows",
                       input_error);
  using wide = std::vector<long long>;  // 2^32 + 3 must not become 3
  CHECK_THROWS_WITH_AS(
      write(wide{1, (1LL << 32) + 3}),
      "input 'letter': row 0, step 1: token 4294967299 is outside table 'e.weight' of 6 rows", input_error);
  CHECK_THROWS_WITH_AS(
      write(std::vector<wide>{{1}, {1, 2, -(1LL << 32)}}),
      "input 'letter': row 1, step 2: token -4294967296 is outside table 'e.weight' of 6 rows", input_error);
  CHECK_THROWS_WITH_AS(
      write(std::vector<unsigned>{0xFFFFFFFFu}),
      "input 'letter': row 0, step 0: token 4294967295 is outside table 'e.weight' of 6 rows", input_error);
  write(tokens{1});
  CHECK_THROWS_WITH_AS((void)write.text(1), "generate: row 1 is outside the 1 rows of the last text",
                       input_error);
}

using pen = graph<"pen", input<"text", token<9>, steps<12>>, input<"h0", features<4>>,
                  node<"e", embedding<9, 3>, "text">, node<"s", gru<4>, "e", "h0">,
                  node<"logits", linear<9>, "s">, output<"logits">>;
TEST_CASE("zeros serve as many prompts as there are, and a beam") {
  const parameters<pen> theta(seed{3});
  streaming<pen, batch<8>> live(theta);
  set_input<"h0">(live, zeros{});
  auto write = greedy<"text">(live, {.max_steps = 4});
  write(std::vector{3});
  CHECK(write.rows() == 1);
  const std::vector<int> alone(write.text().begin(), write.text().end());
  write(std::vector<std::vector<int>>{{3}, {1, 2}, {3}});
  CHECK(write.rows() == 3);
  CHECK(std::vector<int>(write.text(2).begin(), write.text(2).end()) == alone);
  auto search = beam_search<"text">(live, {.width = 8, .start = 3, .max_steps = 4});
  search();
  CHECK(search.sentences() == 1);
  auto narrow = beam_search<"text">(live, {.width = 1, .start = 3, .max_steps = 4});
  narrow();
  CHECK(std::vector<int>(narrow.best().tokens.begin(), narrow.best().tokens.end()) == alone);
}

}  // namespace tenon::test
