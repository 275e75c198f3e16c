// Stages on the CPU backend: every kernel of a cell's step, products and map at once, against the reference
// that runs them one after the other in double.
#include "support/guarded_rows.hpp"
#include <tenon/engine/run_program.hpp>
#include <tenon/equation/reverse.hpp>
#include <tenon/equation/trace.hpp>
#include <tenon/nn/cell/gru.hpp>
#include <tenon/nn/cell/lstm.hpp>
#include <tenon/nn/cell/rnn.hpp>
#include <tenon/tensor/memory.hpp>

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <memory>

using namespace tenon;
using namespace tenon::engine;
using namespace tenon::test;

namespace {

/// A program as the CPU runs it and as the reference does.
using rounded = backend::cpu_with<backend::bfloat16_weights>;

template <class Equations, bool OneRow>
struct lowered {
  static constexpr const program& p = Equations::value;

  struct staged {
    static constexpr schedule value = [] {
      stage_limits limits = backend::limits_of_stages(backend::cpu{}, 1);
      limits.one_row = OneRow;  // large ones, and any number of rows
      return with_stages(make_schedule(p, {}), limits);
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

template <class Schedule, class Backend, class T>
struct run {
  std::vector<tenon::memory<T>> packed, buffers;
  T* places[64]{};

  template <class Memory>
  void operator()(Memory& m, int steps, int rows, const T* const* symbols) {
    m.batch = m.rows = rows, m.lengths = nullptr;
    for (const buffer& b : Schedule::value.buffers)
      buffers.emplace_back(static_cast<std::size_t>(b.width * rows * steps));
    for (std::size_t k = 0; k < buffers.size(); ++k) m.buffers[k] = buffers[k].data();
    long weights = 0;
    repeat<Schedule::value.kernels.size>([&](auto k) {
      weights += packed_parameters<Schedule, k, Backend>::size();
      packed.emplace_back(static_cast<std::size_t>(packed_parameters<Schedule, k, Backend>::size()));
      places[k] = packed.back().data(), m.packed[k] = packed.back().data();
    });
    packing_share all({}, weights);
    pack_parameters<Schedule, Backend>(symbols, places, all);
    run_phase<Schedule, phase::before, Backend>(m, 0, steps);
  }
};

template <class Equations, class T, class Backend = backend::cpu, bool OneRow = false>
void check(int steps, int rows, int gap) {
  using how = lowered<Equations, OneRow>;
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
  std::vector<double> block_;  // neighbours in storage must be neighbours
  std::vector<T> block;
  for (const symbol& s : p.symbols)
    for (int k = 0; k < s.elements(); ++k)
      block_.push_back(T(0.3 * random())), block.push_back(T(block_.back()));
  if (backend::trades<Backend, backend::bfloat16_weights>)  // what a matrix holds is stored exactly
    for (int s = 0, at = 0; s < p.symbols.size; at += p.symbols[s++].elements())
      for (int k = at; k < at + p.symbols[s].elements() && p.symbols[s].is_matrix(); ++k)
        block_[std::size_t(k)] = std::round(block_[std::size_t(k)] * 64) / 64,
        block[std::size_t(k)] = T(block_[std::size_t(k)]);
  for (int s = 0, at = 0; s < p.symbols.size; at += p.symbols[s++].elements())
    symbols[s] = block.data() + at, symbols_[s] = block_.data() + at;
  for (int s = 0; s < p.symbols.size; ++s)
    on_cpu.symbols[s] = symbols[s], on_reference.symbols[s] = symbols_[s];
  for (int i = 0; i < p.inputs.size; ++i) {
    const int width = p.inputs[i];
    on_cpu.in[i] = {keep(steps * rows, width, true).data(), width + gap, rows * (width + gap)};
    on_reference.in[i] = {kept_.back().data(), width, rows * width};
  }
  const std::size_t first_output = kept.size();
  for (int o = 0; o < p.outputs.size; ++o) {
    const int width = p.code[p.outputs[o]].size;
    on_cpu.out[o] = {keep(steps * rows, width, false).data(), width + gap, rows * (width + gap)};
    on_reference.out[o] = {kept_.back().data(), width, rows * width};
  }
  run<typename how::staged, Backend, T>{}(on_cpu, steps, rows, symbols);
  run<typename how::plain, backend::reference, double>{}(on_reference, steps, rows, symbols_);
  for (std::size_t k = first_output; k < kept.size(); ++k) {
    CHECK(distance(*kept[k], kept_[k]) <= tolerance * static_cast<double>(std::numeric_limits<T>::epsilon()));
    CHECK(kept[k]->intact());
    kept_[k] = kept[k]->numbers();
  }
  on_cpu.is_odd = true;  // from the last units to the first
  run<typename how::staged, Backend, T>{}(on_cpu, steps, rows, symbols);
  for (std::size_t k = first_output; k < kept.size(); ++k) CHECK(kept[k]->numbers() == kept_[k]);
}

template <class C, int Input, int Hidden>
struct cell_step {
  static constexpr program value = group_products(trace_step<C>(Input, Hidden).equations);
};
template <class C, int Input, int Hidden>
struct training_step {  // with what is saved for the way back
  static constexpr program value =
      split(reverse(group_products(trace_step<C>(Input, Hidden).equations), {true, true, true})).forward;
};
template <int Input, int Output>
struct layer {
  struct equation {
    static constexpr auto at(auto x) {
      return tenon::tanh(matrix<"weight", Output>(x) + tenon::vector<"bias">);
    }
  };
  static constexpr program value = trace_at<equation>(sizes{Input}).equations;
};

// So many sums that two rows at a time are all that registers hold.
struct many_gates {
  static constexpr auto step(auto x, auto h) {
    using namespace equations;
    const auto g = [&]<text Name>() { return tenon::tanh(W<Name>(x) + U<Name>(h)); };
    return g.template operator()<"a">() * g.template operator()<"b">() +
           g.template operator()<"c">() * g.template operator()<"d">() +
           g.template operator()<"e">() * g.template operator()<"f">() +
           g.template operator()<"g">() * g.template operator()<"i">() + h;
  }
};

template <class Equations, class T = float>
void check_rows() {
  for (int rows : {1, 2, 3, 4, 7, 8, 9, 13, 17})
    for (int gap : {0, 3}) check<Equations, T>(1, rows, gap);
  check<Equations, T>(3, 5, 2);
  check<Equations, T>(4, 1, 0);
}

}  // namespace

TEST_CASE("an LSTM, in all its tails") {
  check_rows<cell_step<lstm_cell, 1, 1>>();
  check_rows<cell_step<lstm_cell, 3, 7>>();
  check_rows<cell_step<lstm_cell, 8, 16>>();
  check_rows<cell_step<lstm_cell, 16, 17>>();
  check_rows<cell_step<lstm_cell, 5, 33>>();
  check_rows<cell_step<lstm_cell, 33, 48>>();
}
TEST_CASE("in double") {
  check_rows<cell_step<lstm_cell, 3, 7>, double>();
  check_rows<cell_step<gru_cell, 5, 17>, double>();
}
TEST_CASE("weights that bfloat16 holds exactly give the same as in float") {
  for (int steps : {1, 3}) {
    check<cell_step<lstm_cell, 3, 7>, float, rounded>(steps, 1, 0);
    check<cell_step<lstm_cell, 33, 48>, float, rounded>(steps, 1, 3);
    check<cell_step<gru_cell, 5, 33>, float, rounded>(steps, 1, 0);
    check<cell_step<gru_cho_cell, 7, 19>, float, rounded>(steps, 1, 0);
    check<cell_step<rnn_tanh_cell, 7, 75>, float, rounded>(steps, 1, 0);
  }
}
TEST_CASE("faster functions in a stage") {
  using faster = backend::cpu_with<backend::fast_math>;
  for (int rows : {1, 3, 9}) check<cell_step<lstm_cell, 5, 33>, float, faster>(1, rows, 2);
  using both = backend::cpu_with<backend::bfloat16_weights, backend::fast_math>;
  check<cell_step<gru_cell, 5, 33>, float, both>(3, 1, 0);
}
TEST_CASE("bfloat16 rounds to nearest, ties to even") {
  const auto stored = [](float x) {
    float pair = 0;
    backend::detail::bfloat16_pairs::put(x, 0, 0, &pair);
    const float low = pair;
    backend::detail::bfloat16_pairs::put(x, 1, 0, &pair);
    CHECK((std::bit_cast<std::uint32_t>(pair) & 0xffff) == std::bit_cast<std::uint32_t>(low));
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(low) << 16);
  };
  CHECK(stored(1.f) == 1.f);
  CHECK(stored(-0.15625f) == -0.15625f);
  CHECK(stored(1.f + 0x1p-8f) == 1.f);               // half way: to even
  CHECK(stored(1.f + 0x1.8p-7f) == 1.f + 0x1p-6f);   // half way: to even, upwards
  CHECK(stored(1.f + 0x1.02p-8f) == 1.f + 0x1p-7f);  // past half way
  CHECK(std::isinf(stored(3.4e38f)));
  CHECK(std::isnan(stored(std::numeric_limits<float>::quiet_NaN())));
  noise random(3);
  for (int k = 0; k < 1000; ++k) {
    const float x = static_cast<float>(random());
    CHECK(std::abs(stored(x) - x) <= 0x1p-8f * std::abs(x));
  }
}
// Gates enough that few rows fit into the registers together, whatever the machine.
template <int Gates>
struct cell_with_gates {
  template <int G>
  static constexpr auto gate(auto x, auto h) {
    constexpr char name[] = {char('a' + G), '\0'};
    return tanh(equations::W<text<2>(name)>(x) + equations::U<text<2>(name)>(h));
  }
  static constexpr auto step(auto x, auto h) {
    return [&]<int... G>(std::integer_sequence<int, G...>) { return (gate<G>(x, h) + ...); }
    (std::make_integer_sequence<int, Gates>{});
  }
};
TEST_CASE("one, two and more rows together, by the number of sums") {
  check_rows<cell_step<cell_with_gates<2>, 3, 17>>();
  check_rows<cell_step<cell_with_gates<3>, 3, 16>>();
  check_rows<cell_step<cell_with_gates<5>, 3, 17>>();
  check_rows<cell_step<cell_with_gates<8>, 2, 16>>();
  check_rows<cell_step<cell_with_gates<12>, 2, 17>>();
  check_rows<cell_step<cell_with_gates<16>, 2, 5>>();
}
TEST_CASE("other cells") {
  check_rows<cell_step<gru_cell, 4, 13>>();
  check_rows<cell_step<gru_cell, 7, 32>>();
  check_rows<cell_step<gru_cho_cell, 7, 19>>();
  check_rows<cell_step<rnn_tanh_cell, 7, 40>>();
  check_rows<cell_step<many_gates, 3, 20>>();
}
TEST_CASE("one row, to and fro over the units") {
  for (int steps : {1, 3}) {
    check<cell_step<lstm_cell, 64, 64>, float, backend::cpu, true>(steps, 1, 0);
    check<cell_step<gru_cell, 64, 75>, float, backend::cpu, true>(steps, 1, 0);
    check<cell_step<gru_cho_cell, 40, 70>, double, backend::cpu, true>(steps, 1, 3);
    check<cell_step<lstm_cell, 64, 70>, float, rounded, true>(steps, 1, 0);
  }
}
TEST_CASE("one row, to and fro over the products of a group") {
  for (int steps : {1, 2, 3}) {
    check<cell_step<lstm_cell, 33, 33>, float, backend::cpu, true>(steps, 1, 0);
    check<cell_step<lstm_cell, 33, 33>, float, rounded, true>(steps, 1, 0);
    check<cell_step<lstm_cell, 24, 24>, double, backend::cpu, true>(steps, 1, 0);
    check<cell_step<gru_cell, 40, 40>, float, backend::cpu, true>(steps, 1, 0);
    check<cell_step<many_gates, 20, 20>, float, backend::cpu, true>(steps, 1, 0);
  }
}
TEST_CASE("units go one vector at a time where the cache then holds a part for the next step") {
  constexpr int lanes = 16, most = backend::detail::cached_vectors;
  const auto group = [](int columns, int depth, int width, int others = 0, bool one_row = true) {
    stage_body stage{.one_row = one_row, .others = others};
    stage_product product{.depth = depth};
    for (int c = 0; c < columns; ++c) product.columns.add(c * width);
    stage.body.width = width, stage.products.add(product);
    return backend::detail::stage_group(stage, lanes);
  };
  CHECK(group(4, most / 4, 64) == 1);
  CHECK(group(4, most / 8, 64) == 1);
  CHECK(group(4, most / 8 - 1, 64) == 2);     // two of them stay
  CHECK(group(4, most / 4 + 1, 64) == 2);     // none does
  CHECK(group(4, most / 4, 64, lanes) == 2);  // the other products drive it out
  CHECK(group(4, most / 8, 32) == 1);         // of two vectors one stays
  CHECK(group(4, most / 4, 16) == 2);         // there is no other group
  CHECK(group(4, most / 4, 64, 0, false) == 2);
  CHECK(group(5, 1, 64) == 1);
  CHECK(group(1, most, 64) == 4);
}
TEST_CASE("a training step stores what it keeps") { check_rows<training_step<lstm_cell, 5, 17>>(); }
TEST_CASE("a layer without time") {
  check_rows<layer<3, 5>>();
  check_rows<layer<17, 16>>();
  check_rows<layer<100, 50>>();
  check_rows<layer<5, 99>>();  // two groups of vectors of units, the last one shorter
}
