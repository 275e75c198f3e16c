// onnx_nodes: the nodes and the constants of a graph of ONNX, while it is being written.
#pragma once

#include "tenon/graph/network.hpp"
#include "tenon/io/onnx_format.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::detail {

namespace onnx {
inline constexpr std::int64_t time = 1, inner = 2;  // axes of a value of an equation
constexpr std::int64_t axis_of(ir::dimension d) { return d == ir::dimension::time ? time : inner; }
inline std::string text_of(ir::characters s) { return std::string(s.begin(), s.end()); }
inline std::int64_t whole(long n) { return static_cast<std::int64_t>(n); }
}  // namespace onnx

// A network and the numbers of its parameters.
struct onnx_source {
  std::string title{};
  ir::list_view<ir::edge> edges{};
  ir::list_view<ir::operation> operations{};
  ir::list_view<ir::parameter> parameters{};
  ir::list_view<ir::time_axis> axes{};
  ir::list_view<ir::program_view> programs{};
  ir::list_view<int> inputs{}, outputs{};
  ir::list_view<ir::name> output_names{};
  onnx_type type{};
  const char* numbers = nullptr;  // the block of parameters
  std::size_t bytes_of_number = 0;
};

class onnx_nodes {
 protected:
  onnx_nodes(const onnx_source& source, int opset) : net_(source), opset_(opset) {}

  // Adds a node and returns the name of its output, which begins with the node of the network that it is for.
  std::string node(std::string_view type, const std::vector<std::string>& inputs,
                   const std::vector<onnx_attribute>& attributes = {});
  void node_named(const std::string& output, std::string_view type, const std::vector<std::string>& inputs,
                  const std::vector<onnx_attribute>& attributes = {});
  std::string fresh(std::string_view type);
  // Constants: whole numbers as a list or alone, numbers of the parameters' type. Equal ones are there once.
  std::string whole_numbers(const std::vector<std::int64_t>& numbers);
  std::string whole_number(std::int64_t number);
  std::string real(double number);
  std::string reals(const std::vector<double>& numbers);
  // Operators that are used often.
  std::string unsqueezed(const std::string& x, const std::vector<std::int64_t>& axes);
  std::string squeezed(const std::string& x, const std::vector<std::int64_t>& axes);
  std::string transposed(const std::string& x, const std::vector<std::int64_t>& order);
  std::string sliced(const std::string& x, std::int64_t axis, std::int64_t first, std::int64_t end);
  std::string reduced(std::string_view type, const std::string& x, std::int64_t axis);
  std::string joined(const std::vector<std::string>& parts, std::int64_t axis);
  std::string as_numbers(const std::string& x);

  const onnx_source& net_;
  int opset_;
  onnx_message graph_, main_;     // all fields of the graph but its nodes; its nodes
  onnx_message* nodes_ = &main_;  // where nodes are added: in the body of a Scan another message
  std::string path_{};            // of the network's node that is being translated

 private:
  int made_ = 0;
  std::map<std::string, std::string> constants_{};
};

}  // namespace tenon::detail

#ifndef TENON_COMPILED
#  include "tenon/io/onnx_nodes.ipp"
#endif
