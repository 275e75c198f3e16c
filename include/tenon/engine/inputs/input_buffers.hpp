// input_buffers: the inputs of a plan between two runs: tokens, lengths, and the number of rows of each input. Numbers
// are in the session's memory.
#pragma once

#include "tenon/engine/inputs/axis_lengths.hpp"
#include "tenon/engine/inputs/device_inputs.hpp"
#include "tenon/engine/inputs/input_checks.hpp"
#include "tenon/engine/run/executor.hpp"
#include "tenon/tensor/memory.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>

namespace tenon::inline v0_1::engine {

template <class Plan>
class input_buffers {
 public:
  using T = typename Plan::scalar;
  using checks = input_checks<Plan>;
  static constexpr const auto& net = Plan::net;
  static constexpr int B = Plan::batch, inputs = net.inputs.size, axes = net.axes.size;
  static constexpr int any_rows = std::numeric_limits<int>::max();  // zeros serve as many as the others have

  mutable device_inputs<Plan> on_device;

  input_buffers() : tokens_(token_elements, use) {
    std::fill(tokens_.begin(), tokens_.end(), -1);
    std::fill(std::begin(given_rows_), std::end(given_rows_), -1);
    std::ptrdiff_t at = 0;
    each_input([&](auto i) {
      constexpr int e = net.inputs[i];
      constexpr long rows = Plan::rows(e);
      if constexpr (net.edges[e].is_token()) {
        token_rows_[e] = tokens_.data() + at;
        at += rows;
      }
    });
  }

  // Not copied: its row pointers point into itself.
  input_buffers(const input_buffers&) = delete;
  input_buffers& operator=(const input_buffers&) = delete;

  int* const* tokens() const { return token_rows_; }
  const memory<int>& token_block() const { return tokens_; }
  axis_lengths<Plan>& lengths() { return lengths_; }
  const axis_lengths<Plan>& lengths() const { return lengths_; }
  int rows() const { return rows_; }

  // Begins to store n rows of input E; nothing has changed before this call.
  template <int E>
  void begin(int n) {
    on_device.template given_by_program<E>();
    given_rows_[E] = n;
    constexpr long all = Plan::rows(E);
    if constexpr (net.edges[E].is_token()) std::fill_n(token_rows_[E], all, -1);
    lengths_.template begin<E>();
  }
  // The position of row r of step t in the numbers of input E.
  template <int E>
  static std::ptrdiff_t place_of_row(int t, int r) {
    constexpr std::ptrdiff_t step = row_order<Plan>::step_stride(E), row = row_order<Plan>::row_stride(E);
    return t * step + r * row;
  }

  // --- a part of a larger batch ----------------------------------------------------------------------------
  // Copies the rows of input E in `whole` from row `first` on; the numbers of `whole` start at `given`.
  template <int E, class Whole>
  void take(const input_buffers<Whole>& whole, int first, const T* source, T* values) {
    static_assert(Plan::steps(E) == Whole::steps(E));
    const int n = std::clamp(whole.given_rows_[E] - first, 0, B);
    if (whole.given_rows_[E] < 0) return;
    begin<E>(n);
    if (whole.given_rows_[E] == any_rows) serve_any_rows<E>();
    constexpr int layers = int(Plan::rows(E) / B), size = net.edges[E].size;  // time steps or layers
    for (int k = 0; k < layers; ++k) {
      if constexpr (net.edges[E].is_token()) {
        std::copy_n(whole.token_rows_[E] + k * Whole::batch + first, B, token_rows_[E] + k * B);
      } else {
        for (int r = 0; r < B; ++r)
          std::copy_n(source + input_buffers<Whole>::template place_of_row<E>(k, first + r), size,
                      values + place_of_row<E>(k, r));
      }
    }
    constexpr int input = net.find_input(E);
    for (int r = 0; r < n; ++r) lengths_.template set<E>(r, whole.lengths_.lengths_of(input)[first + r]);
  }

