// The bodies of onnx_axes.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <algorithm>
#include <deque>

namespace tenon::inline v0_1::detail::onnx {

TENON_INLINE std::int64_t added(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) throw not_understood{"a size of more than 64 bits"};
  return sum;
}
TENON_INLINE std::int64_t multiplied(std::int64_t a, std::int64_t b) {
  std::int64_t all = 0;
  if (__builtin_mul_overflow(a, b, &all)) throw not_understood{"a size of more than 64 bits"};
  return all;
}

TENON_INLINE symbolic_size product(const symbolic_size& a, const symbolic_size& b) {
  symbolic_size both{multiplied(a.number, b.number), a.axes};
  both.axes.insert(both.axes.end(), b.axes.begin(), b.axes.end());
  std::sort(both.axes.begin(), both.axes.end());
  return both;
}
TENON_INLINE std::optional<symbolic_size> quotient(const symbolic_size& a, const symbolic_size& b) {
  symbolic_size left = a;
  if (b.number < 1 || a.number % b.number != 0) return {};
  left.number /= b.number;
  for (const int axis : b.axes) {
    const auto found = std::find(left.axes.begin(), left.axes.end(), axis);
    if (found == left.axes.end()) return {};
    left.axes.erase(found);
  }
  return left;
}

TENON_INLINE int axis_table::add(axis_kind kind, std::int64_t length, const std::string& name) {
  axes_.push_back({kind, length, name});
  return static_cast<int>(axes_.size()) - 1;
}
TENON_INLINE symbolic_size axis_table::size_of(const std::vector<int>& dimension) const {
  symbolic_size all;
  for (const int axis : dimension) {
    if ((*this)[axis].length < 0) all = product(all, {1, {axis}});
    else all.number = multiplied(all.number, (*this)[axis].length);
  }
  return all;
}
TENON_INLINE std::int64_t axis_table::columns_of(const edge_view& v) const {
  return size_of(v.features).number;
}

TENON_INLINE std::optional<edge_view> axis_table::reshaped(const edge_view& v,
                                                           std::vector<symbolic_size> to) {
  edge_view made = v;
  made.dims.clear();
  std::deque<int> left;
  for (const std::vector<int>& d : v.dims) left.insert(left.end(), d.begin(), d.end());
  symbolic_size total = size_of({left.begin(), left.end()}), known;
  symbolic_size* open = nullptr;
  for (symbolic_size& s : to) {
    if (s.number != -1) known = product(known, s);
    else if (open != nullptr) return {};
    else open = &s;
  }
  if (open != nullptr) {
    const auto rest = quotient(total, known);
    if (!rest) return {};
    *open = *rest;
  }
  for (std::size_t t = 0; t < to.size(); ++t) {
    const symbolic_size& size = to[t];
    std::vector<int> dimension;
    symbolic_size wanted = size;
    while (!(wanted == symbolic_size{})) {
      if (left.empty()) return {};
      const int axis = left.front();
      left.pop_front();
      if (const auto rest = quotient(wanted, size_of({axis}))) {
        wanted = *rest;
        dimension.push_back(axis);
        continue;
      }
      const std::int64_t length = (*this)[axis].length;  // a part of it
      if (!wanted.is_number() || wanted.number < 1 || length < 0 || length % wanted.number != 0) return {};
      const read_axis whole = (*this)[axis];
      const int outer = add(whole.kind, wanted.number, whole.name),
                part = add(whole.kind, length / wanted.number, whole.name);
      const auto in_features = std::find(made.features.begin(), made.features.end(), axis);
      if (in_features == made.features.end()) return {};
      *in_features = outer;
      made.features.insert(std::find(made.features.begin(), made.features.end(), outer) + 1, part);
      dimension.push_back(outer);
      left.push_front(part);
      wanted = {};
    }
    // An axis of one element is a dimension of its own where one is asked for, or else stays where it is.
    const bool is_one = size == symbolic_size{},
               wants_one = t + 1 < to.size() && to[t + 1] == symbolic_size{};
    while (!left.empty() && (*this)[left.front()].length == 1 && (is_one ? dimension.empty() : !wants_one)) {
      dimension.push_back(left.front());
      left.pop_front();
    }
    made.dims.push_back(dimension);
  }
  for (; !left.empty() && !made.dims.empty() && (*this)[left.front()].length == 1; left.pop_front())
    made.dims.back().push_back(left.front());
  if (!left.empty()) return {};
  settle(made.dims);
  return made;
}

TENON_INLINE void axis_table::merge_features(edge_view& v, std::size_t dimension) {
  const std::vector<int> axes = v.dims[dimension];
  if (axes.size() < 2 || axes.size() > v.features.size() ||
      !std::equal(axes.begin(), axes.end(), v.features.end() - std::ssize(axes)))
    return;
  const int merged = add(axis_kind::features, size_of(axes).number);
  v.features.erase(v.features.end() - std::ssize(axes), v.features.end());
  v.features.push_back(merged);
  v.dims[dimension] = {merged};
}

TENON_INLINE void axis_table::settle(dimensions& dims) const {
  for (std::vector<int>& d : dims)
    for (std::size_t k = 0; k < d.size() && d.size() > 1; ++k) {
      const auto empty =
          std::find_if(dims.begin(), dims.end(), [](const std::vector<int>& o) { return o.empty(); });
      if ((*this)[d[k]].length != 1 || is(d[k], axis_kind::features) || empty == dims.end()) continue;
      empty->push_back(d[k]);
      d.erase(d.begin() + static_cast<std::ptrdiff_t>(k--));
    }
}

TENON_INLINE std::optional<edge_view> axis_table::columns(const edge_view& v, std::size_t dimension,
                                                          std::int64_t first, std::int64_t end) {
  edge_view made = v;
  const int axis = only(v.dims[dimension]);
  if (axis < 0 || v.features.empty() || v.features.front() != axis) return {};
  if (first < 0 || end <= first || end > (*this)[axis].length) return {};
  const std::int64_t width = columns_of(v) / (*this)[axis].length;
  made.first += first * width;
  made.features.erase(made.features.begin());
  made.dims[dimension].clear();
  if (end - first > 1) {
    const int part = add(axis_kind::features, end - first);
    made.features.insert(made.features.begin(), part);
    made.dims[dimension] = {part};
  }
  return made;
}

}  // namespace tenon::inline v0_1::detail::onnx
