// Diagnostics: the sentence of a problem, and the pieces for clang.
#include <tenon/diagnostics/diagnose.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace tenon;
using namespace tenon::ir;

namespace {

constexpr problem width{.rule = "linear expects",
                        .axis = "features",
                        .expected = 64,
                        .got = 128,
                        .where = "logits",
                        .source = "context",
                        .fix = "write linear<10, features<128>>"};
static_assert(
    explain(width).view() ==
    "node 'logits': linear expects 64 features, got 128 from 'context'; write linear<10, features<128>>");
static_assert(explain({.rule = "a graph has no output"}).view() == "a graph has no output");
static_assert(explain({.rule = "takes", .axis = "sources", .expected = 1, .got = 2}).view() ==
              "takes 1 source, got 2");
static_assert(explain({}).view().empty() && !problem{} && width);

}  // namespace

TEST_CASE("the pieces are the sentence, none too long, cut between words") {
  const tenon::detail::cut_explanation cut(width);
  std::string joined;
  for (int k = 0; k < cut.count; ++k) {
    const std::string piece(cut.whole.view().substr(std::size_t(cut.first[k]), std::size_t(cut.size[k])));
    CHECK(piece.size() <= std::size_t(tenon::detail::cut_explanation::longest));
    CHECK(piece.front() != ' ');
    CHECK(piece.back() != ' ');
    joined += (k > 0 ? " " : "") + piece;
  }
  CHECK(joined == cut.whole.view());
}

TEST_CASE("a word longer than a piece is cut inside") {
  const tenon::detail::cut_explanation cut(
      problem{.rule = std::string_view("0123456789012345678901234567890123456789 end")});
  CHECK(cut.count == 2);
  CHECK(cut.size[0] == tenon::detail::cut_explanation::longest);
}
