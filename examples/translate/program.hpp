// The command-line program of a model.
//
//   translate_bahdanau [--data DIR] [--help]
//
// DIR, or DIR/tok, holds train.lc.norm.tok.de and .en, val.lc.norm.tok.de and .en (Multi30k, task 1): lower-cased, tokenised, a sentence
// on each line. Without --data the program learns sentences of a small grammar. --eval translates a file FILE.de and compares with FILE.en in the
// same folder; without --eval it translates the held-out sentences. --output writes the translations, one on each line. If the checkpoint
// exists, training continues from it; if that training is complete, the program only translates.
#pragma once

#include "../arguments.hpp"
#include "translator.hpp"

#include <filesystem>
#include <stdexcept>
#include <string>

namespace translation {

struct arguments {
  std::string data, eval, checkpoint, output, attention;
  int epochs = 0, last_epoch = 0, beam = 0, threads = 1;
  std::uint64_t seed = 1;
};
inline std::vector<command_line::option> options_of(arguments& wanted) {
  return {{"--data", &wanted.data, "the sentences to learn from; without it those of a small grammar"},
          {"--epochs", &wanted.epochs, "how often they are read; 0: as often as the model needs"},
          {"--stop-after", &wanted.last_epoch, "ends after this one of them, with the rates of all", 1},
          {"--checkpoint", &wanted.checkpoint, "a file of the trained model; training continues from it"},
          {"--eval", &wanted.eval, "sentences that are translated; without it the held-out ones"},
          {"--beam", &wanted.beam, "the width of the search; without it 1 and 5", 1},
          {"--output", &wanted.output, "a file to write, with a translation on each line"},
          {"--attention", &wanted.attention, "a drawing to write, FILE.svg"},
          {"--threads", &wanted.threads, "how many of them compute", 1},
          {"--seed", &wanted.seed, "of parameters and dropout"}};
}

// The same arguments, with separate files for one model of a program that trains several: "run.ckpt" becomes "run.model.ckpt".
inline arguments files_of(arguments wanted, const std::string& model) {
  for (std::string* file : {&wanted.checkpoint, &wanted.output, &wanted.attention})
    if (!file->empty()) {
      const std::filesystem::path path = *file;
      *file = (path.parent_path() / (path.stem().string() + "." + model + path.extension().string())).string();
    }
  return wanted;
}

// Reads FILE.de and FILE.en.
inline sentence_pairs read_german_and_english(const std::string& german_path) {
  if (!german_path.ends_with(".de")) throw std::invalid_argument("expected a file of German sentences whose name ends with .de, got " + german_path);
  return read_pairs(german_path, german_path.substr(0, german_path.size() - 2) + "en");
}

// Trains a model, translates `judged`, and prints the scores.
template <class Model>
void run(const arguments& wanted, const corpus& known, sentence_pairs judged) {
  const int epochs = wanted.epochs > 0 ? wanted.epochs : wanted.data.empty() ? Model::epochs_of_grammar : Model::epochs;
  translator<Model> model(known, tenon::seed{wanted.seed}, wanted.threads);
  std::printf("%s, %ld parameters; %zu pairs of sentences to learn from, %zu held out; vocabularies of %d and %d words\n", Model::name, model.parameter_count(),
              known.train.source.size(), known.held_out.source.size(), known.source_words.size(), known.target_words.size());
  model.train(epochs, wanted.checkpoint, stdout, wanted.last_epoch);

  if (const long cut = cut_sources(judged, Model::size.steps - 1); cut > 0)
    std::printf("%ld of %zu sentences to translate are cut off after %d words\n", cut, judged.source.size(), Model::size.steps - 1);
  std::vector<translated> best;
  for (const int width : wanted.beam > 0 ? std::vector{wanted.beam} : std::vector{1, 5}) {
    const tenon::detail::stopwatch watch;
    best = model.translate(judged, width);
    std::printf("beam %d: %s  %.1f sentences/s\n", width, model.judge(best, judged.target).text().c_str(), static_cast<double>(best.size()) / watch.seconds());
  }
  const std::size_t shown = std::min<std::size_t>(best.size(), 5);
  for (std::size_t k = 0; k < shown; ++k)
    std::printf("\n  %s\n> %s\n= %s\n", joined(judged.source[k]).c_str(), joined(best[k].words).c_str(), joined(judged.target[k]).c_str());
  if (!wanted.output.empty()) {
    std::string all;
    for (const translated& one : best) all += joined(one.words) + "\n";
    tenon::detail::write_file(wanted.output, all);
  }
  if (!wanted.attention.empty()) {
    if (!Model::has_attention) throw std::invalid_argument(std::string("--attention: ") + Model::name + " has none");
    std::vector<tenon::io::heat_map> maps;
    for (std::size_t k = 0; k < shown; ++k) maps.push_back(model.map_of(judged.source[k], best[k]));
    tenon::detail::write_file(wanted.attention, tenon::io::heat_map_svg(maps));
  }
}

// Runs Model with the sizes of Multi30k, or without --data with those of the generated sentences.
template <template <sizes> class Model>
void run_with_sizes(const arguments& wanted) {
  const auto judged = [&](const corpus& known) { return wanted.eval.empty() ? known.held_out : read_german_and_english(wanted.eval); };
  if (wanted.data.empty()) {
    const corpus known = with_vocabularies(made_sentences(4000, tenon::seed{1}), made_sentences(200, tenon::seed{2}), small, 1);
    run<Model<small>>(wanted, known, judged(known));
  } else {
    const bool is_above = std::filesystem::is_directory(wanted.data + "/tok");
    const std::string folder = wanted.data + (is_above ? "/tok/" : "/");
    const corpus known = with_vocabularies(read_german_and_english(folder + "train.lc.norm.tok.de"), read_german_and_english(folder + "val.lc.norm.tok.de"),
                                           multi30k, 2);
    run<Model<multi30k>>(wanted, known, judged(known));
  }
}
inline constexpr const char* title = "translate: a model that translates from German to English";

template <template <sizes> class Model>
int program(int count, char** words) {
  arguments wanted;
  return command_line::program(title, count, words, options_of(wanted), [&] {
    run_with_sizes<Model>(wanted);
    return 0;
  });
}

}  // namespace translation
