// execute: runs a schedule on std::vector<double> as an engine runs it, phase by phase and kernel by kernel,
// with only the memory that the schedule asks for. Memory that was never written is NaN, so that a wrong place
// shows.
#pragma once

#include "support/interpret.hpp"
#include <tenon/lowering/body.hpp>

#include <limits>

namespace tenon::test {

struct execution {
  std::vector<steps> outputs{};
  std::vector<row> gradients{};
};

class executor {
 public:
  /// before: the old contents of the outputs; empty: none.
  executor(const schedule& given, std::vector<steps> in, const std::vector<row>& weights,
           const std::vector<steps>& before = {})
      : s(given), p(given.equations), inputs(std::move(in)), symbols(weights), time(inputs[0].size()) {
    for (int o : p.outputs) result.outputs.push_back(unwritten(time, p.code[o].size));
    if (!before.empty()) result.outputs = before;
    for (const buffer& b : s.buffers) buffers.push_back(unwritten(b.all_rows ? time : 1, b.width));
    for (const row& w : symbols) result.gradients.emplace_back(w.size(), 0.0);
  }

  /// Carried inputs are 0 at the first step, and at other steps the values that the step before wrote.
  execution run(const carried_pairs& carried, bool backwards) {
    run_phase(phase::before, 0, time);
    for (std::size_t n = 0; n < time && !carried.empty(); ++n) {
      const std::size_t t = backwards ? time - 1 - n : n, earlier = backwards ? t + 1 : t - 1;
      for (const carried_pair& c : carried) {
        row& state = inputs[std::size_t(c.input)][t];
        state = n == 0 ? row(state.size()) : result.outputs[std::size_t(c.output)][earlier];
      }
      run_phase(phase::loop, t, t + 1);
    }
    run_phase(phase::after, 0, time);
    return result;
  }

 private:
  const schedule& s;
  const program& p;
  std::vector<steps> inputs;
  const std::vector<row>& symbols;
  std::size_t time;
  std::vector<steps> buffers{};
  execution result{};

  static steps unwritten(std::size_t rows, int width) {
    return steps(rows, row(std::size_t(width), std::numeric_limits<double>::quiet_NaN()));
  }
  row& row_of(const place& at, std::size_t t) {
    if (at.in == space::input) return inputs[std::size_t(at.index)][t];
    if (at.in == space::output) return result.outputs[std::size_t(at.index)][t];
    steps& b = buffers.at(std::size_t(at.index));
    return b.size() == 1 ? b[0] : b[t];
  }
  double read(const place& at, std::size_t t, int j) {
    if (at.in == space::parameter) return symbols[std::size_t(at.index)].at(std::size_t(j));
    return row_of(at, t).at(std::size_t(at.column + j));
  }
  void write(const place& at, std::size_t t, int j, double x) {
    row_of(at, t).at(std::size_t(at.column + j)) = x;
  }

  void run_phase(phase when, std::size_t begin, std::size_t end) {
    for (int k = 0; k < s.kernels.size; ++k)
      if (s.kernels[k].when == when)
        for (std::size_t t = begin; t < (s.kernels[k].over == domain::batch ? begin + 1 : end); ++t)
          s.kernels[k].kind == kernel_kind::map ? run_map(k, t) : run_heavy(s.kernels[k], t);
  }
  void run_map(int index, std::size_t t) {
    const map_body body = body_of(s, index);
    std::vector<double> reduced(std::size_t(body.stores.size));
    for (int j = 0; j < body.width; ++j) {
      std::vector<double> local;
      const auto at = [&](int k) { return k < 0 ? 0 : local[std::size_t(k)]; };
      for (const instruction& i : body.code) {
        if (i.code == opcode::input) {
          const map_load& l = body.loads[i.first];
          local.push_back(read(l.from, l.invariant ? 0 : t, l.broadcast ? 0 : j));
        } else if (i.code == opcode::constant) {
          local.push_back(i.number);
        } else {
          local.push_back(interpret_element(i.code, at(i.a), at(i.b), at(i.c)));
        }
      }
      for (int n = 0; n < body.stores.size; ++n) {
        const double x = at(body.stores[n].local);
        double& r = reduced[std::size_t(n)];
        const map_store& store = body.stores[n];
        if (store.over_steps) {
          double& sum = row_of(store.to, 0).at(std::size_t(store.to.column + j));
          sum = (t == 0 && !store.adds ? 0 : sum) + x;
        } else if (store.adds) {
          row_of(store.to, t).at(std::size_t(store.to.column + j)) += x;
        } else if (store.reduction == opcode::copy) {
          write(store.to, t, j, x);
        }
        if (store.reduction == opcode::row_sum) r += x;
        if (store.reduction == opcode::row_max) r = j == 0 || x > r ? x : r;
      }
    }
    for (int n = 0; n < body.stores.size; ++n)
      if (body.stores[n].reduction != opcode::copy) write(body.stores[n].to, t, 0, reduced[std::size_t(n)]);
  }
  // The one-instruction kernels: their formula is the interpreter's, on the operands read from their places.
  void run_heavy(const kernel& k, std::size_t t) {
    const instruction& i = p.code[k.value];
    program one;
    one.symbols = p.symbols;
    std::vector<steps> given;
    const auto operand = [&](int o) {
      steps rows;
      const std::size_t first = is_over_axis(i.code) ? 0 : t, last = is_over_axis(i.code) ? time : t + 1;
      for (std::size_t u = first; u < last; ++u) {
        rows.emplace_back();
        for (int j = 0; j < p.code[o].size; ++j) rows.back().push_back(read(s.places[o], u, j));
      }
      given.push_back(rows);
      one.inputs.add(p.code[o].size);
      return one.code.add(
          {.code = opcode::input, .first = short(one.inputs.size - 1), .size = p.code[o].size});
    };
    instruction alone = i;
    alone.a = static_cast<short>(operand(i.a));
    if (i.b >= 0) alone.b = static_cast<short>(operand(i.b));
    const int value = one.code.add(alone);
    const interpretation run = interpret(one, given, symbols);
    const bool adds = k.kind == kernel_kind::matmul_transposed && s.accumulates[k.value] == accumulation::add;
    for (int j = 0; j < i.size; ++j)
      write(
          s.places[k.value], t, j,
          (adds ? read(s.places[k.value], t, j) : 0) +
              run.values[std::size_t(value)]
                        [i.code == opcode::axis_softmax || i.code == opcode::shift ? t : 0][std::size_t(j)]);
    for (std::size_t w = 0; w < symbols.size(); ++w)
      for (std::size_t e = 0; e < symbols[w].size(); ++e) result.gradients[w][e] += run.gradients[w][e];
  }
};

}  // namespace tenon::test
