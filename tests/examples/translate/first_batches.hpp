// The first 20 training batches of a model of examples/translate compared with PyTorch, from the same parameters: golden/translation.py.
#pragma once

#include "../../../examples/translate/translator.hpp"
#include "golden/golden.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

namespace tenon::test {

// Small, because the tests are not optimised, but large enough for the generated sentences.
inline constexpr translation::sizes tiny{.source_words = 64,
                                         .target_words = 48,
                                         .steps = 14,
                                         .embedding = 6,
                                         .hidden = 8,
                                         .dropout = 0,
                                         .rate = 1e-2};

// Row r of batch k of a golden tensor [20, 8, 9], up to the first -1.
inline std::vector<int> golden_sentence(const golden::tensor& t, std::size_t row) {
  std::vector<int> words;
  for (std::size_t k = row * 9; k < (row + 1) * 9 && t.values[k] >= 0; ++k)
    words.push_back(static_cast<int>(t.values[k]));
  return words;
}

// Each loss within 1e-4 of PyTorch's, relative.
template <class Model>
void compare_first_batches(const char* name, const typename Model::rule& rule, double max_norm) {
  using network = typename Model::network;
  const golden::file f = golden::read(name);
  parameters<network> theta(zeros{});
  theta.for_each([&](std::string_view path, auto values) {
    const auto j = static_cast<std::size_t>(f["order." + std::string(path)].values[0]);
    for (std::size_t k = 0; k < values.size(); ++k) values.data()[k] = 5 * golden::fill(j, k);
  });
  typename translation::translator<Model>::teacher teacher(theta, rule);
  teacher.max_norm = max_norm;
  for (std::size_t step = 0; step < 20; ++step) {
    std::vector<std::vector<int>> source, target;
    for (std::size_t row = step * 8; row < step * 8 + 8; ++row) {
      source.push_back(translation::in_reading_order<Model>(golden_sentence(f["source"], row)));
      target.push_back(golden_sentence(f["target"], row));
    }
    set_input<"source">(teacher, source);
    set_input<"target">(teacher, target);
    set_input<"word">(teacher, decoding::shifted_right(target, 1));
    const double expected = f["losses"].values[step];
    CHECK(std::abs(double(teacher.step()) - expected) <= 1e-4 * expected);
  }
}

}  // namespace tenon::test
