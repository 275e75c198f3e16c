// Attention matrices as a picture (a self-contained SVG): a column for each word of the source, a row for each word that
// was written; darker cells have more weight.
#pragma once

#include <tenon/io.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace translation {

struct attention_matrix {
  std::vector<std::string> source, target;  // words
  std::vector<std::vector<float>> weights;  // for each target word, over the source
};

inline std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '&') result += "&amp;";
    else if (c == '<') result += "&lt;";
    else if (c == '>') result += "&gt;";
    else result += c;
  }
  return result;
}

// Draws the matrices below each other.
inline std::string attention_svg(const std::vector<attention_matrix>& matrices) {
  constexpr int cell = 22, left = 150, top = 130, gap = 30;
  int width = left, height = 0;
  for (const attention_matrix& m : matrices) {
    width = std::max(width, left + cell * static_cast<int>(m.source.size()) + top);
    height += top + cell * static_cast<int>(m.target.size()) + gap;
  }
  std::string svg;
  char line[256];
  const auto add = [&](const char* format, auto... values) {
    std::snprintf(line, sizeof line, format, values...);
    svg += line;
  };
  add("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n", width, height, width, height);
  svg += "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n<g font-family=\"sans-serif\" font-size=\"13\" fill=\"#222\">\n";
  int y = 0;
  for (const attention_matrix& m : matrices) {
    y += top;
    for (std::size_t j = 0; j < m.source.size(); ++j) {
      const int x = left + cell * static_cast<int>(j) + cell / 2 + 4;
      add("<text transform=\"translate(%d,%d) rotate(-50)\">", x, y - 6);
      svg += escaped(m.source[j]) + "</text>\n";
    }
    for (std::size_t i = 0; i < m.target.size(); ++i) {
      const int row = y + cell * static_cast<int>(i);
      add("<text x=\"%d\" y=\"%d\" text-anchor=\"end\">", left - 8, row + cell - 7);
      svg += escaped(m.target[i]) + "</text>\n";
      for (std::size_t j = 0; j < m.source.size(); ++j)
        add("<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#114\" fill-opacity=\"%.3f\" stroke=\"#ddd\"/>\n", left + cell * static_cast<int>(j), row,
            cell, cell, static_cast<double>(m.weights[i][j]));
    }
    y += cell * static_cast<int>(m.target.size()) + gap;
  }
  return svg + "</g>\n</svg>\n";
}

}  // namespace translation
