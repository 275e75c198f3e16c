/// A loop on the CUDA backend, with all its steps in one kernel: it gives the bits of the same kernel two steps at a time, and the numbers
/// of the reference in double. Rows end at different steps, some before the first.
#pragma once

#include "support/guarded_rows.hpp"
#include <tenon/backend/cuda/cuda.hpp>
#include <tenon/backend/reference/reference.hpp>
#include <tenon/engine/run/kernels/loop.hpp>
#include <tenon/engine/run/run_program.hpp>
#include <tenon/lowering/make_schedule.hpp>
#include <tenon/tensor/memory.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <memory>
#include <vector>

namespace tenon::test {

using namespace tenon::ir;
using namespace tenon::engine;

/// The first input of a program varies with time, the others are its states; the second output and later ones are their next values.
template <class Equations>
constexpr carried_pairs carried_of() {
  carried_pairs all;
  for (int s = 1; s < Equations::value.inputs.size; ++s) all.add({s, s});
  return all;
}
template <class Equations>
struct in_stages {
  static constexpr schedule value = make_staged_schedule(Equations::value, carried_of<Equations>(),
                                                         backend::limits_of_stages(backend::cuda{}, 1), {});
};
template <class Equations>
struct in_kernels {
  static constexpr schedule value = make_schedule(Equations::value, carried_of<Equations>());
};

/// The operands of a program for a number of rows and steps, with gaps between rows.
template <class Equations, class Schedule, class Backend, class T>
class looped {
  static constexpr const program& p = Equations::value;
  static constexpr int states = p.inputs.size - 1;
  static constexpr program_counts counts{p.inputs.size, p.outputs.size, 64, p.symbols.size, 64};

 public:
  std::vector<std::unique_ptr<guarded_rows<T>>> written;  // outputs, then states

  looped(int steps, int rows, int gap, const std::vector<int>& lengths, bool backwards)
      : steps_(steps), rows_(rows), backwards_(backwards), ends_(lengths) {
    noise random(static_cast<std::uint64_t>(100 * rows + steps));
    std::ptrdiff_t parameters = 0;
    for (const symbol& s : p.symbols) parameters += s.elements();
    for (std::ptrdiff_t k = 0; k < parameters; ++k)
      parameters_.push_back(T(float(0.5 * random())));  // the same in every type
    std::ptrdiff_t at = 0;
    for (int s = 0; s < p.symbols.size; at += p.symbols[s++].elements())
      m_.symbols[s] = parameters_.data() + at;
    m_.batch = m_.rows = rows;
    m_.lengths = lengths.empty() ? nullptr : ends_.data();
    x_ = std::make_unique<guarded_rows<T>>(steps * rows, p.inputs[0], p.inputs[0] + gap);
    x_->fill([&](int, int) { return float(random()); });
    m_.in[0] = {x_->data(), x_->stride, rows * x_->stride};
    for (int o = 0; o < p.outputs.size; ++o) {
      if (1 <= o && o <= states) continue;
      const int width = p.code[p.outputs[o]].size;
      written.push_back(std::make_unique<guarded_rows<T>>(steps * rows, width, width + gap));
      m_.out[o] = {written.back()->data(), width + gap, rows * (width + gap)};
    }
    for (int s = 1; s <= states; ++s) {  // one slot more than steps
      const int width = p.inputs[s], row = width + gap, slot = rows * row;
      written.push_back(std::make_unique<guarded_rows<T>>((steps + 1) * rows, width, row));
      written.back()->fill(
          [&](int r, int) { return r / rows == (backwards ? steps : 0) ? float(random()) : 0.f; });
      T* const slots = written.back()->data();
      m_.in[s] = {slots + (backwards ? slot : 0), row, slot};
      m_.out[s] = {slots + (backwards ? 0 : slot), row, slot};
    }
    for (const buffer& b : Schedule::value.buffers)
      buffers_.emplace_back(static_cast<std::size_t>(b.width * rows * (b.all_rows ? steps : 1)));
    for (std::size_t k = 0; k < buffers_.size(); ++k) m_.buffers[k] = buffers_[k].data();
    pack();
  }
  looped(const looped&) = delete;

