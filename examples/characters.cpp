// Characters: a language model of the characters of a text, two layers of LSTM, trained on windows of the text with the state carried
// from one to the next (Graves 2013; Karpathy, Johnson and Fei-Fei 2016). It continues a given text, and colours a text by its cells.
//
//   characters --data DIR           trains, and continues from --checkpoint FILE if that exists
//   characters --checkpoint FILE    a model that was trained before
//   characters                      trains for seconds on a small generated text
//   characters --help               what else it does
//
// DIR holds one text, *.txt. Its last tenth is held out for validation, and what counting five characters knows of it is printed beside.
#include "arguments.hpp"
#include "cell_page.hpp"
#include "ngram.hpp"

#include <tenon/data.hpp>
#include <tenon/decode/decode.hpp>
#include <tenon/tenon.hpp>
#include <tenon/train.hpp>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

constexpr int most_characters = 128;  // different ones

template <int Hidden, int Steps>
using character_model = graph<"characters",
    input<"text", token<most_characters>, steps<Steps>>,
    input<"h0",   layers<2>, features<Hidden>>,
    input<"c0",   layers<2>, features<Hidden>>,
    node<"embedded", embedding<most_characters, 64>,          "text">,
    node<"states",   lstm<Hidden, layers<2>, dropout<0.25>>,   "embedded", "h0", "c0">,
    node<"dropped",  dropout<0.25>,                            "states">,
    node<"logits",   linear<most_characters>,                 "dropped">,
    output<"logits">, output<"states.h_n">, output<"states.c_n">>;

struct arguments {
  std::string data, eval, checkpoint, page, prompt;
  int epochs = 14, threads = 2;
  double rate = 3e-3;
  decoding::generate_options writing{.max_steps = 500, .choice = {.temperature = 0.8}};
};

// The one text in a folder.
std::string find_text(const std::string& folder) {
  if (!std::filesystem::is_directory(folder)) throw data_error(folder + ": there is no such folder");
  std::string found;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".txt") continue;
    if (!found.empty()) throw data_error(folder + ": expected one file *.txt, got " + found + " and " + entry.path().string());
    found = entry.path().string();
  }
  if (found.empty()) throw data_error(folder + ": has no file *.txt");
  return found;
}
// The numbers of a text's characters. Throws data_error, naming the place, for a character that the model does not know.
std::vector<int> encode(const vocabulary& known, const std::string& text, const std::string& place) {
  std::vector<int> tokens;
  long line = 1;
  for (const std::string& c : characters_of(text)) {
    const auto number = known.number(c);
    if (!number)
      throw data_error(place + ":" + std::to_string(line) + ": the character '" + c + "' is not among the " +
                       std::to_string(known.size()) + " that the model has been trained on");
    tokens.push_back(*number);
    line += c == "\n";
  }
  return tokens;
}

template <int Hidden, int Streams, int Steps>
class language_model {
  using G = character_model<Hidden, Steps>;
  using training = trainer<G, losses::cross_entropy<"logits">, optimizers::adam, batch<Streams>, shards<Streams % 4 == 0 ? 4 : 2>>;

 public:
  // `all` lists the different characters of the text.
  language_model(const std::string& all, int threads_at_once)
      : characters_(all), known_(characters_of(all)), trainer_(theta_, {}, seed{2}, threads{threads_at_once}) {
    if (known_.size() > most_characters)
      throw data_error("the text has " + std::to_string(known_.size()) + " different characters, at most " +
                       std::to_string(most_characters) + " fit");
    trainer_.max_norm = 1;
  }
  const vocabulary& known() const { return known_; }
  long parameter_count() const { return theta_.count(); }

