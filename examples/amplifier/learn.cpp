// amplifier: learns a guitar amplifier from what went in and what came out. It simulates a distortion circuit, or reads
// two recordings, learns 9/10 of them, and says how near it is to the rest, and how fast.
#include "../arguments.hpp"
#include "circuit.hpp"
#include "learning.hpp"
#include "numbers.hpp"
#include "wav.hpp"
#include <tenon/io.hpp>

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace amplifier;

struct wishes {
  std::string dry, wet, network = "recurrent", name = "amplifier";
  int epochs = 0, seconds = 100;
  std::uint64_t seed = 1;
};

struct recordings {
  int sample_rate = simulated_rate;  // Hz
  std::vector<float> dry, wet;       // what goes into the amplifier, and what comes out
};

recordings simulated(int seconds) {
  recordings both;
  both.dry = plucked_strings(static_cast<std::size_t>(seconds) * simulated_rate, simulated_rate, 1);
  both.wet = through_circuit(both.dry, simulated_rate);
  return both;
}

recordings read(const std::string& dry, const std::string& wet) {
  sound in = read_wav(dry), out = read_wav(wet);
  if (in.sample_rate != out.sample_rate)
    throw data_error(wet + ": expected the " + std::to_string(in.sample_rate) + " Hz of " + dry + ", got " +
                     std::to_string(out.sample_rate));
  if (in.samples.size() != out.samples.size())
    throw data_error(wet + ": expected the " + std::to_string(in.samples.size()) + " samples of " + dry +
                     ", got " + std::to_string(out.samples.size()));
  return {in.sample_rate, std::move(in.samples), std::move(out.samples)};
}

template <class Network, int Rows>
int run(const wishes& wanted, const recordings& both, int epochs, double rate) {
  const std::size_t learned = both.dry.size() / 10 * 9;
  const signal dry(both.dry), wet(both.wet), new_dry = dry.subspan(learned), new_wet = wet.subspan(learned);
  parameters<Network> theta(seed{wanted.seed});
  const auto start = std::chrono::steady_clock::now();
  learn<Network, Rows>(theta, dry.first(learned), wet.first(learned),
                       wanted.epochs > 0 ? wanted.epochs : epochs, rate);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  std::printf("%ld parameters, %.0f s of sound, learned in %.0f s\n", theta.count(),
              static_cast<double>(learned) / both.sample_rate, took.count());

  const double ratio = error_to_signal(played(theta, new_dry), new_wet),
               before = error_to_signal(at_best_gain(new_dry, new_wet), new_wet);
  std::printf("held out: %.0f s, error-to-signal ratio %.4f (%.1f dB); a gain alone has %.4f\n",
              static_cast<double>(new_dry.size()) / both.sample_rate, ratio, 10 * std::log10(ratio), before);
  std::printf("samples of a call  median us  99.9 %% us  worst us  real-time factor\n");
  for (const std::size_t samples : {1u, 16u, 64u, 256u}) {
    const timing t = time_of_calls(theta, new_dry, samples, both.sample_rate);
    std::printf("%17zu %10.2f %10.2f %9.1f %17.4f\n", samples, t.median, t.p999, t.worst, t.real_time_factor);
  }

  if (wanted.dry.empty()) {
    write_wav(wanted.name + ".dry.wav", dry, both.sample_rate);
    write_wav(wanted.name + ".wet.wav", wet, both.sample_rate);
  }
  write_wav(wanted.name + ".learned.wav", played(theta, dry), both.sample_rate);
  save(theta, wanted.name + ".safetensors");
  write_numbers(wanted.name + ".hpp", theta, both.sample_rate);
  std::printf("written: %s.learned.wav, .safetensors and .hpp\n", wanted.name.c_str());
  return 0;
}

int learn_as(const wishes& wanted) {
  if (wanted.dry.empty() != wanted.wet.empty())
    throw std::invalid_argument("expected both --dry FILE and --wet FILE, or none");
  if (wanted.network != "recurrent" && wanted.network != "convolutional")
    throw std::invalid_argument("--network: expected recurrent or convolutional, got '" + wanted.network +
                                "'");
  const recordings both = wanted.dry.empty() ? simulated(wanted.seconds) : read(wanted.dry, wanted.wet);
  if (both.dry.size() < static_cast<std::size_t>(5 * both.sample_rate))
    throw input_error("expected at least 5 s of sound, got " +
                      std::to_string(static_cast<double>(both.dry.size()) / both.sample_rate));
  if (wanted.network == "recurrent") return run<recurrent_network, 32>(wanted, both, 40, 1e-2);
  return run<convolutional_network, 4>(wanted, both, 10, 4e-3);
}

}  // namespace

int main(int count, char** words) {
  wishes wanted;
  return command_line::program(
      "amplifier: learns an amplifier from what went in and what came out", count, words,
      {{"--dry", &wanted.dry, "a WAV file of what goes in; without it a guitar and a circuit are simulated"},
       {"--wet", &wanted.wet, "a WAV file of what comes out, as long and at the same rate"},
       {"--network", &wanted.network, "recurrent or convolutional"},
       {"--epochs", &wanted.epochs, "how often all is learned; without it 40, or 10 if convolutional", 1},
       {"--seconds", &wanted.seconds, "of the simulation", 5},
       {"--seed", &wanted.seed, "of the parameters' first values"},
       {"--name", &wanted.name, "the beginning of the names of the files that are written"}},
      [&] { return learn_as(wanted); });
}
