// An executor on memory of the test's own: packed weights, a run forward and back with numbers by hand, what an observer is told, and
// which node was running when a device failed.
#include "tenon/engine/run/executor.hpp"

#include "support/machines.hpp"
#include "tenon/nn/nn.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <new>
#include <string>
#include <string_view>
#include <vector>

namespace workshop {

// A device whose kernels are the reference's, until it stops working: at one of its products, counted from 1.
struct device : tenon::backend::reference {};
int products = 0, last_product = 0;  // 0: it does not stop
void* allocate(device, std::size_t bytes) { return ::operator new(bytes); }
void release(device, void* block) { ::operator delete(block); }
void copy_in(device, const void* from, void* to, std::size_t bytes) { std::memcpy(to, from, bytes); }
void copy_out(device, const void* from, void* to, std::size_t bytes) { std::memcpy(to, from, bytes); }
void count_product() {
  if (++products == last_product) throw tenon::device_error("product: the device is gone");
}
template <int N, int K, class T>
void matmul(device, int rows, const T* x, std::ptrdiff_t x_row, const T* w, T* y, std::ptrdiff_t y_row) {
  count_product();
  matmul<N, K>(tenon::backend::reference{}, rows, x, x_row, w, y, y_row);
}
template <int N, int K, class T>
void gradient_outer(device, int rows, const T* g, std::ptrdiff_t g_row, const T* x, std::ptrdiff_t x_row,
                    T* dw) {
  count_product();
  gradient_outer<N, K>(tenon::backend::reference{}, rows, g, g_row, x, x_row, dw);
}

}  // namespace workshop

