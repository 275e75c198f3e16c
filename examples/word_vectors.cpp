// Word vectors (Mikolov et al. 2013): the words of a text as points, so that words which occur alike are near each other, and so that
// king - man + woman is near queen. Skip-gram or a continuous bag of words, by negative sampling.
//
//   word_vectors --text FILE --save v.bin --eval wordsim353.tsv    trains on a text, a sentence in each line; continues from --checkpoint
//   word_vectors --load v.bin --near king --analogy "man king woman"   what vectors know: yours, or those of other programs
//   word_vectors --map map.svg                                     without a text: trains on a small one about eight people, with a full softmax
#include "arguments.hpp"
#include "word_vectors.hpp"

#include <cstdio>

using namespace word_vectors;

constexpr int most_words = 21000, size_of_vectors = 100;

struct arguments {
  std::string text, load, save, checkpoint, eval, near, analogy, map, model = "skip-gram", words;
  int epochs = 15, negatives = 5, min_count = 5, window = farthest;
  double rate = 0.05, sample = 1e-3;
  std::uint64_t random = 1;
};

// Returns the vectors that a model has learnt from the rows of each epoch; without a schedule if the rule sets its own rates.
template <class Model, class Loss, class Rule, int Rows, class Data>
io::word_vectors learn(const arguments& wanted, const char* name, const vocabulary& known, const Data& data, int epochs, double rate) {
  parameters<Model> theta(seed{wanted.random});
  using training = trainer<Model, Loss, Rule, batch<Rows>>;
  training train(theta);
  fit_options<training> options{.epochs = epochs, .shuffle = seed{wanted.random}, .schedule = schedules::linear_decay(rate, rate * 1e-4), .label = name, .log = stdout};
  if (!wanted.checkpoint.empty()) options.checkpoint = checkpoint{wanted.checkpoint + "." + name};
  const reports::history history = fit(train, data, options);
  double seconds = 0;
  for (const reports::epoch& epoch : history.epochs) seconds += epoch.seconds;
  std::printf("%s: %ld parameters, %d passes in %.0f s\n", name, theta.count(), epochs, seconds);
  return vectors_of(known, get<"vectors.weight">(theta));
}

template <class Loss>
io::word_vectors learn_sampled(const arguments& wanted, const vocabulary& known, const word_windows& windows) {
  constexpr int rows = 32;
  return learn<sampled<Loss, most_words, size_of_vectors>, losses::mean_of<"loss">, optimizers::sgd, rows>(wanted, wanted.model.c_str(), known, windows, wanted.epochs,
                                                                                                           wanted.rate * rows);
}
io::word_vectors learn_text(const arguments& wanted) {
  const std::vector<std::vector<std::string>> sentences = read_sentences(wanted.text);
  const vocabulary known(word_counts(sentences), {.min_count = wanted.min_count, .max_size = most_words});
  const word_windows windows(numbers_of(sentences, known), known.size(),
                             {.window = wanted.window, .negatives = wanted.negatives, .sample = wanted.sample, .random = seed{wanted.random}});
  std::printf("%s: %ld words, %d different ones that occur at least %d times\n", wanted.text.c_str(), windows.words(), known.size(), wanted.min_count);
  return wanted.model == "skip-gram" ? learn_sampled<skip_gram_loss>(wanted, known, windows) : learn_sampled<bag_of_words_loss>(wanted, known, windows);
}
io::word_vectors learn_small_text(const arguments& wanted) {
  const std::vector<std::vector<std::string>> sentences = small_text(2000, seed{wanted.random});
  const vocabulary known{word_counts(sentences)};
  const word_windows windows(numbers_of(sentences, known), known.size(), {.window = 3, .sample = 0, .random = seed{wanted.random}});
  constexpr int few_words = 26, size = 8;
  const auto pairs = each_epoch([&](int epoch) { return pairs_of(windows.of_epoch(epoch)); });
  const auto contexts = each_epoch([&](int epoch) { return contexts_of(windows.of_epoch(epoch)); });
  return wanted.model == "skip-gram"
             ? learn<word_vectors::skip_gram<few_words, size>, losses::cross_entropy<"logits">, optimizers::adam, 64>(wanted, "skip-gram", known, pairs, 5, 0.02)
             : learn<bag_of_words<few_words, size>, losses::cross_entropy<"logits">, optimizers::adam, 64>(wanted, "cbow", known, contexts, 5, 0.02);
}

