// Activations as layers: the function of the same name at every element.
#pragma once

#include "tenon/equation/language.hpp"

namespace tenon::inline v0_1::nn::activation {

struct sigmoid {
  static constexpr auto at(auto x) { return tenon::ir::sigmoid(x); }
};
struct tanh {
  static constexpr auto at(auto x) { return tenon::ir::tanh(x); }
};
struct relu {
  static constexpr auto at(auto x) { return tenon::ir::relu(x); }
};
struct gelu {
  static constexpr auto at(auto x) { return tenon::ir::gelu(x); }
};
struct softplus {
  static constexpr auto at(auto x) { return tenon::ir::softplus(x); }
};
// over the feature axis
struct softmax {
  static constexpr auto at(auto x) { return tenon::ir::softmax(x); }
};
struct log_softmax {
  static constexpr auto at(auto x) { return tenon::ir::log_softmax(x); }
};

}  // namespace tenon::inline v0_1::nn::activation
