// What the networks learn: a guitar of plucked strings, and a distortion circuit with two capacitors, which remember.
// Both are computed from physical equations, so that the example needs no recording.
#pragma once

#include <tenon/backend/random.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace amplifier {

constexpr int simulated_rate = 48000;  // samples of a second

// A diode clipper behind a coupling capacitor, after Yeh, Abel and Smith (2007), "Simplified, physically-informed
// models of distortion and overdrive guitar effects pedals". On one side are two diodes in series, so that loud notes
// charge the coupling capacitor and shift the clipping of those that follow.
//
//   u --- C1 --- R ---+----- v       C1 dv1/dt = i            i = (u - v1 - v) / R
//                     C2, diodes     C2 dv/dt  = i - diodes(v)
class circuit {
 public:
  explicit circuit(double sample_rate) : step_(1 / (sample_rate * steps_of_a_sample)) {}

  // The next sample. Between samples the input is a straight line.
  float operator()(float in) {
    for (int k = 1; k <= steps_of_a_sample; ++k)
      take_step(gain * (last_ + (in - last_) * k / steps_of_a_sample));
    last_ = in;
    return static_cast<float>(level * v_);
  }

 private:
  static constexpr int steps_of_a_sample = 4;
  static constexpr double gain = 8, level = 0.8;            // V, and 1 / V
  static constexpr double R = 2200, C1 = 1e-6, C2 = 10e-9;  // ohm, F: R C1 is 2.2 ms
  static constexpr double saturation = 2.52e-9;             // A, of a diode 1N914
  static constexpr double thermal = 45.3e-3;                // V, ideality factor times thermal voltage

  // The backward Euler method: in a step flow the currents that belong to the voltages at its end. Newton's iteration
  // finds v; its steps are limited, because the diodes' exponential functions are steep.
  void take_step(double u) {
    const double resistance = R + step_ / C1;
    double v = v_;
    for (int iteration = 0; iteration < 100; ++iteration) {
      const double forward = saturation * std::exp(v / thermal),
                   backward = saturation * std::exp(-v / (2 * thermal));
      const double current = (u - v1_ - v) / resistance - (forward - backward);
      const double slope = 1 + step_ / C2 * (1 / resistance + forward / thermal + backward / (2 * thermal));
      const double change = std::clamp((step_ / C2 * current - (v - v_)) / slope, -0.1, 0.1);
      v += change;
      if (std::abs(change) < 1e-9) break;
    }
    v1_ += step_ / C1 * (u - v1_ - v) / resistance;
    v_ = v;
  }

  double step_;                       // s
  double v1_ = 0, v_ = 0, last_ = 0;  // V over the capacitors; the last sample
};

inline std::vector<float> through_circuit(std::span<const float> dry, double sample_rate) {
  circuit one(sample_rate);
  std::vector<float> wet(dry.size());
  std::transform(dry.begin(), dry.end(), wet.begin(), [&](float sample) { return one(sample); });
  return wet;
}

// A period of a plucked string: noise, smoothed as by a soft pick, without a mean, at most 1.
inline std::vector<double> plucked_period(std::size_t samples, tenon::backend::random_stream& random) {
  std::vector<double> period(samples);
  for (double& x : period) x = 2 * random.uniform() - 1;
  for (int pass = 0; pass < 8; ++pass)
    for (std::size_t t = 0; t < samples; ++t) period[t] = 0.5 * (period[t] + period[(t + 1) % samples]);
  const double mean = std::accumulate(period.begin(), period.end(), 0.0) / static_cast<double>(samples);
  double peak = 0;
  for (double& x : period) peak = std::max(peak, std::abs(x -= mean));
  for (double& x : period) x /= peak;
  return period;
}

// Plucked strings, after Karplus and Strong (1983): a period runs in a loop, and the mean of neighbours takes its high
// frequencies away. Single notes and chords of four, from soft to loud, two or three of them a second.
inline std::vector<float> plucked_strings(std::size_t samples, double sample_rate, std::uint64_t seed) {
  tenon::backend::random_stream random(seed, 0);
  std::vector<float> dry(samples);
  const auto seconds = [&](double all) { return static_cast<std::size_t>(all * sample_rate); };
  const std::size_t length = seconds(1.5);
  for (std::size_t start = 0; start < samples; start += seconds(0.1 + 0.5 * random.uniform())) {
    const double loudness = std::pow(10, -1.5 * random.uniform());  // 0 to -30 dB
    for (int strings = random.below(3) == 0 ? 4 : 1; strings > 0; --strings) {
      const double frequency =
          82.4 * std::pow(2, random.below(40) / 12.0);  // Hz: from a guitar's lowest E upwards
      std::vector<double> loop = plucked_period(seconds(1 / frequency), random);
      for (std::size_t t = 0, k = 0; t < length && start + t < samples; ++t, k = (k + 1) % loop.size()) {
        const double fade = 1 - static_cast<double>(t) / static_cast<double>(length);
        dry[start + t] += static_cast<float>(0.5 * loudness * fade * loop[k]);
        loop[k] = 0.499 * (loop[k] + loop[(k + 1) % loop.size()]);
      }
    }
  }
  float peak = 1;
  for (const float x : dry) peak = std::max(peak, std::abs(x));
  for (float& x : dry) x /= peak;
  return dry;
}

}  // namespace amplifier
