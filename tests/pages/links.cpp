// The links of README.md and of docs/ lead to an existing file, and to a heading in it.
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}
// The page without blocks and spans of code.
std::string prose_of(const std::string& page) {
  std::istringstream lines(page);
  std::string prose;
  bool is_block = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) is_block = !is_block;
    else if (!is_block) prose += line + "\n";
  }
  return prose;
}
// The name of a heading in a link: letters and digits in lower case, '-' for each blank.
std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (const char c : heading)
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' ||
        static_cast<unsigned char>(c) > 127)
      anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (c == ' ') anchor += '-';
  return anchor;
}
std::set<std::string> anchors_of(const std::string& page) {
  std::istringstream lines(prose_of(page));
  std::set<std::string> all;
  for (std::string line; std::getline(lines, line);)
    if (const std::size_t level = line.find_first_not_of('#');
        level != line.npos && level > 0 && line[level] == ' ')
      all.insert(anchor_of(line.substr(level + 1)));
  return all;
}
// `](target)`, except between backticks.
std::vector<std::string> links_of(const std::string& page) {
  const std::string prose = prose_of(page);
  std::vector<std::string> all;
  bool is_code = false;
  for (std::size_t k = 0; k < prose.size(); ++k) {
    if (prose[k] == '`') is_code = !is_code;
    if (is_code || prose.compare(k, 2, "](") != 0) continue;
    const std::size_t end = prose.find(')', k);
    all.push_back(prose.substr(k + 2, end - k - 2));
  }
  return all;
}
// Why a link of this page leads nowhere; empty if the link is right.
std::string mistake_in(const std::string& link, const std::filesystem::path& page) {
  if (link.starts_with("http")) return {};
  const std::size_t hash = link.find('#');
  const std::string file = link.substr(0, hash);
  const std::filesystem::path target = file.empty() ? page : page.parent_path() / file;
  if (!std::filesystem::exists(target)) return "no file";
  if (hash == link.npos || target.extension() != ".md") return {};
  return anchors_of(text_of(target)).contains(link.substr(hash + 1)) ? "" : "no heading";
}

}  // namespace

TEST_CASE("every link leads somewhere") {
  const std::filesystem::path root = TENON_SOURCE_DIR;
  std::vector<std::filesystem::path> pages{root / "README.md", root / "CONTRIBUTING.md"};
  for (const auto& file : std::filesystem::recursive_directory_iterator(root / "docs"))
    if (file.path().extension() == ".md") pages.push_back(file.path());
  REQUIRE(pages.size() > 40);
  int links = 0;
  for (const auto& page : pages)
    for (const std::string& link : links_of(text_of(page))) {
      ++links;
      CHECK_MESSAGE(mistake_in(link, page).empty(), page.string(), ": ", link, ": ", mistake_in(link, page));
    }
  CHECK(links > 200);
}
TEST_CASE("what leads nowhere is seen") {
  const std::string page =
      "# Two words, `code`\n[a](b.md#c) `[no](link)`\n```cpp\n# no\nx[i](j)\n```\n[d](e)\n";
  CHECK(anchors_of(page) == std::set<std::string>{"two-words-code"});
  CHECK(links_of(page) == std::vector<std::string>{"b.md#c", "e"});
  const std::filesystem::path readme = std::filesystem::path(TENON_SOURCE_DIR) / "README.md";
  CHECK(mistake_in("docs/reference/names.md#names-of-your-own", readme).empty());
  CHECK(mistake_in("docs/reference/names.md#names-of-nobody", readme) == "no heading");
  CHECK(mistake_in("docs/reference/nothing.md", readme) == "no file");
}
