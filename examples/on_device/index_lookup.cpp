// The index lookup of ../index_lookup.cpp on a device: the same graph, seeds and random bits.
//   index_lookup --backend thrust|cpu --epochs 30
// index_lookup.cu is this program for nvcc, which makes thrust a GPU; here it is one thread of a plain CPU:
//   g++ -std=c++20 -O3 -march=native -I include -I examples examples/on_device/index_lookup.cpp -o index_lookup
#include <tenon/on_device.hpp>

#include "digit_sequences.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

using namespace tenon;

using index_lookup = graph<"index_lookup",
    input<"tokens", token<10>, steps<10>>,
    input<"index",  token<10>>,
    node<"embedded", embedding<10, 128>,                                "tokens">,
    node<"states",   lstm<32, bidirectional, layers<2>, dropout<0.5>>,  "embedded">,
    node<"query",    chain<embedding<10, 128>, linear<64>>,             "index">,
    node<"context",  attention<score::dot>,                             "query", "states">,
    node<"logits",   linear<10>,                                        "context">,
    output<"logits">>;

// The accuracy on sequences that it was not trained on.
template <class Backend>
double learned(int epochs) {
  const auto train = digit_sequences(5000, seed{1}), test = digit_sequences(5000, seed{2});
  parameters<index_lookup> theta(seed{3});
  trainer<index_lookup, cross_entropy<"logits">, adam, batch<32>, on<Backend>> trainer(theta, {}, seed{4});
  fit(trainer, train, {.epochs = epochs, .shuffle = seed{5}, .schedule = schedules::cosine(2e-3), .log = stdout});
  return evaluate(trainer, test, {metric::accuracy{}}).metrics[0];
}

int main(int count, char** arguments) try {
  std::string backend = "thrust";
  int epochs = 30;
  for (int k = 1; k < count; k += 2) {
    const std::string option = arguments[k], value = k + 1 < count ? arguments[k + 1] : "";
    if (option == "--backend" && (value == "thrust" || value == "cpu")) backend = value;
    else if (option == "--epochs" && std::atoi(value.c_str()) > 0) epochs = std::atoi(value.c_str());
    else return std::fprintf(stderr, "%s %s: expected --backend thrust|cpu, --epochs N\n", option.c_str(), value.c_str()), 2;
  }
  const double accuracy = backend == "cpu" ? learned<backend::cpu>(epochs) : learned<backend::thrust_device>(epochs);
  std::printf("test accuracy on %s: %.4f\n", backend.c_str(), accuracy);
  return accuracy >= 0.999 ? 0 : 1;
} catch (const std::exception& error) {  // no device, a driver that is too old, too little memory
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
