// The command-line program of a model.
//
//   bahdanau [--data DIR] [--epochs N] [--checkpoint FILE] [--eval FILE] [--beam N] [--output FILE] [--attention FILE.svg]
//            [--threads N] [--seed N]
//
// DIR, or DIR/tok, holds train.lc.norm.tok.de and .en, val.lc.norm.tok.de and .en (Multi30k, task 1): lower-cased, tokenised, a sentence
// on each line. Without --data the program learns sentences of a small grammar. --eval translates a file FILE.de and compares with FILE.en in the
// same folder; without --eval it translates the held-out sentences. --output writes the translations, one on each line. If the checkpoint
// exists, training continues from it; if that training is complete, the program only translates.
#pragma once

#include "translator.hpp"

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <string>

namespace translation {

struct arguments {
  std::string data, eval, checkpoint, output, attention;
  int epochs = 0, beam = 0, threads = 1;  // 0: the model's epochs; beams of 1 and of 5
  int seed = 1;
};
inline arguments parse(int count, char** given) {
  arguments result;
  for (int k = 1; k < count; ++k) {
    const std::string word = given[k];
    const auto value = [&]() -> std::string {
      if (k + 1 == count) throw std::invalid_argument(word + " needs a value");
      return given[++k];
    };
    const auto number = [&](int least) {
      const std::string text = value();
      char* last = nullptr;
      const long n = std::strtol(text.c_str(), &last, 10);
      if (text.empty() || *last != '\0' || n < least || n > 1000000)
        throw std::invalid_argument(word + ": expected a number of at least " + std::to_string(least) + ", got '" + text + "'");
      return static_cast<int>(n);
    };
    if (word == "--data") result.data = value();
    else if (word == "--eval") result.eval = value();
    else if (word == "--checkpoint") result.checkpoint = value();
    else if (word == "--output") result.output = value();
    else if (word == "--attention") result.attention = value();
    else if (word == "--epochs") result.epochs = number(0);
    else if (word == "--beam") result.beam = number(1);
    else if (word == "--threads") result.threads = number(1);
    else if (word == "--seed") result.seed = number(0);
    else throw std::invalid_argument("unknown option " + word + "; there are --data, --epochs, --checkpoint, --eval, --beam, --output, --attention, --threads, --seed");
  }
  return result;
}

// The same arguments, with separate files for one model of a program that trains several: "run.ckpt" becomes "run.model.ckpt".
inline arguments files_of(arguments given, const std::string& model) {
  for (std::string* file : {&given.checkpoint, &given.output, &given.attention})
    if (!file->empty()) {
      const std::filesystem::path path = *file;
      *file = (path.parent_path() / (path.stem().string() + "." + model + path.extension().string())).string();
    }
  return given;
}

// Reads FILE.de and FILE.en.
inline sentence_pairs read_german_and_english(const std::string& german_path) {
  if (!german_path.ends_with(".de")) throw std::invalid_argument("expected a file of German sentences whose name ends with .de, got " + german_path);
  return read_pairs(german_path, german_path.substr(0, german_path.size() - 2) + "en");
}

// Trains a model, translates `judged`, and prints the scores.
template <class Model>
void run(const arguments& given, const corpus& known, const sentence_pairs& judged, int epochs) {
  translator<Model> model(known, tenon::seed{static_cast<std::uint64_t>(given.seed)}, given.threads);
  std::printf("%s, %ld parameters; %zu pairs of sentences to learn from, %zu held out; vocabularies of %d and %d words\n", Model::name, model.parameter_count(),
              known.train.source.size(), known.held_out.source.size(), known.source_words.size(), known.target_words.size());
  model.train(epochs, given.checkpoint);

  std::vector<translated> best;
  for (const int width : given.beam > 0 ? std::vector{given.beam} : std::vector{1, 5}) {
    const tenon::detail::stopwatch watch;
    best = model.translate(judged, width);
    std::printf("beam %d: %s  %.1f sentences/s\n", width, model.judge(best, judged.target).text().c_str(), static_cast<double>(best.size()) / watch.seconds());
  }
  const std::size_t shown = std::min<std::size_t>(best.size(), 5);
  for (std::size_t k = 0; k < shown; ++k)
    std::printf("\n  %s\n> %s\n= %s\n", joined(judged.source[k]).c_str(), joined(best[k].words).c_str(), joined(judged.target[k]).c_str());
  if (!given.output.empty()) {
    std::string all;
    for (const translated& one : best) all += joined(one.words) + "\n";
    tenon::detail::write_file(given.output, all);
  }
  if (!given.attention.empty()) {
    if (!Model::has_attention) throw std::invalid_argument(std::string("--attention: ") + Model::name + " has none");
    std::vector<attention_matrix> matrices;
    for (std::size_t k = 0; k < shown; ++k) matrices.push_back(model.matrix(judged.source[k], best[k]));
    tenon::detail::write_file(given.attention, attention_svg(matrices));
  }
}

// Runs Model with the sizes of Multi30k, or without --data with those of the generated sentences.
template <template <sizes> class Model>
int program(int count, char** argument_values) {
  try {
    const arguments given = parse(count, argument_values);
    const auto judged = [&](const corpus& known) { return given.eval.empty() ? known.held_out : read_german_and_english(given.eval); };
    if (given.data.empty()) {
      const corpus known = with_vocabularies(made_sentences(4000, tenon::seed{1}), made_sentences(200, tenon::seed{2}), small, 1);
      run<Model<small>>(given, known, judged(known), given.epochs > 0 ? given.epochs : 14);
    } else {
      using model = Model<multi30k>;
      const bool is_above = std::filesystem::is_directory(given.data + "/tok");
      const std::string folder = given.data + (is_above ? "/tok/" : "/");
      const corpus known = with_vocabularies(read_german_and_english(folder + "train.lc.norm.tok.de"), read_german_and_english(folder + "val.lc.norm.tok.de"),
                                             multi30k, 2);
      run<model>(given, known, judged(known), given.epochs > 0 ? given.epochs : model::epochs);
    }
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "translate: " << error.what() << "\n";
    return 2;
  }
}

}  // namespace translation
