// Each record of docs/decisions/ has a status and one form, which CONTRIBUTING.md describes, and docs/README.md lists it.
#include "public_names/public_names.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

namespace {

constexpr std::array<std::string_view, 10> sections{"Status",     "Context",      "Options",  "Choice",
                                                    "Reason",     "Consequences", "Measured", "Price",
                                                    "Considered", "Not done"};

// What is wrong with a record of this number, written in four digits; empty if nothing is.
std::string mistake_in(const std::string& record, const std::string& number) {
  std::istringstream lines(record);
  std::string title, blank, status;
  std::getline(lines, title);
  std::getline(lines, blank);
  std::getline(lines, status);
  if (!title.starts_with("# " + number + " ") || !blank.empty())
    return "the title is not '# " + number + " ..'";
  const bool is_replaced = status.starts_with("**Status.** Replaced by [");
  if (!is_replaced && !status.starts_with("**Status.** Accepted")) return "no status";
  auto last = sections.begin();
  std::set<std::string_view> seen;
  int count = 3;
  for (std::string line; std::getline(lines, line); ++count) {
    if (line.starts_with("#")) return "a second heading: " + line;
    if (!line.starts_with("**")) continue;
    const auto section = std::find_if(last + 1, sections.end(), [&](std::string_view name) {
      return line.starts_with("**" + std::string(name) + ".**");
    });
    if (section == sections.end()) return "unknown, or out of order: " + line.substr(0, 40);
    seen.insert(*section);
    last = section;
  }
  if (is_replaced) return count == 3 ? "" : "replaced, and longer than three lines";
  return seen.contains("Context") && seen.contains("Choice") ? "" : "without context, or without choice";
}

}  // namespace

TEST_CASE("records have one form") {
  const std::filesystem::path root = TENON_SOURCE_DIR;
  const std::string index = public_names::text_of(root / "docs/README.md");
  int records = 0;
  for (const auto& file : std::filesystem::directory_iterator(root / "docs/decisions")) {
    const std::string name = file.path().filename().string();
    INFO(name);
    CHECK(mistake_in(public_names::text_of(file.path()), name.substr(0, 4)) == "");
    CHECK(index.find("(decisions/" + name + ")") != index.npos);
    ++records;
  }
  CHECK(records > 30);
}
TEST_CASE("another form is seen") {
  const std::string head = "# 0007 A title\n\n";
  CHECK(mistake_in(head + "**Status.** Accepted.\n\n**Context.** a\n\n**Choice.** b\n\n**Price.** c\n",
                   "0007") == "");
  CHECK(mistake_in(head + "**Status.** Replaced by [9](0009-b.md): c.\n", "0007") == "");
  CHECK(mistake_in(head + "**Status.** Accepted.\n", "0008") == "the title is not '# 0008 ..'");
  CHECK(mistake_in(head + "**Context.** a\n", "0007") == "no status");
  CHECK(mistake_in(head + "**Status.** Accepted.\n\n**Context.** a\n", "0007") ==
        "without context, or without choice");
  CHECK(mistake_in(head + "**Status.** Accepted.\n\n**Choice.** a\n\n**Context.** b\n", "0007") ==
        "unknown, or out of order: **Context.** b");
  CHECK(mistake_in(head + "**Status.** Accepted.\n\n## Context\n", "0007") == "a second heading: ## Context");
  CHECK(mistake_in(head + "**Status.** Replaced by [9](0009-b.md): c.\n\na\n", "0007") ==
        "replaced, and longer than three lines");
}