  void load(const std::string& path) { io::load_checkpoint(trainer_, path); }
  void train(const std::vector<int>& text, const std::vector<int>& held_out, const arguments& wanted) {
    using h = carry<"states.h_n", "h0">;
    using c = carry<"states.c_n", "c0">;
    const double steps = static_cast<double>(text.size());
    fit_options<training> options{.epochs = wanted.epochs,
                                  .validate = contiguous<"text", h, c>(held_out),
                                  .schedule = schedules::cosine(wanted.rate),
                                  .after_epoch = [&](const reports::epoch& e) {
                                    std::printf("epoch %2d/%d  loss %.4f  held out %.4f nats per character  %.0f s, %.0f characters per second\n",
                                                e.epoch, wanted.epochs, e.loss, e.validation_loss, e.seconds, steps / e.seconds);
                                    std::fflush(stdout);
                                  },
                                  .log = nullptr};
    if (!wanted.checkpoint.empty()) options.checkpoint = checkpoint{.path = wanted.checkpoint, .must_match = {{"characters", characters_}}};
    fit(trainer_, contiguous<"text", h, c>(text), options);
  }

  // The mean of -log p(character | all before it), in nats; a line break is put before the text.
  double judge(const std::vector<int>& text) {
    const int steps = static_cast<int>(text.size());
    set_input<"h0">(live_, zeros{});
    set_input<"c0">(live_, zeros{});
    auto judge = forced_decoding<"text">(live_, {.start = known_.number("\n").value_or(0), .max_steps = steps});
    judge(std::vector<std::vector<int>>(1, text));
    return -judge.log_probability() / steps;
  }
  std::string write(const std::vector<int>& prompt, const decoding::generate_options& options) {
    set_input<"h0">(live_, zeros{});
    set_input<"c0">(live_, zeros{});
    auto write = generate<"text">(live_, options);
    write(prompt);
    std::string text;
    for (int token : write.text()) text += token < known_.size() ? known_.word(token) : "";
    return text;
  }
  // tanh of the cells of both layers, after each character.
  cell_page::states cells(const std::vector<int>& text) {
    cell_page::states all{.units = 2 * Hidden};
    set_input<"h0">(live_, zeros{});
    set_input<"c0">(live_, zeros{});
    live_.reset();
    for (int token : text) {
      live_.step(std::vector{token});
      for (float c : get_state<"states.c_n">(live_)) all.values.push_back(std::tanh(c));
    }
    return all;
  }

 private:
  std::string characters_;
  vocabulary known_;
  parameters<G> theta_{seed{1}};
  training trainer_;
  streaming<G> live_{theta_};
};
using full_model = language_model<256, 64, 48>;

std::string different_characters(const std::string& text) {
  std::string all;
  for (const std::string& c : vocabulary(characters_of(text))) all += c;
  return all;
}
void say(const char* what, double nats, std::size_t count) {
  std::printf("%s: %zu characters, %.4f nats per character (%.4f bits)\n", what, count, nats, nats / std::numbers::ln2);
}
template <class Model>
void write_page(Model& model, const std::string& path, const std::string& text, const std::vector<int>& tokens) {
  const std::vector<std::string> characters = characters_of(text);
  const cell_page::states cells = model.cells(tokens);
  const auto rankings = cell_page::rank_units(cells, characters);
  for (const auto& r : rankings) std::printf("unit %d follows '%s' (%+.2f)\n", r.best[0].first, r.pattern.c_str(), r.best[0].second);
  if (!(std::ofstream(path) << cell_page::page("What the cells hold", characters, cells, rankings, 3000)).flush())
    throw data_error(path + ": cannot be written");
}

// A small text with indentation and quotation marks.
std::string small_text() {
  const char* const words[]{"the", "cat", "ran"};
  backend::random_stream random(5, 0);
  std::string text;
  for (int line = 0; line < 150; ++line) {
    text += std::string(2 * random.below(3), ' ');
    for (int part = 0; part < 2; ++part) {
      text += words[random.below(3)] + std::string(part == 0 ? " \"" : "\"");
      if (part == 0) text += words[random.below(3)];
    }
    text += "\n";
  }
  return text;
}

