// bench_rounded_weights: what weights in 16 and in 8 bits cost in accuracy. Networks are trained in float, with three seeds, and judged with each.
//
//   bench_rounded_weights                                   the index lookup
//   bench_rounded_weights --names DIR                       surnames, too: a tenth of names_train.csv is held out, another one for each seed
//   bench_rounded_weights --words FILE --text FILE          a checkpoint of examples/words, and a text whose perplexity is computed
#include "../../examples/arguments.hpp"
#include "../../examples/digit_sequences.hpp"
#include "../../examples/word_model.hpp"
#include "networks/graphs.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <type_traits>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

namespace {

using in_float = backend::cpu;
using in_16_bits = backend::cpu_with<backend::bfloat16_weights>;
using in_8_bits = backend::cpu_with<backend::int8_weights>;
constexpr int seeds = 3, languages = 18, longest_name = 32;

using surnames = graph<"surnames",
    input<"name", token<256>, steps<longest_name>>,
    node<"embedded", chain<embedding<256, 64>, dropout<0.2>>,  "name">,
    node<"states",   gru<100>,                                 "embedded">,
    node<"logits",   chain<dropout<0.3>, linear<languages>>,   "states.final">,
    output<"logits">>;

// The share of right answers with float, 16 and 8 bits.
template <class Backend, class G, class Data>
double accuracy(const parameters<G>& theta, const Data& inputs, const std::vector<int>& answers) {
  inference<G, on<Backend>> run(theta);
  const auto given = predict<"logits">(run, inputs, [](const auto& scores) { return argmax(scores); });
  long right = 0;
  for (std::size_t k = 0; k < answers.size(); ++k) right += given[k] == answers[k] ? 1 : 0;
  return static_cast<double>(right) / static_cast<double>(answers.size());
}
using figures = std::array<double, 3>;
template <class G, class Data>
figures accuracies(const parameters<G>& theta, const Data& inputs, const std::vector<int>& answers) {
  return {accuracy<in_float>(theta, inputs, answers), accuracy<in_16_bits>(theta, inputs, answers), accuracy<in_8_bits>(theta, inputs, answers)};
}
template <class G>
parameters<G> trained(const auto& data, int epochs, double rate, seed s) {
  parameters<G> theta(s);
  trainer<G, losses::cross_entropy<"logits">, optimizers::adam, batch<64>> teacher(theta, {}, s);
  teacher.max_norm = 1;
  fit(teacher, data, {.epochs = epochs, .shuffle = s, .schedule = schedules::cosine(rate), .log = nullptr});
  return theta;
}

// Mean and standard error over the seeds.
void print_row(const char* name, const std::array<figures, seeds>& all) {
  std::printf("| %s |", name);
  for (std::size_t column = 0; column < 3; ++column) {
    double mean = 0, squares = 0;
    for (const figures& one : all) mean += one[column] / seeds;
    for (const figures& one : all) squares += std::pow(one[column] - mean, 2);
    std::printf(" %.4f (%.4f) |", mean, std::sqrt(squares / (seeds - 1) / seeds));
  }
  std::printf("\n");
  std::fflush(stdout);
}

struct random_questions {  // 5,000 as those of digit_sequences, with their answers at hand
  std::vector<std::vector<int>> digits;
  std::vector<int> positions, answers;

  explicit random_questions(seed s) {
    backend::random_stream random(s.value, 0);
    for (int k = 0; k < 5000; ++k) {
      std::vector<int>& ten = digits.emplace_back();
      for (int place = 0; place < 10; ++place) ten.push_back(static_cast<int>(random.below(10)));
      positions.push_back(static_cast<int>(random.below(10)));
      answers.push_back(ten[static_cast<std::size_t>(positions.back())]);
    }
  }
};
void judge_index_lookup() {
  std::array<figures, seeds> all;
  for (std::uint64_t s = 0; s < seeds; ++s) {
    const auto theta = trained<bench::index_lookup_graph>(digit_sequences(5000, seed{10 * s + 1}), 30, 2e-3, seed{10 * s + 3});
    random_questions asked(seed{10 * s + 2});
    all[s] = accuracies(theta, data_set(column<"tokens">(std::move(asked.digits)), column<"index">(std::move(asked.positions))), asked.answers);
  }
  print_row("index lookup, accuracy", all);
}

void judge_surnames(const std::string& folder) {
  const std::vector<io::table_row> rows = io::read_table(folder + "/names_train.csv", 3);
  const vocabulary known(io::table_column(rows, 2));
  const std::vector<std::string> texts = io::table_column(rows, 0);
  const std::vector<int> answers = io::table_column(rows, 2, known);
  std::array<figures, seeds> all;
  for (std::uint64_t s = 0; s < seeds; ++s) {
    const auto [train, held_out] = split(static_cast<int>(rows.size()), 0.1, seed{s + 1});
    const auto of = [](const auto& values, const std::vector<int>& which) {
      std::decay_t<decltype(values)> some;
      for (const int k : which) some.push_back(values[static_cast<std::size_t>(k)]);
      return some;
    };
    const auto theta = trained<surnames>(data_set(column<"name">(bytes_of(of(texts, train))), column<"target">(of(answers, train))), 20, 3e-3, seed{s + 7});
    all[s] = accuracies(theta, data_set(column<"name">(bytes_of(of(texts, held_out)))), of(answers, held_out));
  }
  print_row("surnames, accuracy", all);
}

void judge_words(const std::string& path, const std::string& text) {
  using model = word_model::language_model<33278, 200, 20, 35>;
  const io::safetensors_file file(path);
  model words(word_model::vocabulary_of(file.metadata().at("words")));
  words.load(path);
  const std::vector<int> judged = words.known().encode(word_model::read_words(text));
  std::printf("| words, perplexity | %.2f |", std::exp(words.judge<in_float>(judged)));
  std::printf(" %.2f |", std::exp(words.judge<in_16_bits>(judged)));
  std::printf(" %.2f |\n", std::exp(words.judge<in_8_bits>(judged)));
}

}  // namespace

int main(int count, char** words) {
  std::string names, checkpoint, text;
  return command_line::program("bench_rounded_weights: what weights in 16 and in 8 bits cost in accuracy", count, words,
      {{"--names", &names, "a folder with names_train.csv"},
       {"--words", &checkpoint, "a checkpoint of examples/words"},
       {"--text", &text, "a text whose perplexity is computed"}},
      [&] {
        std::printf("| mean of three seeds (standard error) | float | `bfloat16_weights` | `int8_weights` |\n|---|---|---|---|\n");
        if (!checkpoint.empty()) judge_words(checkpoint, text);
        else judge_index_lookup();
        if (!names.empty()) judge_surnames(names);
        return 0;
      });
}