void judge(const std::string& list, const io::word_search& search) {
  if (list.ends_with(".tsv")) {
    const io::similarity_report found = search.rank_similarities(list, {.lowercase = true});
    std::printf("%s: Spearman's correlation %.3f of %d pairs, %d left out\n", list.c_str(), found.spearman, found.pairs, found.left_out);
  } else {
    const io::analogy_report found = search.answer_analogies(list, {.lowercase = true});
    for (const io::analogy_count& section : found.sections)
      std::printf("  %-32s %5d of %5d\n", section.section.c_str(), section.right, section.asked);
    std::printf("%s: %.1f %% of %d analogies, %d left out\n", list.c_str(), 100 * found.all.share(), found.all.asked, found.all.left_out);
  }
}
void show(const std::string& what, const std::vector<io::near_word>& words) {
  std::printf("%s:", what.c_str());
  for (const io::near_word& near : words) std::printf(" %s %.2f", near.word.c_str(), near.cosine);
  std::printf("\n");
}

int run(arguments wanted) {
  if (wanted.model != "skip-gram" && wanted.model != "cbow") throw std::invalid_argument("--model: expected skip-gram or cbow, got '" + wanted.model + "'");
  const bool is_small = wanted.text.empty() && wanted.load.empty(), is_text = wanted.load.ends_with(".txt");
  const io::word_vectors vectors = is_small                ? learn_small_text(wanted)
                                   : wanted.load.empty()   ? learn_text(wanted)
                                   : is_text               ? io::read_word2vec_text(wanted.load)
                                                           : io::read_word2vec_binary(wanted.load);
  if (wanted.save.ends_with(".txt")) io::write_word2vec_text(wanted.save, vectors);
  else if (!wanted.save.empty()) io::write_word2vec_binary(wanted.save, vectors);
  if (is_small) {
    if (wanted.near.empty()) wanted.near = "king";
    if (wanted.analogy.empty()) wanted.analogy = "man king woman";
    if (wanted.words.empty()) wanted.words = "man woman boy girl king queen prince princess";
  }

  const io::word_search search(vectors);
  if (!wanted.eval.empty()) judge(wanted.eval, search);
  if (!wanted.near.empty()) show("near " + wanted.near, search.nearest(wanted.near, 5));
  std::vector<io::near_word> answers;
  if (!wanted.analogy.empty()) {
    const std::vector<std::string> asked = words_of(wanted.analogy);
    if (asked.size() != 3) throw std::invalid_argument("--analogy: expected three words, got '" + wanted.analogy + "'");
    answers = search.analogy(asked[0], asked[1], asked[2], 3);
    show(asked[1] + " - " + asked[0] + " + " + asked[2], answers);
  }
  if (!wanted.map.empty()) {
    if (wanted.words.empty()) throw std::invalid_argument("--map draws the words of --words, which is missing");
    tenon::detail::write_file(wanted.map, map_svg(vectors, words_of(wanted.words)));
  }
  return is_small && answers[0].word != "queen" && wanted.analogy == "man king woman" ? 1 : 0;
}

int main(int count, char** words) {
  arguments wanted;
  const std::vector<command_line::option> options{{"--text", &wanted.text, "the text to learn from"},
                                                  {"--model", &wanted.model, "skip-gram or cbow"},
                                                  {"--epochs", &wanted.epochs, "how often the text is read", 1},
                                                  {"--negatives", &wanted.negatives, "words that are drawn beside each", 1, most_negatives},
                                                  {"--window", &wanted.window, "words on each side, at most", 1, farthest},
                                                  {"--rate", &wanted.rate, "the learning rate, which falls to almost zero", 0},
                                                  {"--sample", &wanted.sample, "more frequent words are left out at times", 0},
                                                  {"--min-count", &wanted.min_count, "rarer words are left out", 1},
                                                  {"--seed", &wanted.random, "of all draws"},
                                                  {"--checkpoint", &wanted.checkpoint, "the beginning of the name of a file that keeps what is learnt"},
                                                  {"--save", &wanted.save, "writes the vectors: text to .txt, else word2vec's binary form"},
                                                  {"--load", &wanted.load, "reads vectors in place of learning them"},
                                                  {"--eval", &wanted.eval, "a list of rated pairs (.tsv), or of analogies"},
                                                  {"--near", &wanted.near, "a word, whose nearest ones are shown"},
                                                  {"--analogy", &wanted.analogy, "\"a b c\": a is to b as c is to what?"},
                                                  {"--words", &wanted.words, "words to draw"},
                                                  {"--map", &wanted.map, "the drawing (.svg): their two principal components"}};
  return command_line::program("word_vectors: words as points", count, words, options, [&] { return run(wanted); });
}
