// The index lookup of ../index_lookup.cpp on a device: the same graph, seeds and random bits.
//   index_lookup --backend cuda|thrust|cpu --epochs 30
// Each backend has its own file: a compiler needs memory for every trainer in a file, and nvcc needs the most.
//   nvcc -std=c++20 -O2 -arch=native --expt-relaxed-constexpr -I include -I examples examples/on_device/{cuda,thrust}.cu
//        examples/on_device/{index_lookup,cpu}.cpp -o index_lookup
// Without a GPU, the backend thrust runs on one thread of a plain CPU, and cuda is not available:
//   g++ -std=c++20 -O3 -march=native -I include -I examples examples/on_device/*.cpp -o index_lookup
#include "backends.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

int main(int count, char** arguments) try {
  std::string wanted = "thrust", names;
  int epochs = 30;
  for (int k = 1; k < count; k += 2) {
    const std::string option = arguments[k], value = k + 1 < count ? arguments[k + 1] : "";
    if (option == "--backend") wanted = value;
    else if (option == "--epochs") epochs = std::atoi(value.c_str());
    else epochs = 0;
  }
  for (const backend_of_program& backend : backends()) {
    names += (names.empty() ? "" : "|") + backend.name;
    if (backend.name != wanted || epochs <= 0) continue;
    const double accuracy = backend.learned(epochs);
    std::printf("test accuracy on %s: %.4f\n", wanted.c_str(), accuracy);
    return accuracy >= 0.999 ? 0 : 1;
  }
  std::fprintf(stderr, "expected --backend %s, --epochs N\n", names.c_str());
  return 2;
} catch (const std::exception& error) {  // no device, a driver that is too old, too little memory
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
