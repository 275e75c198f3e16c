// Words: a language model of the words of a text, trained on windows of it with the state carried from one to the next, like PyTorch's
// example word_language_model (200 features, two layers of LSTM, tied tables), except that the learning rate falls to zero.
//
//   words --data DIR            trains, and continues from --checkpoint FILE if that exists
//   words --checkpoint FILE     a model that was trained before
//   words                       trains for seconds on a small generated text
//   words --help                what else it does
//
// DIR holds train.txt and valid.txt, words with blanks between them, as in WikiText-2. Every line ends in <eos>, which counts as a
// word, as does <unk>; words that are not in train.txt become <unk>.
#include "arguments.hpp"
#include "word_model.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

using namespace tenon;

using full_model = word_model::language_model<33278, 200, 20, 35>;  // WikiText-2's words, all of them
using small_model = word_model::language_model<16, 32, 2, 8, 0.0>;

struct arguments {
  std::string data, eval, checkpoint, prompt;
  int epochs = 6, threads = 2;
  double rate = 20;
  decoding::generate_options writing{};
};

template <class Model>
double say(const Model& model, const std::string& what, const std::vector<int>& text) {
  const double nats = model.judge(text);
  std::printf("%s: %zu words, perplexity %.2f (%.4f nats per word)\n", what.c_str(), text.size(), std::exp(nats), nats);
  return nats;
}
template <class Model>
void answer(const Model& model, const arguments& wanted) {
  if (!wanted.eval.empty()) say(model, wanted.eval, model.known().encode(word_model::read_words(wanted.eval)));
  if (wanted.writing.max_steps == 0) return;
  const std::string text = model.write(model.known().encode(words_of(wanted.prompt)), wanted.writing);
  std::printf("%s%s%s\n", wanted.prompt.c_str(), wanted.prompt.empty() ? "" : " ", text.c_str());
}
// Returns the nats per word of the held-out text.
template <class Model>
double learn(const std::vector<std::string>& train, const std::vector<std::string>& held_out, const arguments& wanted) {
  Model model(word_model::most_frequent(train, Model::most_words), wanted.threads);
  std::printf("%zu words to learn from, %zu held out, %d different ones; %ld parameters\n", train.size(), held_out.size(), model.known().size(),
              model.parameter_count());
  const std::vector<int> judged = model.known().encode(held_out);
  const auto line = [&](const reports::epoch& e) {
    std::printf("epoch %d/%d  rate %.3g  loss %.4f  validation %.4f (perplexity %.2f)  %.0f s, %.0f words per second\n", e.epoch, wanted.epochs,
                e.learning_rate, e.loss, e.validation_loss, std::exp(e.validation_loss), e.seconds, static_cast<double>(train.size()) / e.seconds);
    std::fflush(stdout);
  };
  model.train(model.known().encode(train), judged, {wanted.epochs, wanted.rate, wanted.checkpoint, line});
  const double nats = say(model, "validation", judged);
  answer(model, wanted);
  return nats;
}

int run(arguments wanted) {
  if (!wanted.data.empty()) {
    learn<full_model>(word_model::read_words(wanted.data + "/train.txt"), word_model::read_words(wanted.data + "/valid.txt"), wanted);
  } else if (!wanted.checkpoint.empty()) {
    const io::safetensors_file file(wanted.checkpoint);
    const auto words = file.metadata().find("words");
    if (words == file.metadata().end()) throw data_error(wanted.checkpoint + ": is no checkpoint of a model of words");
    full_model model(word_model::vocabulary_of(words->second), wanted.threads);
    model.load(wanted.checkpoint);
    answer(model, wanted);
  } else {
    wanted.epochs = 6;
    wanted.rate = 60;
    wanted.writing.max_steps = std::max(wanted.writing.max_steps, 24);
    // Of four words, one is drawn from two and one from three: the best perplexity is 6^(1/4) = 1.57, without the agreement 1.86.
    return learn<small_model>(word_model::small_text(400, seed{1}), word_model::small_text(50, seed{2}), wanted) < std::log(1.65) ? 0 : 1;
  }
  return 0;
}

int main(int count, char** words) {
  arguments wanted;
  return command_line::program("words: a language model of the words of a text", count, words,
      {{"--data", &wanted.data, "a folder with train.txt and valid.txt"},
       {"--epochs", &wanted.epochs, "how often the text is read", 1},
       {"--rate", &wanted.rate, "the learning rate at the beginning"},
       {"--threads", &wanted.threads, "how many of them compute", 1},
       {"--checkpoint", &wanted.checkpoint, "a file of the trained model; training continues from it"},
       {"--eval", &wanted.eval, "a text whose perplexity is computed"},
       {"--generate", &wanted.writing.max_steps, "how many words are written; 0: none"},
       {"--prompt", &wanted.prompt, "the words before these"},
       {"--temperature", &wanted.writing.choice.temperature, "of the choice of words, above 0: the lower it is, the likelier they are"},
       {"--top_k", &wanted.writing.choice.top_k, "choose from so many of the likeliest words; 0: from all"},
       {"--top_p", &wanted.writing.choice.top_p, "choose from the likeliest words that together have this probability", 0, 1},
       {"--draws", &wanted.writing.draws, "the share of words that are drawn so; the others are the likeliest. 0.1: mostly the likeliest", 0, 1},
       {"--random", &wanted.writing.random.value, "the seed of the choice"}},
      [&] { return run(wanted); });
}
