// The learned amplifier, compiled for several instruction sets: declarations for all files.
#pragma once

#include "networks.hpp"

#include <memory>
#include <span>
#include <vector>

namespace amplifier {

using network = recurrent_network;    // whose parameters learned.hpp has
using weights = parameters<network>;  // the same type for every instruction set

// A stream has a different type for each instruction set, so the files share this base class.
struct effect {
  virtual ~effect() = default;
  virtual void process(std::span<const float> in, float* out) TENON_NONBLOCKING = 0;  // see player.hpp
  virtual void reset() TENON_NONBLOCKING = 0;
};

struct level {
  const char* name;
  std::unique_ptr<effect> (*make)(const weights&);  // the weights must outlive the effect
};
std::vector<level> levels();   // that this machine can run, the oldest first
const weights& compiled_in();  // those of learned.hpp

// effect.cpp is compiled once for each of these.
std::unique_ptr<effect> make_baseline(const weights&);
std::unique_ptr<effect> make_v3(const weights&);
std::unique_ptr<effect> make_v4(const weights&);

}  // namespace amplifier