namespace tenon::test {
using namespace nn;

using two_layers = graph<"two layers", input<"x", features<2>>, node<"hidden", linear<2>, "x">,
                         node<"bent", activation::tanh, "hidden">, node<"y", linear<1>, "bent">, output<"y">>;
template <class Backend>
using plan_on =
    machine<Backend, double>::template differentiation<two_layers, void, batch<2>, input_gradients>::plan;
using plan = plan_on<backend::reference>;
using executor = engine::executor<plan>;

namespace {

// What a session owns.
template <class Plan = plan>
struct workspace {
  using executor_here = engine::executor<Plan>;
  std::vector<double> values =
      std::vector<double>(static_cast<std::size_t>(executor_here::memory_elements()), 0.5);
  std::vector<double> packed =
      std::vector<double>(static_cast<std::size_t>(executor_here::packed_elements() + 1));
  oracle::parameters<two_layers> theta{zeros{}}, gradients{zeros{}};
  engine::run_context<double> context{};
  workspace() {
    const auto fill = [](auto view, std::initializer_list<double> numbers) {
      std::copy(numbers.begin(), numbers.end(), view.data());
    };
    fill(get<"hidden.weight">(theta), {1, -1, 0.5, 2});
    fill(get<"hidden.bias">(theta), {0.25, -0.5});
    fill(get<"y.weight">(theta), {3, -2});
    fill(get<"y.bias">(theta), {1});
    context.memory.values = values.data();
    context.memory.packed = packed.data();
    context.memory.parameters = theta.data();
    context.memory.gradients = gradients.data();
    context.inputs.rows = 2;
  }
};
struct order : engine::run_observer {
  std::vector<int> all{};
  order() : run_observer{[](run_observer& self, int o) { static_cast<order&>(self).all.push_back(o); }} {}
};

}  // namespace

TEST_CASE_TEMPLATE("forward and backward, by hand", Backend, backend::reference, workshop::device) {
  using plan_here = plan_on<Backend>;
  using executor_here = engine::executor<plan_here>;
  workspace<plan_here> own;
  executor_here run(own.context);
  run.pack();
  constexpr int x = engine::input_edge<plan_here>("x"), y = engine::output_edge<plan_here>("y");
  const auto in = executor_here::value(x, own.values.data());
  const double given[2][2]{{1, 0.5}, {-0.25, 2}};
  for (int r = 0; r < 2; ++r)
    for (int c = 0; c < 2; ++c) in.data[r * in.row + c] = given[r][c];
  order seen;
  run.forward(&seen);

  double bent[2][2], out[2];
  for (int r = 0; r < 2; ++r) {
    bent[r][0] = std::tanh(given[r][0] - given[r][1] + 0.25);
    bent[r][1] = std::tanh(0.5 * given[r][0] + 2 * given[r][1] - 0.5);
    out[r] = 3 * bent[r][0] - 2 * bent[r][1] + 1;
  }
  const auto got = executor_here::value(y, own.values.data());
  for (int r = 0; r < 2; ++r) CHECK(got.data[r * got.row] == doctest::Approx(out[r]).epsilon(1e-14));
  REQUIRE(seen.all.size() ==
          static_cast<std::size_t>(executor_here::operations));  // each once, in the order of the plan
  for (int o = 0; o < executor_here::operations; ++o) CHECK(seen.all[static_cast<std::size_t>(o)] == o);

  run.clear_adjoints(true);
  const auto dy = executor_here::adjoint(y, own.values.data());
  CHECK(dy.data[0] == 0);  // cleared
  const double asked[2]{1, -0.5};
  for (int r = 0; r < 2; ++r) dy.data[r * dy.row] = asked[r];
  run.backward();
  double dw[2]{}, dh[2][2];
  for (int r = 0; r < 2; ++r)
    for (int c = 0; c < 2; ++c) {
      dw[c] += asked[r] * bent[r][c];
      dh[r][c] = asked[r] * (c == 0 ? 3 : -2) * (1 - bent[r][c] * bent[r][c]);
    }
  for (int c = 0; c < 2; ++c) {
    CHECK(get<"y.weight">(own.gradients).data()[c] == doctest::Approx(dw[c]).epsilon(1e-13));
    CHECK(get<"hidden.bias">(own.gradients).data()[c] == doctest::Approx(dh[0][c] + dh[1][c]).epsilon(1e-13));
  }
  CHECK(get<"y.bias">(own.gradients).data()[0] == doctest::Approx(0.5).epsilon(1e-14));
  const auto dx = executor_here::adjoint(x, own.values.data());
  for (int r = 0; r < 2; ++r) {
    CHECK(dx.data[r * dx.row] == doctest::Approx(dh[r][0] + 0.5 * dh[r][1]).epsilon(1e-13));
    CHECK(dx.data[r * dx.row + 1] == doctest::Approx(-dh[r][0] + 2 * dh[r][1]).epsilon(1e-13));
  }
}

TEST_CASE("the message of a device's failure begins with the node that was running, forward and backward") {
  workspace<plan_on<workshop::device>> own;
  engine::executor<plan_on<workshop::device>> run(own.context);
  run.pack();
  const auto message = [&](int last, bool back) -> std::string {
    workshop::products = workshop::last_product = 0;
    if (back) run.forward();
    workshop::products = 0;
    workshop::last_product = last;
    std::string said;
    try {
      if (back) run.backward();
      else run.forward();
    } catch (const device_error& error) { said = error.what(); }
    workshop::last_product = 0;
    return said;
  };
  // 'hidden' is one operation with its only reader, whose name it has.
  CHECK(message(1, false) == "node 'bent': product: the device is gone");
  CHECK(message(2, false) == "node 'y': product: the device is gone");
  CHECK(message(3, false).empty());
  CHECK(message(1, true) == "node 'y': product: the device is gone");
  CHECK(message(2, true) == "node 'bent': product: the device is gone");
}

TEST_CASE("the output of an operation is shown with its node, its given rows and their size") {
  workspace<> own;
  own.context.inputs.rows = 1;
  executor run(own.context);
  run.pack();
  run.forward();
  std::vector<std::string> paths;
  for (int o = 0; o < executor::operations; ++o)
    run.show_output(
        o, [&](std::string_view path, const double* numbers, long rows, int columns, std::ptrdiff_t) {
          paths.emplace_back(path);
          CHECK(numbers >= own.values.data());
          CHECK(numbers < own.values.data() + own.values.size());
          CHECK(rows == 1);
          CHECK(columns == (path == "y" ? 1 : 2));
        });
  CHECK(paths == std::vector<std::string>{"bent", "y"});
}

// A table that only a product reads is multiplied whole; what it shows are the rows that the tokens of this run name.
TEST_CASE("the output of a table is shown by the rows that are looked up, the first among them") {
  using words = graph<"words", input<"word", token<4>, steps<7>>, node<"e", embedding<4, 2>, "word">,
                      node<"h", gru<3>, "e">, node<"y", linear<2>, "h.final">, output<"y">>;
  using of_words = processor::differentiation<words, losses::cross_entropy<"y">, batch<4>>;
  static_assert(of_words::plan::has_tables);
  for (int wrong = 0; wrong < 4; ++wrong)
    for (int looked_up = 0; looked_up < 4; ++looked_up) {
      CAPTURE(wrong);
      CAPTURE(looked_up);
      processor::parameters<words> theta(seed{1});
      of_words run;
      const int other = (wrong + 1) % 4;
      set_input<"word">(run, std::vector<std::vector<int>>{{other}, {other, looked_up}});
      set_input<"target">(run, std::vector<int>{0, 1});
      get<"e.weight">(theta)(std::size_t(wrong), 1) = std::numeric_limits<float>::quiet_NaN();
      run.forward(theta);
      CHECK(run.first_not_finite() == (looked_up == wrong ? "e" : ""));
    }
}

}  // namespace tenon::test