  // --- the rows of the given inputs ------------------------------------------------------------------------
  int given_rows(int e) const { return given_rows_[e]; }
  bool has_number_of_rows(int e) const { return given_rows_[e] >= 0 && given_rows_[e] != any_rows; }
  template <int E>
  void serve_any_rows() {
    given_rows_[E] = any_rows;
  }
  // Copies row `from` of input E to row `to`; both exist.
  template <int E>
  void copy_row(int from, int to, T* values) {
    constexpr int layers = int(Plan::rows(E) / B), size = net.edges[E].size;
    for (int k = 0; k < layers; ++k)
      if constexpr (net.edges[E].is_token()) token_rows_[E][k * B + to] = token_rows_[E][k * B + from];
      else std::copy_n(values + place_of_row<E>(k, from), size, values + place_of_row<E>(k, to));
    constexpr int input = net.find_input(E);
    lengths_.template set<E>(to, lengths_.lengths_of(input)[from]);
  }
  // Keeps the first n rows of input E and clears the others.
  template <int E>
  void keep_rows(int n, T* values) {
    constexpr int layers = int(Plan::rows(E) / B), size = net.edges[E].size;
    given_rows_[E] = n;
    for (int r = n; r < B; ++r) {
      for (int k = 0; k < layers; ++k)
        if constexpr (net.edges[E].is_token()) token_rows_[E][k * B + r] = -1;
        else std::fill_n(values + place_of_row<E>(k, r), size, T(0));
      lengths_.template set<E>(r, 0);
    }
  }

  // All inputs in `needed` must have been given, with one number of rows, and with the same lengths on one
  // time axis. `starts`: do sequences begin? Later steps of a stream read no initial states.
  template <class Needed>
  void check_complete(Needed needed, bool starts = true) {
    int rows = -1;
    characters first;
    each_input([&](auto i) {
      constexpr int e = net.inputs[i];
      if constexpr (Needed{}(e))
        if (constexpr bool is_read = is_read_by_steps(e); (starts || is_read) && given_rows_[e] != any_rows)
          checks::check_rows(given_rows_[e], checks::template path<e>(), rows, first);
    });
    rows = rows < 0 ? B : rows;
    lengths_.settle(needed, rows);
    rows_ = rows;
  }

 private:
  template <class>
  friend class input_buffers;

  // Does a step of a stream read what depends on input E, or only the first step, as initial states?
  static constexpr bool is_read_by_steps(int E) {
    bool depends[net.edges.size + 1]{};
    depends[E] = true;
    for (int o = 0; o < net.operations.size; ++o) {
      const operation& op = net.operations[o];
      for (int i = 0; i < op.in.size; ++i) {
        const bool is_initial_state = !Plan::runs_once(o) && i > 0 && i <= Plan::states(o);
        if (op.in[i] < 0 || !depends[net.owner(op.in[i])] || !Plan::active.alive[o] || is_initial_state)
          continue;
        if (!Plan::runs_once(o)) return true;
        for (int out : op.out) depends[net.owner(out)] = true;
      }
    }
    for (int e : net.outputs)
      if (depends[net.owner(e)]) return true;
    return false;
  }

  static constexpr std::size_t token_elements = [] {
    long n = 0;
    for (int i = 0; i < net.inputs.size; ++i)
      if (net.edges[net.inputs[i]].is_token()) n += Plan::rows(net.inputs[i]);
    return static_cast<std::size_t>(n);
  }();

  static constexpr memory_use use{"the inputs of a session", Plan::title};
  memory<int> tokens_;
  axis_lengths<Plan> lengths_;
  int* token_rows_[net.edges.size + 1]{};
  int given_rows_[net.edges.size + 1] = {};
  int rows_ = B;

  // f(position) for every input
  template <class F>
  static void each_input(F f) {
    repeat<inputs>(f);
  }
};

}  // namespace tenon::inline v0_1::engine
