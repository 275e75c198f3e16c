// The bodies of name_pattern.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

namespace tenon::inline v0_1::detail {

TENON_INLINE std::optional<std::string_view> match_pattern(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos)
    return pattern == name ? std::optional(std::string_view()) : std::nullopt;
  const std::string_view before = pattern.substr(0, star), after = pattern.substr(star + 1);
  if (name.size() + 1 < pattern.size() || !name.starts_with(before) || !name.ends_with(after)) return {};
  return name.substr(before.size(), name.size() + 1 - pattern.size());
}

TENON_INLINE void check_pattern(std::string_view pattern) {
  if (pattern.find('*') != pattern.rfind('*'))
    throw_input_error(
        {"the renaming with '", shortened_name(pattern), "' has more than one '*'; write two renamings"});
}

TENON_INLINE bool name_patterns::match(std::string_view name) const {
  for (const std::string& pattern : all_)
    if (ir::matches(pattern, name)) return true;
  return all_.empty();
}

TENON_INLINE void check_renaming(const renaming& rule) {
  check_pattern(rule.from);
  check_pattern(rule.to);
  if (has_star(rule.from) != has_star(rule.to))
    throw_input_error({"the renaming '", shortened_name(rule.from), "' to '", shortened_name(rule.to),
                       "' has one '*'; write one in both, or in none"});
}

TENON_INLINE std::optional<std::string> renamed(const renaming& rule, std::string_view name) {
  const auto middle = match_pattern(rule.from, name);
  if (!middle) return {};
  const std::size_t star = rule.to.find('*');
  if (star == std::string::npos) return rule.to;
  return rule.to.substr(0, star).append(*middle).append(rule.to, star + 1);
}

}  // namespace tenon::inline v0_1::detail
