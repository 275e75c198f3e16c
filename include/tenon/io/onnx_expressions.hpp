// onnx_expressions: elementwise operators of an ONNX file as one equation of a network.
#pragma once

#include "tenon/io/onnx_axes.hpp"
#include "tenon/io/onnx_reader.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tenon::detail::onnx {

// Columns of an edge, a number, a vector of parameters, or an operator of terms.
struct term {
  std::string type{};  // of ONNX; empty: a leaf
  std::vector<std::shared_ptr<term>> of{};
  double number = 0;
  int depth = 0;  // of the operators
  edge_view columns{};
  onnx_array vector{};  // not empty: parameters, one for each column

  bool is_number() const { return type.empty() && columns.edge < 0 && vector.numbers.empty(); }
};
using term_pointer = std::shared_ptr<term>;

// The equation's form for an elementwise operator, `tanh(%0)` or `%0 + %1`; null if there is none. Attributes are numbers in it.
std::string form_of(const onnx_read_node& n);

// A term as the body of `at(auto x, auto y, ..)`.
struct equation_text {
  std::vector<edge_view> arguments{};
  std::vector<onnx_array> vectors{};  // vector<"v0">, vector<"v1">, ..
  std::string body{};
};
equation_text equation_of(const term& t, const axis_table& axes);

// The catalogue's name of a function of one argument, `activation::gelu`, found by its values; empty: none has them.
std::string activation_of(const term& t);

std::string decimal(double number);

}  // namespace tenon::detail::onnx

#ifndef TENON_COMPILED
#  include "tenon/io/onnx_expressions.ipp"
#endif
