// trial<M, G, Rows, Objective>: runs a graph forward and backward on machine M and records everything that can be
// observed.
#pragma once

#include "support/machines.hpp"
#include "support/sample.hpp"

#include <doctest/doctest.h>

#include <map>
#include <span>
#include <string>

namespace tenon::test {

// Numbers under names such as "output states, row 2" or "gradient of states.weight_ih_l0".
using findings = std::map<std::string, std::vector<double>>;

inline std::string of_row(std::string_view what, int r) {
  return std::string(what) + ", row " + std::to_string(r);
}

// Row r of [rows, D], [rows, time, D], [rows, height, width, D] or [layers, rows, D].
template <class T, class F>
void each_of_row(const view<T>& v, bool has_layers, int r, F f) {
  const auto n = [&](std::size_t axis) { return static_cast<std::ptrdiff_t>(v.shape(axis)); };
  if (v.dimension() == 2) {
    for (int j = 0; j < n(1); ++j) f(v(r, j));
  } else if (v.dimension() == 4) {
    for (int y = 0; y < n(1); ++y)
      for (int x = 0; x < n(2); ++x)
        for (int j = 0; j < n(3); ++j) f(v(r, y, x, j));
  } else {
    for (int k = 0; k < n(has_layers ? 0 : 1); ++k)
      for (int j = 0; j < n(2); ++j) f(has_layers ? v(k, r, j) : v(r, k, j));
  }
}

template <class M, concepts::Graph G, int Rows, class Objective = void>
class trial {
  static constexpr const auto& net = network_of<G>;
  static constexpr bool has_loss = !std::is_void_v<Objective>;
  using inputs_of_rows = sample<G, Objective>;
  using T = typename M::scalar;

 public:
  typename M::template parameters<G> theta{zeros{}}, gradients{zeros{}};
  typename M::template differentiation<G, Objective, batch<Rows>, input_gradients> session;
  std::uint64_t dropout_step = 3;

  explicit trial(std::uint64_t seed, double largest = 0.7) {
    random_numbers random(seed);
    for (T& x : block()) x = static_cast<T>(largest * random());
    session.randomness({5}, dropout_step);
  }
  std::span<T> block() { return {theta.data(), static_cast<std::size_t>(theta.block_size)}; }

  // The number that is differentiated: the objective; without one the sum of all outputs, each times a random number of its own row.
  double loss(const inputs_of_rows& s) {
    theta.data();  // its numbers may have been changed through a view
    s.feed(session);
    const double objective = double(session.forward(theta));
    if constexpr (has_loss) return objective;
    double total = 0;
    each_seed(s, [&]<int O>(T y, double seed) { total += double(y) * seed; });
    return total;
  }
  findings operator()(const inputs_of_rows& s) {
    findings f;
    s.feed(session);
    const double objective = double(session.forward(theta));
    if constexpr (has_loss) f["loss"] = {objective};
    each_output<G>([&]<int O>() {
      for (int r = 0; r < s.rows; ++r) {
        auto& seen = f[of_row("output " + std::string(net.output_names[O].view()), r)];
        each_of_row(get<output_name<G, O>>(session), has_layers(net.outputs[O]), r,
                    [&](T y) { seen.push_back(y); });
      }
    });
    // Adjoints are added, since two outputs may be one (y.h_n, y.final); padding gets adjoints, too, which must have
    // no effect. An output that no parameter or input reaches, as behind a frozen table, has none.
    if constexpr (!has_loss)
      each_output<G>([&]<int O>() {
        using session_type = std::remove_reference_t<decltype(session)>;
        if constexpr (!engine::unfit_output_adjoint<session_type, output_name<G, O>>::wrong)
          for (int r = 0; r < s.rows; ++r) {
            random_numbers random(seed_of(s, O, r));
            each_of_row(output_adjoint<output_name<G, O>>(session), has_layers(net.outputs[O]), r,
                        [&](T& dy) { dy += static_cast<T>(random()); });
          }
      });
    gradients.set_zero();
    session.backward(theta, gradients);
    std::as_const(gradients).for_each([&](std::string_view path, auto v) {
      auto& seen = f["gradient of " + std::string(path)];
      for (std::size_t k = 0; k < v.size(); ++k) seen.push_back(v.data()[k]);
    });
    each_input<G>([&]<int I>() {
      if constexpr (!net.edges[net.inputs[I]].is_token() &&
                    (!has_loss || requires { input_gradient<input_name<G, I>>(session); }))
        add_input_gradients<I>(s, f);  // a loss may not depend on an input
    });
    return f;
  }

 private:
  static constexpr bool has_layers(int e) { return net.edges[e].layers > 1; }
  static std::uint64_t seed_of(const inputs_of_rows& s, int output, int r) {
    return static_cast<std::uint64_t>(s.ids[static_cast<std::size_t>(r)] * 16 + output + 1000);
  }
  template <int I>
  void add_input_gradients(const inputs_of_rows& s, findings& f) {
    for (int r = 0; r < s.rows; ++r) {
      auto& seen = f[of_row("gradient of input " + std::string(input_name<G, I>.view()), r)];
      each_of_row(input_gradient<input_name<G, I>>(session), has_layers(net.inputs[I]), r,
                  [&](T dx) { seen.push_back(dx); });
    }
  }
  template <class F>
  void each_seed(const inputs_of_rows& s, F f) {
    each_output<G>([&]<int O>() {
      for (int r = 0; r < s.rows; ++r) {
        random_numbers random(seed_of(s, O, r));
        each_of_row(get<output_name<G, O>>(session), has_layers(net.outputs[O]), r,
                    [&](T y) { f.template operator()<O>(y, random()); });
      }
    });
  }
};

}  // namespace tenon::test
