// Surnames: from which of 18 languages does a name come? An embedding of its bytes, a recurrent layer, and a linear map from
// the final state; a table compares three cells in two sizes.
//
//   surnames --data DIR [--help] [NAME ...]
//
// DIR holds names_train.csv, lines of name,ascii,language. A tenth of it, drawn with a seed, is held out and compares the cells.
// --eval scores another file of that format; each NAME gets its five likeliest languages; both use the best cell of the table.
#include "arguments.hpp"

#include <tenon/tenon.hpp>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

constexpr int classes = 18, longest_name = 32;

template <class Recurrent>
using classifier = graph<"surnames",
    input<"name", token<256>, steps<longest_name>>,
    node<"embedded", chain<embedding<256, 64>, dropout<0.2>>,  "name">,
    node<"states",   Recurrent,                                "embedded">,
    node<"dropped",  dropout<0.3>,                             "states.final">,
    node<"logits",   linear<classes>,                          "dropped">,
    output<"logits">>;

// Throws data_error, naming the line, for a name that is too long or an unknown language.
auto read_names(const std::vector<io::table_row>& rows, const vocabulary& languages) {
  const auto letters = [](const io::table_row& row) {
    if (const std::size_t bytes = row.fields[0].size(); bytes > longest_name)
      throw data_error(row.file->path + ":" + std::to_string(row.line) + ": the name has " + std::to_string(bytes) + " bytes, at most " +
                       std::to_string(longest_name) + " fit");
    return bytes_of(row.fields[0]);
  };
  return data_set(column<"name">(io::table_column(rows, letters)), column<"target">(io::table_column(rows, 2, languages)));
}
using names = decltype(read_names({}, {}));

// A trained classifier with any cell.
struct model {
  std::string cell;
  int hidden_size = 0;
  long parameter_count = 0;
  double seconds = 0;

  virtual ~model() = default;
  virtual std::vector<double> judge(const names& data) = 0;  // accuracy, macro recall
  virtual std::vector<double> probabilities(const std::vector<int>& letters) const = 0;
};

template <class Recurrent>
struct trained final : model {
  using G = classifier<Recurrent>;
  parameters<G> theta{seed{7}};
  trainer<G, losses::cross_entropy<"logits">, optimizers::adam, batch<64>> teacher{theta, {}, seed{8}};

  trained(std::string name_of_cell, int size, const names& train, int epochs) {
    cell = std::move(name_of_cell);
    hidden_size = size;
    parameter_count = theta.count();
    teacher.max_norm = 1;
    const auto history = fit(teacher, train, {.epochs = epochs, .shuffle = seed{9}, .schedule = schedules::cosine(3e-3),
                                              .label = cell + " " + std::to_string(size), .log = nullptr});
    for (const reports::epoch& epoch : history.epochs) seconds += epoch.seconds;
  }
  std::vector<double> judge(const names& data) override {
    return evaluate(teacher, data, {metric::accuracy{}, metric::macro_recall{}}).metrics;
  }
  std::vector<double> probabilities(const std::vector<int>& letters) const override {
    inference<G> run(theta);
    return softmax(run(std::vector<std::vector<int>>{letters})[0]);
  }
};

struct arguments {
  std::string data, eval;
  int epochs = 20;
  std::vector<std::string> asked_names;
};

int run(const arguments& wanted) {
  if (wanted.data.empty()) throw std::invalid_argument("--data is missing; see --help");
  const std::string path = wanted.data + "/names_train.csv";
  const std::vector<io::table_row> rows = io::read_table(path, 3);
  const vocabulary languages(io::table_column(rows, 2));
  if (languages.size() != classes)
    throw data_error(path + ": expected " + std::to_string(classes) + " languages, got " + std::to_string(languages.size()));

  const auto [train, held_out] = split(read_names(rows, languages), 0.1, seed{2024});
  for (const std::string& name : wanted.asked_names)
    if (name.empty() || name.size() > longest_name) throw input_error("name '" + name + "': between 1 and " + std::to_string(longest_name) + " bytes");

  std::printf("%d names to train on, %d held out\n\n%-6s %6s %11s %9s %13s %8s\n", train.size(), held_out.size(), "cell", "hidden",
              "parameters", "accuracy", "macro recall", "seconds");
  std::unique_ptr<model> best;
  double best_accuracy = -1;
  const auto enter = [&](std::unique_ptr<model> made) {
    const std::vector<double> judged = made->judge(held_out);
    std::printf("%-6s %6d %11ld %8.1f%% %12.1f%% %8.1f\n", made->cell.c_str(), made->hidden_size, made->parameter_count,
                100 * judged[0], 100 * judged[1], made->seconds);
    std::fflush(stdout);
    if (judged[0] <= best_accuracy) return;
    best_accuracy = judged[0];
    best = std::move(made);
  };
  enter(std::make_unique<trained<rnn<50>>>("RNN", 50, train, wanted.epochs));
  enter(std::make_unique<trained<rnn<100>>>("RNN", 100, train, wanted.epochs));
  enter(std::make_unique<trained<lstm<50>>>("LSTM", 50, train, wanted.epochs));
  enter(std::make_unique<trained<lstm<100>>>("LSTM", 100, train, wanted.epochs));
  enter(std::make_unique<trained<gru<50>>>("GRU", 50, train, wanted.epochs));
  enter(std::make_unique<trained<gru<100>>>("GRU", 100, train, wanted.epochs));

  if (!wanted.eval.empty()) {
    const names eval = read_names(io::read_table(wanted.eval, 3), languages);
    const std::vector<double> judged = best->judge(eval);
    std::printf("\n%s: %d names, accuracy %.1f%%, macro recall %.1f%% (%s, hidden %d)\n", wanted.eval.c_str(), eval.size(),
                100 * judged[0], 100 * judged[1], best->cell.c_str(), best->hidden_size);
  }
  for (const std::string& name : wanted.asked_names) {
    const std::vector<double> p = best->probabilities(bytes_of(name));
    std::printf("\n%s\n", name.c_str());
    for (const auto& [language, share] : top_k(p, 5))
      std::printf("  %5.1f%%  %s\n", 100 * share, languages.word(language).c_str());
  }
  return 0;
}

int main(int count, char** words) {
  arguments wanted;
  return command_line::program("surnames: from which of 18 languages does a name come?", count, words,
      {{"--data", &wanted.data, "a folder with names_train.csv"},
       {"--eval", &wanted.eval, "a file of the same format, on which the best cell is evaluated"},
       {"--epochs", &wanted.epochs, "how often the names are read", 1},
       {"NAME", &wanted.asked_names, "a name, to which the best cell gives its five likeliest languages"}},
      [&] { return run(wanted); });
}
