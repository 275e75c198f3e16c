// Trains three small networks and prints a hash of all bits of each: its parameters after training, and its outputs. tests/equal_bits/check compiles this
// for several processors, by two compilers, and compares what is printed with tests/golden/equal_bits.txt. Data are whole numbers and quotients
// of them, so that no function of a C library is in them.
#include "../support/hash_of_bits.hpp"
#include <tenon/tenon.hpp>
#include <tenon/train.hpp>

#include <array>
#include <cstdio>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

namespace {

template <class Trainer, class Outputs>
void print_hash(const char* name, Trainer& trained, const Outputs& outputs) {
  hash_of_bits all;
  const auto& theta = trained.theta();
  for (int k = 0; k < theta.count(); ++k) all.add(theta.data()[k]);
  for (std::size_t r = 0; r < outputs.shape(0); ++r)
    for (std::size_t j = 0; j < outputs.shape(1); ++j) all.add(outputs(r, j));
  std::printf("%s %016llx\n", name, static_cast<unsigned long long>(all.value()));
}

constexpr int rows = 37;
// A number from 0 to below - 1 that looks drawn.
int drawn(int r, int k, int below) {
  return int((unsigned(r) * 2654435761u + unsigned(k) * 40503u + 12345u) >> 9) % below;
}
std::vector<int> sentence(int r) {
  std::vector<int> words;
  for (int k = 0; k < 1 + drawn(r, 99, 9); ++k) words.push_back(drawn(r, k, 23));
  return words;
}
std::array<float, 2> measured(int r, int k) {
  return {float(drawn(r, k, 201) - 100) / 64, float(drawn(r, k + 50, 9)) / 8};
}

// A tagger of sentences: gates, attention with two softmaxes, dropout, Adam.
using reader =
    graph<"reader", input<"words", token<23>, steps<9>>, node<"embedded", embedding<23, 13>, "words">,
          node<"states", lstm<19, bidirectional, layers<2>, dropout<0.25>>, "embedded">,
          node<"topic", attention_over<11>, "states">, node<"logits", linear<5>, "topic">, output<"logits">>;
// A picture: windows, a transposition, layer normalisation, the error function, momentum.
using looker =
    graph<"looker", input<"image", features<1>, grid<9, 9>>,
          node<"strokes", chain<conv2d<7, 3, 3, padding<1>>, activation::gelu, max_pool2d<2, 2>>, "image">,
          node<"y", chain<flatten, linear<17>, layer_norm, activation::softplus, linear<3>>, "strokes">,
          output<"y">>;
// Frames: a block of a transformer and a GRU, AdamW with a schedule, gradients clipped by their norm.
using listener =
    graph<"listener", input<"frames", features<2>, steps<12>>, node<"wide", linear<20>, "frames">,
          node<"mixed", transformer_encoder<20, 2, 31, dropout<0.1>>, "wide">,
          node<"states", gru<21>, "mixed">, node<"y", linear<1>, "states">, output<"y">>;

template <class T, class F>
std::vector<T> each_row(F f) {
  std::vector<T> all;
  for (int r = 0; r < rows; ++r) all.push_back(f(r));
  return all;
}

void read() {
  const auto sentences = each_row<std::vector<int>>(sentence);
  const data_set data(column<"words">(sentences),
                      column<"target">(rows, [](int r) { return drawn(r, 3, 5); }));
  parameters<reader> theta(seed{1});
  trainer<reader, losses::cross_entropy<"logits">, optimizers::adam, batch<8>, shards<2>> training(theta);
  fit(training, data, {.epochs = 4});
  inference<reader, batch<rows>> trained(theta);
  print_hash("reader", training, trained(sentences));
}
void look() {
  const auto images = each_row<std::vector<float>>([](int r) {
    std::vector<float> image;
    for (int k = 0; k < 81; ++k) image.push_back(float(drawn(r, k, 65)) / 32 - 1);
    return image;
  });
  const data_set data(column<"image">(images), column<"target">(rows, [](int r) {
                        return std::array{measured(r, 7)[0], measured(r, 8)[0], measured(r, 9)[1]};
                      }));
  parameters<looker> theta(seed{2});
  trainer<looker, losses::mse<"y">, optimizers::sgd, batch<8>> training(
      theta, {.learning_rate = 0.05, .momentum = 0.75});
  fit(training, data, {.epochs = 4});
  std::vector<float> all;
  for (const auto& image : images) all.insert(all.end(), image.begin(), image.end());
  inference<looker, batch<rows>> trained(theta);
  print_hash("looker", training, trained(all));
}
void listen() {
  const auto frames = each_row<std::vector<std::array<float, 2>>>([](int r) {
    std::vector<std::array<float, 2>> all;
    for (int t = 0; t < 1 + drawn(r, 77, 12); ++t) all.push_back(measured(r, t));
    return all;
  });
  const data_set data(column<"frames">(frames), column<"target">(rows, [](int r) {
                        return std::vector<std::array<float, 1>>(std::size_t(1 + drawn(r, 77, 12)),
                                                                 {measured(r, 5)[0]});
                      }));
  parameters<listener> theta(seed{3});
  trainer<listener, losses::mse<"y">, optimizers::adamw, batch<8>> training(theta);
  training.max_norm = 1;
  fit(training, data, {.epochs = 4, .schedule = schedules::warm_up(5, schedules::cosine(3e-3))});
  inference<listener, batch<rows>> trained(theta);
  const auto y = trained(frames);
  std::vector<float> firsts;
  for (std::size_t r = 0; r < std::size_t(rows); ++r)
    for (std::size_t t = 0; t < 12; ++t) firsts.push_back(y(r, t, 0));
  print_hash("listener", training, view<const float>(firsts.data(), {std::size_t(rows), 12}));
}

}  // namespace

int main() {
  read();
  look();
  listen();
}
