// initialize(theta, "states.weight_hh*", init::orthogonal(), seed{1}): initialises parameters
// anew, by name at run time.
#pragma once

#include "tenon/diagnostics/wrong_call.hpp"
#include "tenon/meta/pattern.hpp"
#include "tenon/parameters/parameters.hpp"

#include <string>
#include <string_view>

namespace tenon::inline v0_1 {

namespace engine {
// What is wrong with this initializer for the parameter; empty if nothing is.
inline std::string unfit_start_text(characters pattern, characters path, const parameter_start& p) {
  const ir::initializer_mistake wrong = ir::mistake_in(p.start, p.rows, p.columns > 0);
  if (wrong.rule == nullptr) return {};
  return "initialize \"" + std::string(pattern) + "\": parameter '" + std::string(path) + "': " + wrong.rule +
         "; " + wrong.fix;
}
[[noreturn]] inline void refuse_without_match(characters pattern, characters title,
                                              const ir::nearest& known) {
  throw input_error(
      "initialize: graph '" + std::string(title) + "' has no parameter \"" + std::string(pattern) + "\"; " +
      std::string(known.suggestion("`*` stands for any characters: \"states.weight*\"").view()));
}
}  // namespace engine

// Initialises the parameters whose names match: `*` matches any characters, or none. The numbers are those that
// parameters<G>(seed) has with this initializer; they differ between parameters. A stored parameter is one matrix, as
// in PyTorch: init::each_of(4, init::orthogonal()) initialises the gates of an LSTM's weight_hh one by one. The padding
// row of a table stays 0. Throws input_error, and changes nothing, if no name matches, if the initializer does not suit
// a vector, or if a number is out of range.
template <class G, class T>
void initialize(parameters<G, T>& theta, std::string_view pattern, const ir::initializer& start,
                seed s = {}) {
  const auto& table = parameters<G, T>::table;
  ir::nearest known{ir::name(ir::characters(pattern))};
  std::string mistake;
  bool is_found = false;
  const auto each = [&](auto f) {
    ir::repeat<parameters<G, T>::table.size>([&](auto p) {
      constexpr engine::parameter_start first = table[p];
      constexpr int owner = table[p].tied_to < 0 ? int(p) : table[p].tied_to, offset = table[p].offset;
      constexpr ir::name path = table[p].path;
      const ir::characters called = ir::literal<ir::exact_text<path.size>(path)>;
      known.consider(ir::name(called));
      if (!ir::matches(pattern, called)) return;
      engine::parameter_start mine = first;
      mine.start = start;
      mine.apart = {};
      f(called, mine, owner, offset);
    });
  };
  each([&](ir::characters path, const engine::parameter_start& mine, int, int) {
    is_found = true;
    if (mistake.empty()) mistake = engine::unfit_start_text(pattern, path, mine);
  });
  if (!mistake.empty()) throw input_error(mistake);
  if (!is_found) engine::refuse_without_match(pattern, ir::title_of<G>(), known);
  T* const block = theta.data();
  each([&](ir::characters, const engine::parameter_start& mine, int number, int offset) {
    engine::fill_parameter(block + offset, mine, number, s);
  });
}
#define TENON_SENTENCE                                                                               \
  "initialize takes parameters, names and a start: initialize(theta, \"*.weight\", init::normal(0, " \
  "0.1)), then a seed"
template <TENON_SAYS_AND(TENON_SENTENCE) class Theta>
void initialize(const volatile Theta&, ...) TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE

}  // namespace tenon::inline v0_1
