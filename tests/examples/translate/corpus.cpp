// The sentences of examples/translate: read from files, generated, and as numbers; and mistakes in them.
#include "../../../examples/translate/corpus.hpp"

#include "support/temporary_file.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

namespace tenon::test {
using namespace nn;

using translation::sentence_pairs;

struct reader {
  static constexpr bool reverses_source = true;
  static constexpr translation::sizes size{.source_words = 9, .target_words = 9, .steps = 5};
};

TEST_CASE("files of equally many lines are pairs of sentences") {
  const file_with german("ein hund\ndie  katze .\n"), english("a dog\nthe cat .\n"), short_one("a dog\n"),
      gap("a dog\n\n"), empty("");
  const sentence_pairs pairs = translation::read_pairs(german.path, english.path);
  CHECK(pairs.source[1] == translation::sentence{"die", "katze", "."});
  CHECK(pairs.target[0] == translation::sentence{"a", "dog"});
  CHECK_THROWS_WITH_AS(
      translation::read_pairs(german.path, short_one.path),
      (short_one.path + ": expected 2 lines, one for each of " + german.path + ", got 1").c_str(),
      data_error);
  CHECK_THROWS_WITH_AS(translation::read_pairs(german.path, gap.path),
                       (gap.path + ":2: expected a sentence, got an empty line").c_str(), data_error);
  CHECK_THROWS_WITH_AS(translation::read_pairs(empty.path, english.path),
                       (empty.path + ": expected sentences, one on each line, got an empty file").c_str(),
                       data_error);
}

TEST_CASE(
    "of a file with tabs the tutorial's sentences are taken, and English sentences are held out whole") {
  const file_with tabs(
      "I'm tall.\tJe suis grande !\nI'm tall.\tJe suis\xC2\xA0grand.\nRun!\tCours\xE2\x80\xAF!\nShe is a "
      "(good) cook.\tElle cuisine bien.\n"
      "They are far too far from it to be seen here.\tC'est loin.\n"),
      three("I'm tall.\tJe suis grande.\tx\n"), none("Run!\tCours !\n");
  const sentence_pairs pairs = translation::read_tatoeba(tabs.path);
  REQUIRE(pairs.source.size() == 3);
  CHECK(pairs.target[0] == translation::sentence{"i", "m", "tall", "."});
  CHECK(pairs.source[0] == translation::sentence{"je", "suis", "grande", "!"});
  CHECK(pairs.source[1] == translation::sentence{"je", "suis", "grand", "."});
  CHECK(pairs.target[2] == translation::sentence{"she", "is", "a", "good", "cook", "."});
  CHECK_THROWS_WITH_AS(translation::read_tatoeba(three.path), doctest::Contains("expected 2 fields, got 3"),
                       data_error);
  CHECK_THROWS_WITH_AS(translation::read_tatoeba(none.path), doctest::Contains("expected sentences such as"),
                       data_error);
  sentence_pairs many = pairs;
  for (int k = 0; k < 400; ++k) {
    many.target.push_back({"i", "am", std::to_string(k / 2)});
    many.source.push_back({"je", "suis", std::to_string(k)});
  }
  const auto [rest, held_out] = translation::split_by_target(many);
  CHECK(rest.source.size() + held_out.source.size() == 403);
  CHECK(held_out.source.size() > 20);
  CHECK(held_out.source.size() < 70);
  for (const auto& target : held_out.target)
    CHECK(std::find(rest.target.begin(), rest.target.end(), target) == rest.target.end());
}

TEST_CASE("a source with too many words is cut off, and counted") {
  sentence_pairs pairs{{{"a", "b", "c"}, {"a", "b"}, {"a", "b", "c", "d"}}, {{"x"}, {"x", "y", "z"}, {"x"}}};
  CHECK(translation::cut_sources(pairs, 2) == 2);
  for (const translation::sentence& one : pairs.source) CHECK(one == translation::sentence{"a", "b"});
  CHECK(pairs.target[1].size() == 3);
  CHECK(translation::cut_sources(pairs, 2) == 0);
}
TEST_CASE("sentences become numbers with an end, or an error that says where") {
  const vocabulary known(word_counts(translation::sentence{"b", "a", "a"}),
                         {.specials = {"<unk>", "<s>", "</s>"}, .unknown = "<unk>"});
  const std::vector<translation::sentence> lines{{"a", "b"}, {"b", "x", "a"}};
  CHECK(translation::encoded(lines, known, 4, "f") == std::vector<std::vector<int>>{{3, 4, 2}, {4, 0, 3, 2}});
  CHECK_THROWS_WITH_AS(translation::encoded(lines, known, 3, "f"),
                       "f:2: the sentence has 3 words, and 2 fit with its end", data_error);
  const vocabulary closed(word_counts(translation::sentence{"b", "a"}), {.specials = {"<s>", "</s>"}});
  CHECK_THROWS_WITH_AS(
      translation::encoded(lines, closed, 9, "f"),
      doctest::Contains("f:2: vocabulary: 'x' is not among its 4 words, and it has no unknown token"),
      data_error);
  const vocabulary endless(word_counts(translation::sentence{"b", "a"}),
                           {.specials = {"<unk>", "<s>"}, .unknown = "<unk>"});
  CHECK_THROWS_WITH_AS(translation::encoded(lines, endless, 9, "f"),
                       "the vocabulary of f has no end token '</s>'; add it to its specials", data_error);
  CHECK(translation::in_reading_order<reader>({5, 6, 7, 2}) == std::vector<int>{7, 6, 5, 2});
}

TEST_CASE(
    "a model reads a sentence, and in front of each word the right one; the last it writes is the end") {
  const sentence_pairs pairs{{{"a", "b"}, {"b"}}, {{"x", "y", "y"}, {"y"}}};
  const auto known = translation::with_vocabularies(pairs, pairs, reader::size, 1);
  using looking = graph<"looking", input<"source", token<9>, steps<5, "source">>,
                        input<"word", token<9>, steps<5>>, input<"target", token<9>, steps<5>>,
                        node<"s", embedding<9, 1>, "source">, node<"w", embedding<9, 1>, "word">,
                        node<"t", embedding<9, 1>, "target">, output<"s">, output<"w">, output<"t">>;
  inference<looking, batch<2>> session;
  translation::encoded_pairs<reader>(pairs, known).set_inputs(session, std::vector{0, 1});
  const auto row = [](const auto& tokens, std::size_t r) {
    std::vector<int> all;
    for (std::size_t t = 0; t < 5; ++t)
      if (tokens(r, t) >= 0) all.push_back(static_cast<int>(tokens(r, t)));
    return all;
  };
  const auto source = get_input<"source">(session), word = get_input<"word">(session),
             target = get_input<"target">(session);
  const auto s = [&](const char* w) { return known.source_words.at(w); };
  const auto t = [&](const char* w) { return known.target_words.at(w); };
  CHECK(row(source, 0) == std::vector{s("b"), s("a"), s("</s>")});
  CHECK(row(word, 0) == std::vector{t("<s>"), t("x"), t("y"), t("y")});
  CHECK(row(target, 0) == std::vector{t("x"), t("y"), t("y"), t("</s>")});
  CHECK(row(word, 1) == std::vector{t("<s>"), t("y")});
  CHECK(row(target, 1) == std::vector{t("y"), t("</s>")});
}

TEST_CASE("made sentences are German and English, in vocabularies of the small sizes") {
  const auto made = translation::made_sentences(2000, seed{1});
  const auto known =
      translation::with_vocabularies(made, translation::made_sentences(100, seed{2}), translation::small, 1);
  CHECK(known.source_words.size() == 38);
  CHECK(known.target_words.size() == 33);
  std::set<std::string> distinct;
  for (std::size_t k = 0; k < made.source.size(); ++k) {
    CHECK(static_cast<int>(made.source[k].size()) < translation::small.steps);
    CHECK(static_cast<int>(made.target[k].size()) < translation::small.steps);
    distinct.insert(translation::joined(made.source[k]));
    const std::string german = ' ' + translation::joined(made.source[k]),
                      english = translation::joined(made.target[k]);
    CHECK((german.find(" will ") != std::string::npos) == (english.find(" wants to ") != std::string::npos));
    CHECK((german.find(" heute ") != std::string::npos) == english.starts_with("today "));
    CHECK(german.ends_with(" ."));
  }
  CHECK(distinct.size() > 1500);
  CHECK(translation::made_sentences(3, seed{1}).source[2] == made.source[2]);
}

}  // namespace tenon::test
