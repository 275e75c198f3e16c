// How a network learns an amplifier from what went in and what came out, and how good and how fast it is.
#pragma once

#include "player.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

namespace amplifier {

// The error-to-signal ratio: the energy of the error divided by that of the target. As a loss it leaves out the first
// steps of a window: what the output there depends on is before the window.
template <int WarmUp>
struct error_to_signal_ratio {
  static constexpr auto at(auto out, auto target) {
    const auto counts = greater(position_of<"time">(out), WarmUp - 0.5);
    return with<"divisor">(counts * square(out - target), counts * square(target));
  }
};
inline double error_to_signal(signal out, signal target) {
  double error = 0, energy = 0;
  for (std::size_t t = 0; t < target.size(); ++t) {
    const double wanted = target[t], off = out[t] - wanted;
    error += off * off;
    energy += wanted * wanted;
  }
  return error / energy;
}

// What a linear amplifier without memory can do: the input times the gain of the least error.
inline std::vector<float> at_best_gain(signal dry, signal wet) {
  double both = 0, energy = 0;
  for (std::size_t t = 0; t < dry.size(); ++t) {
    both += double{dry[t]} * wet[t];
    energy += double{dry[t]} * dry[t];
  }
  std::vector<float> out(dry.begin(), dry.end());
  for (float& x : out) x *= static_cast<float>(both / energy);
  return out;
}

// Windows of the signals, each sample of which counts once, except those at the ends. The signals must outlive them.
template <class Network>
auto windows_of(signal dry, signal wet) {
  constexpr std::size_t window = Network::window, hop = window - Network::warm_up;
  if (dry.size() != wet.size() || dry.size() < window)
    throw input_error("expected two signals of the same length, at least " + std::to_string(window) +
                      " samples, got " + std::to_string(dry.size()) + " and " + std::to_string(wet.size()));
  const int count = static_cast<int>(1 + (dry.size() - window) / hop);
  const auto from = [](signal all) {
    return [all](int row) {
      return view<const float>(all.data() + static_cast<std::size_t>(row) * hop, {window, 1});
    };
  };
  return data_set(column<"in">(count, from(dry)), column<"target">(count, from(wet)));
}

template <class Network>
using loss_of = losses::mean_loss<error_to_signal_ratio<Network::warm_up>, "out">;

// Learns with Adam, while the learning rate falls along a cosine. The same seed gives the same parameters.
template <class Network, int Rows>
void learn(parameters<Network>& theta, signal dry, signal wet, int epochs, double rate,
           std::FILE* log = stdout) {
  trainer<Network, loss_of<Network>, optimizers::adam, batch<Rows>> teacher(theta);
  teacher.max_norm = 1;
  fit(teacher, windows_of<Network>(dry, wet),
      {.epochs = epochs, .shuffle = seed{2}, .schedule = schedules::cosine(rate), .log = log});
}

template <class Network>
std::vector<float> played(const parameters<Network>& theta, signal dry) {
  std::vector<float> out(dry.size());
  player_of<Network>(theta).process(dry, out.data());
  return out;
}

// The times of calls with a number of samples, in microseconds, and the real-time factor: the time that the signal
// takes to compute, divided by the time that it lasts.
struct timing {
  double median = 0, p999 = 0, worst = 0, real_time_factor = 0;
};
template <class Network>
timing time_of_calls(const parameters<Network>& theta, signal dry, std::size_t samples, double sample_rate) {
  using clock = std::chrono::steady_clock;
  std::vector<float> out(samples);
  player_of<Network> live(theta);
  std::vector<double> times;
  for (std::size_t t = 0; t + samples <= dry.size(); t += samples) {
    const auto start = clock::now();
    live.process(dry.subspan(t, samples), out.data());
    times.push_back(std::chrono::duration<double, std::micro>(clock::now() - start).count());
  }
  double all = 0;
  for (const double time : times) all += time;
  std::sort(times.begin(), times.end());
  return {times[times.size() / 2], times[times.size() * 999 / 1000], times.back(),
          all * 1e-6 * sample_rate / static_cast<double>(times.size() * samples)};
}

}  // namespace amplifier
