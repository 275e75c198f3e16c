// amplifier_play IN.wav OUT.wav: plays a recording through the learned amplifier, with the best instructions that the
// machine has. Without arguments it plays a tone with each set of instructions, and compares.
#include "../arguments.hpp"
#include "effect.hpp"
#include "learned.hpp"
#include "wav.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace amplifier;

std::vector<float> played(const level& with, std::vector<float> samples) {
  with.make(compiled_in())->process(samples, samples.data());
  return samples;
}

int play(const std::string& from, const std::string& to) {
  const sound dry = read_wav(from);
  if (dry.sample_rate != learned_rate)
    throw data_error(from + ": expected the " + std::to_string(learned_rate) + " Hz of the network, got " +
                     std::to_string(dry.sample_rate));
  write_wav(to, played(levels().back(), dry.samples), learned_rate);
  std::printf("%s: %.1f s with %s\n", to.c_str(), static_cast<double>(dry.samples.size()) / learned_rate,
              levels().back().name);
  return 0;
}

// Whether all levels give the same signal, within rounding.
int compare() {
  std::vector<float> tone(1000);
  for (std::size_t t = 0; t < tone.size(); ++t) tone[t] = std::sin(0.05f * static_cast<float>(t));
  const std::vector<float> expected = played(levels().front(), tone);
  float largest = 0;
  for (const level& each : levels()) {
    const std::vector<float> out = played(each, tone);
    float distance = 0;
    for (std::size_t t = 0; t < out.size(); ++t)
      distance = std::max(distance, std::abs(out[t] - expected[t]));
    std::printf("%-8s  the last sample is %.5f, at most %.1e from the first line's\n", each.name,
                static_cast<double>(out.back()), static_cast<double>(distance));
    largest = std::max(largest, distance);
  }
  return largest < 1e-5f ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  std::vector<std::string> files;
  return command_line::program(
      "amplifier_play: plays a WAV file through the learned amplifier", count, words,
      {{"IN.wav OUT.wav", &files, "from, and to; none: a comparison of all instruction sets"}}, [&] {
        if (files.empty()) return compare();
        if (files.size() != 2)
          throw std::invalid_argument("expected 2 files, IN.wav and OUT.wav, got " +
                                      std::to_string(files.size()));
        return play(files[0], files[1]);
      });
}
