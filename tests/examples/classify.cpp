// The committee of examples/classify.cpp: what it reads, a short training on made questions that continues from a checkpoint, and the page of attention.
// flags: -O2
#include "../../examples/classify.hpp"

#include "support/temporary_file.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <string>
#include <vector>

using namespace sentences;

constexpr sizes small{.words = 60, .word = 16, .part = 8, .hidden = 16, .channels = 16};

TEST_CASE("lines with a class, and tables") {
  const file_with lines("NUM:date When was Ozzy born ?\nHUM:ind Who won ?\n"),
      wrong("NUM:date When ?\nWho ?\n");
  const labelled read = read_labelled(lines.path);
  CHECK(read.classes == std::vector<std::string>{"NUM", "HUM"});
  CHECK(read.words[1] == sentence{"Who", "won", "?"});
  CHECK_THROWS_WITH_AS(read_labelled(wrong.path),
                       (wrong.path + ":2: expected CLASS:finer and a sentence, got 'Who ?'").c_str(),
                       data_error);

  const temporary_folder folder;
  tenon::detail::write_file(folder.path + "/a.csv",
                            "text,category\n\"Where, please,\nis it?\",card_arrival\n");
  const labelled table = read_labelled(folder.path + "/a.csv");
  CHECK(table.words[0] == sentence{"Where", ",", "please", ",", "is", "it", "?"});
  CHECK(table.classes[0] == "card_arrival");
}

TEST_CASE("words in four ways") {
  CHECK(in_lower_case("R2D2") == "r0d0");
  CHECK(beginning_of("Questions") == "que");
  CHECK(ending_of("Questions") == "ons");
  CHECK(ending_of("is") == "is");
  std::vector<int> all;
  for (const char* word : {"U.S.", "Paris", "in", "1984", "?"}) all.push_back(shape_of(word));
  CHECK(all == std::vector<int>{2, 3, 4, 1, 5});
}

// Questions whose first word, or whose first two words, tell the class.
labelled made_questions(int count, seed s) {
  static const char* const begins[][2]{
      {"Who", "person"}, {"When", "time"}, {"What year", "time"}, {"What man", "person"}, {"Where", "place"}};
  static const char* const rest[]{"was it ?", "did Ann see ?", "is in the news ?", "do I ask , Bob ?"};
  backend::random_stream random(s.value, 0);
  labelled all;
  for (int k = 0; k < count; ++k) {
    const auto& [begin, kind] = begins[random.below(5)];
    all.words.push_back(words_of(std::string(begin) + " " + rest[random.below(4)]));
    all.classes.push_back(kind);
  }
  return all;
}

TEST_CASE("it learns, continues from a checkpoint, and shows where it looks") {
  const labelled known = made_questions(200, seed{1}), other = made_questions(40, seed{2});
  const file_with saved("classify");
  std::remove(saved.path.c_str());
  plan training{.epochs = 4, .rate = 1e-2, .checkpoint = saved.path};
  int epochs = 0;
  training.after_epoch = [&](const reports::epoch& e) { epochs += e.metrics.size() == 1; };
  const classifier<small> begun(known, known, other, training);
  training.epochs = 40;
  const classifier<small> whole(known, known, other, training);
  CHECK(epochs == 40);
  CHECK(whole.judge(other).accuracy() > 0.95);

  const auto answers = whole.classify({words_of("Who was it ?"), words_of("When did Zoe see ?")});
  CHECK(whole.classes().word(answers[0].best()) == "person");
  CHECK(whole.classes().word(answers[1].best()) == "time");
  REQUIRE(answers[1].weights.size() == 5);
  double sum = 0;
  for (const double weight : answers[1].weights) sum += weight;
  CHECK(sum == doctest::Approx(1).epsilon(1e-5));

  const std::string page = attention_page("A page", {{{"a", "<", "b"}, {0.25, 0.5, 0.25}, "person", {}}});
  CHECK(page.find("<b>person</b> <span style=\"background: rgba(220,60,40,0.250)\" title=\"0.250\">a") !=
        std::string::npos);
  CHECK(page.find("&lt;") != std::string::npos);
}

TEST_CASE("a class that is not known") {
  labelled known = made_questions(20, seed{1}), other = made_questions(1, seed{2});
  const classifier<small> learned(known, known, {}, {.epochs = 1});
  other.classes[0] = "persons";
  CHECK_THROWS_AS(learned.judge(other), std::out_of_range);
}
