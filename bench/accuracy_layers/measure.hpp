// The outputs and gradients of a graph on the CPU backend in float, and on the reference backend in float,
// against the reference backend in double: same parameters, inputs and output adjoints.
#pragma once

#include "../../tests/support/sample.hpp"
#include <tenon/tenon.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace accuracy {

using tenon::test::sample;

inline constexpr int rows = 8, draws = 3;

// One result of a run: an output, the loss, or the gradient of a parameter or an input.
struct tensor {
  std::string name;
  bool is_gradient;
  std::vector<double> numbers;
};

template <class T, class F>
void each_number(const tenon::view<T>& v, F f) {
  const auto n = [&](std::size_t axis) { return static_cast<std::ptrdiff_t>(v.shape(axis)); };
  for (std::ptrdiff_t i = 0; i < n(0); ++i)
    for (std::ptrdiff_t j = 0; j < n(1); ++j) {
      if (v.dimension() == 2) f(v(i, j));
      else
        for (std::ptrdiff_t k = 0; k < n(2); ++k) f(v(i, j, k));
    }
}

// Normally distributed numbers, standard deviation 1, that are exact in float.
class normal_numbers {
 public:
  explicit normal_numbers(unsigned seed) : bits_(seed) {}
  double operator()() { return static_cast<double>(static_cast<float>(normal_(bits_))); }

 private:
  std::mt19937 bits_;
  std::normal_distribution<double> normal_;
};

template <class Backend, class T, tenon::concepts::Graph G, class Objective>
std::vector<tensor> run(const tenon::parameters<G, float>& given, const sample<G>& inputs, unsigned seed) {
  static constexpr const auto& net = tenon::network_of<G>;
  tenon::parameters<G, T> theta{tenon::zeros{}}, gradients{tenon::zeros{}};
  std::copy_n(given.data(), theta.block_size, theta.data());
  tenon::differentiation<G, Objective, tenon::on<Backend>, tenon::scalar_type<T>, tenon::batch<rows>,
                         tenon::input_gradients>
      session;
  session.randomness({seed}, 1);
  inputs.feed(session);
  normal_numbers random(seed + 100);
  std::vector<tensor> seen;
  const auto keep = [&](std::string name, bool is_gradient, const auto& v) {
    seen.push_back({std::move(name), is_gradient, {}});
    each_number(v, [&](T x) { seen.back().numbers.push_back(static_cast<double>(x)); });
  };
  if constexpr (!std::same_as<Objective, void>) {
    constexpr int last = tenon::network_of<G, Objective>.inputs.size - 1;
    constexpr tenon::ir::edge target =
        tenon::network_of<G, Objective>.edges[tenon::network_of<G, Objective>.inputs[last]];
    const int steps = target.axis < 0 ? 1 : net.axes[0].bound;
    std::vector<int> classes;
    for (int k = 0; k < rows * steps; ++k) classes.push_back(k * 7 % target.range);
    if constexpr (target.axis < 0) set_input<"target">(session, classes);
    else
      set_input<"target">(session, tenon::view<const int>(classes.data(), {rows, steps}, {steps, 1}),
                          inputs.lengths[0]);
  }
  const T loss = session.forward(theta);
  if constexpr (!std::same_as<Objective, void>) seen.push_back({"loss", false, {static_cast<double>(loss)}});
  tenon::test::each_output<G>([&]<int O>() {
    constexpr auto name = tenon::test::output_name<G, O>;
    keep(std::string(net.output_names[O].view()), false, get<name>(session));
    if constexpr (std::same_as<Objective, void>)
      each_number(output_adjoint<name>(session), [&](T& dy) { dy += static_cast<T>(random()); });
  });
  gradients.set_zero();
  session.backward(theta, gradients);
  std::as_const(gradients).for_each([&](std::string_view path, auto v) {
    seen.push_back({std::string(path), true, {}});
    for (std::size_t k = 0; k < v.size(); ++k)
      seen.back().numbers.push_back(static_cast<double>(v.data()[k]));
  });
  tenon::test::each_input<G>([&]<int I>() {
    constexpr auto name = tenon::test::input_name<G, I>;
    if constexpr (!net.edges[net.inputs[I]].is_token())
      keep(std::string(name.view()), true, input_gradient<name>(session));
  });
  return seen;
}

