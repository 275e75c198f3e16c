// The kernels that a plan needs from a backend, and which of them a backend has.
#include "layering/house.hpp"
#include "tenon/engine/session/session.hpp"
#include "tenon/nn/attention.hpp"
#include "tenon/nn/chain.hpp"
#include "tenon/nn/dropout.hpp"
#include "tenon/nn/embedding.hpp"
#include "tenon/nn/loss.hpp"
#include "tenon/nn/recurrent.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace tenon;
using namespace tenon::nn;
using namespace tenon::ir;
using engine::has_kernel, engine::known_kernels;

using model = graph<"model", input<"tokens", token<10>, steps<6>>, input<"query", features<4>>,
                    node<"states", chain<embedding<10, 8>, dropout<0.1>, gru<4>>, "tokens">,
                    node<"context", attention<score::dot>, "query", "states">,
                    node<"logits", linear<3>, "context">, output<"logits">>;

template <class Backend, class T>
constexpr int kernels_had() {
  int n = 0;
  for (const label& kernel : known_kernels()) n += has_kernel<Backend, T>(kernel) ? 1 : 0;
  return n;
}
static_assert(known_kernels().size == 23);
static_assert(kernels_had<backend::reference, float>() == 23);  // as they are called today
static_assert(kernels_had<backend::reference, double>() == 23);
static_assert(kernels_had<int, float>() == 0);
static_assert(!has_kernel<backend::reference, float>("no such kernel"));

TEST_CASE("a kernel is named once in the table, and with it each kind names what is there") {
  const std::string table =
      house::read(TENON_SOURCE_DIR "/include/tenon").at("engine/plan/backend_kernels.hpp");
  for (const label& kernel : known_kernels()) {
    const std::string name(kernel.view());  // a label, which is cut off after 23 letters
    const std::string line =
        "is(\"" + (name.ends_with("..") ? name.substr(0, name.size() - 2) : name + "\")");
    CAPTURE(line);
    const std::size_t first = table.find(line);
    REQUIRE(first != std::string::npos);
    CHECK(table.find(line, first + 1) == std::string::npos);
  }
  for (const ir::operation_traits& k : ir::traits_of_operations)
    for (const char* asked : {k.forward, k.backward})
      if (asked != nullptr) CHECK(known_kernels().find(asked) >= 0);
}

// Each kernel that the model needs is one of these.
constexpr int asked(engine::purpose why) {
  int n = 0;
  for (const label& kernel : known_kernels()) {
    bool found = false;
    for (const operation& o : network_of<model, losses::cross_entropy<"logits">>.operations)
      found =
          found ||
          engine::kernels_of(network_of<model, losses::cross_entropy<"logits">>, o, why).find(kernel) >= 0;
    n += found ? 1 : 0;
  }
  return n;
}
static_assert(asked(engine::purpose::differentiation) ==
              13);  // all but those of windows, maxima, steps moved, steps of a loop, and means
static_assert(asked(engine::purpose::inference) ==
              9);  // map, matmul, gather, axis_sum, axis_softmax, weighted_sum, dropout, cross_entropy, rows

// However often an operation runs a kernel, it is named once.
template <class G>
constexpr bool names_once(engine::purpose why) {
  for (const operation& o : network_of<G>.operations) {
    const engine::kernel_names all = engine::kernels_of(network_of<G>, o, why);
    for (int k = 0; k < all.size; ++k)
      if (all.find(all[k]) != k) return false;
  }
  return true;
}
static_assert(names_once<model>(engine::purpose::inference) &&
              names_once<model>(engine::purpose::differentiation));

// A backend whose rows have a number at least, and which takes a count as a number or from where one is in memory.
namespace workshop {
struct counting {};
struct counted {
  counted(long);
  counted(const int*);
};
template <int D, class T>
requires(D > 0) void flip(counting, int steps, counted rows, const int* lengths,
                          const backend::operand<const T>& in, const backend::operand<T>& out);
template <int D, class T>
requires(D > 0) void gather(counting, counted rows, const int* tokens, const T* table, T* out,
                            counted out_stride);
template <int D, class T>
requires(D > 0) void weighted_sum(counting, int steps, counted rows, const T* weights,
                                  const backend::operand<const T>& values, T* out, counted out_stride);
}  // namespace workshop
static_assert(has_kernel<workshop::counting, float>("flip") &&
              has_kernel<workshop::counting, double>("gather") &&
              has_kernel<workshop::counting, float>("weighted_sum"));
static_assert(kernels_had<workshop::counting, float>() == 3);

// Each step of one sequence sees all of the other, and the backward pass adds up the steps' contributions; dropout in an equation.
struct meeting {
  static constexpr auto at(auto x, auto m) { return dropout<0.5>(x) + sum<"source">(tanh(x * m)); }
};
using two_axes =
    graph<"two axes", input<"x", features<2>, steps<3, "target">>,
          input<"m", features<2>, steps<4, "source">>, node<"y", meeting, "x", "m">, output<"y">>;
constexpr engine::kernel_names of_two_axes = engine::kernels_of(
    network_of<two_axes>, network_of<two_axes>.operations[0], engine::purpose::differentiation);
static_assert(of_two_axes.find("accumulate_rows") >= 0 && of_two_axes.find("dropout") >= 0);

// A stream keeps earlier steps for operations that look back.
struct behind {
  static constexpr auto at(auto x) { return x - shift<1, "time">(x); }
};
using looking_back =
    graph<"looking back", input<"x", features<2>, steps<3>>, node<"y", behind, "x">, output<"y">>;
constexpr bool asks_to_keep(engine::purpose why) {
  return engine::kernels_of(network_of<looking_back>, network_of<looking_back>.operations[0], why)
             .find("kept_rows") >= 0;
}
static_assert(asks_to_keep(engine::purpose::streaming) && !asks_to_keep(engine::purpose::inference));

struct partial {};
static_assert(engine::unfit_backend<model, void, partial, float, engine::purpose::inference>::wrong.where ==
              "states.0");
static_assert(
    !engine::unfit_backend<model, void, backend::reference, float, engine::purpose::differentiation>::wrong);

// A tag that derives from the reference's is never searched.
struct quiet : backend::reference {};
static_assert(engine::FallsBack<backend::cpu> && engine::FallsBack<quiet> && !engine::FallsBack<partial>);

TEST_CASE("a backend that falls back to the reference runs as the reference does") {
  const parameters<model> theta(seed{1});
  inference<model, on<quiet>> own;
  inference<model, on<backend::reference>> reference;
  const std::vector<std::vector<int>> tokens{{1, 2, 3}};
  const std::vector<float> query{1, 2, 3, 4};
  const auto y = own(theta, tokens, query), z = reference(theta, tokens, query);
  for (int k = 0; k < 3; ++k) CHECK(y(0, k) == z(0, k));
}
