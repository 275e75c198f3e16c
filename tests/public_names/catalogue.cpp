// docs/reference/catalogue.md has every layer, loss, update rule, schedule and initialiser of docs/reference/names.md, which has the names
// that the headers declare; and the tests that it names exist.
#include "public_names/public_names.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

using public_names::names;

struct row {
  std::string section, name, meaning;
};
std::vector<row> rows_of(const std::string& page) {
  std::vector<row> all;
  std::istringstream lines(page);
  std::string section;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("## ")) section = line.substr(3);
    const std::size_t end = line.find("` | ");
    if (line.starts_with("| `") && end != std::string::npos)
      all.push_back({section, line.substr(3, end - 3), line.substr(end + 4)});
  }
  return all;
}
// The catalogue's part of the names, as a graph writes them that opens nn: no makers of layers from other things.
names expected_of(const std::string& page) {
  const names others{"recurrent", "cell_step", "with_options"};
  names all;
  for (const auto& [section, whole, meaning] : rows_of(page)) {
    const std::string name = whole.starts_with("nn::") ? whole.substr(4) : whole;
    const bool is_layer = section.starts_with("[Layers]") && !others.contains(name);
    const bool is_loss = section.starts_with("[Losses]") && !name.starts_with("criterion::");
    const bool is_rule = meaning.starts_with("update rule") || meaning.starts_with("schedule: ");
    const bool is_start = name.starts_with("init::") && !name.starts_with("init::gain") &&
                          name != "init::fan" && name != "init::start";
    if (is_layer || is_loss || is_rule || is_start) all.insert(name);
  }
  return all;
}
// The texts in backticks.
std::vector<std::string> code_of(const std::string& page) {
  std::vector<std::string> all;
  std::istringstream lines(page.substr(0, page.find("\n```")));
  for (std::string line; std::getline(lines, line);)
    for (std::size_t at = 0; (at = line.find('`', at)) != std::string::npos;) {
      const std::size_t end = line.find('`', at + 1);
      if (end == std::string::npos) break;
      all.push_back(line.substr(at + 1, end - at - 1));
      at = end + 1;
    }
  return all;
}
names missing_in(const std::string& catalogue, const names& expected) {
  const std::vector<std::string> code = code_of(catalogue);
  names all;
  for (const std::string& name : expected)
    if (std::none_of(code.begin(), code.end(),
                     [&](const std::string& c) { return public_names::has_name(c, name); }))
      all.insert(name);
  return all;
}
// Paths of tests: `engine/golden_gru`.
names tests_of(const std::string& catalogue) {
  names all;
  for (const std::string& code : code_of(catalogue))
    if (code.find('/') != std::string::npos && !code.ends_with('/') &&
        std::all_of(code.begin(), code.end(), [](unsigned char c) {
          return std::islower(c) || std::isdigit(c) || c == '_' || c == '/';
        }))
      all.insert(code);
  return all;
}

const std::string root = TENON_SOURCE_DIR;
const std::string catalogue = public_names::text_of(root + "/docs/reference/catalogue.md");

}  // namespace

TEST_CASE("the catalogue has every layer, loss, update rule, schedule and initialiser") {
  const names expected = expected_of(public_names::text_of(root + "/docs/reference/names.md"));
  for (const char* one : {"cells::peephole_lstm", "losses::huber", "optimizers::sparse_adam",
                          "schedules::multi_step", "init::each_of", "score::dot"})
    REQUIRE(expected.contains(one));
  for (const std::string& name : missing_in(catalogue, expected)) FAIL_CHECK("no row for '", name, "'");
}
TEST_CASE("the tests that the catalogue names are there") {
  const names tests = tests_of(catalogue);
  CHECK(tests.size() > 20);
  for (const std::string& test : tests)
    CHECK_MESSAGE(std::filesystem::exists(root + "/tests/" + test + ".cpp"), test);
}
TEST_CASE("what is missing is seen") {
  const std::string page =
      "## [Layers](l.md)\n| `nn::lstm` | a |\n| `nn::recurrent` | b |\n## [T](t.md)\n| `sgd` | update rule "
      "|\n| "
      "`fit` | c |\n";
  const names expected = expected_of(page);
  CHECK(expected == names{"lstm", "sgd"});
  CHECK(missing_in("| `lstm<H>` | `sgd_nesterov` |\n", expected) == names{"sgd"});
  CHECK(missing_in("| `lstm<H>` | `sgd` |\n", expected).empty());
  CHECK(tests_of("`train/a`, `nn.GRU`, `1 / 2`") == names{"train/a"});
}
