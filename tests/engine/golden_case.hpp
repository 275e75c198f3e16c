// Shared code of the comparisons with PyTorch: parameters and gradients by the names of the golden file.
#pragma once

#include "golden/golden.hpp"
#include "support/compare.hpp"
#include "support/machines.hpp"

#include <doctest/doctest.h>

#include <string>

namespace tenon::test {

// "layer.weight" -> "weight"; the graphs here name their only node "layer". A cell's "layer.W_z_l0" -> "W_z".
inline std::string golden_name(std::string_view path, std::string_view suffix = "") {
  path.remove_prefix(std::string_view("layer.").size());
  if (path.ends_with(suffix)) path.remove_suffix(suffix.size());
  return std::string(path);
}
template <class Parameters>
void load(Parameters& theta, const golden::file& f, std::string_view suffix = "") {
  theta.for_each([&](std::string_view path, auto v) { fill(v, f["param." + golden_name(path, suffix)]); });
}
template <class Parameters>
void compare_gradients(const Parameters& gradients, const golden::file& f, double tolerance,
                       std::string_view suffix = "") {
  gradients.for_each([&](std::string_view path, auto v) {
    compare(v, f["grad." + golden_name(path, suffix)], tolerance, path);
  });
}

}  // namespace tenon::test
