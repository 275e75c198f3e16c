// initializer: how a parameter starts, as a value: a distribution, a constant, or a special matrix. In an equation:
//   static constexpr init::start starts[]{{"gain", init::constant(1)}, {"U", init::orthogonal()}, {"b", "f", init::constant(1)}};
// As an option of a layer: lstm<64, initialized<"weight_hh*", init::orthogonal()>>. At run time:
// initialize(theta, "states.weight_hh*", init::orthogonal(), seed{1}). Formulas and names are those of torch.nn.init.
#pragma once

#include "tenon/program/program.hpp"

#include <numbers>

// The scale of a parameter's start is divided by the square root of a number of a matrix [rows, columns]. `in`: its
// columns; `out`: its rows times the places of a convolution's window; `average`: the mean of the two; `one`: the scale
// is not divided.
namespace tenon::inline v0_1::init {
enum class fan : unsigned char { one, in, out, average };
}

namespace tenon::inline v0_1::ir {

enum class initial : unsigned char {
  uniform,           // mean - scale .. mean + scale
  normal,            // deviation scale
  constant,          // scale
  truncated_normal,  // deviation scale before it is cut to low .. high
  identity,          // scale on the diagonal of a matrix, 0 elsewhere
  orthogonal,        // scale times a matrix Q with Q' Q = 1 or Q Q' = 1, uniform among them
};

struct initializer {
  initial how = initial::uniform;
  double scale = 0;
  double mean = 0;
  init::fan over = init::fan::one;
  double low = 0, high = 0;
  int blocks = 1;  // how many matrices of equal height, below each other, are started one by one

  constexpr bool operator==(const initializer&) const = default;
  constexpr bool needs_matrix() const {
    return over != init::fan::one || how == initial::identity || how == initial::orthogonal;
  }
};

namespace detail {
constexpr bool is_finite(double x) { return x >= -1.7976931348623157e308 && x <= 1.7976931348623157e308; }
}  // namespace detail
// What is wrong with an initialiser of a parameter; null pointers if nothing is.
struct initializer_mistake {
  const char *rule = nullptr, *fix = nullptr;
};
constexpr initializer_mistake mistake_in(const initializer& start, int rows, bool is_matrix) {
  using detail::is_finite;
  if (start.needs_matrix() && !is_matrix)
    return {"Xavier's, Kaiming's, orthogonal and identity initialisers are of matrices, and this is a vector",
            "start it by init::constant(0), init::uniform(-0.1, 0.1) or init::normal(0, 0.1)"};
  if (!is_finite(start.scale) || !is_finite(start.mean))
    return {"an initialiser has a number that is not finite", "give it finite numbers"};
  const bool spreads = start.how == initial::uniform || start.how == initial::normal;
  if (spreads && start.scale < 0)
    return {"an initialiser's bounds are in the wrong order, or its deviation is negative",
            "init::uniform(low, high), init::normal(mean, deviation)"};
  if (start.how == initial::truncated_normal &&
      !(start.scale > 0 && start.low < start.high && is_finite(start.low) && is_finite(start.high)))
    return {"a truncated normal needs a positive deviation, and a low bound below the high one",
            "init::truncated_normal(mean, deviation, low, high)"};
  if (start.blocks < 1 || rows % (start.blocks < 1 ? 1 : start.blocks) != 0)
    return {"the rows of a parameter do not fall into so many blocks", "init::each_of(4, ..) for four gates"};
  return {};
}

// How one parameter of an equation starts, named by its letter, or by letter and gate.
struct start_value {
  label letter{}, gate{};
  initializer start{};
  bool is_of_gate = false;
  bool may_be_missing = false;  // false: it is an error if the equation does not have the symbol

  constexpr start_value(const label& of_letter, const initializer& how) : letter(of_letter), start(how) {}
  constexpr start_value(const label& of_letter, const label& of_gate, const initializer& how)
      : letter(of_letter), gate(of_gate), start(how), is_of_gate(true) {}
  // For a symbol that the equation has in some graphs only.
  constexpr start_value if_there() const {
    start_value same = *this;
    same.may_be_missing = true;
    return same;
  }
};
// How the parameters of an equation start: all alike, except for those named.
struct initializers {
  initializer all{};
  const start_value* named = nullptr;
  int named_count = 0;
  int places = 1;  // of a convolution: those in its window

