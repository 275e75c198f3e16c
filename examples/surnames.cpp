// Surnames: from which of 18 languages does a name come? Its bytes, an embedding, a recurrent layer, and a linear map from
// its final state; three cells in two sizes, one table.
//
//   surnames --data DIR [--eval FILE] [--epochs N] [NAME ...]
//
// DIR holds names_train.csv, lines of name,ascii,language. A seeded tenth of it is held out and judges; --eval scores a
// further file of that format; each NAME gets its five likeliest languages. The best cell of the table answers both.
#include <tenon/tenon.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

using namespace tenon;

constexpr int classes = 18, longest_name = 32;

template <class Recurrent>
using classifier = graph<"surnames",
    input<"name", token<256>, steps<longest_name>>,
    node<"embedded", chain<embedding<256, 64>, dropout<0.2>>,  "name">,
    node<"states",   Recurrent,                                "embedded">,
    node<"dropped",  dropout<0.3>,                             "states.final">,
    node<"logits",   linear<classes>,                          "dropped">,
    output<"logits">>;

std::vector<int> bytes_of(const std::string& text) {
  std::vector<int> tokens;
  for (char c : text) tokens.push_back(static_cast<unsigned char>(c));
  return tokens;
}

struct names {
  std::vector<std::vector<int>> letters;
  std::vector<int> language;

  int count() const { return static_cast<int>(letters.size()); }
  void feed(auto& session, std::span<const int> rows) const {
    std::vector<std::vector<int>> tokens;
    for (int row : rows) tokens.push_back(letters[static_cast<std::size_t>(row)]);
    session.template input<"name">(tokens);
  }
  std::vector<int> targets(std::span<const int> rows) const {
    std::vector<int> result;
    for (int row : rows) result.push_back(language[static_cast<std::size_t>(row)]);
    return result;
  }
};

// Throws data_error, naming the line, for a name that is too long or a language that is not among the known ones.
names read_names(const std::string& path, const std::vector<table_row>& rows, const vocabulary& languages) {
  names result;
  for (const table_row& row : rows) {
    const std::string place = path + ":" + std::to_string(row.line) + ": ";
    if (row.fields[0].size() > longest_name)
      throw data_error(place + "the name has " + std::to_string(row.fields[0].size()) + " bytes, at most " + std::to_string(longest_name) + " fit");
    const auto known = languages.number(row.fields[2]);
    if (!known) throw data_error(place + "language '" + row.fields[2] + "' does not occur in the training data");
    result.letters.push_back(bytes_of(row.fields[0]));
    result.language.push_back(*known);
  }
  return result;
}

// A trained classifier, whatever its cell.
struct model {
  std::string cell;
  int hidden_size = 0;
  long parameter_count = 0;
  double seconds = 0;

  virtual ~model() = default;
  virtual confusion judge(const names& data) const = 0;
  virtual std::vector<double> probabilities(const std::vector<int>& letters) const = 0;
};

template <class Recurrent>
struct trained final : model {
  using G = classifier<Recurrent>;
  parameters<G> theta;

  trained(std::string name_of_cell, int size, const names& train, int epochs) : theta(seed{7}) {
    cell = std::move(name_of_cell), hidden_size = size, parameter_count = theta.count();
    trainer<G, cross_entropy<"logits">, adam, batch<64>> trainer(theta, {.rate = 3e-3}, seed{8});
    trainer.clip = 1;
    const auto feed = [&](auto& session, std::span<const int> rows) {
      train.feed(session, rows);
      session.template input<"target">(train.targets(rows));
    };
    fit(trainer, train.count(), feed, {.epochs = epochs, .shuffle = seed{9}, .label = cell + " " + std::to_string(size)},
        [&](const epoch_report& epoch) {
          seconds += epoch.seconds;
          trainer.rule().rate = cosine(3e-3, epoch.epoch, epochs);
        });
  }
  confusion judge(const names& data) const override {
    inference<G, batch<64>> run;
    confusion result(classes);
    std::vector<int> rows(data.letters.size());
    std::iota(rows.begin(), rows.end(), 0);
    for_each_batch(rows, 64, [&](std::span<const int> some) {
      data.feed(run, some);
      run.run(theta);
      const std::vector<int> targets = data.targets(some);
      for (std::size_t r = 0; r < some.size(); ++r) result.add(targets[r], argmax(run.template output<"logits">(), r));
    });
    return result;
  }
  std::vector<double> probabilities(const std::vector<int>& letters) const override {
    inference<G> run;
    const auto logits = run(theta, std::vector<std::vector<int>>{letters});
    std::vector<double> p;
    for (std::size_t c = 0; c < classes; ++c) p.push_back(std::exp(static_cast<double>(logits(0, c)) - static_cast<double>(logits(0, static_cast<std::size_t>(argmax(logits, 0))))));
    const double total = std::accumulate(p.begin(), p.end(), 0.0);
    for (double& x : p) x /= total;
    return p;
  }
};

