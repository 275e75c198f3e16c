// How often a plan calls a kernel of a device: work that does not depend on single steps of a loop is called once, for any number of steps.
#include "support/network.hpp"
#include "tenon/backend/cuda/cuda.hpp"
#include "tenon/engine/session/differentiation.hpp"
#include "tenon/graph/graph.hpp"
#include "tenon/nn/embedding.hpp"
#include "tenon/nn/loss.hpp"
#include "tenon/nn/recurrent.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

namespace workshop {

// The CUDA backend, whose kernel calls are counted.
struct counting : tenon::backend::cuda {};
inline std::map<std::string, int> calls;
template <class Kernel, class T>
void map(counting, int steps, int rows, const tenon::backend::operand<const T>* loads,
         const tenon::backend::operand<T>* stores) {
  ++calls["map"];
  map<Kernel>(tenon::backend::cuda{}, steps, rows, loads, stores);
}
template <int D, class T>
void clear_past_end(counting, int first, int steps, int rows, const int* lengths,
                    const tenon::backend::operand<T>& y) {
  ++calls["clear_past_end"];
  clear_past_end<D>(tenon::backend::cuda{}, first, steps, rows, lengths, y);
}
template <class T>
void gradient_sums(counting, int rows, int count, const tenon::backend::column_sums<T>* sums) {
  ++calls["gradient_sums"];
  gradient_sums(tenon::backend::cuda{}, rows, count, sums);
}
template <int N, int K, class T>
void gradient_outer(counting, int rows, const T* g, std::ptrdiff_t g_row, const T* x, std::ptrdiff_t x_row,
                    T* dw, T* scratch) {
  ++calls["gradient_outer"];
  gradient_outer<N, K>(tenon::backend::cuda{}, rows, g, g_row, x, x_row, dw, scratch);
}
template <int N, int K, class T>
void matmul_transposed(counting, int rows, const T* g, std::ptrdiff_t g_row, const T* w, T* dx,
                       std::ptrdiff_t dx_row) {
  ++calls["matmul_transposed"];
  matmul_transposed<N, K>(tenon::backend::cuda{}, rows, g, g_row, w, dx, dx_row);
}
template <class T>
void pass_rows(counting, bool active, int t, int rows, const int* lengths, int count,
               const tenon::backend::passed_rows<T>* values) {
  ++calls["pass_rows"];
  pass_rows(tenon::backend::cuda{}, active, t, rows, lengths, count, values);
}
template <class T>
void clear_blocks(counting, int count, const tenon::backend::block_of_numbers<T>* blocks) {
  ++calls["clear_blocks"];
  clear_blocks(tenon::backend::cuda{}, count, blocks);
}
template <class Shape, class... Kernels, class T>
void row_loop(counting, const tenon::backend::row_loop_memory<T>& m) {
  ++calls["row_loop"];
  row_loop<Shape, Kernels...>(tenon::backend::cuda{}, m);
}
// The same without a loop in one kernel.
struct by_steps : counting {};
constexpr tenon::ir::loop_limits limits_of_loops(by_steps, int) { return {}; }

}  // namespace workshop

namespace tenon::test {
using namespace nn;

template <int Steps>
using states_of =
    graph<"states", input<"x", features<5>, steps<Steps>>, node<"y", lstm<7>, "x">, output<"y">>;

// The calls of one forward and one backward pass of rows of all lengths, or of whole ones.
template <class Backend, int Steps>
std::map<std::string, int> calls_of(bool ends_early) {
  constexpr int B = 40;
  differentiation<states_of<Steps>, losses::mse<"y">, batch<B>, on<Backend>> learn;
  const parameters<states_of<Steps>> theta(seed{1});
  parameters<states_of<Steps>> gradients(zeros{});
  const std::vector<float> x(B * Steps * 5, 0.5f), target(B * Steps * 7, 0.25f);
  std::vector<int> lengths;
  for (int r = 0; r < B; ++r) lengths.push_back(ends_early ? Steps - r % Steps : Steps);
  set_input<"x">(learn, view<const float>(x.data(), {B, Steps, 5}), lengths);
  set_input<"target">(learn, view<const float>(target.data(), {B, Steps, 7}), lengths);
  workshop::calls.clear();
  learn.forward(theta);
  learn.backward(theta, gradients);
  return workshop::calls;
}

TEST_CASE("a loop asks for a product and a map at each step, and for the rest once") {
  std::map<std::string, int> few = calls_of<workshop::by_steps, 4>(false),
                             many = calls_of<workshop::by_steps, 24>(false);
  CHECK(few["matmul_transposed"] == 3);
  CHECK(many["matmul_transposed"] == 23);
  CHECK(many["map"] - few["map"] == 20);
  CHECK(few["map"] <= 4 + 3);
  for (auto* each : {&few, &many}) {
    CHECK((*each)["gradient_sums"] == 1);
    CHECK((*each)["gradient_outer"] == 2);
    CHECK((*each)["clear_past_end"] == 0);
    CHECK((*each)["pass_rows"] == 0);
    CHECK((*each)["clear_blocks"] == 2);  // the states, and what is carried back
    CHECK((*each)["row_loop"] == 0);
  }
}
TEST_CASE("where rows end early, three more at each step behind the first end") {
  std::map<std::string, int> few = calls_of<workshop::by_steps, 4>(true),
                             many = calls_of<workshop::by_steps, 24>(true);
  CHECK(few["pass_rows"] == 3 * 3);  // one there, two back
  CHECK(many["pass_rows"] == 3 * 23);
  CHECK(few["clear_past_end"] == many["clear_past_end"]);
  CHECK(few["gradient_sums"] == 1);
  CHECK(few["map"] + 20 == many["map"]);
}

TEST_CASE("a loop that is one kernel is asked for once, there and back, whether rows end early or not") {
  for (bool ends_early : {false, true}) {
    std::map<std::string, int> few = calls_of<workshop::counting, 4>(ends_early),
                               many = calls_of<workshop::counting, 24>(ends_early);
    CHECK(few == many);
    CHECK(many["row_loop"] == 1);
    CHECK(many["matmul_transposed"] == 0);
    CHECK(many["pass_rows"] == 0);
    CHECK(many["clear_blocks"] == 2);
  }
}

using looked_up = graph<"looked_up", input<"tokens", token<9>, steps<6>>,
                        node<"y", embedding<9, 300>, "tokens">, output<"y">>;

TEST_CASE("maps run on all steps at once, as far as numbers fill a device's second cache") {
  constexpr int B = 40;
  differentiation<looked_up, losses::mse<"y">, batch<B>, on<workshop::counting>> learn;
  const parameters<looked_up> theta(seed{1});
  parameters<looked_up> gradients(zeros{});
  const std::vector<int> tokens(B * 6, 3);
  const std::vector<float> target(B * 6 * 300, 0.25f);
  set_input<"tokens">(learn, view<const int>(tokens.data(), {B, 6}));
  set_input<"target">(learn, view<const float>(target.data(), {B, 6, 300}));
  workshop::calls.clear();
  learn.forward(theta);
  CHECK(workshop::calls["map"] <= 2);
  workshop::calls.clear();
  learn.backward(theta, gradients);
  CHECK(workshop::calls["map"] == 1);
}

}  // namespace tenon::test
