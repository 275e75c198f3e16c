// Classifies sentences: questions by what they ask for (TREC), or a bank's letters by what they are about (Banking77). Four networks, two with an LSTM
// and attention and two with convolutions over words, are one graph and answer together.
//
//   classify --data FILE                      learns nine tenths of FILE and judges the rest
//   classify --data FILE --folds 5            judges each fifth after learning the others
//   classify --data FILE --held-out 0 --eval OTHER --checkpoint c.ckpt     learns all of FILE, and judges OTHER
//   classify --data FILE --page p.html "Who wrote this ?"                  classifies a sentence of yours, and draws what was looked at
//
// FILE.csv is a table with the columns text and category; any other file has lines such as "NUM:date When was it ?".
#include "arguments.hpp"
#include "classify.hpp"

#include <cmath>

using namespace sentences;

constexpr sizes of_networks{.words = 3600, .word = 200, .part = 32, .hidden = 100, .channels = 128};
using model = classifier<of_networks>;

struct arguments {
  std::string data, eval, page;
  std::vector<std::string> asked;
  int folds = 0;
  double held_out = 0.1;
  std::uint64_t seed = 1;
  plan training;
};

model learn(const labelled& all, const labelled& known, const labelled& held_out, const arguments& wanted, const std::string& label) {
  plan training = wanted.training;
  training.after_epoch = [&](const reports::epoch& e) {
    std::printf("%sepoch %d/%d  loss %.4f", label.c_str(), e.epoch, training.epochs, e.loss);
    if (!e.metrics.empty()) std::printf("  accuracy %.4f", e.metrics[0]);
    std::printf("  %.1f s\n", e.seconds);
    std::fflush(stdout);
  };
  return model(all, known, held_out, training, seed{wanted.seed});
}
metric::confusion show(const model& of, const labelled& judged, const std::string& what) {
  metric::confusion counts = of.judge(judged);
  std::printf("%s: %d sentences, accuracy %.2f %%, macro F1 %.2f %%\n", what.c_str(), judged.size(), 100 * counts.accuracy(), 100 * counts.macro_f1());
  return counts;
}

// The accuracy on each fifth, after learning the others. A repeated sentence is in one fifth only.
void judge_fifths(const labelled& all, const arguments& wanted) {
  const auto fifths = split(all.groups(), {0.2, 0.2, 0.2, 0.2, 0.2}, seed{1});
  double sum = 0, squares = 0;
  for (int k = 0; k < wanted.folds; ++k) {
    std::vector<int> others;
    for (int j = 0; j < 5; ++j)
      if (j != k) others.insert(others.end(), fifths[std::size_t(j)].begin(), fifths[std::size_t(j)].end());
    const std::string name = "fold " + std::to_string(k + 1);
    const double accuracy = show(learn(all, all.part(others), {}, wanted, name + ", "), all.part(fifths[std::size_t(k)]), name).accuracy();
    sum += accuracy;
    squares += accuracy * accuracy;
  }
  const double mean = sum / wanted.folds;
  std::printf("mean of %d folds: accuracy %.2f %%, deviation %.2f\n", wanted.folds, 100 * mean, 100 * std::sqrt(std::max(0.0, squares / wanted.folds - mean * mean)));
}

int run(const arguments& wanted) {
  if (wanted.data.empty()) throw std::invalid_argument("--data is missing; see --help");
  const labelled all = read_labelled(wanted.data), further = wanted.eval.empty() ? labelled{} : read_labelled(wanted.eval);
  if (wanted.folds > 0) {
    judge_fifths(all, wanted);
    return 0;
  }
  const auto [rest, part] = split(all.groups(), wanted.held_out, seed{1});
  const labelled held_out = all.part(part);
  const model learned = learn(all, all.part(rest), held_out, wanted, "");
  std::printf("%ld parameters, %d classes\n", learned.parameter_count(), learned.classes().size());
  if (held_out.size() > 0) print(show(learned, held_out, "held out"), learned.classes());
  if (further.size() > 0) print(show(learned, further, wanted.eval), learned.classes());

  std::vector<sentence> asked;
  for (const std::string& text : wanted.asked) asked.push_back(words_of_text(text));
  const std::vector<model::answer> answers = learned.classify(asked);
  for (std::size_t k = 0; k < asked.size(); ++k) {
    std::printf("\n%s\n", wanted.asked[k].c_str());
    for (const auto& [number, share] : top_k(answers[k].probabilities, std::min(3, learned.classes().size())))
      std::printf("  %5.1f %%  %s\n", 100 * share, learned.classes().word(number).c_str());
  }
  if (wanted.page.empty()) return 0;
  if (asked.empty()) asked.assign(held_out.words.begin(), held_out.words.begin() + std::min(20, held_out.size()));
  std::vector<attended> drawn;
  for (const model::answer& one : learned.classify(asked)) drawn.push_back({asked[drawn.size()], one.weights, learned.classes().word(one.best())});
  tenon::detail::write_file(wanted.page, attention_page("Where the network looks", drawn));
  return 0;
}

int main(int count, char** words) {
  arguments wanted;
  return command_line::program("classify: to which class does a sentence belong?", count, words,
      {{"SENTENCE", &wanted.asked, "a sentence, to which its three likeliest classes are given"},
       {"--data", &wanted.data, "sentences to learn from, FILE.csv or lines CLASS:finer and a sentence"},
       {"--eval", &wanted.eval, "a file of the same format, which is judged at the end"},
       {"--held-out", &wanted.held_out, "the share of the sentences that is judged and not learnt", 0, 0.9},
       {"--folds", &wanted.folds, "judges so many of five fifths, each after learning the other four, and ends", 0, 5},
       {"--epochs", &wanted.training.epochs, "how often the sentences are read", 1},
       {"--rate", &wanted.training.rate, "the learning rate at the beginning"},
       {"--seed", &wanted.seed, "of parameters, dropout and order"},
       {"--checkpoint", &wanted.training.checkpoint, "a file of the trained networks; training continues from it"},
       {"--page", &wanted.page, "a page to write, FILE.html, with the attention over the sentences, or over held-out ones"}},
      [&] { return run(wanted); });
}
