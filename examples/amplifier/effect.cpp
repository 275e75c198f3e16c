// The amplifier for one instruction set. MAKE is the name of its function: see CMakeLists.txt.
#include "effect.hpp"

#include "player.hpp"

namespace amplifier {
namespace {  // otherwise the linker would use one file's class for all

class of_this_level final : public effect {
 public:
  explicit of_this_level(const weights& theta) : player_(theta) {}
  void process(std::span<const float> in, float* out) TENON_NONBLOCKING override { player_.process(in, out); }
  void reset() TENON_NONBLOCKING override { player_.reset(); }

 private:
  player_of<network> player_;
};

}  // namespace

std::unique_ptr<effect> MAKE(const weights& theta) { return std::make_unique<of_this_level>(theta); }

}  // namespace amplifier
