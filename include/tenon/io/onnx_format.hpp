// The parts of an ONNX file, as they are written: messages of protocol buffers (https://protobuf.dev/programming-guides/encoding) with the
// fields of onnx.proto, IR version 8 and later (https://github.com/onnx/onnx/blob/main/docs/IR.md). Nothing but Tenon's own code reads or
// writes them, so a program needs no protobuf.
#pragma once

#include "tenon/diagnostics/input_error.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::inline v0_1::detail {

// The types of a tensor's numbers that Tenon writes.
enum class onnx_type : int { float32 = 1, int32 = 6, int64 = 7, boolean = 9, float64 = 11 };

// A message that is being written: its fields, in the order in which they are added.
class onnx_message {
 public:
  void add(int field, std::int64_t number);  // whole numbers and enumerations
  void add(int field, float number);
  void add(int field, std::string_view bytes);  // texts, bytes
  void add(int field, const onnx_message& message) { add(field, std::string_view(message.bytes_)); }
  // The fields of another message, behind those that it has.
  void append(std::string_view fields) { bytes_.append(fields); }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
  void add_variable(std::uint64_t number);
};

// A dimension: a number, or a name such as `batch`, whose number the inputs say.
struct onnx_dimension {
  std::int64_t number = 0;
  std::string name{};
};
using onnx_shape = std::vector<onnx_dimension>;

// An input or an output of a graph.
onnx_message onnx_value(std::string_view name, onnx_type type, const onnx_shape& shape);
// A tensor of these bytes.
onnx_message onnx_tensor(std::string_view name, onnx_type type, const std::vector<std::int64_t>& dimensions,
                         std::string_view bytes);
// A tensor whose bytes are in another file, from a place on.
struct onnx_place {
  std::string file{};
  std::size_t first = 0, size = 0;
};
onnx_message onnx_tensor(std::string_view name, onnx_type type, const std::vector<std::int64_t>& dimensions,
                         const onnx_place& bytes);

// What an operator has besides its inputs.
class onnx_attribute {
 public:
  onnx_attribute(std::string_view name, std::int64_t number);
  onnx_attribute(std::string_view name, float number);
  onnx_attribute(std::string_view name, std::string_view text);
  onnx_attribute(std::string_view name, const std::vector<std::int64_t>& numbers);
  onnx_attribute(std::string_view name, const std::vector<std::string>& texts);
  onnx_attribute(std::string_view name, const onnx_message& graph);
  const onnx_message& message() const { return message_; }

 private:
  onnx_message message_;
};

onnx_message onnx_node(std::string_view type, std::string_view name, const std::vector<std::string>& inputs,
                       const std::vector<std::string>& outputs,
                       const std::vector<onnx_attribute>& attributes);

// The IR version that came with an opset of the default domain.
std::int64_t onnx_ir_version(int opset);

}  // namespace tenon::inline v0_1::detail

#ifndef TENON_COMPILED
#  include "tenon/io/onnx_format.ipp"
#endif
