// onnx_reader: what is in an ONNX file. The wire format of protocol buffers is read strictly: nothing is allocated for a length that the file
// does not have, messages are at most 32 deep, and every error names the file and the place.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::inline v0_1::detail {

// Numbers in C order: floating-point ones, or whole ones and truth values.
struct onnx_array {
  std::vector<std::int64_t> shape{};
  std::vector<double> numbers{};
  std::vector<std::int64_t> integers{};
  bool is_whole = false;

  std::int64_t size() const {
    std::int64_t all = 1;
    for (const std::int64_t n : shape) all *= n;
    return all;
  }
};

struct onnx_read_graph;
struct onnx_read_attribute {
  double number = 0;
  std::int64_t integer = 0;
  std::string text{};
  std::vector<double> numbers{};
  std::vector<std::int64_t> integers{};
  std::vector<std::string> texts{};
  onnx_array tensor{};
  std::shared_ptr<onnx_read_graph> graph{};
};
struct onnx_read_node {
  std::string type{}, name{};
  std::vector<std::string> inputs{}, outputs{};
  std::map<std::string, onnx_read_attribute> attributes{};

  // `LSTM '/encoder/LSTM'`
  std::string described() const {
    return type + " '" + (name.empty() && !outputs.empty() ? outputs[0] : name) + "'";
  }
};
// A dimension: its number, or -1 and perhaps a name.
struct onnx_read_dimension {
  std::int64_t number = -1;
  std::string name{};
};
struct onnx_read_value {
  std::string name{};
  bool is_whole = false;
  std::vector<onnx_read_dimension> shape{};
};
struct onnx_read_graph {
  std::string name{};
  std::vector<onnx_read_node> nodes{};
  std::map<std::string, onnx_array> constants{};
  std::vector<onnx_read_value> inputs{}, outputs{};  // inputs without those that are constants
};
struct onnx_model {
  std::string path{};
  std::int64_t opset = 0;
  onnx_read_graph graph{};
};

// Throws data_error for a file that is missing or malformed: fields cut off, dimensions that do not fit their bytes, two values of one name, a
// node that reads what no node before it makes, an opset outside of 13 to 24, operators of another domain, types that are no numbers. Tensors
// in a second file must lie beside it.
onnx_model read_onnx(const std::string& path);
// The same of bytes; `path` is for errors, and where second files are.
onnx_model parse_onnx(const std::string& path, std::string_view bytes);

}  // namespace tenon::inline v0_1::detail

#ifndef TENON_COMPILED
#  include "tenon/io/onnx_reader.ipp"
#endif
