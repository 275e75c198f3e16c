// The index lookup of ../index_lookup.cpp on a device: the same graph, seeds and random bits.
//   index_lookup --backend cuda|thrust|cpu --epochs 30
// Each backend has its own file: a compiler needs memory for every trainer in a file, and nvcc needs the most.
//   nvcc -std=c++20 -O2 -arch=native --expt-relaxed-constexpr -I include -I examples examples/on_device/{cuda,thrust}.cu
//        examples/on_device/{index_lookup,cpu}.cpp -o index_lookup
// Without a GPU, the backend thrust runs on one thread of a plain CPU, and cuda is not available:
//   g++ -std=c++20 -O3 -march=native -I include -I examples examples/on_device/*.cpp -o index_lookup
#include "arguments.hpp"
#include "backends.hpp"

#include <cstdio>
#include <stdexcept>
#include <string>

int run(const std::string& wanted, int epochs) {
  std::string names;
  for (const backend_of_program& backend : backends()) {
    names += (names.empty() ? "" : "|") + backend.name;
    if (backend.name != wanted) continue;
    const double accuracy = backend.learned(epochs);  // throws if there is no device, its driver is too old or its memory too small
    std::printf("test accuracy on %s: %.4f\n", wanted.c_str(), accuracy);
    return accuracy >= 0.999 ? 0 : 1;
  }
  throw std::invalid_argument("--backend: expected " + names + ", got '" + wanted + "'");
}

int main(int count, char** words) {
  std::string backend = "thrust";
  int epochs = 30;
  return command_line::program("index_lookup: which digit is at position i of a sequence?", count, words,
      {{"--backend", &backend, "what computes: cuda, thrust or cpu, if it was compiled into the program"},
       {"--epochs", &epochs, "how often the sequences are seen", 1}},
      [&] { return run(backend, epochs); });
}
