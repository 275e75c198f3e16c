// The bodies of by_name.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <cstring>
#include <iterator>

namespace tenon::inline v0_1::detail {

TENON_INLINE by_name_matching::by_name_matching(const std::vector<parameter_entry>& entries,
                                                const std::vector<io::named_tensor>& tensors,
                                                const by_name_options& options)
    : entries_(entries), tensors_(tensors), options_(options), source_(entries.size()) {
  for (std::size_t p = 0; p < entries_.size(); ++p) number_.emplace(entries_[p].path, p);
  assign_tensors();
  check_patterns();
  find_missing();
  for (std::size_t p = 0; p < entries_.size(); ++p)
    if (source_[p] != nullptr) check_fit(entries_[p], *source_[p]);
  if (problems_.empty())
    for (std::size_t p = 0; p < entries_.size(); ++p) check_tie(p);
  describe_unmatched();
}

TENON_INLINE std::string by_name_matching::remedy() const {
  if (!has_missing_ && !has_unexpected_) return {};
  std::string prefix = renaming_of_prefix();
  std::string text = "\n  match names by .rename = {" +
                     (prefix.empty() ? "{\"theirs.*\", \"ours.*\"}" : prefix) + "}, or accept these by ";
  if (has_missing_) text += ".allow_missing = true";
  if (has_missing_ && has_unexpected_) text += " and ";
  if (has_unexpected_) text += ".allow_unexpected = true";
  return text;
}

TENON_INLINE std::string by_name_matching::renaming_of_prefix() const {
  if (missing_.empty() || !options_.rename.empty()) return {};
  std::vector<std::string_view> theirs;
  for (const auto& [name, t] : unexpected_) theirs.push_back(name);
  std::sort(theirs.begin(), theirs.end());
  const auto is_theirs = [&](std::string_view name) {
    return std::binary_search(theirs.begin(), theirs.end(), name);
  };
  const std::string_view ours = entries_[missing_[0]].path;
  for (const std::string_view name : theirs) {
    const bool is_longer = name.size() > ours.size();
    const std::string_view longer = is_longer ? name : ours, shorter = is_longer ? ours : name;
    const std::string prefix(longer.substr(0, longer.size() - shorter.size()));
    if (!longer.ends_with(shorter) || !prefix.ends_with('.')) continue;
    const bool explains_all = std::all_of(missing_.begin(), missing_.end(), [&](std::size_t p) {
      const std::string_view path = entries_[p].path;
      if (is_longer) return is_theirs(prefix + std::string(path));
      return path.starts_with(prefix) && is_theirs(path.substr(prefix.size()));
    });
    const std::string pattern = "\"" + shortened_name(prefix + "*") + "\"";
    if (explains_all) return is_longer ? "{" + pattern + ", \"*\"}" : "{\"*\", " + pattern + "}";
  }
  return {};
}

TENON_INLINE void by_name_matching::assign_tensors() {
  std::vector<bool> is_used(options_.rename.size());
  for (const renaming& rule : options_.rename) check_renaming(rule);
  for (const io::named_tensor& t : tensors_) {
    std::string name = t.name;
    for (std::size_t r = 0; r < options_.rename.size(); ++r)
      if (auto other = renamed(options_.rename[r], t.name)) {
        name = std::move(*other);
        is_used[r] = true;
        break;
      }
    if (!options_.only.match(name)) continue;
    const auto found = number_.find(name);
    if (found == number_.end()) {
      unexpected_.emplace_back(std::move(name), &t);
      continue;
    }
    const io::named_tensor*& source = source_[found->second];
    if (source != nullptr) add_problem({"both '", source->name, "' and '", t.name, "' become '", name, "'"});
    source = &t;
  }
  for (std::size_t r = 0; r < is_used.size(); ++r)
    if (!is_used[r])
      add_problem({"the renaming '", shortened_name(options_.rename[r].from), "' to '",
                   shortened_name(options_.rename[r].to), "' fits no tensor"});
}

TENON_INLINE void by_name_matching::check_patterns() {
  for (const std::string& pattern : options_.only.patterns()) {
    const bool matches = std::any_of(entries_.begin(), entries_.end(),
                                     [&](const parameter_entry& e) { return ir::matches(pattern, e.path); });
    if (!matches) add_problem({"the pattern '", shortened_name(pattern), "' fits no parameter"});
  }
}

TENON_INLINE std::size_t by_name_matching::first_of_tie(std::size_t p) const {
  while (entries_[p].tied_to >= 0) p = static_cast<std::size_t>(entries_[p].tied_to);
  return p;
}

TENON_INLINE void by_name_matching::find_missing() {
  std::vector<bool> is_given(entries_.size());
  for (std::size_t p = 0; p < entries_.size(); ++p)
    if (source_[p] != nullptr) is_given[first_of_tie(p)] = true;
  for (std::size_t p = 0; p < entries_.size(); ++p) {
    const std::size_t first = first_of_tie(p);
    if (is_given[first] || !options_.only.match(entries_[p].path)) continue;
    is_given[first] = true;  // one line for all tied parameters
    missing_.push_back(p);
  }
}

TENON_INLINE void by_name_matching::check_fit(const parameter_entry& e, const io::named_tensor& t) {
  const std::string name = t.name == e.path ? message_of({"'", e.path, "'"})
                                            : message_of({"'", e.path, "' (given as '", t.name, "')"});
  if (t.shape != e.shape())
    add_problem({name, ": expected ", shape_text(e.shape()), ", got ", shape_text(t.shape)});
  if (!is_floating_point(t.type))
    add_problem({name, ": expected floating-point numbers, got ", name_of(t.type)});
}

TENON_INLINE void by_name_matching::check_tie(std::size_t p) {
  const std::size_t first = first_of_tie(p);
  const io::named_tensor* const t = source_[p];
  const io::named_tensor* other = nullptr;
  for (std::size_t q = first; q < p && other == nullptr; ++q)
    if (first_of_tie(q) == first) other = source_[q];
  if (t == nullptr || other == nullptr) return;
  double a[512], b[512];
  for (std::size_t at = 0; at < t->size(); at += std::size(a)) {
    const std::size_t count = std::min(std::size(a), t->size() - at);
    read_numbers(*t, at, count, a);
    read_numbers(*other, at, count, b);
    for (std::size_t k = 0; k < count; ++k)
      if (std::memcmp(&a[k], &b[k], sizeof a[k]) != 0)
        return add_problem({"'", other->name, "' and '", t->name,
                            "' are tied in the graph, so expected the same numbers, got others at element ",
                            at + k});
  }
}

TENON_INLINE void by_name_matching::describe_unmatched() {
  for (const std::size_t p : missing_) {
    const parameter_entry& e = entries_[p];
    if (options_.allow_missing) {
      unmatched_.missing.emplace_back(e.path);
      continue;
    }
    has_missing_ = true;
    nearest_name nearest(e.path, e.shape());
    for (const auto& [name, t] : unexpected_) nearest.consider(name, t->shape);
    add_problem({"missing '", e.path, "' ", shape_text(e.shape()), nearest.suggestion()});
  }
  for (const auto& [name, t] : unexpected_) {
    if (options_.allow_unexpected) {
      unmatched_.unexpected.push_back(t->name);
      continue;
    }
    has_unexpected_ = true;
    nearest_name nearest(name, t->shape);
    for (const std::size_t p : missing_) nearest.consider(entries_[p].path, entries_[p].shape());
    add_problem({"unexpected '", shortened_name(t->name), "'", name == t->name ? "" : ", renamed to '",
                 name == t->name ? "" : shortened_name(name), name == t->name ? "" : "',", " ",
                 shape_text(t->shape), nearest.suggestion()});
  }
}

TENON_INLINE void by_name_matching::nearest_name::consider(std::string_view name,
                                                           const std::vector<std::size_t>& shape) {
  if (++considered_ > 1000) return;  // a file may have any number of names
  const std::string_view end = end_of(name);
  const bool is_alike = shape == shape_ && last_part(end) == last_part(wanted_);
  const int letters = ir::nearest::edit_distance(end, wanted_);
  if (!is_alike && letters >= static_cast<int>(wanted_.size()) / 3 + 2) return;
  const int distance = letters + (is_alike ? 0 : ir::name::capacity);
  if (best_.empty() || distance < distance_) {
    best_ = name;
    best_shape_ = shape;
    distance_ = distance;
  }
}

}  // namespace tenon::inline v0_1::detail
