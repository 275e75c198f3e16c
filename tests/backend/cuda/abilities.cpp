// The table of abilities in docs/reference/backends.md is what the backends declare.
#include "public_names/public_names.hpp"
#include "support/declared_abilities.hpp"
#include "tenon/on_device.hpp"

#include <doctest/doctest.h>

#include <array>
#include <filesystem>
#include <string>

using namespace tenon;

TEST_CASE("the page's table of abilities") {
  const std::string page =
      public_names::text_of(std::filesystem::path(TENON_SOURCE_DIR) / "docs/reference/backends.md");
  const std::array columns{test::words_of(engine::abilities_of<backend::reference>),
                           test::words_of(engine::abilities_of<backend::cpu>),
                           test::words_of(engine::abilities_of<backend::thrust_device>),
                           test::words_of(engine::abilities_of<backend::cuda>)};
  for (std::size_t k = 0; k < columns[0].size(); ++k) {
    const std::string name = columns[0][k].first;
    std::string row = "| `" + name + "` |";
    for (const auto& column : columns) row += column[k].second.empty() ? " |" : " " + column[k].second + " |";
    CAPTURE(row);
    CHECK(page.find("\n" + row + "\n") != page.npos);
  }
}
