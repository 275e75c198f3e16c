// The bodies of onnx_expressions.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

namespace tenon::inline v0_1::detail::onnx {

TENON_INLINE std::string decimal(double number) {
  char written[40];
  const auto narrow = static_cast<float>(number);
  const std::to_chars_result end = static_cast<double>(narrow) == number
                                       ? std::to_chars(written, written + sizeof written, narrow)
                                       : std::to_chars(written, written + sizeof written, number);
  return {written, end.ptr};
}

TENON_INLINE std::string form_of(const onnx_read_node& n) {
  static const std::map<std::string, std::string> forms{{"Add", "%0 + %1"},
                                                        {"Sub", "%0 - %1"},
                                                        {"Mul", "%0 * %1"},
                                                        {"Div", "%0 / %1"},
                                                        {"Neg", "-%0"},
                                                        {"Relu", "relu(%0)"},
                                                        {"Tanh", "tanh(%0)"},
                                                        {"Sigmoid", "sigmoid(%0)"},
                                                        {"Exp", "exp(%0)"},
                                                        {"Log", "log(%0)"},
                                                        {"Sqrt", "sqrt(%0)"},
                                                        {"Abs", "abs(%0)"},
                                                        {"Erf", "erf(%0)"},
                                                        {"Softplus", "softplus(%0)"},
                                                        {"Sin", "sin(%0)"},
                                                        {"Cos", "cos(%0)"},
                                                        {"Max", "max(%0, %1)"},
                                                        {"Min", "min(%0, %1)"},
                                                        {"Reciprocal", "1 / %0"},
                                                        {"Softsign", "%0 / (1 + abs(%0))"},
                                                        {"Pow", "square(%0)"},
                                                        {"Erfc", "1 - erf(%0)"},
                                                        {"Less", "greater(%1, %0)"},
                                                        {"Greater", "greater(%0, %1)"},
                                                        {"Not", "1 - %0"}};
  const auto number = [&](const char* name, double otherwise) {
    const auto found = n.attributes.find(name);
    return decimal(found == n.attributes.end() ? otherwise : found->second.number);
  };
  if (const auto found = forms.find(n.type); found != forms.end()) return found->second;
  if (n.type == "LeakyRelu") return "max(%0, 0) + " + number("alpha", 0.01) + " * min(%0, 0)";
  if (n.type == "HardSigmoid")
    return "max(0, min(1, " + number("alpha", 0.2) + " * %0 + " + number("beta", 0.5) + "))";
  if (n.type == "Elu") return "max(%0, 0) + " + number("alpha", 1) + " * (exp(min(%0, 0)) - 1)";
  if (const auto found = n.attributes.find("approximate");
      n.type == "Gelu" && (found == n.attributes.end() || found->second.text != "tanh"))
    return "gelu(%0)";
  return {};
}

// An operand that is a sum, a difference or a quotient stands in parentheses.
TENON_INLINE std::string text_of_term(const term& t, const axis_table& axes, equation_text& made,
                                      bool alone) {
  if (t.type.empty()) {
    if (!t.vector.numbers.empty()) {
      made.vectors.push_back(t.vector);
      return "vector<\"v" + std::to_string(made.vectors.size() - 1) + "\">";
    }
    if (t.columns.edge < 0) return t.number < 0 && !alone ? "(" + decimal(t.number) + ")" : decimal(t.number);
    const auto same = [&](const edge_view& v) {
      return v.edge == t.columns.edge && v.first == t.columns.first &&
             axes.columns_of(v) == axes.columns_of(t.columns);
    };
    auto found = std::find_if(made.arguments.begin(), made.arguments.end(), same);
    if (found == made.arguments.end()) found = made.arguments.insert(made.arguments.end(), t.columns);
    constexpr const char* names[]{"x", "y", "z", "u", "v", "w"};
    const auto k = static_cast<std::size_t>(found - made.arguments.begin());
    return k < 6 ? names[k] : "x" + std::to_string(k);
  }
  std::string text;
  const bool is_infix =
      t.type.find("%0 ") == 0 || t.type.find(" %0") != std::string::npos || t.type[0] == '-';
  const bool in_call = t.type.find("(%0") != std::string::npos && !is_infix;
  for (std::size_t k = 0; k < t.type.size(); ++k) {
    if (t.type[k] != '%') text += t.type[k];
    else text += text_of_term(*t.of[static_cast<std::size_t>(t.type[++k] - '0')], axes, made, in_call);
  }
  return is_infix && !alone ? "(" + text + ")" : text;
}
TENON_INLINE equation_text equation_of(const term& t, const axis_table& axes) {
  equation_text made;
  made.body = text_of_term(t, axes, made, true);
  return made;
}

TENON_INLINE double value_of_form(const std::string& form, double a, double b) {
  static const std::map<std::string, double (*)(double, double)> functions{
      {"%0 + %1", [](double p, double q) { return p + q; }},
      {"%0 - %1", [](double p, double q) { return p - q; }},
      {"%0 * %1", [](double p, double q) { return p * q; }},
      {"%0 / %1", [](double p, double q) { return p / q; }},
      {"-%0", [](double p, double) { return -p; }},
      {"relu(%0)", [](double p, double) { return std::max(p, 0.0); }},
      {"tanh(%0)", [](double p, double) { return std::tanh(p); }},
      {"sigmoid(%0)", [](double p, double) { return 1 / (1 + std::exp(-p)); }},
      {"exp(%0)", [](double p, double) { return std::exp(p); }},
      {"log(%0)", [](double p, double) { return std::log(p); }},
      {"sqrt(%0)", [](double p, double) { return std::sqrt(p); }},
      {"abs(%0)", [](double p, double) { return std::abs(p); }},
      {"erf(%0)", [](double p, double) { return std::erf(p); }},
      {"softplus(%0)", [](double p, double) { return std::log1p(std::exp(p)); }},
      {"gelu(%0)", [](double p, double) { return 0.5 * p * (1 + std::erf(p / std::sqrt(2.0))); }},
      {"max(%0, %1)", [](double p, double q) { return std::max(p, q); }},
      {"min(%0, %1)", [](double p, double q) { return std::min(p, q); }},
      {"square(%0)", [](double p, double) { return p * p; }},
      {"1 / %0", [](double p, double) { return 1 / p; }},
      {"1 - %0", [](double p, double) { return 1 - p; }},
      {"1 - erf(%0)", [](double p, double) { return std::erfc(p); }},
      {"greater(%0, %1)", [](double p, double q) { return p > q ? 1.0 : 0.0; }},
      {"greater(%1, %0)", [](double p, double q) { return q > p ? 1.0 : 0.0; }}};
  const auto found = functions.find(form);
  return found == functions.end() ? NAN : found->second(a, b);
}
TENON_INLINE double value_of_term(const term& t, double x) {
  if (t.type.empty()) return t.columns.edge >= 0 ? x : t.number;
  return value_of_form(t.type, value_of_term(*t.of[0], x), t.of.size() > 1 ? value_of_term(*t.of[1], x) : 0);
}
TENON_INLINE bool has_one_leaf(const term& t, const edge_view*& leaf) {
  if (!t.type.empty())
    return std::all_of(t.of.begin(), t.of.end(),
                       [&](const term_pointer& p) { return has_one_leaf(*p, leaf); });
  if (!t.vector.numbers.empty()) return false;
  if (t.columns.edge < 0) return true;
  if (leaf == nullptr) leaf = &t.columns;
  return leaf->edge == t.columns.edge && leaf->first == t.columns.first;
}
TENON_INLINE std::string activation_of(const term& t) {
  const edge_view* leaf = nullptr;
  if (t.type.empty() || !has_one_leaf(t, leaf) || leaf == nullptr) return {};
  for (const char* const name : {"relu", "sigmoid", "tanh", "gelu", "softplus"}) {
    term wanted{.type = std::string(name) + "(%0)"};
    wanted.of.push_back(std::make_shared<term>());
    wanted.of[0]->columns.edge = 0;
    bool is_same = true;
    for (const double x : {-7.0, -2.3, -1.0, -0.31, 0.0, 0.47, 1.1, 2.9, 6.0})
      is_same = is_same && std::abs(value_of_term(t, x) - value_of_term(wanted, x)) < 1e-6;
    if (is_same) return std::string("activation::") + name;
  }
  return {};
}

// Of a row; a reduction is one number.
TENON_INLINE std::vector<double> values_of_term(const term& t, const std::vector<double>& x) {
  if (t.type.empty()) {
    if (!t.vector.numbers.empty()) return t.vector.numbers;
    return t.columns.edge >= 0 ? x : std::vector<double>{t.number};
  }
  const std::vector<double> a = values_of_term(*t.of[0], x),
                            b = t.of.size() > 1 ? values_of_term(*t.of[1], x) : std::vector<double>{0};
  if (t.type == "sum(%0)" || t.type == "mean(%0)") {
    double all = 0;
    for (const double number : a) all += number;
    return {t.type == "sum(%0)" ? all : all / static_cast<double>(a.size())};
  }
  std::vector<double> made;
  for (std::size_t k = 0; k < std::max(a.size(), b.size()); ++k) {
    const std::size_t i = a.size() == 1 ? 0 : k, j = b.size() == 1 ? 0 : k;
    made.push_back(i < a.size() && j < b.size() ? value_of_form(t.type, a[i], b[j]) : NAN);
  }
  return made;
}
struct term_leaves {
  std::vector<const edge_view*> columns{};
  std::vector<const onnx_array*> vectors{};
  std::vector<double> numbers{};
};
TENON_INLINE void find_leaves(const term& t, term_leaves& found) {
  for (const term_pointer& p : t.of) find_leaves(*p, found);
  if (!t.type.empty()) return;
  const auto is_same = [&](const edge_view* v) {
    return v->edge == t.columns.edge && v->first == t.columns.first;
  };
  const auto is_equal = [&](const onnx_array* a) { return a->numbers == t.vector.numbers; };
  if (!t.vector.numbers.empty()) {
    if (std::none_of(found.vectors.begin(), found.vectors.end(), is_equal))
      found.vectors.push_back(&t.vector);
  } else if (t.columns.edge < 0) {
    found.numbers.push_back(t.number);
  } else if (std::none_of(found.columns.begin(), found.columns.end(), is_same)) {
    found.columns.push_back(&t.columns);
  }
}
TENON_INLINE std::optional<found_norm> norm_of(const term& t, const axis_table& axes) {
  term_leaves leaves;
  find_leaves(t, leaves);
  if (!t.is_reduced || leaves.columns.size() != 1 || leaves.vectors.size() != 2) return {};
  const std::int64_t size = axes.columns_of(*leaves.columns[0]);
  if (std::ssize(leaves.vectors[0]->numbers) != size || std::ssize(leaves.vectors[1]->numbers) != size)
    return {};
  std::vector<double> x;
  for (std::int64_t k = 0; k < size; ++k) x.push_back(std::sin(1.3 * static_cast<double>(k) + 0.2) + 0.1);
  double mean = 0, variance = 0;
  for (const double number : x) mean += number / static_cast<double>(size);
  for (const double number : x) variance += (number - mean) * (number - mean) / static_cast<double>(size);
  const std::vector<double> made = values_of_term(t, x);
  for (const std::size_t w : {std::size_t(0), std::size_t(1)})
    for (const double epsilon : leaves.numbers) {
      const onnx_array &weight = *leaves.vectors[w], &bias = *leaves.vectors[1 - w];
      bool is_same =
          std::ssize(made) == size && weight.numbers.size() == x.size() && bias.numbers.size() == x.size();
      for (std::size_t k = 0; is_same && k < x.size(); ++k) {
        const double wanted =
            (x[k] - mean) / std::sqrt(variance + epsilon) * weight.numbers[k] + bias.numbers[k];
        is_same = std::abs(wanted - made[k]) < 1e-9 * (1 + std::abs(wanted));
      }
      if (is_same) return found_norm{*leaves.columns[0], weight, bias, epsilon};
    }
  return {};
}

}  // namespace tenon::inline v0_1::detail::onnx
