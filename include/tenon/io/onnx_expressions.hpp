// onnx_expressions: elementwise operators of an ONNX file as one equation of a network.
#pragma once

#include "tenon/io/onnx_axes.hpp"
#include "tenon/io/onnx_reader.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tenon::inline v0_1::detail::onnx {

// Columns of an edge, a number, a vector of parameters, or an operator of terms.
struct term {
  std::string type{};  // of ONNX; empty: a leaf
  std::vector<std::shared_ptr<term>> of{};
  double number = 0;
  int depth = 0, operators = 0;
  bool is_reduced = false,
       is_one = false;  // it has a sum, a mean or the largest of all columns, and is one number
  edge_view columns{};
  onnx_array vector{};  // not empty: parameters, one for each column

  bool is_number() const { return type.empty() && columns.edge < 0 && vector.numbers.empty(); }
};
using term_pointer = std::shared_ptr<term>;

// The equation's form for an elementwise operator, `tanh(%0)` or `%0 + %1`; null if there is none. Attributes are numbers in it.
std::string form_of(const onnx_read_node& n);
// Its value; not a number for a form with attributes.
double value_of_form(const std::string& form, double a, double b);

// A term as the body of `at(auto x, auto y, ..)`.
struct equation_text {
  std::vector<edge_view> arguments{};
  std::vector<onnx_array> vectors{};  // vector<"v0">, vector<"v1">, ..
  std::string body{};
};
equation_text equation_of(const term& t, const axis_table& axes);

// The catalogue's name of a function of one argument, `activation::gelu`, found by its values; empty: none has them.
std::string activation_of(const term& t);
// What a term of one argument and no vectors computes of a number.
double value_of_term(const term& t, double x);
// A normalisation over columns with its scale and its shift, found by its values: (x - mean) / sqrt(variance + epsilon) * weight + bias.
struct found_norm {
  edge_view of{};
  onnx_array weight{}, bias{};
  double epsilon = 0;
};
std::optional<found_norm> norm_of(const term& t, const axis_table& axes);

std::string decimal(double number);

}  // namespace tenon::inline v0_1::detail::onnx

#ifndef TENON_COMPILED
#  include "tenon/io/onnx_expressions.ipp"
#endif
