// A program with files: a table and a vocabulary, a training with a schedule, a curve as a drawing, saved parameters, a refused file.
#include "words.hpp"
#include <tenon/io.hpp>
#include <tenon/tenon.hpp>
#include <tenon/train.hpp>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

using namespace tenon;
using namespace tenon::nn;

using sorter =
    graph<"sorter", input<"words", token<20>, steps<6>>, node<"embedded", embedding<20, 4>, "words">,
          node<"states", gru<3>, "embedded">, node<"logits", linear<2>, "states.final">, output<"logits">>;

namespace {

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace

int main(int, char** arguments) {
  const std::string folder = std::string(arguments[1]) + "/";
  std::ofstream(folder + "table.csv")
      << "text,kind\nA good day,up\n\"bad, bad luck\",down\na bad day,down\ngood luck,up\n";
  const examples all = examples_in(folder + "table.csv");
  std::printf("%s", text_of(folder + "table.csv.words").c_str());

  parameters<sorter> theta(seed{1});
  trainer<sorter, losses::cross_entropy<"logits">, optimizers::adam, batch<2>> training(theta);
  const auto samples = data_set(column<"words">(all.words), column<"target">(all.labels));
  const auto report =
      fit(training, samples, {.epochs = 5, .schedule = schedules::warm_up(2, schedules::cosine(0.1))});
  report.save(folder + "curve.svg");
  std::printf("%s", text_of(folder + "curve.svg").c_str());

  save(theta, folder + "sorter.safetensors");
  parameters<sorter> loaded(seed{2});
  load(loaded, folder + "sorter.safetensors");
  for (const std::string& path : {folder + "sorter.safetensors", folder + "none.csv"}) try {
      examples_in(path);
    } catch (const data_error& error) { std::printf("%s\n", error.what() + folder.size()); }
  return text_of(folder + "curve.svg").empty() ? 1 : 0;
}
