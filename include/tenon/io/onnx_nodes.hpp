// onnx_nodes: the nodes and the constants of a graph of ONNX, while it is being written.
#pragma once

#include "tenon/graph/network.hpp"
#include "tenon/io/onnx_format.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::inline v0_1::detail {

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

// A node, and the names that it reads and makes.
struct onnx_written_node {
  std::vector<std::string> reads{}, makes{};
  onnx_message message{};
};
using onnx_node_list = std::vector<onnx_written_node>;

// A model, and the bytes of a second file beside it; empty: there is none.
struct onnx_files {
  std::string model{}, data{};
};

class onnx_nodes {
 protected:
  onnx_nodes(const onnx_source& source, int opset) : net_(source), opset_(opset) {}

  // Adds a node and returns the name of its output, which begins with the node of the network that it is for.
  std::string node(std::string_view type, const std::vector<std::string>& inputs,
                   const std::vector<onnx_attribute>& attributes = {});
  void node_named(const std::string& output, std::string_view type, const std::vector<std::string>& inputs,
                  const std::vector<onnx_attribute>& attributes = {});
  // A node of several outputs, which may read more than its inputs: what a body reads.
  void node_of_outputs(const std::vector<std::string>& outputs, std::string_view type,
                       const std::vector<std::string>& inputs, const std::vector<onnx_attribute>& attributes,
                       const std::vector<std::string>& reads = {});
  std::string fresh(std::string_view type);
  // Constants: whole numbers as a list or alone, numbers of the parameters' type. Equal ones are there once.
  std::string whole_numbers(const std::vector<std::int64_t>& numbers);
  std::string whole_number(std::int64_t number);
  std::string real(double number);
  std::string reals(const std::vector<double>& numbers);
  // Numbers of the parameters' type in the program's memory, or in an order of their own.
  void tensor(const std::string& name, const std::vector<std::int64_t>& dimensions, std::string_view bytes);
  void tensor(const std::string& name, const std::vector<std::int64_t>& dimensions, std::string&& bytes);
  // Operators that are used often.
  std::string unsqueezed(const std::string& x, const std::vector<std::int64_t>& axes);
  std::string squeezed(const std::string& x, const std::vector<std::int64_t>& axes);
  std::string transposed(const std::string& x, const std::vector<std::int64_t>& order);
  std::string sliced(const std::string& x, std::int64_t axis, std::int64_t first, std::int64_t end);
  std::string reduced(std::string_view type, const std::string& x, std::int64_t axis);
  std::string joined(const std::vector<std::string>& parts, std::int64_t axis);
  std::string as_numbers(const std::string& x);

  // The fields of the nodes that these names need, in order; the names that are made nowhere are added to `free`.
  static onnx_message needed(const onnx_node_list& nodes, const std::vector<std::string>& names,
                             std::set<std::string>& free);
  // The graph's fields of all constants among the names, with their bytes in `data`, a file of that name, if they are more than `most`.
  onnx_message constants_among(const std::set<std::string>& names, std::size_t most, const std::string& file,
                               std::string& data) const;

  const onnx_source& net_;
  int opset_;
  onnx_message graph_;  // its inputs and outputs
  onnx_node_list main_;
  onnx_node_list* nodes_ = &main_;  // where nodes are added: in the body of a Scan another list
  std::string path_{};              // of the network's node that is being translated

 private:
  struct constant {
    onnx_type type{};
    std::vector<std::int64_t> dimensions{};
    std::string_view bytes{};
  };
  int made_ = 0;
  std::map<std::string, constant> constants_{};
  std::deque<std::string> own_bytes_{};  // of constants that are nowhere else

  void add_constant(const std::string& name, onnx_type type, const std::vector<std::int64_t>& dimensions,
                    std::string&& bytes);
  std::string number_bytes(const std::vector<double>& numbers) const;
};

}  // namespace tenon::inline v0_1::detail

#ifndef TENON_COMPILED
#  include "tenon/io/onnx_nodes.ipp"
#endif
