// Words: a language model of the words of a text, trained on windows of it with the state carried from one to the next, like PyTorch's
// example word_language_model (200 features, two layers of LSTM, tied tables), except that the learning rate falls to zero.
//
//   words --data DIR [--epochs N] [--rate X] [--threads N] [--checkpoint FILE] [what to do]
//   words --checkpoint FILE [what to do]     a model that was trained before
//   words                                    trains for seconds on a small generated text
//
//   --eval FILE      the perplexity of a text
//   --generate N     writes N words; --prompt TEXT, --temperature X, --top_k N, --top_p X, --random SEED
//
// DIR holds train.txt and valid.txt, words with blanks between them, as in WikiText-2. Every line ends in <eos>, which counts as a
// word, as does <unk>; words that are not in train.txt become <unk>. If the checkpoint exists, training continues from it.
#include "word_model.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

using namespace tenon;

using full_model = word_model::language_model<33278, 200, 20, 35>;  // WikiText-2's words, all of them
using small_model = word_model::language_model<16, 32, 2, 8, 0.0>;

struct arguments {
  std::string data, eval, checkpoint, prompt;
  int epochs = 6, threads = 2, length = 0;
  double rate = 20;
  decoding::sampling choice{};
  seed random{1};
};
arguments parse(int count, char** given) {
  arguments result;
  for (int k = 1; k < count; k += 2) {
    const std::string word = given[k];
    if (k + 1 == count) throw std::invalid_argument(word + " needs a value");
    const std::string value = given[k + 1];
    const auto whole = [&](int least) {
      const int number = std::atoi(value.c_str());
      if (number < least) throw std::invalid_argument(word + " needs a whole number of at least " + std::to_string(least));
      return number;
    };
    if (word == "--data") result.data = value;
    else if (word == "--eval") result.eval = value;
    else if (word == "--checkpoint") result.checkpoint = value;
    else if (word == "--prompt") result.prompt = value;
    else if (word == "--epochs") result.epochs = whole(1);
    else if (word == "--threads") result.threads = whole(1);
    else if (word == "--generate") result.length = whole(1);
    else if (word == "--top_k") result.choice.top_k = whole(0);
    else if (word == "--random") result.random = seed{static_cast<std::uint64_t>(whole(0))};
    else if (word == "--rate") result.rate = std::atof(value.c_str());
    else if (word == "--temperature") result.choice.temperature = std::atof(value.c_str());
    else if (word == "--top_p") result.choice.top_p = std::atof(value.c_str());
    else throw std::invalid_argument("unknown option " + word);
  }
  return result;
}

// Sentences whose verb agrees with the noun two words before it.
std::vector<std::string> small_text(int lines, seed s) {
  const char* const how[]{"now", "often", "rarely"};
  backend::random_stream random(s.value, 0);
  std::vector<std::string> words;
  for (int line = 0; line < lines; ++line) {
    const bool are_many = random.below(2) == 1;
    for (const char* word : {are_many ? "cats" : "cat", how[random.below(3)], are_many ? "sleep" : "sleeps", word_model::end_of_line})
      words.push_back(word);
  }
  return words;
}

template <class Model>
double say(const Model& model, const std::string& what, const std::vector<int>& text) {
  const double nats = model.judge(text);
  std::printf("%s: %zu words, perplexity %.2f (%.4f nats per word)\n", what.c_str(), text.size(), std::exp(nats), nats);
  return nats;
}
template <class Model>
void answer(const Model& model, const arguments& given) {
  if (!given.eval.empty()) say(model, given.eval, model.known().encode(word_model::read_words(given.eval)));
  if (given.length == 0) return;
  const std::string text = model.write(model.known().encode(words_of(given.prompt)), given.length, given.choice, given.random);
  std::printf("%s%s%s\n", given.prompt.c_str(), given.prompt.empty() ? "" : " ", text.c_str());
}
// Returns the nats per word of the held-out text.
template <class Model>
double learn(const std::vector<std::string>& train, const std::vector<std::string>& held_out, const arguments& given) {
  Model model(word_model::most_frequent(train, Model::most_words), given.threads);
  std::printf("%zu words to learn from, %zu held out, %d different ones; %ld parameters\n", train.size(), held_out.size(), model.known().size(),
              model.parameter_count());
  const std::vector<int> judged = model.known().encode(held_out);
  const auto line = [&](const reports::epoch& e) {
    std::printf("epoch %d/%d  rate %.3g  loss %.4f  validation %.4f (perplexity %.2f)  %.0f s, %.0f words per second\n", e.epoch, given.epochs,
                e.learning_rate, e.loss, e.validation_loss, std::exp(e.validation_loss), e.seconds, static_cast<double>(train.size()) / e.seconds);
    std::fflush(stdout);
  };
  model.train(model.known().encode(train), judged, {given.epochs, given.rate, given.checkpoint, line});
  const double nats = say(model, "validation", judged);
  answer(model, given);
  return nats;
}

int run(arguments given) {
  if (!given.data.empty()) {
    learn<full_model>(word_model::read_words(given.data + "/train.txt"), word_model::read_words(given.data + "/valid.txt"), given);
  } else if (!given.checkpoint.empty()) {
    const io::safetensors_file file(given.checkpoint);
    const auto words = file.metadata().find("words");
    if (words == file.metadata().end()) throw data_error(given.checkpoint + ": is no checkpoint of a model of words");
    full_model model(word_model::vocabulary_of(words->second), given.threads);
    model.load(given.checkpoint);
    answer(model, given);
  } else {
    given.epochs = 6, given.rate = 60, given.length = std::max(given.length, 24);
    // Of four words, one is drawn from two and one from three: the best perplexity is 6^(1/4) = 1.57, without the agreement 1.86.
    return learn<small_model>(small_text(400, seed{1}), small_text(50, seed{2}), given) < std::log(1.65) ? 0 : 1;
  }
  return 0;
}

int main(int count, char** given) {
  try {
    return run(parse(count, given));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "words: %s\n", error.what());
    return 2;
  }
}
