// The bodies of onnx_format.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <bit>

namespace tenon::inline v0_1::detail {

// Wire types: 0 a number of variable length, 2 bytes behind their length, 5 four bytes.
TENON_INLINE void onnx_message::add_variable(std::uint64_t number) {
  for (; number >= 128; number >>= 7) bytes_.push_back(static_cast<char>((number & 127u) | 128u));
  bytes_.push_back(static_cast<char>(number));
}
TENON_INLINE void onnx_message::add(int field, std::int64_t number) {
  add_variable(static_cast<std::uint64_t>(field) << 3);
  add_variable(static_cast<std::uint64_t>(number));
}
TENON_INLINE void onnx_message::add(int field, float number) {
  add_variable(static_cast<std::uint64_t>(field) << 3 | 5u);
  const auto bits = std::bit_cast<std::uint32_t>(number);
  for (int k = 0; k < 4; ++k) bytes_.push_back(static_cast<char>((bits >> 8 * k) & 255u));
}
TENON_INLINE void onnx_message::add(int field, std::string_view bytes) {
  add_variable(static_cast<std::uint64_t>(field) << 3 | 2u);
  add_variable(bytes.size());
  bytes_.append(bytes);
}

TENON_INLINE onnx_message onnx_value(std::string_view name, onnx_type type, const onnx_shape& shape) {
  onnx_message dimensions, tensor, of_type, value;
  for (const onnx_dimension& d : shape) {
    onnx_message dimension;
    if (d.name.empty()) dimension.add(1, d.number);
    else dimension.add(2, std::string_view(d.name));
    dimensions.add(1, dimension);
  }
  tensor.add(1, static_cast<std::int64_t>(type));
  tensor.add(2, dimensions);
  of_type.add(1, tensor);
  value.add(1, name);
  value.add(2, of_type);
  return value;
}

TENON_INLINE onnx_message onnx_tensor(std::string_view name, onnx_type type,
                                      const std::vector<std::int64_t>& dimensions, std::string_view bytes) {
  onnx_message tensor;
  for (const std::int64_t d : dimensions) tensor.add(1, d);
  tensor.add(2, static_cast<std::int64_t>(type));
  tensor.add(8, name);
  tensor.add(9, bytes);
  return tensor;
}
TENON_INLINE onnx_message onnx_tensor(std::string_view name, onnx_type type,
                                      const std::vector<std::int64_t>& dimensions, const onnx_place& bytes) {
  onnx_message tensor;
  for (const std::int64_t d : dimensions) tensor.add(1, d);
  tensor.add(2, static_cast<std::int64_t>(type));
  tensor.add(8, name);
  const std::string values[]{bytes.file, std::to_string(bytes.first), std::to_string(bytes.size)};
  for (int k = 0; k < 3; ++k) {
    constexpr std::string_view keys[]{"location", "offset", "length"};
    onnx_message entry;
    entry.add(1, keys[k]);
    entry.add(2, std::string_view(values[k]));
    tensor.add(13, entry);
  }
  tensor.add(14, std::int64_t(1));  // the bytes are elsewhere
  return tensor;
}

// In front the name, behind the value its kind.
TENON_INLINE onnx_attribute::onnx_attribute(std::string_view name, std::int64_t number) {
  message_.add(1, name);
  message_.add(3, number);
  message_.add(20, std::int64_t(2));
}
TENON_INLINE onnx_attribute::onnx_attribute(std::string_view name, float number) {
  message_.add(1, name);
  message_.add(2, number);
  message_.add(20, std::int64_t(1));
}
TENON_INLINE onnx_attribute::onnx_attribute(std::string_view name, std::string_view text) {
  message_.add(1, name);
  message_.add(4, text);
  message_.add(20, std::int64_t(3));
}
TENON_INLINE onnx_attribute::onnx_attribute(std::string_view name, const std::vector<std::int64_t>& numbers) {
  message_.add(1, name);
  for (const std::int64_t number : numbers) message_.add(8, number);
  message_.add(20, std::int64_t(7));
}
TENON_INLINE onnx_attribute::onnx_attribute(std::string_view name, const std::vector<std::string>& texts) {
  message_.add(1, name);
  for (const std::string& text : texts) message_.add(9, std::string_view(text));
  message_.add(20, std::int64_t(8));
}
TENON_INLINE onnx_attribute::onnx_attribute(std::string_view name, const onnx_message& graph) {
  message_.add(1, name);
  message_.add(6, graph);
  message_.add(20, std::int64_t(5));
}

TENON_INLINE onnx_message onnx_node(std::string_view type, std::string_view name,
                                    const std::vector<std::string>& inputs,
                                    const std::vector<std::string>& outputs,
                                    const std::vector<onnx_attribute>& attributes) {
  onnx_message node;
  for (const std::string& input : inputs) node.add(1, std::string_view(input));
  for (const std::string& output : outputs) node.add(2, std::string_view(output));
  node.add(3, name);
  node.add(4, type);
  for (const onnx_attribute& attribute : attributes) node.add(5, attribute.message());
  return node;
}

TENON_INLINE std::int64_t onnx_ir_version(int opset) {
  return opset <= 18 ? 8 : opset <= 20 ? 9 : opset <= 22 ? 10 : 11;
}

}  // namespace tenon::inline v0_1::detail
