// sample<G, Objective>: random inputs for any graph, and targets for its objective, drawn from its own description: numbers in [-1, 1),
// tokens in range, given lengths.
#pragma once

#include "tenon/backend/random.hpp"
#include "tenon/graph/graph.hpp"
#include "tenon/tensor/view.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace tenon::test {

using namespace tenon::ir;

// Numbers in [-1, 1) that a float holds exactly, the same for the same seed.
class random_numbers {
 public:
  explicit random_numbers(std::uint64_t s) : seed_(s) {}
  double operator()() { return 2.0 * double(backend::uniform(word())) - 1.0; }
  int below(int n) { return static_cast<int>(word() % static_cast<unsigned>(n)); }

 private:
  std::uint64_t seed_, at_ = 0;
  std::uint32_t word() { return backend::philox(seed_, 7, at_++).word[0]; }
};

// The name of a graph's I-th input or output as a template argument: set_input<input_name<G, I>>(session, ...).
namespace detail {
template <int Size>
constexpr auto as_text(const name& n) {
  text<static_cast<std::size_t>(Size) + 1> t;
  for (int k = 0; k < Size; ++k) t.chars[k] = n.chars[k];
  return t;
}
}  // namespace detail
template <concepts::Graph G, int I, class Objective = void>
inline constexpr auto input_name =
    detail::as_text<network_of<G, Objective>.edges[network_of<G, Objective>.inputs[I]].path.size>(
        network_of<G, Objective>.edges[network_of<G, Objective>.inputs[I]].path);
template <concepts::Graph G, int I>
inline constexpr auto output_name =
    detail::as_text<network_of<G>.output_names[I].size>(network_of<G>.output_names[I]);

template <class F, int... I>
void each_index(std::integer_sequence<int, I...>, F f) {
  (f.template operator()<I>(), ...);
}
template <concepts::Graph G, class Objective = void, class F>
void each_input(F f) {
  each_index(std::make_integer_sequence<int, network_of<G, Objective>.inputs.size>{}, f);
}
template <concepts::Graph G, class F>
void each_output(F f) {
  each_index(std::make_integer_sequence<int, network_of<G>.outputs.size>{}, f);
}

template <concepts::Graph G>
inline constexpr bool has_dropout = [] {
  for (const operation& o : network_of<G>.operations)
    if (o.kind == operation_kind::dropout) return true;
  for (const program_view p : network_of<G>.programs)
    for (const own_number& own : p.own)
      if (own.share > 0) return true;
  return false;
}();

// The elements past the end of a sequence, which must not be read.
struct past_end {
  double number = 0;
  int token = 0;
};

template <concepts::Graph G, class Objective = void>
class sample {
  static constexpr const auto& net = network_of<G, Objective>;

 public:
  int rows;
  std::vector<int> ids;  // of the rows: what else is random about a row follows from these
  std::vector<int> lengths[net.axes.size + 1];       // by axis, one for each row
  std::vector<double> numbers[net.inputs.size + 1];  // by input: [rows, steps?, size] or [layers, rows, size]
  std::vector<int> tokens[net.inputs.size + 1];

  // Row r of axis a has lengths[(r + a) % size] steps, at most the bound; a grid has all its places, and windows are as many as fit.
  sample(std::vector<int> given_lengths, std::uint64_t seed) : rows(static_cast<int>(given_lengths.size())) {
    random_numbers random(seed);
    for (int r = 0; r < rows; ++r) ids.push_back(r);
    for (int a = 0; a < net.axes.size; ++a)
      for (int r = 0; r < rows; ++r)
        lengths[a].push_back(length(a, r, given_lengths[static_cast<std::size_t>((r + a) % rows)]));
    for (int i = 0; i < net.inputs.size; ++i) {
      const edge& e = net.edges[net.inputs[i]];
      const int count = rows * e.layers * steps(i);
      for (int k = 0; k < count * e.size; ++k) numbers[i].push_back(random());
      const int least = i < network_of<G>.inputs.size ? 0 : -1;  // a target of -1 does not count
      for (int k = 0; k < count && e.is_token(); ++k)
        tokens[i].push_back(least + random.below(e.range - least));
    }
  }
  static constexpr int steps(int i) {
    const edge& e = net.edges[net.inputs[i]];
    return e.axis < 0 ? 1 : net.axes[e.axis].bound;
  }
  static constexpr bool is_given(int axis) {
    for (int e : network_of<G>.inputs)
      if (net.edges[e].axis == axis) return true;
    return false;
  }
  int length(int axis, int r, int given) const {
    const time_axis& a = net.axes[axis];
    if (a.is_grid() || (a.from < 0 && !is_given(axis)))
      return a.bound;  // a recurrence without an input takes all steps
    if (a.from >= 0) return a.made.horizontal.count(lengths[a.from][static_cast<std::size_t>(r)]);
    return std::min(a.bound, given);
  }

  // The same inputs with other content past the ends.
  sample padded_with(past_end p) const {
    sample s = *this;
    for (int i = 0; i < net.inputs.size; ++i) {
      const edge& e = net.edges[net.inputs[i]];
      for (int r = 0; e.axis >= 0 && r < rows; ++r)
        for (int t = lengths[e.axis][static_cast<std::size_t>(r)]; t < steps(i); ++t) {
          const int at = r * steps(i) + t;
          for (int j = 0; j < e.size; ++j) s.numbers[i][static_cast<std::size_t>(at * e.size + j)] = p.number;
          if (e.is_token()) s.tokens[i][static_cast<std::size_t>(at)] = p.token;
        }
    }
    return s;
  }
  // These rows, in this order.
  sample of_rows(const std::vector<int>& taken) const {
    sample s = *this;
    s.rows = static_cast<int>(taken.size());
    const auto take = [&](const auto& from, auto& to, int outer, int size) {
      to.clear();
      for (int k = 0; k < outer; ++k)
        for (int r : taken) {
          const auto first = from.begin() + std::ptrdiff_t(k * rows + r) * size;
          to.insert(to.end(), first, first + size);
        }
    };
    take(ids, s.ids, 1, 1);
    for (int a = 0; a < net.axes.size; ++a) take(lengths[a], s.lengths[a], 1, 1);
    for (int i = 0; i < net.inputs.size; ++i) {
      const edge& e = net.edges[net.inputs[i]];
      take(numbers[i], s.numbers[i], e.layers, steps(i) * e.size);
      if (e.is_token()) take(tokens[i], s.tokens[i], e.layers, steps(i));
    }
    return s;
  }
  sample row(int r) const { return of_rows({r}); }

  template <class Session>
  void feed(Session& session) const {
    each_input<G, Objective>([&]<int I>() {
      static constexpr edge e = net.edges[net.inputs[I]];
      constexpr text path = input_name<G, I, Objective>;
      const std::ptrdiff_t n = rows, t = steps(I), d = e.size;
      if constexpr (e.is_token() && e.axis >= 0)
        set_input<path>(session, view<const int>(tokens[I].data(), {n, t}, {t, 1}), lengths[e.axis]);
      else if constexpr (e.is_token()) set_input<path>(session, tokens[I]);
      else if constexpr (e.is_grid()) set_input<path>(session, numbers[I]);
      else if constexpr (e.axis >= 0)
        set_input<path>(session, view<const double>(numbers[I].data(), {n, t, d}, {t * d, d, 1}),
                        lengths[e.axis]);
      else if constexpr (e.layers > 1)
        set_input<path>(session, view<const double>(numbers[I].data(), {e.layers, n, d}, {n * d, d, 1}));
      else set_input<path>(session, numbers[I]);
    });
  }
};

}  // namespace tenon::test
