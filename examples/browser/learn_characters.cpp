// learn_characters --data FILE: trains the network of characters.hpp on a text, and writes the file that the page fetches, in half precision.
//
//   g++ -std=c++20 -O2 -march=native -pthread -I include examples/browser/learn_characters.cpp -o build/learn_characters
//   build/learn_characters --data tinyshakespeare.txt --to examples/browser/characters.safetensors
//
// The last tenth of the text is held out. What it costs, in bits per character, is computed with the numbers as they are in the file.
#include "../arguments.hpp"
#include "../cell_page.hpp"
#include "characters.hpp"

#include <tenon/data.hpp>
#include <tenon/io.hpp>
#include <tenon/train.hpp>

#include <xtl/xhalf_float.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <numbers>
#include <string>
#include <vector>

using namespace tenon;
using browser::character_model;

using output_state = carry<"states.h_n", "h0">;
using cell_state = carry<"states.c_n", "c0">;
using training = trainer<character_model, losses::cross_entropy<"logits">, optimizers::adam, batch<32>>;

struct arguments {
  std::string data, to = "characters.safetensors";
  int epochs = 8;
  double rate = 5e-3;
};

std::string sorted_characters(const std::string& text) {
  std::string all;
  for (int code = 0; code < 128; ++code)
    if (text.find(static_cast<char>(code)) != std::string::npos) all += static_cast<char>(code);
  if (all.size() != browser::different_characters || text.find_first_not_of(all) != std::string::npos)
    throw data_error("expected a text of " + std::to_string(browser::different_characters) +
                     " different characters of ASCII");
  return all;
}

// The mean of -log2 p(character | all before it).
double bits_per_character(streaming<character_model>& live, const std::vector<int>& text, int line_break) {
  const int steps = static_cast<int>(text.size());
  auto judge = forced_decoding<"text">(live, {.start = line_break, .max_steps = steps});
  judge(std::vector<std::vector<int>>(1, text));
  return -judge.log_probability() / steps / std::numbers::ln2;
}

// The units that follow a pattern of the text: a line "pattern: unit" for each.
std::string ranked_units(streaming<character_model>& live, const std::vector<int>& tokens,
                         const std::string& all) {
  cell_page::states cells{.units = browser::units};
  std::vector<std::string> characters;
  live.reset();
  for (const int token : tokens) {
    characters.emplace_back(1, all[static_cast<std::size_t>(token)]);
    live.step(std::vector{token});
    for (const float state : get_state<"states.c_n">(live)) cells.values.push_back(std::tanh(state));
  }
  std::string lines;
  for (const auto& [pattern, best] : cell_page::rank_units(cells, characters)) {
    std::printf("unit %3d follows '%s' (%+.2f)\n", best[0].first, pattern.c_str(), best[0].second);
    lines += pattern + ": " + std::to_string(best[0].first) + "\n";
  }
  return lines;
}

// Rewrites a file of parameters in half precision.
void write_halves(const std::string& from, const std::string& to,
                  const std::map<std::string, std::string>& metadata) {
  const io::safetensors_file file(from);
  std::vector<std::vector<std::uint16_t>> halves;
  std::vector<io::named_tensor> tensors;
  for (const io::named_tensor& tensor : file.tensors()) {
    std::vector<float> numbers(static_cast<std::size_t>(tensor.size()));
    io::read_numbers(tensor, 0, tensor.size(), numbers.data());
    std::vector<std::uint16_t>& rounded = halves.emplace_back();
    for (const float number : numbers)
      rounded.push_back(std::bit_cast<std::uint16_t>(xtl::half_float(number)));
    tensors.push_back({tensor.name, io::dtype::float16, tensor.shape, rounded.data()});
  }
  io::write_safetensors(to, tensors, metadata);
}

int learn(const arguments& wanted) {
  const std::string text = io::read_text(wanted.data), all = sorted_characters(text);
  std::vector<int> tokens;
  for (const char letter : text) tokens.push_back(static_cast<int>(all.find(letter)));
  const auto cut = tokens.begin() + static_cast<std::ptrdiff_t>(tokens.size() * 9 / 10);
  const std::vector<int> train(tokens.begin(), cut), held_out(cut, tokens.end());
  const int line_break = static_cast<int>(all.find('\n'));

  parameters<character_model> theta(seed{1});
  training trainer(theta, {}, seed{2});
  trainer.max_norm = 1;
  std::printf("%zu characters to learn, %zu held out, %ld parameters\n", train.size(), held_out.size(),
              theta.count());
  fit(trainer, contiguous<"text", output_state, cell_state>(train),
      {.epochs = wanted.epochs,
       .validate = contiguous<"text", output_state, cell_state>(held_out),
       .schedule = schedules::cosine(wanted.rate),
       .log = stdout});

  save(theta, wanted.to);
  streaming<character_model> live(theta);
  set_input<"h0">(live, zeros{});
  set_input<"c0">(live, zeros{});
  std::printf("held out: %.4f bits per character\n", bits_per_character(live, held_out, line_break));
  const std::string lines = ranked_units(live, {held_out.begin(), held_out.begin() + 20000}, all);
  write_halves(wanted.to, wanted.to, {{"format", "pt"}, {"characters", all}, {"units", lines}});
  load(theta, wanted.to);
  std::printf("held out, in half precision: %.4f bits per character\n",
              bits_per_character(live, held_out, line_break));
  return 0;
}

int main(int count, char** words) {
  arguments wanted;
  return command_line::program(
      "learn_characters: trains the network of examples/browser/characters.hpp", count, words,
      {{"--data", &wanted.data, "a text of 65 different characters, such as tinyshakespeare"},
       {"--to", &wanted.to, "the file to write"},
       {"--epochs", &wanted.epochs, "how often the text is read", 1},
       {"--rate", &wanted.rate, "the learning rate at the start", 0}},
      [&] { return learn(wanted); });
}
