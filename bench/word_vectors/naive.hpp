// Word vectors as one writes them in C: the loops of the original tool (Mikolov et al. 2013), a word after the other, each step with the
// parameters that the last one left.
#pragma once

#include <tenon/data/word_windows.hpp>

#include <vector>

struct naive_tables {
  int dimensions;
  std::vector<float> inside, outside;  // [words, dimensions]
  naive_tables(int words, int size, tenon::seed s);
};
struct naive_options {
  bool is_bag = false;
  bool draws_for_each = true;  // skip-gram: other words for each pair, as the original tool; false: for each word, as word_windows
  int epochs = 1;
  double rate = 0.05;
  bool adds_in_any_order = false;  // dot products in sixteen sums, as compilers make them under -ffast-math
};
// noise: from which words are drawn for each pair.
void train_naively(naive_tables& tables, const tenon::word_windows& windows, const tenon::alias_table& noise, const naive_options& how);
