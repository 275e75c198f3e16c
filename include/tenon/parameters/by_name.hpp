// Parameters from named tensors: which tensor becomes which parameter, and what does not fit.
#pragma once

#include "tenon/parameters/name_pattern.hpp"
#include "tenon/parameters/parameter_entry.hpp"
#include "tenon/tensor/named_tensor.hpp"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tenon::inline v0_1 {

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
                   const by_name_options& options);

  // Empty if all fits; otherwise a line for each name that does not.
  const std::string& problems() const { return problems_; }
  const unmatched_names& unmatched() const { return unmatched_; }
  // How to accept unmatched names.
  std::string remedy() const;

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

  void assign_tensors();
  void check_patterns();
  std::size_t first_of_tie(std::size_t p) const;
  // Of tied parameters one is enough.
  void find_missing();
  void check_fit(const parameter_entry& e, const io::named_tensor& t);
  // The tensors of tied parameters must hold the same numbers.
  void check_tie(std::size_t p);
  void describe_unmatched();
  // The renaming that gives all missing parameters a tensor, if one side has a prefix: `{"model.*", "*"}`.
  std::string renaming_of_prefix() const;

  // The unmatched name nearest to an unmatched one: a name of the same shape with the same part after the last point,
  // or else one with similar letters.
  class nearest_name {
   public:
    nearest_name(std::string_view wanted, std::vector<std::size_t> shape)
        : wanted_(end_of(wanted)), shape_(std::move(shape)) {}
    void consider(std::string_view name, const std::vector<std::size_t>& shape);
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

}  // namespace tenon::inline v0_1

#ifndef TENON_COMPILED
#  include "tenon/parameters/by_name.ipp"
#endif
