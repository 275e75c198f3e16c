// Surnames: from which of 18 languages does a name come? An embedding of its bytes, a recurrent layer, and a linear map from
// the final state; a table compares three cells in two sizes. The last row of the table adds a second opinion, of the pieces of the name.
//
//   surnames --data DIR [--help] [NAME ...]
//   surnames --data DIR --checkpoint names.ckpt NAME    keeps what is learnt, in a file for each model: the next question is answered at once
//
// DIR holds names_train.csv, lines of name,ascii,language. A tenth of it, drawn with a seed, is held out and compares the models.
// --splits N trains the last model in so many random splits, and prints mean and deviation. --eval scores another file of that format; each
// NAME gets its five likeliest languages; both use the most accurate model of the table.
#include "arguments.hpp"

#include <tenon/tenon.hpp>
#include <tenon/train.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

constexpr int classes = 18, longest_name = 32;

// --- names ------------------------------------------------------------------------------------------------------------------
struct names {
  std::vector<std::string> texts;
  std::vector<int> languages;
};
// Throws data_error, naming the line, for a name that is too long or an unknown language.
names read_names(const std::vector<io::table_row>& rows, const vocabulary& languages) {
  const auto text = [](const io::table_row& row) {
    if (const std::size_t bytes = row.fields[0].size(); bytes > longest_name)
      throw data_error(row.file->path + ":" + std::to_string(row.line) + ": the name has " + std::to_string(bytes) + " bytes, at most " +
                       std::to_string(longest_name) + " fit");
    return row.fields[0];
  };
  return {io::table_column(rows, text), io::table_column(rows, 2, languages)};
}
names some_of(const names& all, const std::vector<int>& rows) {
  names some;
  for (const int k : rows) {
    some.texts.push_back(all.texts[static_cast<std::size_t>(k)]);
    some.languages.push_back(all.languages[static_cast<std::size_t>(k)]);
  }
  return some;
}

// --- a recurrent layer over the bytes -------------------------------------------------------------------------------------------
template <class Recurrent>
using classifier = graph<"surnames",
    input<"name", token<256>, steps<longest_name>>,
    node<"embedded", chain<embedding<256, 64>, dropout<0.2>>,  "name">,
    node<"states",   Recurrent,                                "embedded">,
    node<"dropped",  dropout<0.3>,                             "states.final">,
    node<"logits",   linear<classes>,                          "dropped">,
    output<"logits">>;
const auto letters_of = [](const names& some) { return data_set(column<"name">(bytes_of(some.texts)), column<"target">(some.languages)); };

// --- a recurrent layer, and all pieces of the name --------------------------------------------------------------------------------
// All runs of one to five characters of the name with a mark at each end, and the whole name.
constexpr int most_pieces = 40000, longest_in_pieces = 5 * (longest_name + 2) + 1;
std::vector<std::string> pieces_of(const std::string& name) {
  const std::vector<std::string> characters = characters_of("^" + name + "$");
  std::vector<std::string> all{"=" + name};
  for (std::size_t first = 0; first < characters.size(); ++first) {
    std::string piece;
    for (std::size_t k = first; k < std::min(first + 5, characters.size()); ++k) all.push_back(piece += characters[k]);
  }
  return all;
}
struct largest_and_mean {
  static constexpr auto at(auto states) { return concat(max(states, along(states)), mean(states, along(states))); }
};
// The mean of both opinions' log probabilities, less a part of the log of each language's share in the training, so that rare languages are
// found more often (Menon et al. 2021, "logit adjustment"). Macro recall rises with this part, and from some value on accuracy falls.
struct both_opinions : equations::symbols {
  static constexpr init::start starts[]{{"part_of_log_share", init::constant(0)}};
  static constexpr auto at(auto of_letters, auto of_pieces) {
    return (log_softmax(of_letters) + log_softmax(of_pieces)) / 2 - vector<"part_of_log_share">;
  }
};
using two_opinions = graph<"two_opinions",
    input<"name",   token<256>, steps<longest_name>>,
    input<"pieces", token<most_pieces>, steps<longest_in_pieces, "pieces">>,
    node<"states",     chain<embedding<256, 64>, dropout<0.2>, gru<100, bidirectional>>,   "name">,
    node<"of_letters", chain<largest_and_mean, dropout<0.5>, linear<classes>>,             "states">,
    node<"bag",        chain<embedding<most_pieces, 64, sparse, initialized<"weight", init::normal(0, 0.1)>>, dropout<0.3>, sum_over<>>, "pieces">,
    node<"of_pieces",  chain<dropout<0.5>, linear<classes>>,                               "bag">,
    node<"logits",     with_options<both_opinions, frozen>,                                "of_letters", "of_pieces">,
    output<"logits">>;