struct arguments {
  std::string data, eval;
  int epochs = 20;
  std::vector<std::string> given_names;
};
arguments parse(int count, char** given) {
  arguments result;
  for (int k = 1; k < count; ++k) {
    const std::string word = given[k];
    const auto value = [&]() -> std::string {
      if (k + 1 == count) throw std::invalid_argument(word + " needs a value");
      return given[++k];
    };
    if (word == "--data") result.data = value();
    else if (word == "--eval") result.eval = value();
    else if (word == "--epochs") result.epochs = std::atoi(value().c_str());
    else if (word.starts_with("--")) throw std::invalid_argument("unknown option " + word);
    else result.given_names.push_back(word);
  }
  if (result.data.empty()) throw std::invalid_argument("usage: surnames --data DIR [--eval FILE] [--epochs N] [NAME ...]");
  if (result.epochs < 1) throw std::invalid_argument("--epochs needs a positive number");
  return result;
}

int run(const arguments& given) {
  const std::string path = given.data + "/names_train.csv";
  const std::vector<table_row> rows = read_table(path, 3);
  std::vector<std::string> words;
  for (const table_row& row : rows) words.push_back(row.fields[2]);
  const vocabulary languages(words);
  if (languages.size() != classes)
    throw data_error(path + ": expected " + std::to_string(classes) + " languages, got " + std::to_string(languages.size()));

  std::vector<table_row> training_rows, held_out_rows;
  const std::vector<int> order = shuffled(static_cast<int>(rows.size()), seed{2024}, 0);
  for (std::size_t k = 0; k < order.size(); ++k)
    (k < order.size() / 10 ? held_out_rows : training_rows).push_back(rows[static_cast<std::size_t>(order[k])]);
  const names train = read_names(path, training_rows, languages), held_out = read_names(path, held_out_rows, languages);
  const names eval = given.eval.empty() ? names{} : read_names(given.eval, read_table(given.eval, 3), languages);
  for (const std::string& name : given.given_names)
    if (name.empty() || name.size() > longest_name) throw input_error("name '" + name + "': between 1 and " + std::to_string(longest_name) + " bytes");

  std::printf("%d names to train on, %d held out\n\n%-6s %6s %11s %9s %13s %8s\n", train.count(), held_out.count(), "cell", "hidden",
              "parameters", "accuracy", "macro recall", "seconds");
  std::unique_ptr<model> best;
  double best_accuracy = -1;
  const auto enter = [&](std::unique_ptr<model> made) {
    const confusion judged = made->judge(held_out);
    std::printf("%-6s %6d %11ld %8.1f%% %12.1f%% %8.1f\n", made->cell.c_str(), made->hidden_size, made->parameter_count,
                100 * judged.accuracy(), 100 * judged.macro_recall(), made->seconds);
    std::fflush(stdout);
    if (judged.accuracy() > best_accuracy) best_accuracy = judged.accuracy(), best = std::move(made);
  };
  enter(std::make_unique<trained<rnn<50>>>("RNN", 50, train, given.epochs));
  enter(std::make_unique<trained<rnn<100>>>("RNN", 100, train, given.epochs));
  enter(std::make_unique<trained<lstm<50>>>("LSTM", 50, train, given.epochs));
  enter(std::make_unique<trained<lstm<100>>>("LSTM", 100, train, given.epochs));
  enter(std::make_unique<trained<gru<50>>>("GRU", 50, train, given.epochs));
  enter(std::make_unique<trained<gru<100>>>("GRU", 100, train, given.epochs));

  if (eval.count() > 0) {
    const confusion judged = best->judge(eval);
    std::printf("\n%s: %d names, accuracy %.1f%%, macro recall %.1f%% (%s, hidden %d)\n", given.eval.c_str(), eval.count(),
                100 * judged.accuracy(), 100 * judged.macro_recall(), best->cell.c_str(), best->hidden_size);
  }
  for (const std::string& name : given.given_names) {
    const std::vector<double> p = best->probabilities(bytes_of(name));
    std::vector<int> by_likelihood(classes);
    std::iota(by_likelihood.begin(), by_likelihood.end(), 0);
    const auto likelihood = [&](int language) { return p[static_cast<std::size_t>(language)]; };
    std::sort(by_likelihood.begin(), by_likelihood.end(),
              [&](int a, int b) { return likelihood(a) != likelihood(b) ? likelihood(a) > likelihood(b) : a < b; });
    std::printf("\n%s\n", name.c_str());
    for (std::size_t k = 0; k < 5; ++k)
      std::printf("  %5.1f%%  %s\n", 100 * p[static_cast<std::size_t>(by_likelihood[k])], languages.word(by_likelihood[k]).c_str());
  }
  return 0;
}

int main(int count, char** given) {
  try {
    return run(parse(count, given));
  } catch (const std::exception& error) {
    std::cerr << "surnames: " << error.what() << "\n";
    return 2;
  }
}
