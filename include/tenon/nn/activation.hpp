// Activations as layers: the function of the same name at every element.
#pragma once

#include "tenon/equation/language.hpp"

namespace tenon::activation {

struct sigmoid {
  static constexpr auto at(auto x) { return tenon::sigmoid(x); }
};
struct tanh {
  static constexpr auto at(auto x) { return tenon::tanh(x); }
};
struct relu {
  static constexpr auto at(auto x) { return tenon::relu(x); }
};
struct gelu {
  static constexpr auto at(auto x) { return tenon::gelu(x); }
};
struct softplus {
  static constexpr auto at(auto x) { return tenon::softplus(x); }
};
// over the feature axis
struct softmax {
  static constexpr auto at(auto x) { return tenon::softmax(x); }
};
struct log_softmax {
  static constexpr auto at(auto x) { return tenon::log_softmax(x); }
};

}  // namespace tenon::activation