using loss_of_both = losses::sum_of<losses::cross_entropy<"of_letters", "target">, losses::cross_entropy<"of_pieces", "target">>;

// The pieces that occur at least twice in the names to learn from.
struct letters_and_pieces {
  vocabulary known;
  explicit letters_and_pieces(const names& train)
      : known(counted(train), {.specials = {"<unk>"}, .unknown = "<unk>", .min_count = 2, .max_size = most_pieces}) {}
  auto operator()(const names& some) const {
    std::vector<std::vector<int>> pieces;
    for (const std::string& text : some.texts) {
      pieces.emplace_back();
      for (const std::string& piece : pieces_of(text))
        if (const auto number = known.number(piece)) pieces.back().push_back(*number);
    }
    return data_set(column<"name">(bytes_of(some.texts)), column<"pieces">(pieces), column<"target">(some.languages));
  }
  static word_counts counted(const names& train) {
    word_counts counts;
    for (const std::string& text : train.texts) counts.add_all(pieces_of(text));
    return counts;
  }
};

// --- training -----------------------------------------------------------------------------------------------------------------
struct training_plan {
  int epochs = 20;
  std::string checkpoint{};  // the beginning of the names of files
};
std::string file_name(std::string title) {
  std::replace_if(title.begin(), title.end(), [](char c) { return c == ' ' || c == ','; }, '_');
  return title;
}
// A trained model of any of these graphs.
struct model {
  std::string name;
  long parameter_count = 0;
  double seconds = 0;

  virtual ~model() = default;
  virtual std::vector<double> judge(const names& some) = 0;  // accuracy, macro recall
  virtual std::vector<double> probabilities(const std::string& text) const = 0;
};

// columns(names) is the data set of the graph.
template <class G, class Objective, class Rule, class Columns>
struct trained final : model {
  Columns columns;
  parameters<G> theta{seed{7}};
  trainer<G, Objective, Rule, batch<64>> teacher{theta, {}, seed{8}};

  trained(const std::string& title, const names& train, Columns with, const training_plan& given) : columns(std::move(with)) {
    name = title;
    parameter_count = theta.count();
    if constexpr (std::is_same_v<G, two_opinions>)
      for (int c = 0; c < classes; ++c) {
        const auto count = static_cast<double>(std::count(train.languages.begin(), train.languages.end(), c));
        const double share = std::max(1.0, count) / static_cast<double>(train.languages.size());
        get<"logits.part_of_log_share">(theta)(c) = static_cast<float>(0.4 * std::log(share));  // chosen on a tenth of the names to learn from
      }
    teacher.max_norm = 1;
    fit_options<trainer<G, Objective, Rule, batch<64>>> options{.epochs = given.epochs, .shuffle = seed{9}, .schedule = schedules::cosine(3e-3),
                                                                .label = name, .log = nullptr};
    if (!given.checkpoint.empty()) options.checkpoint = checkpoint{given.checkpoint + "." + file_name(title)};
    for (const reports::epoch& epoch : fit(teacher, columns(train), options).epochs) seconds += epoch.seconds;
  }
  std::vector<double> judge(const names& some) override {
    return evaluate(teacher, columns(some), {metric::accuracy{}, metric::macro_recall{}}).metrics;
  }
  std::vector<double> probabilities(const std::string& text) const override {
    inference<G> run(theta);
    return predict<"logits">(run, columns({{text}, {0}}), [](const auto& scores) { return softmax(scores); })[0];
  }
};
template <class Recurrent>
std::unique_ptr<model> with_cell(const std::string& title, const names& train, const training_plan& given) {
  using one = trained<classifier<Recurrent>, losses::cross_entropy<"logits">, optimizers::adam, decltype(letters_of)>;
  return std::make_unique<one>(title, train, letters_of, given);
}
std::unique_ptr<model> with_pieces(const names& train, const training_plan& given) {
  using one = trained<two_opinions, loss_of_both, optimizers::sparse_adam, letters_and_pieces>;
  return std::make_unique<one>("GRU 2 x 100, pieces", train, letters_and_pieces(train), given);
}

struct arguments {
  std::string data, eval;
  training_plan training;
  int splits = 0;
  std::vector<std::string> asked_names;
};

