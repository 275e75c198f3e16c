// The main function of every CUDA test program: without a device it says so and reports itself skipped.
#define DOCTEST_CONFIG_IMPLEMENT
#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include <cstdio>

int main(int argc, char** argv) {
  constexpr int skipped = 77;  // SKIP_RETURN_CODE in tests/CMakeLists.txt
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::puts("skipped: there is no CUDA device");
    return skipped;
  }
  return doctest::Context(argc, argv).run();
}
