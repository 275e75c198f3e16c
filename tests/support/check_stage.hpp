/// Stages on the CPU backend: every kernel of a cell's step, products and map at once, against the reference
/// that runs them one after the other in double.
#pragma once

#include "support/guarded_rows.hpp"
#include <tenon/backend/cpu/cpu.hpp>
#include <tenon/engine/run/run_program.hpp>
#include <tenon/equation/split.hpp>
#include <tenon/equation/trace_step.hpp>
#include <tenon/lowering/make_schedule.hpp>
#include <tenon/nn/cell/gru.hpp>
#include <tenon/nn/cell/lstm.hpp>
#include <tenon/nn/cell/rnn.hpp>
#include <tenon/tensor/memory.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace tenon::test {

using namespace tenon::ir;

using namespace tenon::engine;

using rounded = backend::cpu_with<backend::bfloat16_weights>;

/// A program as the CPU runs it and as the reference does.
template <class Equations, bool OneRow>
struct lowered_twice {
  static constexpr const program& p = Equations::value;

  struct staged {
    static constexpr schedule value = [] {
      stage_limits limits = backend::limits_of_stages(backend::cpu{}, 1);
      limits.one_row = OneRow;  // large ones, and any number of rows
      return with_stages(make_schedule(p, {}), limits, limits);
    }();
  };
  struct plain {
    static constexpr schedule value = make_schedule(p, {});
  };
  static constexpr program_counts counts{p.inputs.size, p.outputs.size, 64, p.symbols.size, 64};
  static_assert(
      [] {
        int n = 0;
        for (const kernel& k : staged::value.kernels) n += k.stage >= 0;
        return n;
      }() > 0,
      "there is a stage to check");
};

/// Packs the weights of a schedule without a loop and runs it; its buffers live as long as this.
template <class Schedule, class Backend, class T>
struct run_before {
  std::vector<tenon::engine::memory<T>> packed, buffers;
  T* places[64]{};

  template <class Memory>
  void operator()(Memory& m, int steps, int rows, const T* const* symbols) {
    m.batch = m.rows = rows;
    m.lengths = nullptr;
    for (const buffer& b : Schedule::value.buffers)
      buffers.emplace_back(static_cast<std::size_t>(b.width * rows * steps));
    for (std::size_t k = 0; k < buffers.size(); ++k) m.buffers[k] = buffers[k].data();
    long weights = 0;
    repeat<Schedule::value.kernels.size>([&](auto k) {
      weights += packed_parameters<Schedule, k, Backend>::size();
      packed.emplace_back(static_cast<std::size_t>(packed_parameters<Schedule, k, Backend>::size()));
      places[k] = packed.back().data();
      m.packed[k] = packed.back().data();
    });
    packing_shard all({}, weights);
    pack_parameters<Schedule, Backend>(symbols, places, all);
    run_phase<Schedule, phase::before, Backend>(m, 0, steps);
  }
};

