// Words of a table, and their numbers.
#pragma once

#include <tenon/data.hpp>

#include <string>
#include <vector>

struct examples {
  std::vector<std::vector<int>> words;
  std::vector<int> labels;
  tenon::vocabulary vocabulary;
};
// From a table of two columns, a text and its label.
examples examples_in(const std::string& path);