template <class Model>
void answer(Model& model, const arguments& wanted, const std::string& held_out, const std::string& place) {
  std::string judged = held_out, from = place;
  if (!wanted.eval.empty()) {
    judged = io::read_text(wanted.eval);
    from = wanted.eval;
    const std::vector<int> tokens = encode(model.known(), judged, from);
    say(wanted.eval.c_str(), model.judge(tokens), tokens.size());
  }
  if (!wanted.prompt.empty())
    std::printf("%s%s\n", wanted.prompt.c_str(),
                model.write(encode(model.known(), wanted.prompt, "--generate"), wanted.writing).c_str());
  if (!wanted.page.empty()) {
    if (judged.empty()) throw data_error("--page: there is no text to colour; give --data or --eval");
    write_page(model, wanted.page, judged, encode(model.known(), judged, from));
  }
}

// Trains on all but the last tenth, and evaluates on this.
template <class Model>
double learn(Model& model, const std::string& text, const std::string& place, const arguments& wanted) {
  const std::vector<int> all = encode(model.known(), text, place);
  const auto cut = all.begin() + static_cast<std::ptrdiff_t>(all.size() * 9 / 10);
  const std::vector<int> train(all.begin(), cut), held_out(cut, all.end());
  std::printf("%s: %zu characters, %d different ones; %ld parameters\n", place.c_str(), all.size(), model.known().size(), model.parameter_count());
  model.train(train, held_out, wanted);
  const double nats = model.judge(held_out);
  say("held out", nats, held_out.size());
  const double counted = examples::ngram_model(5, model.known().size(), train).judge(held_out);
  say("the same by counting five characters", counted, held_out.size());
  std::printf("%.3f of it\n", nats / counted);
  std::string last;  // the held-out text
  for (int token : held_out) last += model.known().word(token);
  answer(model, wanted, last, place);
  return nats;
}

int run(arguments wanted) {
  if (wanted.data.empty() && wanted.checkpoint.empty()) {
    const std::string text = small_text();
    language_model<32, 2, 16> model(different_characters(text), wanted.threads);
    wanted.epochs = 3;
    wanted.rate = 1e-2;
    wanted.writing.max_steps = std::min(wanted.writing.max_steps, 200);
    if (wanted.prompt.empty()) wanted.prompt = "  the \"";
    return learn(model, text, "a small text", wanted) < 1.6 ? 0 : 1;  // with 10 characters, a guess costs 2.3
  }
  if (!wanted.data.empty()) {
    const std::string place = find_text(wanted.data), text = io::read_text(place);
    full_model model(different_characters(text), wanted.threads);
    learn(model, text, place, wanted);
    return 0;
  }
  const io::safetensors_file file(wanted.checkpoint);
  const auto characters = file.metadata().find("characters");
  if (characters == file.metadata().end()) throw data_error(wanted.checkpoint + ": is no checkpoint of a model of characters");
  full_model model(characters->second, wanted.threads);
  model.load(wanted.checkpoint);
  answer(model, wanted, "", "");
  return 0;
}

int main(int count, char** words) {
  arguments wanted;
  return command_line::program("characters: a language model of the characters of a text", count, words,
      {{"--data", &wanted.data, "a folder with one text, *.txt"},
       {"--epochs", &wanted.epochs, "how often the text is read", 1},
       {"--threads", &wanted.threads, "how many of them compute", 1},
       {"--checkpoint", &wanted.checkpoint, "a file of the trained model; training continues from it"},
       {"--eval", &wanted.eval, "a text whose nats and bits per character are computed"},
       {"--generate", &wanted.prompt, "a text that the model continues"},
       {"--length", &wanted.writing.max_steps, "by how many characters", 1},
       {"--temperature", &wanted.writing.choice.temperature, "of the choice of characters, above 0: the lower it is, the likelier they are"},
       {"--top_k", &wanted.writing.choice.top_k, "choose from so many of the likeliest characters; 0: from all"},
       {"--top_p", &wanted.writing.choice.top_p, "choose from the likeliest characters that together have this probability", 0, 1},
       {"--draws", &wanted.writing.draws, "the share of characters that are drawn so; the others are the likeliest. 0.1: mostly the likeliest", 0, 1},
       {"--random", &wanted.writing.random.value, "the seed of the choice"},
       {"--page", &wanted.page, "an HTML page to write: the held-out text, or that of --eval, coloured by the state of a unit"}},
      [&] { return run(wanted); });
}