template <class Equations, class T, class Backend = backend::cpu, bool OneRow = false>
void check_stage(int steps, int rows, int gap) {
  using how = lowered_twice<Equations, OneRow>;
  constexpr double tolerance = backend::trades<Backend, backend::fast_math> ? 120 : 40;
  constexpr const program& p = how::p;
  CAPTURE(steps);
  CAPTURE(rows);
  CAPTURE(gap);
  noise random(static_cast<std::uint64_t>(rows * 100 + steps));
  program_memory<T, how::counts> on_cpu;
  program_memory<double, how::counts> on_reference;
  std::vector<std::unique_ptr<guarded_rows<T>>> kept;
  std::vector<std::vector<double>> kept_;
  const auto keep = [&](int count, int width, bool random_content) -> guarded_rows<T>& {
    kept.push_back(random_content ? std::make_unique<guarded_rows<T>>(count, width, width + gap, random)
                                  : std::make_unique<guarded_rows<T>>(count, width, width + gap));
    kept_.push_back(kept.back()->numbers());
    return *kept.back();
  };
  const T* symbols[max_symbols];
  const double* symbols_[max_symbols];
  std::vector<double> block_;  // parameters adjacent in storage must be adjacent here
  std::vector<T> block;
  for (const symbol& s : p.symbols)
    for (int k = 0; k < s.elements(); ++k) {
      block_.push_back(T(0.3 * random()));
      block.push_back(T(block_.back()));
    }
  if (backend::trades<Backend, backend::bfloat16_weights>)  // makes weights exact in bfloat16
    for (int s = 0, at = 0; s < p.symbols.size; at += p.symbols[s++].elements())
      for (int k = at; k < at + p.symbols[s].elements() && p.symbols[s].is_matrix(); ++k) {
        block_[std::size_t(k)] = std::round(block_[std::size_t(k)] * 64) / 64;
        block[std::size_t(k)] = T(block_[std::size_t(k)]);
      }
  for (int s = 0, at = 0; s < p.symbols.size; at += p.symbols[s++].elements()) {
    symbols[s] = block.data() + at;
    symbols_[s] = block_.data() + at;
  }
  for (int s = 0; s < p.symbols.size; ++s) {
    on_cpu.symbols[s] = symbols[s];
    on_reference.symbols[s] = symbols_[s];
  }
  for (int i = 0; i < p.inputs.size; ++i) {
    const int width = p.inputs[i];
    // With gaps, an input that only maps read is the same at every step.
    const bool same = gap > 0 && p.inputs.size > 2 && i + 1 == p.inputs.size;
    on_cpu.in[i] = {keep(steps * rows, width, true).data(), width + gap, same ? 0 : rows * (width + gap)};
    on_reference.in[i] = {kept_.back().data(), width, same ? 0 : rows * width};
  }
  const std::size_t first_output = kept.size();
  for (int o = 0; o < p.outputs.size; ++o) {
    const int width = p.code[p.outputs[o]].size;
    on_cpu.out[o] = {keep(steps * rows, width, false).data(), width + gap, rows * (width + gap)};
    on_reference.out[o] = {kept_.back().data(), width, rows * width};
  }
  run_before<typename how::staged, Backend, T>{}(on_cpu, steps, rows, symbols);
  run_before<typename how::plain, backend::reference, double>{}(on_reference, steps, rows, symbols_);
  for (std::size_t k = first_output; k < kept.size(); ++k) {
    CHECK(distance(*kept[k], kept_[k]) <= tolerance * static_cast<double>(std::numeric_limits<T>::epsilon()));
    CHECK(kept[k]->intact());
    kept_[k] = kept[k]->numbers();
  }
  on_cpu.is_odd = true;  // from the last units to the first
  run_before<typename how::staged, Backend, T>{}(on_cpu, steps, rows, symbols);
  for (std::size_t k = first_output; k < kept.size(); ++k) CHECK(kept[k]->numbers() == kept_[k]);
}

template <class C, int Input, int Hidden>
struct cell_step {
  static constexpr program value = group_products(trace_step<C>(Input, Hidden).equations);
};
template <class C, int Input, int Hidden>
struct training_step {  // with the values saved for the backward pass
  static constexpr program value =
      split(reverse(group_products(trace_step<C>(Input, Hidden).equations), {true, true, true})).forward;
};
template <int Input, int Output>
struct layer {
  struct equation : equations::symbols {
    static constexpr auto at(auto x) { return tanh(matrix<"weight", Output>(x) + vector<"bias">); }
  };
  static constexpr program value = trace_at<equation>(sizes{Input}).equations;
};

/// So many sums that registers hold only two rows at a time.
struct many_gates : equations::symbols {
  static constexpr auto step(auto x, auto h) {
    const auto g = [&]<text Name>() { return tanh(W<Name>(x) + U<Name>(h)); };
    return g.template operator()<"a">() * g.template operator()<"b">() +
           g.template operator()<"c">() * g.template operator()<"d">() +
           g.template operator()<"e">() * g.template operator()<"f">() +
           g.template operator()<"g">() * g.template operator()<"i">() + h;
  }
};

/// So many gates that few rows fit into the registers together, on any machine.
template <int Gates>
struct cell_with_gates : equations::symbols {
  template <int G>
  static constexpr auto gate(auto x, auto h) {
    constexpr char name[] = {char('a' + G), '\0'};
    return tanh(W<text<2>(name)>(x) + U<text<2>(name)>(h));
  }
  static constexpr auto step(auto x, auto h) {
    return [&]<int... G>(std::integer_sequence<int, G...>) { return (gate<G>(x, h) + ...); }
    (std::make_integer_sequence<int, Gates>{});
  }
};

template <class Equations, class T = float>
void check_stage_rows() {
  for (int rows : {1, 2, 3, 4, 7, 8, 9, 13, 17})
    for (int gap : {0, 3}) check_stage<Equations, T>(1, rows, gap);
  check_stage<Equations, T>(3, 5, 2);
  check_stage<Equations, T>(4, 1, 0);
}

}  // namespace tenon::test
