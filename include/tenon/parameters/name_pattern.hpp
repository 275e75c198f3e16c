// Names chosen and changed by pattern. Each `*` of a pattern matches any characters, or none: "states.*", "*.weight",
// "encoder.*.bias". A pattern that renames has at most one `*`.
#pragma once

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/meta/pattern.hpp"

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tenon {

namespace detail {

// The characters that `*` matches in this name, none for a pattern without `*`; nullopt if the name does not match.
inline std::optional<std::string_view> match_pattern(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos)
    return pattern == name ? std::optional(std::string_view()) : std::nullopt;
  const std::string_view before = pattern.substr(0, star), after = pattern.substr(star + 1);
  if (name.size() + 1 < pattern.size() || !name.starts_with(before) || !name.ends_with(after)) return {};
  return name.substr(before.size(), name.size() + 1 - pattern.size());
}
inline bool has_star(std::string_view pattern) { return pattern.find('*') != std::string_view::npos; }
inline void check_pattern(std::string_view pattern) {
  if (pattern.find('*') != pattern.rfind('*'))
    throw_input_error(
        {"the renaming with '", shortened_name(pattern), "' has more than one '*'; write two renamings"});
}

// Every name, or those that one of the patterns matches: .only = "embedded.*", .only = {"embedded.*", "logits.bias"}.
class name_patterns {
 public:
  name_patterns() = default;
  name_patterns(const char* pattern) : name_patterns{std::string(pattern)} {}
  name_patterns(std::string pattern) : name_patterns{std::move(pattern)} {}
  name_patterns(std::initializer_list<std::string> patterns) : name_patterns(std::vector(patterns)) {}
  name_patterns(std::vector<std::string> patterns) : all_(std::move(patterns)) {}

  bool match(std::string_view name) const {
    for (const std::string& pattern : all_)
      if (ir::matches(pattern, name)) return true;
    return all_.empty();
  }
  const std::vector<std::string>& patterns() const { return all_; }

 private:
  std::vector<std::string> all_;
};

// Renames `from` to `to`; the `*` of `to` becomes what that of `from` matches: {"encoder.rnn.*", "states.*"}.
struct renaming {
  std::string from, to;
};

inline void check_renaming(const renaming& rule) {
  check_pattern(rule.from);
  check_pattern(rule.to);
  if (has_star(rule.from) != has_star(rule.to))
    throw_input_error({"the renaming '", shortened_name(rule.from), "' to '", shortened_name(rule.to),
                       "' has one '*'; write one in both, or in none"});
}
inline std::optional<std::string> renamed(const renaming& rule, std::string_view name) {
  const auto middle = match_pattern(rule.from, name);
  if (!middle) return {};
  const std::size_t star = rule.to.find('*');
  if (star == std::string::npos) return rule.to;
  return rule.to.substr(0, star).append(*middle).append(rule.to, star + 1);
}

}  // namespace detail

}  // namespace tenon
