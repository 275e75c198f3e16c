// A network that runs with the best instructions of the machine that it finds itself on: what all files know.
#pragma once

#include <tenon/tenon.hpp>

#include <memory>
#include <span>

using amplifier_network = tenon::graph<"amplifier", tenon::input<"in", tenon::features<1>, tenon::steps<1>>,
                                       tenon::node<"states", tenon::lstm<16>, "in">,
                                       tenon::node<"out", tenon::linear<1>, "states">, tenon::output<"out">>;
using amplifier_weights = tenon::parameters<amplifier_network>;  // the same on every machine

// Sessions are of another type in each file, so that a base class stands for them.
struct amplifier {
  virtual ~amplifier() = default;
  virtual void process(std::span<float> samples) = 0;
};

// amplifier.cpp, compiled once for each. The weights must outlive what is returned.
std::unique_ptr<amplifier> make_baseline(const amplifier_weights&);
std::unique_ptr<amplifier> make_v3(const amplifier_weights&);
std::unique_ptr<amplifier> make_v4(const amplifier_weights&);
