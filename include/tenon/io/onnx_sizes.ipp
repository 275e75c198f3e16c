// The bodies of onnx_sizes.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <algorithm>
#include <cmath>

namespace tenon::inline v0_1::detail::onnx {

TENON_INLINE void value_sizes::compute_sizes(const onnx_read_node& n) {
  value_read made{.kind = value_kind::sizes};
  if (n.type == "Shape") {
    const value_read& v = input(n, 0);
    if (v.kind == value_kind::constant)
      for (const std::int64_t d : v.constant.shape) made.sizes.push_back({d});
    else if (v.kind == value_kind::columns || v.kind == value_kind::term || v.kind == value_kind::scores)
      for (const std::vector<int>& d : v.columns.dims) {
        const bool is_one = v.expression != nullptr && v.expression->is_one && d == v.columns.features;
        made.sizes.push_back(is_one ? symbolic_size{} : axes_.size_of(d));
      }
    else if (v.kind == value_kind::row_order || v.kind == value_kind::lengths)
      made.sizes.push_back({1, {batch_}});
    else refuse(n, "of something without a shape");
    const auto rank = std::ssize(made.sizes);
    const auto place = [&](std::int64_t k) {
      return std::clamp<std::int64_t>(k < 0 ? k + rank : k, 0, rank);
    };
    const std::int64_t first = place(attribute(n, "start", 0)), end = place(attribute(n, "end", rank));
    made.sizes.erase(made.sizes.begin() + end, made.sizes.end());
    made.sizes.erase(made.sizes.begin(), made.sizes.begin() + std::min(first, end));
    return set(n, made);
  }
  if (n.type == "ConstantOfShape") {
    const auto found = n.attributes.find("value");
    const onnx_array* const filled = found == n.attributes.end() ? nullptr : &found->second.tensor;
    if (filled == nullptr || (!filled->is_whole && filled->numbers == std::vector<double>{0}))
      return set(n, {.kind = value_kind::zeros});
    if (!filled->is_whole || filled->integers.empty()) refuse(n, "of another number than 0");
    const value_read& shape = input(n, 0);
    const bool is_small = shape.sizes.size() == 1 && shape.sizes[0].is_number() &&
                          shape.sizes[0].number >= 0 && shape.sizes[0].number < 64;
    if (!is_small) return set(n, {.kind = value_kind::positions});
    made.sizes.assign(static_cast<std::size_t>(shape.sizes[0].number), {filled->integers.at(0)});
    return set(n, made);
  }
  if (n.type == "Range") {
    const value_read &first = input(n, 0), &step = input(n, 2);
    const bool is_each =
        first.sizes == std::vector<symbolic_size>{{0}} && step.sizes == std::vector<symbolic_size>{{1}};
    return set(n, {.kind = value_kind::positions,
                   .sizes = is_each ? input(n, 1).sizes : std::vector<symbolic_size>{}});
  }
  if (n.type == "ReduceProd") {
    made.sizes = {{}};
    for (const symbolic_size& s : input(n, 0).sizes) made.sizes[0] = product(made.sizes[0], s);
    made.is_list = attribute(n, "keepdims", 1) == 1;
    return set(n, made);
  }
  const bool is_whole = std::all_of(n.inputs.begin(), n.inputs.end(), [&](const std::string& name) {
    return value_of(name).kind == value_kind::sizes;
  });
  const value_read& a = input(n, 0);
  if (is_whole) {
    const value_read& b = input(n, n.inputs.size() > 1 ? 1 : 0);
    made.is_list = a.is_list || b.is_list;
    for (std::size_t k = 0; k < std::max(a.sizes.size(), b.sizes.size()); ++k) {
      if (a.sizes.empty() || b.sizes.empty()) refuse(n, "of no sizes");
      const symbolic_size p = a.sizes.at(a.sizes.size() == 1 ? 0 : k),
                          q = b.sizes.at(b.sizes.size() == 1 ? 0 : k);
      const bool are_numbers = p.is_number() && q.is_number();
      if (n.type == "Mul") made.sizes.push_back(product(p, q));
      else if (n.type == "Div" && quotient(p, q)) made.sizes.push_back(*quotient(p, q));
      else if (n.type == "Div" && are_numbers && q.number > 0) made.sizes.push_back({p.number / q.number});
      else if (n.type == "Mod" && are_numbers && p.number >= 0 && q.number > 0)
        made.sizes.push_back({p.number % q.number});
      else if (n.type == "Add" && are_numbers) made.sizes.push_back({added(p.number, q.number)});
      else if (n.type == "Sub" && are_numbers)
        made.sizes.push_back({added(p.number, multiplied(-1, q.number))});
      else if (n.type == "Sub" && p == q) made.sizes.push_back({0});
      else if ((n.type == "Max" || n.type == "Min") && are_numbers)
        made.sizes.push_back({n.type == "Max" ? std::max(p.number, q.number) : std::min(p.number, q.number)});
      else if ((n.type == "Less" || n.type == "And") && are_numbers)
        made.sizes.push_back({n.type == "Less" ? p.number < q.number : p.number != 0 && q.number != 0});
      else if ((n.type == "Max" || n.type == "Min") && p == q) made.sizes.push_back(p);
      else if (n.type == "Neg" && p.is_number()) made.sizes.push_back({multiplied(-1, p.number)});
      else return set(n, {.kind = value_kind::positions});
    }
    return set(n, made);
  }
  // Of floating-point constants.
  const onnx_array& p = constant(n, 0);
  made.kind = value_kind::constant;
  made.constant = p;
  const onnx_array& q = n.inputs.size() > 1 ? constant(n, 1) : p;
  if (q.numbers.size() > p.numbers.size()) made.constant.shape = q.shape;
  if (p.numbers.size() != q.numbers.size() && p.numbers.size() != 1 && q.numbers.size() != 1)
    refuse(n, "of constants of unlike shapes");
  made.constant.numbers.clear();
  for (std::size_t k = 0; k < std::max(p.numbers.size(), q.numbers.size()); ++k) {
    const double x = p.numbers.at(p.numbers.size() == 1 ? 0 : k),
                 y = q.numbers.at(q.numbers.size() == 1 ? 0 : k);
    made.constant.numbers.push_back(n.type == "Add"    ? x + y
                                    : n.type == "Sub"  ? x - y
                                    : n.type == "Mul"  ? x * y
                                    : n.type == "Div"  ? x / y
                                    : n.type == "Sqrt" ? std::sqrt(x)
                                    : n.type == "Max"  ? std::max(x, y)
                                    : n.type == "Min"  ? std::min(x, y)
                                    : n.type == "Neg"  ? -x
                                    : n.type == "Less" ? (x < y ? 1.0 : 0.0)
                                    : n.type == "And"  ? (x != 0 && y != 0 ? 1.0 : 0.0)
                                                       : NAN);
    if (std::isnan(made.constant.numbers.back())) refuse(n, "of constants");
  }
  set(n, made);
}

TENON_INLINE value_read value_sizes::moved_constant(const onnx_read_node& n, value_read v) const {
  onnx_array& c = v.constant;
  const std::size_t rank = c.shape.size();
  if (n.type == "Transpose") {
    const std::vector<std::size_t> order = order_of(n, rank);
    std::vector<std::int64_t> shape;
    std::vector<std::int64_t> strides(rank, 1);
    for (std::size_t a = rank; a-- > 1;) strides[a - 1] = strides[a] * c.shape[a];
    for (const std::size_t a : order) shape.push_back(c.shape[a]);
    std::vector<double> turned(c.numbers.size());
    std::vector<std::int64_t> index(rank, 0);
    for (double& number : turned) {
      std::int64_t from = 0;
      for (std::size_t a = 0; a < rank; ++a) from += index[a] * strides[order[a]];
      number = c.numbers[static_cast<std::size_t>(from)];
      for (std::size_t a = rank; a-- > 0 && ++index[a] == shape[a];) index[a] = 0;
    }
    c.numbers = turned;
    c.shape = shape;
  } else if (n.type == "Reshape") {
    std::vector<std::int64_t> shape = numbers(n, 1);
    std::int64_t known = 1;
    for (std::size_t a = 0; a < shape.size(); ++a) {
      if (shape[a] == 0 && a < rank) shape[a] = c.shape[a];
      if (shape[a] > 0) known = multiplied(known, shape[a]);
    }
    std::int64_t all = 1;
    for (std::int64_t& d : shape) {
      if (d == -1) d = c.size() / std::max<std::int64_t>(known, 1);
      all = multiplied(all, d);
    }
    if (all != c.size() || std::any_of(shape.begin(), shape.end(), [](std::int64_t d) { return d < 0; }))
      refuse(n, "a constant of " + std::to_string(c.size()) + " numbers to another size");
    c.shape = shape;
  } else if (n.type == "Squeeze") {
    std::vector<std::int64_t> shape;
    const std::vector<std::int64_t> axes = axes_of(n, 1, rank);
    for (std::size_t a = 0; a < rank; ++a) {
      const bool is_listed = std::find(axes.begin(), axes.end(), static_cast<std::int64_t>(a)) != axes.end();
      if (axes.empty() ? c.shape[a] != 1 : !is_listed) shape.push_back(c.shape[a]);
    }
    c.shape = shape;
  } else if (n.type == "Unsqueeze") {
    for (const std::int64_t a :
         axes_of(n, 1, rank + (has_input(n, 1) ? numbers(n, 1).size() : list(n, "axes").size())))
      c.shape.insert(c.shape.begin() + a, 1);
  } else if (n.type == "Expand" &&
             std::all_of(c.numbers.begin(), c.numbers.end(), [](double x) { return x == 0; })) {
    v = {.kind = value_kind::zeros};
  } else if (n.type != "Expand" || c.numbers.size() != 1) {
    refuse(n, "of a constant");
  }
  return v;
}

}  // namespace tenon::inline v0_1::detail::onnx
