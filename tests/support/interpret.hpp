// interpret: evaluates a program in the plainest way, instruction by instruction on std::vector<double>, for
// one sequence of steps. It shares nothing with schedules and backends, so that they can be compared with it.
#pragma once

#include <tenon/program/program.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace tenon::test {

using namespace tenon::ir;

using row = std::vector<double>;
using steps = std::vector<row>;  // [time][features]

struct interpretation {
  std::vector<steps> values{};   // [value][time][features]
  std::vector<row> gradients{};  // what the effects added, [symbol][elements]

  const steps& output(const program& p, int o) const {
    return values[static_cast<std::size_t>(p.outputs[o])];
  }
};

inline double interpret_element(op code, double a, double b, double c) {
  switch (code) {
    case op::copy:
    case op::stop_gradient:
      return a;
    case op::negate:
      return -a;
    case op::add:
      return a + b;
    case op::subtract:
      return a - b;
    case op::multiply:
      return a * b;
    case op::divide:
      return a / b;
    case op::maximum:
      return std::max(a, b);
    case op::minimum:
      return std::min(a, b);
    case op::select:
      return a > 0 ? b : c;
    case op::greater:
      return a > b ? 1 : 0;
    case op::equal:
      return a == b ? 1 : 0;
    case op::exp:
      return std::exp(a);
    case op::log:
      return std::log(a);
    case op::sqrt:
      return std::sqrt(a);
    case op::abs:
      return std::abs(a);
    case op::sign:
      return a > 0 ? 1 : a < 0 ? -1 : 0;
    case op::sin:
      return std::sin(a);
    case op::cos:
      return std::cos(a);
    case op::sigmoid:
      return 1 / (1 + std::exp(-a));
    case op::tanh:
      return std::tanh(a);
    case op::relu:
      return a > 0 ? a : 0;
    case op::softplus:
      return std::log1p(std::exp(a));
    case op::erf:
      return std::erf(a);
    default:
      throw "not elementwise";
  }
}

/// inputs [input][time][features] (an invariant one has the same row at each time), symbols [symbol][rows *
/// columns].
inline interpretation interpret(const program& p, const std::vector<steps>& inputs,
                                const std::vector<row>& symbols) {
  const auto at = [](auto& list, auto k) -> auto& { return list[static_cast<std::size_t>(k)]; };
  const int time = inputs.empty() ? 1 : static_cast<int>(inputs[0].size());
  interpretation result;
  for (const row& s : symbols) result.gradients.emplace_back(s.size(), 0.0);
  domain domains[max_instructions]{};

  for (int k = 0; k < p.code.size; ++k) {
    const instruction& i = p.code[k];
    domains[k] = domain_of(p.varies, i, domains);
    steps& y =
        result.values.emplace_back(static_cast<std::size_t>(time), row(static_cast<std::size_t>(i.size)));
    const auto read = [&](int operand, int t, int j) {
      const row& v = at(at(result.values, operand), t);
      return v.size() == 1 ? v[0] : v.at(static_cast<std::size_t>(j));
    };
    const auto features = [&](int operand) { return p.code[operand].size; };

    for (int t = 0; t < time; ++t) {
      row& out = at(y, t);
      const bool once = domains[i.a < 0 ? k : i.a] == domain::batch;  // a gradient of one row per sequence
      switch (i.code) {
        case op::input:
          out = at(at(inputs, i.first), t);
          break;
        case op::vector:
          out = at(symbols, i.first);
          break;
        case op::constant:
          out = {i.number};
          break;
        case op::slice:
          for (int j = 0; j < i.size; ++j) at(out, j) = read(i.a, t, i.first + j);
          break;
        case op::concat:
          for (int j = 0; j < i.size; ++j)
            at(out, j) = j < features(i.a) ? read(i.a, t, j) : read(i.b, t, j - features(i.a));
          break;
        case op::contract: {  // y = [M_first; ...; M_last] a
          int above = 0;
          for (int s = i.first; s < i.first + i.count; above += p.symbols[s++].rows)
            for (int r = 0; r < p.symbols[s].rows; ++r)
              for (int c = 0; c < features(i.a); ++c)
                at(out, above + r) += at(at(symbols, s), r * p.symbols[s].columns + c) * read(i.a, t, c);
          break;
        }
        case op::contract_transposed: {  // y = [M_first; ...; M_last]^T a
          int above = 0;
          for (int s = i.first; s < i.first + i.count; above += p.symbols[s++].rows)
            for (int r = 0; r < p.symbols[s].rows; ++r)
              for (int c = 0; c < i.size; ++c)
                at(out, c) += at(at(symbols, s), r * p.symbols[s].columns + c) * read(i.a, t, above + r);
          break;
        }
        case op::gradient_outer: {  // dM += a b^T
          int above = 0;
          for (int s = i.first; s < i.first + i.count && (t == 0 || !once); above += p.symbols[s++].rows)
            for (int r = 0; r < p.symbols[s].rows; ++r)
              for (int c = 0; c < p.symbols[s].columns; ++c)
                at(at(result.gradients, s), r * p.symbols[s].columns + c) +=
                    read(i.a, t, above + r) * read(i.b, t, c);
          break;
        }
        case op::gradient_sum:  // db += a
          for (int r = 0; r < p.symbols[i.first].rows && (t == 0 || !once); ++r)
            at(at(result.gradients, i.first), r) += read(i.a, t, r);
          break;
        case op::row_sum:
          for (int j = 0; j < features(i.a); ++j) out[0] += read(i.a, t, j);
          break;
        case op::row_max:
          out[0] = read(i.a, t, 0);
          for (int j = 1; j < features(i.a); ++j) out[0] = std::max(out[0], read(i.a, t, j));
          break;
        case op::axis_sum:
          for (int u = 0; u < time; ++u)
            for (int j = 0; j < i.size; ++j) at(out, j) += read(i.a, u, j);
          break;
        case op::axis_max:
          for (int j = 0; j < i.size; ++j) {
            at(out, j) = read(i.a, 0, j);
            for (int u = 1; u < time; ++u) at(out, j) = std::max(at(out, j), read(i.a, u, j));
          }
          break;
        case op::axis_softmax:  // by its definition: no maximum is subtracted
          for (int j = 0; j < i.size; ++j) {
            double total = 0;
            for (int u = 0; u < time; ++u) total += std::exp(read(i.a, u, j));
            at(out, j) = std::exp(read(i.a, t, j)) / total;
          }
          break;
        case op::shift:
          for (int j = 0; j < i.size; ++j) {
            const int from = t - static_cast<int>(i.number);
            at(out, j) = from >= 0 && from < time ? read(i.a, from, j) : 0;
          }
          break;
        case op::flip:
          for (int j = 0; j < i.size; ++j) at(out, j) = read(i.a, time - 1 - t, j);
          break;
        case op::weighted_sum:
          for (int u = 0; u < time; ++u)
            for (int j = 0; j < i.size; ++j) at(out, j) += read(i.a, u, 0) * read(i.b, u, j);
          break;
        default:
          for (int j = 0; j < i.size; ++j)
            at(out, j) = interpret_element(i.code, read(i.a, t, j), i.b < 0 ? 0 : read(i.b, t, j),
                                           i.c < 0 ? 0 : read(i.c, t, j));
      }
    }
  }
  return result;
}

}  // namespace tenon::test
