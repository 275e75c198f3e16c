// How many words a second train word vectors: Tenon's trainer beside the loops of the original tool, in turn, on one core.
//   bench_word_vectors TEXT [ROUNDS [LIST]]    a pass over TEXT for each contender in each round (5); with LIST, a file of rated pairs, longer
//                                             trainings follow, whose vectors are judged by it
#include "../../examples/word_vectors.hpp"
#include "naive.hpp"

#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace {

using namespace word_vectors;

constexpr int most_words = 21000, dimensions = 100, rows = 32;

double processor_seconds() {
  ::timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct trained_text {
  vocabulary known;
  std::vector<std::vector<int>> sentences;
  word_windows windows(int negatives, std::uint64_t s) const { return {sentences, known.size(), {.negatives = negatives, .random = seed{s}}}; }
};

template <class Loss>
io::word_vectors by_tenon(const trained_text& text, int negatives, int epochs, std::uint64_t s) {
  parameters<sampled<Loss, most_words, dimensions>> theta(seed{s});
  trainer<sampled<Loss, most_words, dimensions>, losses::mean_of<"loss">, optimizers::sgd, batch<rows>> train(theta);
  const word_windows windows = text.windows(negatives, s);
  fit(train, windows, {.epochs = epochs, .shuffle = seed{s}, .schedule = schedules::linear_decay(0.05 * rows, 0.05 * rows * 1e-4), .log = nullptr});
  return vectors_of(text.known, get<"vectors.weight">(theta));
}
io::word_vectors naively(const trained_text& text, int negatives, std::uint64_t s, const naive_options& how) {
  naive_tables tables(text.known.size(), dimensions, seed{s});
  std::vector<double> counts(static_cast<std::size_t>(text.known.size()));
  for (const std::vector<int>& sentence : text.sentences)
    for (int word : sentence) ++counts[static_cast<std::size_t>(word)];
  for (double& weight : counts) weight = std::pow(weight, 0.75);
  train_naively(tables, text.windows(negatives, s), alias_table(counts), how);
  return vectors_of(text.known, view<const float>(tables.inside.data(), {text.known.size(), dimensions}));
}

struct contender {
  const char* name;
  std::function<void()> pass;
  std::vector<double> seconds{};
};
// The name, words a second, and the seconds of the second contender by those of the first: medians, and the least and the most of the rounds.
void report(std::vector<contender>& all, int rounds, long words) {
  for (int round = 0; round < rounds; ++round)
    for (contender& c : all) {
      const double before = processor_seconds();
      c.pass();
      c.seconds.push_back(processor_seconds() - before);
    }
  for (const contender& c : all) {
    std::vector<double> ratios, seconds = c.seconds;
    for (std::size_t k = 0; k < seconds.size(); ++k) ratios.push_back(c.seconds[k] / all[0].seconds[k]);
    std::sort(seconds.begin(), seconds.end());
    std::sort(ratios.begin(), ratios.end());
    std::printf("%-44s %9.0f words/s   Tenon has %.2f of its speed (%.2f to %.2f)\n", c.name, static_cast<double>(words) / seconds[seconds.size() / 2],
                ratios[ratios.size() / 2], ratios.front(), ratios.back());
  }
}

}  // namespace

int main(int count, char** words) {
  if (count < 2) {
    std::fprintf(stderr, "bench_word_vectors TEXT [ROUNDS [LIST]]\n");
    return 2;
  }
  const auto read = read_sentences(words[1]);
  const vocabulary known(word_counts(read), {.min_count = 5, .max_size = most_words});
  const trained_text text{known, numbers_of(read, known)};
  const long all = text.windows(5, 1).words();
  const int rounds = count > 2 ? std::atoi(words[2]) : 5;
  std::printf("%ld words, %d different ones, one pass, medians of %d rounds in turn\n", all, known.size(), rounds);
  std::vector<contender> skip{{"skip-gram, Tenon", [&] { by_tenon<skip_gram_loss>(text, 5, 1, 1); }},
                              {"loop, words drawn for each pair", [&] { naively(text, 5, 1, {}); }},
                              {"loop, words drawn for each word", [&] { naively(text, 5, 1, {.draws_for_each = false}); }},
                              {"loop, for each word, sums in any order", [&] { naively(text, 5, 1, {.draws_for_each = false, .adds_in_any_order = true}); }}};
  std::vector<contender> bag{{"bag of words, Tenon", [&] { by_tenon<bag_of_words_loss>(text, 5, 1, 1); }},
                             {"loop", [&] { naively(text, 5, 1, {.is_bag = true}); }},
                             {"loop, sums in any order", [&] { naively(text, 5, 1, {.is_bag = true, .adds_in_any_order = true}); }}};
  report(skip, rounds, all);
  report(bag, rounds, all);
  if (count <= 3) return 0;

  const auto judge = [&](const char* name, std::uint64_t s, const io::word_vectors& vectors) {
    const io::similarity_report found = io::word_search(vectors).rank_similarities(words[3], {.lowercase = true});
    std::printf("%-44s seed %d: Spearman %.3f of %d pairs\n", name, static_cast<int>(s), found.spearman, found.pairs);
    std::fflush(stdout);
  };
  for (std::uint64_t s : {1u, 2u, 3u}) {
    judge("skip-gram, 15 passes, Tenon", s, by_tenon<skip_gram_loss>(text, 5, 15, s));
    judge("the same, loop", s, naively(text, 5, s, {.epochs = 15}));
    judge("bag of words, 30 passes, 10 drawn, Tenon", s, by_tenon<bag_of_words_loss>(text, 10, 30, s));
    judge("the same, loop", s, naively(text, 10, s, {.is_bag = true, .epochs = 30}));
  }
}
