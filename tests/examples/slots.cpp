// The network of examples/slots.cpp: what it reads, and a short training on made orders.
// flags: -O2
#include "../../examples/slots.hpp"

#include "support/temporary_file.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <string>
#include <vector>

using namespace sentences;

constexpr sizes small{.words = 60, .word = 16, .part = 8, .hidden = 16, .channels = 0};

TEST_CASE("three files with a sentence on each line") {
  const temporary_folder folder;
  tenon::detail::write_file(folder.path + "/seq.in", "play some jazz \nrate it\n");
  tenon::detail::write_file(folder.path + "/seq.out", "O O B-genre \nO O\n");
  tenon::detail::write_file(folder.path + "/label", "PlayMusic\nRateBook\n");
  const tagged read = read_tagged(folder.path);
  REQUIRE(read.size() == 2);
  CHECK(read.tags[0] == sentence{"O", "O", "B-genre"});
  CHECK(read.intents[1] == "RateBook");

  std::string words, tags;
  for (int k = 0; k < 120; ++k) {
    words += "la ";
    tags += k < 99 ? "O " : "B-genre ";
  }
  tenon::detail::write_file(folder.path + "/seq.in", words + "\nrate it \n");
  tenon::detail::write_file(folder.path + "/seq.out", tags + "\nO O\n");
  const tagged cut = read_tagged(folder.path);  // of which the networks read 100
  CHECK(cut.words[0].size() == 100);
  CHECK(cut.tags[0].size() == 100);
  CHECK(cut.tags[0][99] == "B-genre");
  CHECK(cut.words[1].size() == 2);

  tenon::detail::write_file(folder.path + "/seq.in", "play some jazz \nrate it \n");
  tenon::detail::write_file(folder.path + "/seq.out", "O O B-genre \nO\n");
  CHECK_THROWS_WITH_AS(
      read_tagged(folder.path),
      (folder.path +
       "/seq.out:2: expected a tag for each of 2 words and an intent, got 1 tags and 'RateBook'")
          .c_str(),
      data_error);
  tenon::detail::write_file(folder.path + "/label", "PlayMusic\n");
  CHECK_THROWS_AS(read_tagged(folder.path), data_error);
}

// Orders such as "play the blue moon for ann" and "ask ann for the moon".
tagged made_orders(int count, seed s) {
  static const char* const things[]{"moon", "blue moon", "old red house"};
  static const char* const persons[]{"ann", "bob", "cleo"};
  backend::random_stream random(s.value, 0);
  tagged all;
  for (int k = 0; k < count; ++k) {
    sentence words, tags;
    const auto add = [&](const std::string& text, const std::string& slot) {
      std::string letter = "B-";
      for (const std::string& word : words_of(text)) {
        words.push_back(word);
        tags.push_back(slot == "O" ? slot : letter + slot);
        letter = "I-";
      }
    };
    const bool plays = random.below(2) == 0;
    add(plays ? "play the" : "ask", "O");
    if (plays) add(things[random.below(3)], "thing");
    else add(persons[random.below(3)], "person");
    add(plays ? "for" : "for the", "O");
    if (plays) add(persons[random.below(3)], "person");
    else add(things[random.below(3)], "thing");
    all.words.push_back(words);
    all.tags.push_back(tags);
    all.intents.push_back(plays ? "Play" : "Ask");
  }
  return all;
}

TEST_CASE("it learns intents and slots, and continues from a checkpoint") {
  const tagged all = made_orders(240, seed{1}), other = made_orders(40, seed{2});
  std::vector<int> first, last;
  for (int k = 0; k < all.size(); ++k) (k < 200 ? first : last).push_back(k);
  const file_with saved("slots");
  std::remove(saved.path.c_str());
  plan training{.epochs = 4, .rate = 1e-2, .checkpoint = saved.path};
  int epochs = 0;
  training.after_epoch = [&](const reports::epoch& e) { epochs += e.metrics.size() == 2; };
  const slot_filler<small> begun(all, all.part(first), all.part(last), training);
  training.epochs = 40;
  const slot_filler<small> whole(all, all.part(first), all.part(last), training);
  CHECK(epochs == 40);

  auto found = whole.judge(other);
  CHECK(found.intents.accuracy() == 1);
  CHECK(found.spans.value() > 0.95);
  CHECK(found.right > 10);  // a slot is also right if its first tag is I

  const auto answer = whole.answers({words_of("ask ann for the blue moon")})[0];
  CHECK(whole.intents().word(answer.intent) == "Ask");
  CHECK(whole.tag_names(answer) == sentence{"O", "B-person", "O", "O", "B-thing", "I-thing"});
  CHECK(answer.weights.size() == 6);

  tagged unknown = other.part(std::vector<int>{0});  // a slot of which nothing was learnt is not found
  unknown.tags[0].back() = "B-number";
  CHECK(whole.judge(unknown).spans.recall() < 1);
}
