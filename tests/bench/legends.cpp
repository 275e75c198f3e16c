// The drawings of docs/bench: beside each name is a sample of its line, which no other line looks like.
#include "support/drawing.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <set>
#include <string>

namespace tenon::test {

TEST_CASE("each line has a sample in the legend, and looks like no other") {
  int drawings = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(TENON_SOURCE_DIR "/docs/bench")) {
    if (file.path().extension() != ".svg") continue;
    CAPTURE(file.path().string());
    ++drawings;
    const std::string svg = contents(file.path().string()), begin = "<polyline ";
    CHECK(is_well_formed(svg));
    std::set<std::string> looks;
    for (std::size_t at = svg.find(begin); at != std::string::npos; at = svg.find(begin, at + 1)) {
      const std::size_t first = at + begin.size();
      const std::string look = svg.substr(first, svg.find(" points=", first) - first);
      CHECK(looks.insert(look).second);
      CHECK(count(svg, "<path " + look + " d=\"M642 ") == 1);
    }
    CHECK(looks.size() > 3);
  }
  CHECK(drawings >= 6);
}

}  // namespace tenon::test
