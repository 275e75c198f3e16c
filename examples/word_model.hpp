// A language model of words: the table of the words, two layers of LSTM, and the same table again, which scores the next word
// (Zaremba et al. 2014; tied tables: Press and Wolf 2017; Inan et al. 2017).
#pragma once

#include <tenon/data.hpp>
#include <tenon/decode/decode.hpp>
#include <tenon/tenon.hpp>
#include <tenon/train.hpp>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace word_model {

inline constexpr const char *end_of_line = "<eos>", *unknown = "<unk>";

// The words of a text; each line ends in <eos>, also an empty one.
inline std::vector<std::string> read_words(const std::string& path) {
  std::vector<std::string> words;
  for (const std::string& line : tenon::io::read_lines(path)) {
    for (std::string& word : tenon::words_of(line)) words.push_back(std::move(word));
    words.push_back(end_of_line);
  }
  return words;
}
// <unk>, <eos>, and the most frequent words.
inline tenon::vocabulary most_frequent(const std::vector<std::string>& words, int size) {
  return tenon::vocabulary(tenon::word_counts(words), {.specials = {unknown, end_of_line}, .unknown = unknown, .max_size = size});
}
// Converts a vocabulary to one text, which a checkpoint keeps, and back.
inline std::string text_of(const tenon::vocabulary& known) {
  std::string all;
  for (const std::string& word : known) all += word + "\n";
  return all;
}
inline tenon::vocabulary vocabulary_of(const std::string& text) {
  return tenon::vocabulary(tenon::word_counts(), {.specials = tenon::words_of(text), .unknown = unknown});
}

// Sentences whose verb agrees with the noun two words before it.
inline std::vector<std::string> small_text(int lines, tenon::seed s) {
  const char* const how[]{"now", "often", "rarely"};
  tenon::backend::random_stream random(s.value, 0);
  std::vector<std::string> words;
  for (int line = 0; line < lines; ++line) {
    const bool are_many = random.below(2) == 1;
    for (const char* word : {are_many ? "cats" : "cat", how[random.below(3)], are_many ? "sleep" : "sleeps", end_of_line})
      words.push_back(word);
  }
  return words;
}

template <int Words, int Hidden, int Steps, auto Dropped>
using network = tenon::graph<"words",
    tenon::input<"text", tenon::token<Words>, tenon::steps<Steps>>,
    tenon::input<"h0",   tenon::layers<2>, tenon::features<Hidden>>,
    tenon::input<"c0",   tenon::layers<2>, tenon::features<Hidden>>,
    tenon::node<"embedded", tenon::nn::embedding<Words, Hidden, tenon::nn::initialized<"weight", tenon::init::uniform(-0.1, 0.1)>>,  "text">,
    tenon::node<"inputs",   tenon::nn::dropout<Dropped>,                                            "embedded">,
    tenon::node<"states",   tenon::nn::lstm<Hidden, tenon::layers<2>, tenon::nn::dropout<Dropped>>,      "inputs", "h0", "c0">,
    tenon::node<"outputs",  tenon::nn::dropout<Dropped>,                                            "states">,
    tenon::node<"logits",   tenon::nn::linear<Words, tenon::nn::initialized<"bias", tenon::init::constant(0)>>,  "outputs">,
    tenon::tied<"embedded.weight", "logits.weight">,
    tenon::output<"logits">, tenon::output<"states.h_n">, tenon::output<"states.c_n">>;

struct plan {  // the plan of a training
  int epochs = 6;
  double rate = 20;
  std::string checkpoint{};                                       // empty: none
  std::function<void(const tenon::reports::epoch&)> after_epoch{};  // is called after each epoch
};

// Texts are sequences of word numbers. Training runs on `Streams` pieces of a text at once, `Steps` words at a time.
template <int Words, int Hidden, int Streams, int Steps, auto Dropped = 0.2>
class language_model {
 public:
  static constexpr int most_words = Words;
  using graph = network<Words, Hidden, Steps, Dropped>;
  using training = tenon::trainer<graph, tenon::losses::cross_entropy<"logits">, tenon::optimizers::sgd, tenon::batch<Streams>,
                                  tenon::shards<Streams % 4 == 0 ? 4 : 2>>;

  // As one of several ranks, if `world` has more: see examples/distributed.
  explicit language_model(tenon::vocabulary known, int threads = 1, tenon::seed s = tenon::seed{1}, const tenon::distribute::any_communicator& world = {})
      : known_(std::move(known)), theta_(s), world_(world), trainer_(theta_, {}, tenon::seed{s.value + 1}, tenon::threads{threads}, world_) {
    if (known_.size() > Words)
      throw tenon::data_error("a vocabulary of " + std::to_string(known_.size()) + " words: at most " + std::to_string(Words) + " fit");
    trainer_.max_norm = 0.25;
  }
  const tenon::vocabulary& known() const { return known_; }
  long parameter_count() const { return theta_.count(); }

  void load(const std::string& path) { tenon::io::load_checkpoint(trainer_, path); }

  tenon::reports::history train(const std::vector<int>& text, const std::vector<int>& held_out, const plan& given) {
    using h = tenon::carry<"states.h_n", "h0">;
    using c = tenon::carry<"states.c_n", "c0">;
    tenon::fit_options<training> options{.epochs = given.epochs,
                                         .validate = tenon::contiguous<"text", h, c>(held_out),
                                         .schedule = tenon::schedules::linear_decay(given.rate)};
    options.log = nullptr;
    if (given.after_epoch) options.after_epoch = given.after_epoch;
    if (!given.checkpoint.empty()) options.checkpoint = tenon::checkpoint{.path = given.checkpoint, .must_match = {{"words", text_of(known_)}}};
    return tenon::fit(trainer_, tenon::contiguous<"text", h, c>(text), options);
  }

  // The mean of -log p(word | all before it), in nats, over all words of a text, in one stream; an end of line is put before the text.
  template <class Backend = tenon::backend::cpu>
  double judge(const std::vector<int>& text) const {
    std::vector<int> all{known_.at(end_of_line)};
    all.insert(all.end(), text.begin(), text.end());
    const auto windows = tenon::contiguous<"text", tenon::carry<"states.h_n", "h0">, tenon::carry<"states.c_n", "c0">>(all);
    tenon::evaluation<graph, tenon::losses::cross_entropy<"logits">, tenon::batch<1>, tenon::on<Backend>> session;
    windows.start(session);
    for (int k = 0; k < windows.windows(session); ++k) {
      windows.set_window(session, k);
      session.add(theta_);
      windows.carry(session);
    }
    return session.loss();
  }

  // Continues a text.
  std::string write(std::vector<int> prompt, const tenon::decoding::generate_options& options) const {
    prompt.insert(prompt.begin(), known_.at(end_of_line));
    tenon::streaming<graph> live(theta_);
    set_input<"h0">(live, tenon::zeros{});
    set_input<"c0">(live, tenon::zeros{});
    auto write = tenon::generate<"text">(live, options);
    write(prompt);
    std::string text;
    for (const int number : write.text()) {  // there may be room for more words than are known
      const std::string word = number < known_.size() ? known_.word(number) : unknown;
      text += word == end_of_line ? "\n" : word + " ";
    }
    return text;
  }

 private:
  tenon::vocabulary known_;
  tenon::parameters<graph> theta_;
  tenon::distribute::any_communicator world_;
  training trainer_;
};

}  // namespace word_model
