// A network that runs with the best instructions of its machine: declarations for all files.
#pragma once

#include <tenon/tenon.hpp>

#include <memory>
#include <span>

using amplifier_network = tenon::graph<"amplifier", tenon::input<"in", tenon::features<1>, tenon::steps<1>>,
                                       tenon::node<"states", tenon::nn::lstm<16>, "in">,
                                       tenon::node<"out", tenon::nn::linear<1>, "states">, tenon::output<"out">>;
using amplifier_weights = tenon::parameters<amplifier_network>;  // the same on every machine

// A session has a different type in each file, so the files share this base class.
struct amplifier {
  virtual ~amplifier() = default;
  virtual void process(std::span<float> samples) = 0;
};

// amplifier.cpp is compiled once for each of these. The weights must outlive the amplifier.
std::unique_ptr<amplifier> make_baseline(const amplifier_weights&);
std::unique_ptr<amplifier> make_v3(const amplifier_weights&);
std::unique_ptr<amplifier> make_v4(const amplifier_weights&);