  void run_step_by_step() {
    run_phase<Schedule, phase::before, Backend>(m_, 0, steps_);
    for (int n = 0; n < steps_; ++n) {
      const int t = backwards_ ? steps_ - 1 - n : n;
      run_phase<Schedule, phase::loop, Backend>(m_, t, 1);
      if (m_.lengths != nullptr)
        repeat<states>([&](auto s) {
          const auto &from = m_.in[1 + s], to = as_source(m_.out[1 + s]);
          copy_rows_where<p.inputs[1 + s]>(Backend{}, false, t, rows_, m_.lengths, from.data + t * from.step,
                                           from.row, m_.out[1 + s].data + t * to.step, to.row);
        });
    }
  }
  /// `together` steps in one kernel.
  void run_whole(int together) {
    for (int n = 0; n < steps_; n += together) {
      const int count = together < steps_ - n ? together : steps_ - n;
      const int first = backwards_ ? steps_ - n - count : n;
      m_.first_step = first;
      run_phase<Schedule, phase::before, Backend>(m_, first, count);
      run_loop<Schedule, Backend>(m_, {first, count, backwards_});
    }
  }

 private:
  int steps_, rows_;
  bool backwards_;
  std::vector<int> ends_;
  program_memory<T, counts> m_{};
  std::vector<T> parameters_;
  std::unique_ptr<guarded_rows<T>> x_;
  std::vector<tenon::engine::memory<T>> buffers_, packed_;
  T* places_[64]{};

  void pack() {
    long weights = 0;
    repeat<Schedule::value.kernels.size>([&](auto k) {
      constexpr long size = packed_parameters<Schedule, k, Backend>::size();
      weights += size;
      packed_.emplace_back(static_cast<std::size_t>(size));
      places_[k] = packed_.back().data();
      m_.packed[k] = packed_.back().data();
    });
    packing_shard all({}, weights);
    pack_parameters<Schedule, Backend>(m_.symbols, places_, all);
  }
};

template <class Equations, class T = float, class Backend = backend::cuda>
void check_loop(int steps, int rows, const std::vector<int>& lengths, bool backwards) {
  static_assert(loop_of(in_stages<Equations>::value).states.size == Equations::value.inputs.size - 1,
                "there is a loop to check");
  CAPTURE(steps);
  CAPTURE(rows);
  CAPTURE(backwards);
  for (int gap : {0, 3}) {
    looped<Equations, in_kernels<Equations>, backend::reference, double> exact(steps, rows, gap, lengths,
                                                                               backwards);
    looped<Equations, in_stages<Equations>, Backend, T> in_twos(steps, rows, gap, lengths, backwards),
        whole(steps, rows, gap, lengths, backwards);
    exact.run_step_by_step();
    in_twos.run_whole(2);
    whole.run_whole(steps);
    for (std::size_t k = 0; k < whole.written.size(); ++k) {
      CAPTURE(k);
      CHECK(whole.written[k]->numbers() == in_twos.written[k]->numbers());
      CHECK(distance(*whole.written[k], exact.written[k]->numbers()) <=
            80 * static_cast<double>(std::numeric_limits<T>::epsilon()));
      CHECK(whole.written[k]->intact());
    }
  }
}
/// All lengths full, and mixed ones: 0, 1, the last but one and the last among them.
template <class Equations, class T = float, class Backend = backend::cuda>
void check_loops(int steps, int rows) {
  std::vector<int> mixed;
  for (int r = 0; r < rows; ++r)
    mixed.push_back((r * (steps - 1) + (rows > 1 ? 0 : steps / 2)) % (steps + 1));
  for (bool backwards : {false, true}) {
    check_loop<Equations, T, Backend>(steps, rows, {}, backwards);
    check_loop<Equations, T, Backend>(steps, rows, mixed, backwards);
  }
}

}  // namespace tenon::test
