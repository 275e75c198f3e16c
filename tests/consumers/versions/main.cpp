// A program of which each half has a version of the library of its own.
#include <cstdio>

int version_of_old(), version_of_new();
float output_of_old(), output_of_new();
#ifdef MIXED
float sum_of_nothing();
#endif

int main() {
#ifdef MIXED
  std::printf("%g\n", static_cast<double>(sum_of_nothing()));
#endif
  std::printf("%d %g, %d %g\n", version_of_old(), static_cast<double>(output_of_old()), version_of_new(),
              static_cast<double>(output_of_new()));
}
