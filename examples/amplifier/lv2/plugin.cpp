// The learned amplifier as an LV2 plugin of one input and one output. Its parameters are compiled in, and it runs with
// the best instructions that the machine has.
#include "../effect.hpp"
#include "../learned.hpp"

#include <lv2/core/lv2.h>

#include <cstdint>
#include <cstdio>
#include <exception>

namespace {

enum port : std::uint32_t { input_port, output_port };  // the numbers of amplifier.ttl

struct plugin {
  std::unique_ptr<amplifier::effect> effect = amplifier::levels().back().make(amplifier::compiled_in());
  const float* in = nullptr;
  float* out = nullptr;
};
plugin& of(LV2_Handle handle) { return *static_cast<plugin*>(handle); }

// A network that has learned at one sample rate is another amplifier at another rate, so the plugin is not there.
LV2_Handle instantiate(const LV2_Descriptor*, double rate, const char*, const LV2_Feature* const*) {
  if (rate != amplifier::learned_rate) {
    std::fprintf(stderr, "tenon amplifier: expected a sample rate of %d Hz, got %g\n",
                 amplifier::learned_rate, rate);
    return nullptr;
  }
  try {
    return new plugin;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tenon amplifier: %s\n", error.what());
    return nullptr;
  }
}
void connect_port(LV2_Handle handle, std::uint32_t port, void* to) {
  if (port == input_port) of(handle).in = static_cast<const float*>(to);
  if (port == output_port) of(handle).out = static_cast<float*>(to);
}
void activate(LV2_Handle handle) { of(handle).effect->reset(); }
void run(LV2_Handle handle, std::uint32_t samples) TENON_NONBLOCKING {
  of(handle).effect->process({of(handle).in, samples}, of(handle).out);
}
void cleanup(LV2_Handle handle) { delete &of(handle); }

const LV2_Descriptor descriptor{
    "https://tenon.example/amplifier", instantiate, connect_port, activate, run, nullptr, cleanup, nullptr};

}  // namespace

LV2_SYMBOL_EXPORT const LV2_Descriptor* lv2_descriptor(std::uint32_t index) {
  return index == 0 ? &descriptor : nullptr;
}
