// The bodies of onnx_nodes.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <cstdio>
#include <utility>

namespace tenon::inline v0_1::detail {

TENON_INLINE std::string onnx_nodes::fresh(std::string_view type) {
  return path_ + "/" + std::string(type) + "_" + std::to_string(made_++);
}

TENON_INLINE void onnx_nodes::node_of_outputs(const std::vector<std::string>& outputs, std::string_view type,
                                              const std::vector<std::string>& inputs,
                                              const std::vector<onnx_attribute>& attributes,
                                              const std::vector<std::string>& reads) {
  onnx_written_node made{reads, outputs, onnx_node(type, outputs.back(), inputs, outputs, attributes)};
  made.reads.insert(made.reads.end(), inputs.begin(), inputs.end());
  nodes_->push_back(std::move(made));
}
TENON_INLINE void onnx_nodes::node_named(const std::string& output, std::string_view type,
                                         const std::vector<std::string>& inputs,
                                         const std::vector<onnx_attribute>& attributes) {
  node_of_outputs({output}, type, inputs, attributes);
}

TENON_INLINE std::string onnx_nodes::node(std::string_view type, const std::vector<std::string>& inputs,
                                          const std::vector<onnx_attribute>& attributes) {
  const std::string output = fresh(type);
  node_named(output, type, inputs, attributes);
  return output;
}

TENON_INLINE void onnx_nodes::add_constant(const std::string& name, onnx_type type,
                                           const std::vector<std::int64_t>& dimensions, std::string&& bytes) {
  if (constants_.contains(name)) return;
  own_bytes_.push_back(std::move(bytes));
  constants_[name] = {type, dimensions, own_bytes_.back()};
}
TENON_INLINE void onnx_nodes::tensor(const std::string& name, const std::vector<std::int64_t>& dimensions,
                                     std::string_view bytes) {
  constants_[name] = {net_.type, dimensions, bytes};
}
TENON_INLINE void onnx_nodes::tensor(const std::string& name, const std::vector<std::int64_t>& dimensions,
                                     std::string&& bytes) {
  add_constant(name, net_.type, dimensions, std::move(bytes));
}

TENON_INLINE std::string onnx_nodes::whole_numbers(const std::vector<std::int64_t>& numbers) {
  std::string name = "/ints";
  for (const std::int64_t n : numbers) name += "_" + std::to_string(n);
  add_constant(name, onnx_type::int64, {onnx::whole(std::ssize(numbers))},
               std::string(reinterpret_cast<const char*>(numbers.data()), numbers.size() * 8));
  return name;
}

TENON_INLINE std::string onnx_nodes::whole_number(std::int64_t number) {
  const std::string name = "/int_" + std::to_string(number);
  add_constant(name, onnx_type::int64, {}, std::string(reinterpret_cast<const char*>(&number), 8));
  return name;
}

TENON_INLINE std::string onnx_nodes::number_bytes(const std::vector<double>& numbers) const {
  std::string bytes;
  for (const double number : numbers) {
    const float narrow = static_cast<float>(number);
    if (net_.type == onnx_type::float64) bytes.append(reinterpret_cast<const char*>(&number), 8);
    else bytes.append(reinterpret_cast<const char*>(&narrow), 4);
  }
  return bytes;
}
TENON_INLINE std::string onnx_nodes::real(double number) {
  char written[40];
  std::snprintf(written, sizeof written, "/real_%.17g", number);
  add_constant(written, net_.type, {}, number_bytes({number}));
  return written;
}
TENON_INLINE std::string onnx_nodes::reals(const std::vector<double>& numbers) {
  const std::string name = fresh("numbers");
  add_constant(name, net_.type, {onnx::whole(std::ssize(numbers))}, number_bytes(numbers));
  return name;
}

TENON_INLINE onnx_message onnx_nodes::needed(const onnx_node_list& nodes,
                                             const std::vector<std::string>& names,
                                             std::set<std::string>& free) {
  std::set<std::string> wanted(names.begin(), names.end());
  std::vector<const onnx_written_node*> chosen;
  for (std::size_t k = nodes.size(); k-- > 0;) {
    bool is_wanted = false;
    for (const std::string& name : nodes[k].makes) is_wanted = wanted.erase(name) > 0 || is_wanted;
    if (!is_wanted) continue;
    for (const std::string& name : nodes[k].reads) wanted.insert(name);
    chosen.push_back(&nodes[k]);
  }
  free.insert(wanted.begin(), wanted.end());
  onnx_message all;
  for (std::size_t k = chosen.size(); k-- > 0;) all.add(1, chosen[k]->message);
  return all;
}

TENON_INLINE onnx_message onnx_nodes::constants_among(const std::set<std::string>& names, std::size_t most,
                                                      const std::string& file, std::string& data) const {
  std::size_t total = 0;
  for (const auto& [name, c] : constants_) total += names.contains(name) ? c.bytes.size() : 0;
  onnx_message all;
  for (const auto& [name, c] : constants_) {
    constexpr std::size_t page = 4096, small = 1024;  // a program may map the file into its memory
    if (!names.contains(name)) continue;
    if (total <= most || c.bytes.size() < small) {
      all.add(5, onnx_tensor(name, c.type, c.dimensions, c.bytes));
      continue;
    }
    data.resize((data.size() + page - 1) / page * page);
    all.add(5, onnx_tensor(name, c.type, c.dimensions, onnx_place{file, data.size(), c.bytes.size()}));
    data += c.bytes;
  }
  return all;
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

}  // namespace tenon::inline v0_1::detail
