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

inline double interpret_element(opcode code, double a, double b, double c) {
  switch (code) {
    case opcode::copy:
    case opcode::stop_gradient:
      return a;
    case opcode::negate:
      return -a;
    case opcode::add:
      return a + b;
    case opcode::subtract:
      return a - b;
    case opcode::multiply:
      return a * b;
    case opcode::divide:
      return a / b;
    case opcode::maximum:
      return std::max(a, b);
    case opcode::minimum:
      return std::min(a, b);
    case opcode::select:
      return a > 0 ? b : c;
    case opcode::greater:
      return a > b ? 1 : 0;
    case opcode::equal:
      return a == b ? 1 : 0;
    case opcode::exp:
      return std::exp(a);
    case opcode::log:
      return std::log(a);
    case opcode::sqrt:
      return std::sqrt(a);
    case opcode::abs:
      return std::abs(a);
    case opcode::sign:
      return a > 0 ? 1 : a < 0 ? -1 : 0;
    case opcode::sin:
      return std::sin(a);
    case opcode::cos:
      return std::cos(a);
    case opcode::sigmoid:
      return 1 / (1 + std::exp(-a));
    case opcode::tanh:
      return std::tanh(a);
    case opcode::relu:
      return a > 0 ? a : 0;
    case opcode::softplus:
      return std::log1p(std::exp(a));
    case opcode::erf:
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
        case opcode::input:
          out = at(at(inputs, i.first), t);
          break;
        case opcode::vector:
          out = at(symbols, i.first);
          break;
        case opcode::constant:
          out = {i.number};
          break;
        case opcode::slice:
          for (int j = 0; j < i.size; ++j) at(out, j) = read(i.a, t, i.first + j);
          break;
        case opcode::concat:
          for (int j = 0; j < i.size; ++j)
            at(out, j) = j < features(i.a) ? read(i.a, t, j) : read(i.b, t, j - features(i.a));
          break;
        case opcode::matmul: {  // y = [M_first; ...; M_last] a
          int above = 0;
          for (int s = i.first; s < i.first + i.count; above += p.symbols[s++].rows)
            for (int r = 0; r < p.symbols[s].rows; ++r)
              for (int c = 0; c < features(i.a); ++c)
                at(out, above + r) += at(at(symbols, s), r * p.symbols[s].columns + c) * read(i.a, t, c);
          break;
        }
        case opcode::matmul_transposed: {  // y = [M_first; ...; M_last]^T a
          int above = 0;
          for (int s = i.first; s < i.first + i.count; above += p.symbols[s++].rows)
            for (int r = 0; r < p.symbols[s].rows; ++r)
              for (int c = 0; c < i.size; ++c)
                at(out, c) += at(at(symbols, s), r * p.symbols[s].columns + c) * read(i.a, t, above + r);
          break;
        }
        case opcode::gradient_outer: {  // dM += a b^T
          int above = 0;
          for (int s = i.first; s < i.first + i.count && (t == 0 || !once); above += p.symbols[s++].rows)
            for (int r = 0; r < p.symbols[s].rows; ++r)
              for (int c = 0; c < p.symbols[s].columns; ++c)
                at(at(result.gradients, s), r * p.symbols[s].columns + c) +=
                    read(i.a, t, above + r) * read(i.b, t, c);
          break;
        }
        case opcode::gradient_sum:  // db += a
          for (int r = 0; r < p.symbols[i.first].rows && (t == 0 || !once); ++r)
            at(at(result.gradients, i.first), r) += read(i.a, t, r);
          break;
        case opcode::row_sum:
          for (int j = 0; j < features(i.a); ++j) out[0] += read(i.a, t, j);
          break;
        case opcode::row_max:
          out[0] = read(i.a, t, 0);
          for (int j = 1; j < features(i.a); ++j) out[0] = std::max(out[0], read(i.a, t, j));
          break;
        case opcode::axis_sum:
          for (int u = 0; u < time; ++u)
            for (int j = 0; j < i.size; ++j) at(out, j) += read(i.a, u, j);
          break;
        case opcode::axis_max:
          for (int j = 0; j < i.size; ++j) {
            at(out, j) = read(i.a, 0, j);
            for (int u = 1; u < time; ++u) at(out, j) = std::max(at(out, j), read(i.a, u, j));
          }
          break;
        case opcode::axis_softmax:  // by its definition: no maximum is subtracted
          for (int j = 0; j < i.size; ++j) {
            double total = 0;
            for (int u = 0; u < time; ++u) total += std::exp(read(i.a, u, j));
            at(out, j) = std::exp(read(i.a, t, j)) / total;
          }
          break;
        case opcode::shift:
          for (int j = 0; j < i.size; ++j) {
            const int from = t - static_cast<int>(i.number);
            at(out, j) = from >= 0 && from < time ? read(i.a, from, j) : 0;
          }
          break;
        case opcode::flip:
          for (int j = 0; j < i.size; ++j) at(out, j) = read(i.a, time - 1 - t, j);
          break;
        case opcode::weighted_sum:
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
