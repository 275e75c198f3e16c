// The model of examples/words.cpp: its first batches compared with PyTorch's, a short training that continues from a checkpoint, the
// perplexity of a text up to its last word, and what it reads and writes.
#include "../../examples/word_model.hpp"

#include "golden/golden.hpp"
#include "support/compare.hpp"
#include "support/first_windows.hpp"
#include "support/machines.hpp"
#include "support/temporary_file.hpp"
#include "tenon/io/parameters.hpp"

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace tenon::test {

TEST_CASE("the first 20 batches of a language model of words are PyTorch's") {
  using model = word_model::language_model<32, 8, 4, 3, 0.0>;
  const golden::file f = golden::read("word_model");
  const std::vector<int> text = as_ints(f["tokens"]);
  const auto data = contiguous<"text", carry<"states.h_n", "h0">, carry<"states.c_n", "c0">>(text);

  parameters<model::graph> theta(zeros{});
  load(theta, std::string(TENON_GOLDEN_DIR) + "/word_model.safetensors");
  model::training train(theta, {}, {}, threads{2});
  train.max_norm = 0.25;
  check_first_windows(f, data, train, schedules::linear_decay(20), 1e-4);
}

// 600 lines of a, then b or c, some 4 KB.
std::string small_corpus() {
  backend::random_stream random(3, 0);
  std::string text;
  for (int line = 0; line < 600; ++line) text += random.below(2) == 1 ? " a b \n" : " a c \n";
  return text;
}
using small_model = word_model::language_model<8, 16, 2, 6>;

TEST_CASE("it learns, goes on from a checkpoint, and writes what it has learned") {
  const file_with corpus(small_corpus()), saved("words");
  std::remove(saved.path.c_str());
  const auto words = word_model::read_words(corpus.path);
  REQUIRE(words.size() == 1800);
  const vocabulary known = word_model::most_frequent(words, 8);
  REQUIRE(known.size() == 5);
  const std::vector<int> all = known.encode(words), text(all.begin(), all.begin() + 1600),
                         held_out(all.begin() + 1600, all.end());

  small_model straight(known);
  const auto expected = straight.train(text, held_out, {.epochs = 3});
  REQUIRE(expected.epochs.size() == 3);
  word_model::plan plan{.epochs = 3, .checkpoint = saved.path};
  {
    struct stop {};  // after the second epoch, before it is saved
    plan.after_epoch = [](const reports::epoch& e) {
      if (e.epoch == 2) throw stop{};
    };
    small_model stopped(known);
    CHECK_THROWS_AS(stopped.train(text, held_out, plan), stop);
  }
  int epochs = 0;
  plan.after_epoch = [&](const reports::epoch&) { ++epochs; };
  small_model resumed(known, 2);  // another number of threads gives the same training
  const auto history = resumed.train(text, held_out, plan);
  CHECK(epochs == 2);
  REQUIRE(history.epochs.size() == 3);
  for (std::size_t e = 0; e < 3; ++e) {
    CHECK(history.epochs[e].loss == expected.epochs[e].loss);
    CHECK(history.epochs[e].validation_loss == expected.epochs[e].validation_loss);
  }
  CHECK(resumed.judge(held_out) == straight.judge(held_out));
  CHECK(straight.judge(held_out) <
        0.5);  // of which 0.23 cannot be predicted; with only the frequencies of words it would be 1.33

  small_model loaded(word_model::vocabulary_of(io::safetensors_file(saved.path).metadata().at("words")));
  loaded.load(saved.path);
  CHECK(loaded.judge(held_out) == straight.judge(held_out));
  CHECK(loaded.write({}, {.max_steps = 12, .choice = {.temperature = 0.1}}) ==
        straight.write({}, {.max_steps = 12, .choice = {.temperature = 0.1}}));
  CHECK(straight.write({}, {.max_steps = 12, .draws = 0, .random = seed{2}}) ==
        straight.write({}, {.max_steps = 12, .draws = 0, .random = seed{3}}));  // only the likeliest words
  CHECK(straight.write({}, {.max_steps = 40, .draws = 0.5, .random = seed{2}}) !=
        straight.write({}, {.max_steps = 40, .draws = 0.5, .random = seed{3}}));
  CHECK(straight.write(known.encode({"a"}), {.max_steps = 2, .choice = {.temperature = 0.1, .top_k = 2}})
            .find_first_of("bc") == 0);
}

TEST_CASE("each word of a text is judged once, by all before it") {
  const vocabulary known = word_model::vocabulary_of("<unk> <eos> a b c");
  const small_model model(known);
  std::vector<int> text;
  for (int k = 0; k < 20; ++k) text.push_back(k * k % 5);  // windows of 6, the last one shorter

  parameters<small_model::graph> theta(seed{1});  // as the model starts
  streaming<small_model::graph> live(theta);
  set_input<"h0">(live, zeros{});
  set_input<"c0">(live, zeros{});
  auto forced = forced_decoding<"text">(live, {.start = known.at("<eos>"), .max_steps = 20});
  forced(std::vector<std::vector<int>>{text});
  CHECK(model.judge(text) == doctest::Approx(-forced.log_probability() / 20).epsilon(1e-6));
}

TEST_CASE("lines end in <eos>, rare words are unknown, and a vocabulary has room") {
  const file_with corpus(" a b a \n \n b <unk> c \n");
  const auto words = word_model::read_words(corpus.path);
  CHECK(words == std::vector<std::string>{"a", "b", "a", "<eos>", "<eos>", "b", "<unk>", "c", "<eos>"});
  const vocabulary known = word_model::most_frequent(words, 4);
  CHECK(known.encode({"<unk>", "<eos>", "a", "b", "c", "other"}) == std::vector<int>{0, 1, 2, 3, 0, 0});
  CHECK(word_model::text_of(word_model::vocabulary_of(word_model::text_of(known))) ==
        word_model::text_of(known));
  CHECK_THROWS_WITH_AS(small_model(word_model::vocabulary_of("<unk> <eos> 3 4 5 6 7 8 9")),
                       "a vocabulary of 9 words: at most 8 fit", data_error);
}

}  // namespace tenon::test
