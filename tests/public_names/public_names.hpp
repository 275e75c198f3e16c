// The names that users write, from the headers and from docs/reference/names.md, and where the two differ.
#pragma once

#include "public_names/declarations.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace public_names {

using names = std::set<std::string>;

inline std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The names that all headers below a folder declare, by namespace.
inline declarations::names declared_below(const std::filesystem::path& folder) {
  declarations::names all;
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder))
    if (file.path().extension() == ".hpp" || file.path().extension() == ".cuh")
      for (const auto& [space, found] : declarations::declarations_of(text_of(file.path())))
        all[space].insert(found.begin(), found.end());
  return all;
}

/// The names in the namespaces that a user opens or spells out, as a user of tenon writes them: "nn::lstm", "metric::accuracy".
inline names of_users(const declarations::names& declared) {
  const std::map<std::string, std::string> spaces{{"tenon", ""},
                                                  {"tenon::concepts", "concepts::"},
                                                  {"tenon::criterion", "criterion::"},
                                                  {"tenon::decoding", "decoding::"},
                                                  {"tenon::equations", "equations::"},
                                                  {"tenon::init", "init::"},
                                                  {"tenon::init::gain", "init::gain::"},
                                                  {"tenon::io", "io::"},
                                                  {"tenon::losses", "losses::"},
                                                  {"tenon::metric", "metric::"},
                                                  {"tenon::nn", "nn::"},
                                                  {"tenon::nn::activation", "nn::activation::"},
                                                  {"tenon::nn::cells", "nn::cells::"},
                                                  {"tenon::nn::score", "nn::score::"},
                                                  {"tenon::optimizers", "optimizers::"},
                                                  {"tenon::reports", "reports::"},
                                                  {"tenon::schedules", "schedules::"}};
  names all;
  for (const auto& [space, prefix] : spaces)
    if (const auto found = declared.find(space); found != declared.end())
      for (const std::string& name : found->second) all.insert(prefix + name);
  return all;
}

/// The names in the first column of a page's tables: | `name` | meaning |. Only after the first heading: the table above it lists namespaces.
inline names of_page(const std::string& page) {
  names all;
  std::istringstream lines(page.substr(std::min(page.find("\n## "), page.size())));
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("| `"))
      if (const std::size_t end = line.find('`', 3); end != std::string::npos)
        all.insert(line.substr(3, end - 3));
  return all;
}

/// How many names the page says that each namespace has, | `tenon::io` | 30 |, and how many it lists; "" is tenon itself.
inline std::map<std::string, int> counts_said(const std::string& page) {
  std::map<std::string, int> all;
  std::istringstream lines(page.substr(0, page.find("\n## ")));
  const std::string begin = "| `tenon::", between = "` | ";
  for (std::string line; std::getline(lines, line);) {
    const std::size_t end = line.find(between);
    if (!line.starts_with(begin) || end == std::string::npos) continue;
    const std::string number = line.substr(end + between.size());
    if (!number.empty() && number[0] >= '0' && number[0] <= '9')
      all[line.substr(begin.size(), end - begin.size())] = std::stoi(number);
  }
  return all;
}
inline std::map<std::string, int> counts_listed(const std::string& page) {
  std::map<std::string, int> all;
  for (const std::string& name : of_page(page)) {
    const std::size_t end = name.find("::");
    ++all[end == std::string::npos ? "" : name.substr(0, end)];
  }
  return all;
}

/// Does the text contain this name, not as a part of another?
inline bool has_name(const std::string& text, const std::string& name) {
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos; ++at)
    if ((at == 0 || !is_part(text[at - 1])) &&
        (at + name.size() == text.size() || !is_part(text[at + name.size()])))
      return true;
  return false;
}
/// The names that are missing on the page linked by the heading of their section, ## [Layers](layers.md). That page has layers
/// without their namespace, which a graph's file opens.
inline std::vector<std::string> unexplained(
    const std::string& page, const std::function<std::string(const std::string&)>& text_of_page) {
  std::vector<std::string> all;
  std::istringstream lines(page);
  std::string linked, text;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("## ")) {
      const std::size_t begin = line.find("](");
      linked = begin == std::string::npos ? "" : line.substr(begin + 2, line.find(')', begin) - begin - 2);
      text = linked.empty() ? "" : text_of_page(linked);
    }
    if (linked.empty() || !line.starts_with("| `")) continue;
    const std::string name = line.substr(3, line.find('`', 3) - 3);
    if (!has_name(text, name.starts_with("nn::") ? name.substr(4) : name))
      all.push_back("'" + name + "' is not on " + linked +
                    ", where docs/reference/names.md sends its reader");
  }
  return all;
}

/// The names in backticks of the section that a newcomer reads first.
inline names of_first_section(const std::string& page) {
  names all;
  const std::size_t begin = page.find("## The first names"), end = page.find("\n## ", begin + 1);
  if (begin == std::string::npos) return all;
  for (std::size_t at = page.find('`', begin); at < end;) {
    const std::size_t close = page.find('`', at + 1);
    all.insert(page.substr(at + 1, close - at - 1));
    at = page.find('`', close + 1);
  }
  return all;
}

/// One line for each difference. Most names of tenon::backend are kernels, and most of tenon::distribute are parts of a trainer: of these, the
/// page lists only the names that users write, and they must be declared.
inline std::vector<std::string> differences(const declarations::names& declared, const std::string& page) {
  const names listed = of_page(page);
  names expected = of_users(declared);
  std::vector<std::string> all;
  for (const std::string& name : expected)
    if (!listed.contains(name))
      all.push_back("'" + name + "' is public and has no line in docs/reference/names.md");
  for (const std::string room : {"backend", "distribute"})
    if (const auto found = declared.find("tenon::" + room); found != declared.end())
      for (const std::string& name : found->second) expected.insert(room + "::" + name);
  for (const std::string& name : listed)
    if (!expected.contains(name))
      all.push_back("docs/reference/names.md names '" + name + "', and no header declares it");
  return all;
}

/// The namespaces directly in another: in tenon, `metric` is a name, too.
inline names nested_namespaces(const declarations::names& declared, const std::string& outer) {
  names all;
  for (const auto& [space, found] : declared)
    if (space.starts_with(outer + "::")) {
      const std::size_t first = outer.size() + 2;
      const std::string name = space.substr(first, space.find("::", first) - first);
      if (!name.empty()) all.insert(name);
    }
  return all;
}

}  // namespace public_names
