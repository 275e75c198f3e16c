// Checks of an SVG drawing: whether it is well formed, how often a text occurs in it, the points of its curves, and whether it is the one that
// tests/golden/ has. With TENON_DRAW=1 in the environment a test writes that file: look at it in a browser, on a light and on a dark page.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace tenon::test {

inline long count(const std::string& text, const std::string& part) {
  long n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}
// Is every element closed, in the right order, and every attribute quoted?
inline bool is_well_formed(const std::string& xml) {
  std::vector<std::string> open;
  for (std::size_t at = xml.find('<'); at != std::string::npos; at = xml.find('<', at + 1)) {
    const std::size_t end = xml.find('>', at);
    if (end == std::string::npos) return false;
    const std::string tag = xml.substr(at + 1, end - at - 1);
    if (tag.find('<') != std::string::npos || count(tag, "\"") % 2 != 0) return false;
    if (tag[0] == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return false;
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(tag.substr(0, tag.find(' ')));
    }
  }
  return open.empty();
}
// The points of the k-th curve.
inline std::vector<std::pair<double, double>> points(const std::string& svg, int k) {
  std::size_t at = 0;
  for (int skipped = 0; skipped <= k; ++skipped) at = svg.find("<polyline", at) + 1;
  const std::size_t begin = svg.find("points=\"", at) + 8;
  std::istringstream in(svg.substr(begin, svg.find('"', begin) - begin));
  std::vector<std::pair<double, double>> all;
  char comma = 0;
  for (double x = 0, y = 0; in >> x >> comma >> y;) all.emplace_back(x, y);
  return all;
}

inline std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
inline bool is_as_drawn(const std::string& name, const std::string& svg) {
  const std::string path = std::string(TENON_GOLDEN_DIR "/") + name;
  if (std::getenv("TENON_DRAW") != nullptr) std::ofstream(path, std::ios::binary) << svg;
  return contents(path) == svg;
}

}  // namespace tenon::test