struct figures {
  double absolute = 0, relative = 0, naive = 0, share = 0, naive_share = 0;
  std::string where{};  // the tensor of the largest relative error

  void add(const tensor& exact, const tensor& fast, const tensor& plain) {
    double most = 0, off = 0, off_plain = 0;
    for (std::size_t k = 0; k < exact.numbers.size(); ++k) {
      const double e = exact.numbers[k], d = std::abs(fast.numbers[k] - e);
      most = std::max(most, std::abs(e));
      off = std::max(off, std::isnan(d) ? std::numeric_limits<double>::infinity() : d);
      const double plain_d = std::abs(plain.numbers[k] - e), allowed = 1e-5 + 1e-4 * std::abs(e);
      off_plain = std::max(off_plain, plain_d);
      share = std::max(share, d / allowed);
      naive_share = std::max(naive_share, plain_d / allowed);
    }
    if (most == 0) most = 1;
    absolute = std::max(absolute, off);
    naive = std::max(naive, off_plain / most);
    if (off / most > relative) {
      relative = off / most;
      where = "`" + exact.name + "`";
    }
  }
};

// One line of the table: a graph at one length.
template <tenon::concepts::Graph G, class Objective = void, class Backend = tenon::backend::cpu>
void measure(const char* layer, int size, int length) {
  std::fprintf(stderr, "%s, %d, length %d\n", layer, size, length);
  figures outputs, gradients;
  for (unsigned draw = 1; draw <= draws; ++draw) {
    sample<G> inputs(std::vector<int>(rows, length), draw);
    normal_numbers random(draw);
    for (auto& numbers : inputs.numbers)
      for (double& x : numbers) x = random();
    const tenon::parameters<G, float> theta(tenon::seed{draw});
    using tenon::backend::reference;
    const auto exact = run<reference, double, G, Objective>(theta, inputs, draw),
               fast = run<Backend, float, G, Objective>(theta, inputs, draw),
               plain = run<reference, float, G, Objective>(theta, inputs, draw);
    for (std::size_t k = 0; k < exact.size(); ++k)
      (exact[k].is_gradient ? gradients : outputs).add(exact[k], fast[k], plain[k]);
  }
  std::printf("| `%s` | %d | %d |", layer, size, length);
  for (const figures& f : {outputs, gradients}) {
    for (double x : {f.absolute, f.relative, f.naive}) std::printf(x > 0 ? " %.1e |" : " %.0f |", x);
    if (f.share < 1) std::printf(" %.2g |", f.share);
    else std::printf(" %.2g (naive: %.2g) |", f.share, f.naive_share);
  }
  std::printf(" %s |\n", gradients.where.c_str());
}

// --- the graphs: a node "y" on inputs of `Size` features -------------------------------------------------

inline constexpr int bound = 64, lengths[]{4, 64};

template <class Layer, int Size>
using over_time = tenon::graph<"layer", tenon::input<"x", tenon::features<Size>, tenon::steps<bound>>,
                               tenon::node<"y", Layer, "x">, tenon::output<"y">>;

template <tenon::concepts::Graph G, class Objective = void, class Backend = tenon::backend::cpu>
void both_lengths(const char* layer, int size) {
  for (int length : lengths) measure<G, Objective, Backend>(layer, size, length);
}
template <template <int> class Layer>
void both_sizes(const char* name) {
  both_lengths<over_time<Layer<8>, 8>>(name, 8);
  both_lengths<over_time<Layer<100>, 100>>(name, 100);
}
template <class Layer>
void both_sizes(const char* name) {
  both_lengths<over_time<Layer, 8>>(name, 8);
  both_lengths<over_time<Layer, 100>>(name, 100);
}

void recurrent_layers();
void bidirectional_layers();
void row_layers();
void activations();
void attentions();
void networks();

}  // namespace accuracy
