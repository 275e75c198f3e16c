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

namespace tenon::inline v0_1 {

namespace detail {

// The characters that `*` matches in this name, none for a pattern without `*`; nullopt if the name does not match.
std::optional<std::string_view> match_pattern(std::string_view pattern, std::string_view name);
inline bool has_star(std::string_view pattern) { return pattern.find('*') != std::string_view::npos; }
void check_pattern(std::string_view pattern);

// Every name, or those that one of the patterns matches: .only = "embedded.*", .only = {"embedded.*", "logits.bias"}.
class name_patterns {
 public:
  name_patterns() = default;
  name_patterns(const char* pattern) : name_patterns{std::string(pattern)} {}
  name_patterns(std::string pattern) : name_patterns{std::move(pattern)} {}
  name_patterns(std::initializer_list<std::string> patterns) : name_patterns(std::vector(patterns)) {}
  name_patterns(std::vector<std::string> patterns) : all_(std::move(patterns)) {}

  bool match(std::string_view name) const;
  const std::vector<std::string>& patterns() const { return all_; }

 private:
  std::vector<std::string> all_;
};

// Renames `from` to `to`; the `*` of `to` becomes what that of `from` matches: {"encoder.rnn.*", "states.*"}.
struct renaming {
  std::string from, to;
};

void check_renaming(const renaming& rule);
std::optional<std::string> renamed(const renaming& rule, std::string_view name);

}  // namespace detail

}  // namespace tenon::inline v0_1

#ifndef TENON_COMPILED
#  include "tenon/parameters/name_pattern.ipp"
#endif
