// The bodies of onnx_nodes.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <cstdio>

namespace tenon::detail {

TENON_INLINE std::string onnx_nodes::fresh(std::string_view type) {
  return path_ + "/" + std::string(type) + "_" + std::to_string(made_++);
}

TENON_INLINE void onnx_nodes::node_named(const std::string& output, std::string_view type,
                                         const std::vector<std::string>& inputs,
                                         const std::vector<onnx_attribute>& attributes) {
  nodes_->add(1, onnx_node(type, output, inputs, {output}, attributes));
}

TENON_INLINE std::string onnx_nodes::node(std::string_view type, const std::vector<std::string>& inputs,
                                          const std::vector<onnx_attribute>& attributes) {
  const std::string output = fresh(type);
  node_named(output, type, inputs, attributes);
  return output;
}

TENON_INLINE std::string onnx_nodes::whole_numbers(const std::vector<std::int64_t>& numbers) {
  std::string name = "/ints";
  for (const std::int64_t n : numbers) name += "_" + std::to_string(n);
  if (const auto [found, is_new] = constants_.emplace(name, name); !is_new) return found->second;
  graph_.add(5, onnx_tensor(name, onnx_type::int64, {onnx::whole(std::ssize(numbers))},
                            {reinterpret_cast<const char*>(numbers.data()), numbers.size() * 8}));
  return name;
}

TENON_INLINE std::string onnx_nodes::whole_number(std::int64_t number) {
  std::string name = "/int_" + std::to_string(number);
  if (const auto [found, is_new] = constants_.emplace(name, name); !is_new) return found->second;
  graph_.add(5, onnx_tensor(name, onnx_type::int64, {}, {reinterpret_cast<const char*>(&number), 8}));
  return name;
}

TENON_INLINE std::string onnx_nodes::real(double number) {
  char written[40];
  std::snprintf(written, sizeof written, "/real_%.17g", number);
  const std::string name = written;
  if (const auto [found, is_new] = constants_.emplace(name, name); !is_new) return found->second;
  const float narrow = static_cast<float>(number);
  const bool is_wide = net_.type == onnx_type::float64;
  graph_.add(5, onnx_tensor(name, net_.type, {},
                            is_wide ? std::string_view(reinterpret_cast<const char*>(&number), 8)
                                    : std::string_view(reinterpret_cast<const char*>(&narrow), 4)));
  return name;
}

TENON_INLINE std::string onnx_nodes::reals(const std::vector<double>& numbers) {
  std::string name = fresh("numbers"), bytes;
  for (const double number : numbers) {
    const float narrow = static_cast<float>(number);
    if (net_.type == onnx_type::float64) bytes.append(reinterpret_cast<const char*>(&number), 8);
    else bytes.append(reinterpret_cast<const char*>(&narrow), 4);
  }
  graph_.add(5, onnx_tensor(name, net_.type, {onnx::whole(std::ssize(numbers))}, bytes));
  return name;
}

TENON_INLINE std::string onnx_nodes::unsqueezed(const std::string& x, const std::vector<std::int64_t>& axes) {
  return node("Unsqueeze", {x, whole_numbers(axes)});
}

TENON_INLINE std::string onnx_nodes::squeezed(const std::string& x, const std::vector<std::int64_t>& axes) {
  return node("Squeeze", {x, whole_numbers(axes)});
}

TENON_INLINE std::string onnx_nodes::transposed(const std::string& x,
                                                const std::vector<std::int64_t>& order) {
  return node("Transpose", {x}, {{"perm", order}});
}

TENON_INLINE std::string onnx_nodes::sliced(const std::string& x, std::int64_t axis, std::int64_t first,
                                            std::int64_t end) {
  return node("Slice", {x, whole_numbers({first}), whole_numbers({end}), whole_numbers({axis})});
}

TENON_INLINE std::string onnx_nodes::reduced(std::string_view type, const std::string& x, std::int64_t axis) {
  if (type == "ReduceSum" || opset_ >= 18)
    return node(type, {x, whole_numbers({axis})}, {{"keepdims", onnx::whole(1)}});
  return node(type, {x}, {{"axes", std::vector<std::int64_t>{axis}}, {"keepdims", onnx::whole(1)}});
}

TENON_INLINE std::string onnx_nodes::joined(const std::vector<std::string>& parts, std::int64_t axis) {
  return parts.size() == 1 ? parts[0] : node("Concat", parts, {{"axis", axis}});
}

TENON_INLINE std::string onnx_nodes::as_numbers(const std::string& x) {
  return node("Cast", {x}, {{"to", onnx::whole(static_cast<int>(net_.type))}});
}

}  // namespace tenon::detail
