// The table of traits_of_operations: complete, in the order of their names; and a kind's name is used only in its own file and in the code that lays it out.
#include "tenon/graph/operation_kind.hpp"

#include "layering/house.hpp"

#include <doctest/doctest.h>

#include <cctype>
#include <string>

namespace tenon::inline v0_1::ir {

static_assert(sizeof(traits_of_operations) / sizeof(operation_traits) ==
              static_cast<int>(operation_kind::mean_loss) + 1);

TEST_CASE("a kind's name stands in its own file, in the table, and where it is laid out") {
  const house::headers tree = house::read(TENON_SOURCE_DIR "/include/tenon");
  REQUIRE(tree.contains("graph/operation_kind.hpp"));
  for (const operation_traits& k : traits_of_operations) {
    const std::string name = std::string("operation_kind::") + k.name,
                      own = std::string("engine/run/operations/") + k.name + ".hpp";
    CAPTURE(name);
    REQUIRE(tree.contains(own));
    CHECK(tree.at(own).find(name) != std::string::npos);
    bool is_laid_out = false;
    for (const auto& [path, text] : tree) {
      bool is_named = false;
      for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
        const char next = text[at + name.size()];
        is_named = is_named || !(std::isalnum(static_cast<unsigned char>(next)) || next == '_');
      }
      if (!is_named || path == own) continue;
      INFO(path);
      const bool lays_out =
          path.starts_with("nn/") || path == "graph/builder.hpp" || path == "graph/objective.hpp";
      CHECK(lays_out);
      is_laid_out = is_laid_out || lays_out;
    }
    CHECK(is_laid_out);
  }
}

}  // namespace tenon::inline v0_1::ir
