// onnx_export: a network as an ONNX file: its inputs and outputs, its axes, equations and loops.
#pragma once

#include "tenon/io/onnx_layers.hpp"

#include <string>

namespace tenon::inline v0_1::detail {

class onnx_export : onnx_layers {
 public:
  onnx_export(const onnx_source& source, int opset) : onnx_layers(source, opset) {}
  // The bytes of the model, and of a second file of that name if all constants have more than `most` bytes.
  onnx_files files(std::size_t most, const std::string& data_file);

 private:
  void add_inputs();
  void add_axes();
  // Returns how many operations that were.
  int add_operation(int k);
  void add_outputs();
  void add_equation(const ir::operation& o, const place& at);
  void add_scan(const ir::operation& o, const place& at);
  std::string goes_on_in(const axis_of_time& time);
};

}  // namespace tenon::inline v0_1::detail

#ifndef TENON_COMPILED
#  include "tenon/io/onnx_export.ipp"
#endif
