// Parameters from named tensors: which tensor becomes which parameter, and what does not fit.
#pragma once

#include "tenon/parameters/name_pattern.hpp"
#include "tenon/parameters/parameter_entry.hpp"
#include "tenon/tensor/named_tensor.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tenon {

namespace detail {

// Names without a partner that were accepted: parameters without a tensor, and tensors that are no parameter.
struct unmatched_names {
  std::vector<std::string> missing{}, unexpected{};
};

struct by_name_options {
  std::vector<renaming> rename{};
  name_patterns only{};
  bool allow_missing = false, allow_unexpected = false;
};

// Which tensor becomes which parameter. All is checked before anything is copied: a misfit changes nothing.
class by_name_matching {
 public:
  by_name_matching(const std::vector<parameter_entry>& entries, const std::vector<io::named_tensor>& tensors,
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

  // Empty if all fits; otherwise a line for each name that does not.
  const std::string& problems() const { return problems_; }
  const unmatched_names& unmatched() const { return unmatched_; }
  // How to accept unmatched names.
  std::string remedy() const {
    if (!has_missing_ && !has_unexpected_) return {};
    std::string text = "\n  match names by .rename = {{\"theirs.*\", \"ours.*\"}}, or accept these by ";
    if (has_missing_) text += ".allow_missing = true";
    if (has_missing_ && has_unexpected_) text += " and ";
    if (has_unexpected_) text += ".allow_unexpected = true";
    return text;
  }

  // copy(tensor, to) is called for tensors that are copied without a change.
  template <class T, class Copy>
  void copy_to(T* block, Copy copy) const {
    std::vector<T> row;
    for (std::size_t p = 0; p < entries_.size(); ++p) {
      if (source_[p] == nullptr) continue;
      const parameter_entry& e = entries_[p];
      T* const to = block + e.offset;
      const std::size_t area = e.kernel_area(), columns = static_cast<std::size_t>(e.columns);
      if (area == 1) {
        if (source_[p]->type == io::dtype_of<T>) copy(*source_[p], to);
        else read_numbers(*source_[p], 0, e.size(), to);
        continue;
      }
      row.resize(columns);
      for (std::size_t at = 0; at < e.size(); at += columns) {
        read_numbers(*source_[p], at, columns, row.data());
        transpose_kernel(row.data(), columns / area, area, to + at);
      }
    }
  }

 private:
  const std::vector<parameter_entry>& entries_;
  const std::vector<io::named_tensor>& tensors_;
  const by_name_options& options_;
  std::map<std::string_view, std::size_t> number_{};                           // of a parameter, by its path
  std::vector<const io::named_tensor*> source_;                                // of each parameter
  std::vector<std::size_t> missing_{};                                         // parameters
  std::vector<std::pair<std::string, const io::named_tensor*>> unexpected_{};  // by the name after renaming
  std::string problems_{};
  unmatched_names unmatched_{};
  bool has_missing_ = false, has_unexpected_ = false;

  void add_problem(std::initializer_list<message_part> line) { problems_ += "\n  " + message_of(line); }

  void assign_tensors() {
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
      if (source != nullptr)
        add_problem({"both '", source->name, "' and '", t.name, "' become '", name, "'"});
      source = &t;
    }
    for (std::size_t r = 0; r < is_used.size(); ++r)
      if (!is_used[r])
        add_problem({"the renaming '", shortened_name(options_.rename[r].from), "' to '",
                     shortened_name(options_.rename[r].to), "' fits no tensor"});
  }
  void check_patterns() {
    for (const std::string& pattern : options_.only.patterns()) {
      const bool matches = std::any_of(entries_.begin(), entries_.end(), [&](const parameter_entry& e) {
        return ir::matches(pattern, e.path);
      });
      if (!matches) add_problem({"the pattern '", shortened_name(pattern), "' fits no parameter"});
    }
  }
  std::size_t first_of_tie(std::size_t p) const {
    while (entries_[p].tied_to >= 0) p = static_cast<std::size_t>(entries_[p].tied_to);
    return p;
  }
  // Of tied parameters one is enough.
  void find_missing() {
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
  void check_fit(const parameter_entry& e, const io::named_tensor& t) {
    const std::string name = t.name == e.path ? message_of({"'", e.path, "'"})
                                              : message_of({"'", e.path, "' (given as '", t.name, "')"});
    if (t.shape != e.shape())
      add_problem({name, ": expected ", shape_text(e.shape()), ", got ", shape_text(t.shape)});
    if (!is_floating_point(t.type))
      add_problem({name, ": expected floating-point numbers, got ", name_of(t.type)});
  }
  // The tensors of tied parameters must hold the same numbers.
  void check_tie(std::size_t p) {
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
  void describe_unmatched() {
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

  // The unmatched name nearest to an unmatched one: a name of the same shape with the same part after the last point,
  // or else one with similar letters.
  class nearest_name {
   public:
    nearest_name(std::string_view wanted, std::vector<std::size_t> shape)
        : wanted_(end_of(wanted)), shape_(std::move(shape)) {}
    void consider(std::string_view name, const std::vector<std::size_t>& shape) {
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
    std::string suggestion() const {
      return best_.empty() ? "" : message_of({"; the nearest is '", best_, "' ", shape_text(best_shape_)});
    }

   private:
    std::string_view wanted_;
    std::string best_{};
    std::vector<std::size_t> shape_, best_shape_{};
    int distance_ = 0, considered_ = 0;

    static std::string_view end_of(std::string_view name) {
      return name.substr(name.size() - std::min(name.size(), std::size_t{ir::name::capacity}));
    }
    static std::string_view last_part(std::string_view name) { return name.substr(name.rfind('.') + 1); }
  };
};

}  // namespace detail

}  // namespace tenon