// Mean and deviation of accuracy and macro recall over random splits.
void judge_splits(const names& all, const arguments& wanted) {
  std::vector<double> sums(2), squares(2);
  for (int k = 0; k < wanted.splits; ++k) {
    const auto [train, held_out] = split(static_cast<int>(all.texts.size()), 0.1, seed{static_cast<std::uint64_t>(k + 1)});
    training_plan training = wanted.training;
    if (!training.checkpoint.empty()) training.checkpoint += ".split" + std::to_string(k + 1);
    const std::vector<double> judged = with_pieces(some_of(all, train), training)->judge(some_of(all, held_out));
    for (std::size_t m = 0; m < 2; ++m) {
      sums[m] += judged[m];
      squares[m] += judged[m] * judged[m];
    }
    std::printf("split %d: accuracy %.1f%%, macro recall %.1f%%\n", k + 1, 100 * judged[0], 100 * judged[1]);
    std::fflush(stdout);
  }
  const double n = wanted.splits;
  for (std::size_t m = 0; m < 2; ++m)
    std::printf("%s: mean %.1f%%, deviation %.1f\n", m == 0 ? "accuracy" : "macro recall", 100 * sums[m] / n,
                100 * std::sqrt(std::max(0.0, (squares[m] - sums[m] * sums[m] / n) / std::max(1.0, n - 1))));
}

int run(const arguments& wanted) {
  if (wanted.data.empty()) throw std::invalid_argument("--data is missing; see --help");
  const std::string path = wanted.data + "/names_train.csv";
  const std::vector<io::table_row> rows = io::read_table(path, 3);
  const vocabulary languages(io::table_column(rows, 2));
  if (languages.size() != classes)
    throw data_error(path + ": expected " + std::to_string(classes) + " languages, got " + std::to_string(languages.size()));

  const names all = read_names(rows, languages);
  if (wanted.splits > 0) {
    judge_splits(all, wanted);
    return 0;
  }
  const auto [train_rows, held_out_rows] = split(static_cast<int>(rows.size()), 0.1, seed{2024});
  const names train = some_of(all, train_rows), held_out = some_of(all, held_out_rows);
  for (const std::string& name : wanted.asked_names)
    if (name.empty() || name.size() > longest_name) throw input_error("name '" + name + "': between 1 and " + std::to_string(longest_name) + " bytes");

  std::printf("%zu names to train on, %zu held out\n\n%-20s %11s %9s %13s %8s\n", train.texts.size(), held_out.texts.size(), "cell and size",
              "parameters", "accuracy", "macro recall", "seconds");
  std::unique_ptr<model> best;
  double best_accuracy = -1;
  const auto enter = [&](std::unique_ptr<model> made) {
    const std::vector<double> judged = made->judge(held_out);
    std::printf("%-20s %11ld %8.1f%% %12.1f%% %8.1f\n", made->name.c_str(), made->parameter_count, 100 * judged[0], 100 * judged[1], made->seconds);
    std::fflush(stdout);
    if (judged[0] <= best_accuracy) return;
    best_accuracy = judged[0];
    best = std::move(made);
  };
  enter(with_cell<rnn<50>>("RNN 50", train, wanted.training));
  enter(with_cell<rnn<100>>("RNN 100", train, wanted.training));
  enter(with_cell<lstm<50>>("LSTM 50", train, wanted.training));
  enter(with_cell<lstm<100>>("LSTM 100", train, wanted.training));
  enter(with_cell<gru<50>>("GRU 50", train, wanted.training));
  enter(with_cell<gru<100>>("GRU 100", train, wanted.training));
  enter(with_pieces(train, wanted.training));

  if (!wanted.eval.empty()) {
    const names eval = read_names(io::read_table(wanted.eval, 3), languages);
    const std::vector<double> judged = best->judge(eval);
    std::printf("\n%s: %zu names, accuracy %.1f%%, macro recall %.1f%% (%s)\n", wanted.eval.c_str(), eval.texts.size(), 100 * judged[0], 100 * judged[1],
                best->name.c_str());
  }
  for (const std::string& name : wanted.asked_names) {
    const std::vector<double> p = best->probabilities(name);
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
       {"--eval", &wanted.eval, "a file of the same format, on which the best model is evaluated"},
       {"--epochs", &wanted.training.epochs, "how often the names are read", 1},
       {"--checkpoint", &wanted.training.checkpoint, "the beginning of the names of files that keep what is learnt; training continues from them"},
       {"--splits", &wanted.splits, "in how many random splits the model with pieces is trained and judged; 0: the table"},
       {"NAME", &wanted.asked_names, "a name, to which the best model gives its five likeliest languages"}},
      [&] { return run(wanted); });
}
