// Runs the function of each file that this program was linked with.
#include "recurrent.hpp"

#include <cstdio>
#include <initializer_list>

[[gnu::weak]] answers run_baseline();
[[gnu::weak]] answers run_v3();
[[gnu::weak]] answers run_native();

namespace {

// Prints one line of numbers, which read back as the same bits.
void run(const char* name, answers (*function)()) {
  if (function == nullptr) return;
  const answers all = function();
  std::printf("%s", name);
  for (const auto* of : {&all.inference, &all.streaming, &all.trained})
    for (float y : *of) std::printf(" %.9g", static_cast<double>(y));
  for (double y : all.clipped) std::printf(" %.17g", y);
  std::printf("\n");
}

}  // namespace

int main() {
  run("baseline", run_baseline);
  run("v3", run_v3);
  run("native", run_native);
}
