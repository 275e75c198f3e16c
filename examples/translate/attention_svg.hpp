// Attention matrices as a picture (a self-contained SVG): a column for each word of the source, a row for each word that
// was written; darker cells have more weight.
#pragma once

#include <tenon/io.hpp>
#include <tenon/io/svg.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace translation {

struct attention_matrix {
  std::vector<std::string> source, target;  // words
  std::vector<std::vector<float>> weights;  // for each target word, over the source
};

// Draws the matrices below each other.
inline std::string attention_svg(const std::vector<attention_matrix>& matrices) {
  constexpr int cell = 22, left = 150, top = 130, gap = 30;
  int width = left, height = 0;
  for (const attention_matrix& m : matrices) {
    width = std::max(width, left + cell * static_cast<int>(m.source.size()) + top);
    height += top + cell * static_cast<int>(m.target.size()) + gap;
  }
  tenon::detail::svg drawing(width, height, 13);
  int y = 0;
  for (const attention_matrix& m : matrices) {
    y += top;
    for (std::size_t j = 0; j < m.source.size(); ++j)
      drawing.text(left + cell * static_cast<int>(j) + cell / 2 + 4, y - 6, "start", m.source[j], "#222", -50);
    for (std::size_t i = 0; i < m.target.size(); ++i) {
      const int row = y + cell * static_cast<int>(i);
      drawing.text(left - 8, row + cell - 7, "end", m.target[i], "#222");
      for (std::size_t j = 0; j < m.source.size(); ++j)
        drawing.rectangle(left + cell * static_cast<int>(j), row, cell, cell,
                          "fill=\"#114\" fill-opacity=\"" + tenon::detail::fixed(static_cast<double>(m.weights[i][j]), 3) + "\" stroke=\"#ddd\"");
    }
    y += cell * static_cast<int>(m.target.size()) + gap;
  }
  return drawing.written();
}

}  // namespace translation