  constexpr initializers() = default;
  constexpr initializers(initial how, double scale) : all{how, scale} {}
  constexpr initializers(initializer start, const start_value* own = nullptr, int count = 0)
      : all(start), named(own), named_count(count) {}
  constexpr initializer of(const symbol& s) const {
    const start_value* found = nullptr;
    for (int n = 0; n < named_count; ++n) {
      const start_value& own = named[n];
      if (own.letter != s.letter || (own.is_of_gate && own.gate != s.gate)) continue;
      if (found == nullptr || (own.is_of_gate && !found->is_of_gate)) found = &own;
    }
    return found == nullptr ? all : found->start;
  }
};

// An option of a layer for those of its parameters whose names, relative to the layer, match the pattern.
struct parameter_rule {
  characters pattern{};
  initializer start{};
  bool starts = false, freezes = false;
};
struct parameter_rules : list<parameter_rule, 8> {
  bool has_more = false;  // than there is room for: refused by builder::add_rules

  constexpr void add(const parameter_rule& rule) {
    if (size == capacity) has_more = true;
    else list::add(rule);
  }
};

}  // namespace tenon::inline v0_1::ir

// The initialisers by name.
namespace tenon::inline v0_1::init {

using start = ir::start_value;

constexpr ir::initializer constant(double value) { return {ir::initial::constant, value}; }
constexpr ir::initializer uniform(double low = 0, double high = 1) {
  return {ir::initial::uniform, (high - low) / 2, (low + high) / 2};
}
constexpr ir::initializer normal(double mean = 0, double deviation = 1) {
  return {ir::initial::normal, deviation, mean};
}
// Normal; a number outside low .. high is drawn again. The deviation is that before the cut.
constexpr ir::initializer truncated_normal(double mean = 0, double deviation = 1, double low = -2,
                                           double high = 2) {
  return {ir::initial::truncated_normal, deviation, mean, fan::one, low, high};
}
// Uniform in +-gain sqrt(6 / (in + out)), normal with deviation gain sqrt(2 / (in + out)) (Glorot and Bengio 2010).
constexpr ir::initializer xavier_uniform(double gain = 1) {
  return {ir::initial::uniform, gain * std::numbers::sqrt3, 0, fan::average};
}
constexpr ir::initializer xavier_normal(double gain = 1) {
  return {ir::initial::normal, gain, 0, fan::average};
}
// Uniform in +-gain sqrt(3 / fan), normal with deviation gain / sqrt(fan) (He et al. 2015).
constexpr ir::initializer kaiming_uniform(fan mode = fan::in, double gain = std::numbers::sqrt2) {
  return {ir::initial::uniform, gain * std::numbers::sqrt3, 0, mode};
}
constexpr ir::initializer kaiming_normal(fan mode = fan::in, double gain = std::numbers::sqrt2) {
  return {ir::initial::normal, gain, 0, mode};
}
// Saxe, McClelland and Ganguli 2014.
constexpr ir::initializer orthogonal(double gain = 1) { return {ir::initial::orthogonal, gain}; }
constexpr ir::initializer identity(double gain = 1) { return {ir::initial::identity, gain}; }
// Treats a stored parameter as `blocks` matrices below each other and starts each by itself: the gates of weight_hh.
constexpr ir::initializer each_of(int blocks, ir::initializer each) {
  each.blocks = blocks;
  return each;
}

// The factor for a layer's deviation if this function follows the layer (torch.nn.init.calculate_gain).
namespace gain {
inline constexpr double linear = 1, sigmoid = 1, tanh = 5.0 / 3, relu = std::numbers::sqrt2, selu = 0.75;
// sqrt(2 / (1 + slope^2))
constexpr double leaky_relu(double slope = 0.01) {
  const double square = 2 / (1 + slope * slope);
  double root = 1;
  for (int k = 0; k < 60; ++k) root = 0.5 * (root + square / root);  // Newton
  return root;
}
}  // namespace gain

}  // namespace tenon::inline v0_1::init
