// Inputs and outputs in the memory of a device: the results equal those with the same numbers in the program's memory, and the program
// does not access them.
#include "tenon/backend/thrust/given.hpp"

#include "backend/thrust/fenced.hpp"
#include "tenon/data/data_set.hpp"
#include "tenon/engine/session/session.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/train/trainer/trainer.hpp"

#include <doctest/doctest.h>
#include <thrust/device_vector.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace tenon::test {
using namespace nn;

// Numbers in the fenced memory.
template <class T>
class numbers_there {
 public:
  explicit numbers_there(const std::vector<T>& numbers) : size_(numbers.size()) {
    data_ = static_cast<T*>(allocate(fenced{}, size_ * sizeof(T)));
    copy_in(fenced{}, numbers.data(), data_, size_ * sizeof(T));
  }
  numbers_there(const numbers_there&) = delete;
  numbers_there& operator=(const numbers_there&) = delete;
  ~numbers_there() { release(fenced{}, data_); }
  const T* data() const { return data_; }

 private:
  T* data_;
  std::size_t size_;
};
std::vector<float> numbers(int count) {
  std::vector<float> all;
  for (int k = 0; k < count; ++k) all.push_back(static_cast<float>(std::sin(k * 0.7)));
  return all;
}
std::vector<float> fetched(backend::device_view<const float> y) {
  REQUIRE(y.is_contiguous());
  std::vector<float> all(y.size());
  copy_out(fenced{}, y.data(), all.data(), all.size() * sizeof(float));
  return all;
}

using tagger =
    graph<"tagger", input<"tokens", token<7>, steps<4>>, input<"x", features<3>, steps<4>>,
          input<"h0", features<5>>, input<"index", token<5>>, node<"embedded", embedding<7, 3>, "tokens">,
          node<"states", gru<5>, "embedded", "h0">, node<"seen", linear<2>, "x">,
          node<"query", embedding<5, 5>, "index">, node<"context", attention<score::dot>, "query", "states">,
          output<"states">, output<"seen">, output<"context">>;
using model = inference<tagger, batch<4>, on<fenced>>;

// All outputs of the graph, one after the other.
template <class Run>
std::vector<float> results(const Run& run) {
  std::vector<float> all;
  const auto add = [&](const auto& y) { all.insert(all.end(), y.begin(), y.end()); };
  add(get<"states">(run));
  add(get<"seen">(run));
  add(get<"context">(run));
  return all;
}

const std::vector<int> tokens{1, 2, 3, 0, 6, 5, 4, 4, 2, 2, 1, 0}, index{4, 0, 2};  // [3, 4], [3]
const std::vector<int> lengths{4, 1, 3};
const std::vector<float> x = numbers(3 * 4 * 3), h0 = numbers(3 * 5);

TEST_CASE("what is given on the device gives what is given here, in any order and with lengths") {
  const parameters<tagger> theta(seed{1});
  model here(theta), there(theta);
  set_input<"tokens">(here, view<const int>(tokens.data(), {3, 4}), lengths);
  set_input<"x">(here, view<const float>(x.data(), {3, 4, 3}), lengths);
  set_input<"h0">(here, h0);
  set_input<"index">(here, index);
  here.run();
  const std::vector<float> expected = results(here);

  const numbers_there<int> t(tokens), i(index);
  const numbers_there<float> n(x), h(h0);
  set_input<"tokens">(there, backend::on_device(t.data(), {3, 4}), lengths);
  set_input<"x">(there, backend::on_device(n.data(), {3, 4, 3}), lengths);
  set_input<"h0">(there, backend::on_device(h.data(), {3, 5}));
  set_input<"index">(there, backend::on_device(i.data(), {3}));
  there.run();
  CHECK(results(there) == expected);
  const std::vector<float> context = fetched(backend::get_on_device<"context">(there));
  CHECK(context == std::vector<float>(expected.end() - 15, expected.end()));
  // [rows, time, D] by strides.
  const auto states = backend::get_on_device<"states">(there);
  CHECK((states.rank() == 3 && states.extent(0) == 3 && states.extent(1) == 4 && states.extent(2) == 5));
  const auto first = backend::get_on_device<"states">(there, layout::time_first);
  CHECK((first.extent(0) == 4 && first.extent(1) == 3 && first.stride(0) == states.stride(1)));

  SUBCASE("one input here, the others there") {
    set_input<"index">(there, index);
    set_input<"x">(there, view<const float>(x.data(), {3, 4, 3}), lengths);
    there.run();
    CHECK(results(there) == expected);
  }
  SUBCASE("they are read back") {
    const auto shown = get_input<"tokens">(there);
    CHECK((shown(0, 3) == 0 && shown(1, 0) == 6 && shown(1, 1) == -1 && shown(2, 2) == 1));
    CHECK(get_input<"x">(there)(2, 1, 1) == x[28]);
    CHECK(get_input<"x">(there)(1, 1, 1) == 0);
    there.run();
    CHECK(results(there) == expected);
  }
  SUBCASE("time first, and other types") {
    std::vector<std::int64_t> wide;
    std::vector<double> exact;
    for (std::size_t k = 0; k < 4; ++k)
      for (std::size_t r = 0; r < 3; ++r) {
        wide.push_back(tokens[r * 4 + k]);
        for (std::size_t j = 0; j < 3; ++j) exact.push_back(double(x[(r * 4 + k) * 3 + j]));
      }
    const numbers_there<std::int64_t> w(wide);
    const numbers_there<double> e(exact);
    set_input<"tokens">(there, backend::on_device(w.data(), {4, 3}), lengths, layout::time_first);
    set_input<"x">(there, backend::on_device(e.data(), {4, 3, 3}), lengths, layout::time_first);
    there.run();
    CHECK(results(there) == expected);
  }
  SUBCASE("a part of a larger tensor") {
    std::vector<float> wide(3 * 4 * 5, 7);
    for (std::size_t r = 0; r < 12; ++r)
      for (std::size_t j = 0; j < 3; ++j) wide[r * 5 + j] = x[r * 3 + j];
    const numbers_there<float> w(wide);
    set_input<"x">(there,
                   backend::device_view<const float>(view<const float>(w.data(), {3, 4, 3}, {20, 5, 1})),
                   lengths);
    there.run();
    CHECK(results(there) == expected);
  }
  SUBCASE("fewer rows leave zeros behind them") {
    there(backend::on_device(t.data(), {1, 4}), backend::on_device(n.data(), {1, 4, 3}),
          backend::on_device(h.data(), {1, 5}), backend::on_device(i.data(), {1}));
    here(view<const int>(tokens.data(), {1, 4}), view<const float>(x.data(), {1, 4, 3}),
         view<const float>(h0.data(), {1, 5}), view<const int>(index.data(), {1}));
    CHECK(results(there) == results(here));
  }
}

TEST_CASE("what is wrong on the device is said as it is here, and changes nothing") {
  const parameters<tagger> theta(seed{1});
  model run(theta);
  const numbers_there<int> t(tokens), i(index);
  const numbers_there<float> n(x), h(h0);
  run(backend::on_device(t.data(), {3, 4}), backend::on_device(n.data(), {3, 4, 3}),
      backend::on_device(h.data(), {3, 5}), backend::on_device(i.data(), {3}));
  const std::vector<float> before = results(run);
  std::vector<int> wrong = tokens;
  wrong[6] = 7;
  wrong[9] = -1;
  const numbers_there<int> w(wrong);
  CHECK_THROWS_WITH_AS(set_input<"tokens">(run, backend::on_device(w.data(), {3, 4})),
                       "input 'tokens': row 1, step 2: token 7 is outside table 'embedded.weight' of 7 rows",
                       input_error);
  CHECK_THROWS_WITH_AS(set_input<"tokens">(run, backend::on_device(w.data(), {3, 4}), std::vector{2, 2, 2}),
                       "input 'tokens': row 2, step 1: token -1 is outside table 'embedded.weight' of 7 rows",
                       input_error);
  const numbers_there<std::uint64_t> huge({1, ~std::uint64_t{0}, 0});
  CHECK_THROWS_WITH_AS(
      set_input<"index">(run, backend::on_device(huge.data(), {3})),
      "input 'index': row 1: token 18446744073709551615 is outside table 'query.weight' of 5 rows",
      input_error);
  CHECK_THROWS_WITH_AS(set_input<"tokens">(run, backend::on_device(t.data(), {12})),
                       "input 'tokens': expected rank 2, got rank 1", input_error);
  CHECK_THROWS_WITH_AS(set_input<"x">(run, backend::on_device(n.data(), {3, 3, 4})),
                       "input 'x': expected 3 features, got 4", input_error);
  CHECK_THROWS_WITH_AS(set_input<"x">(run, backend::on_device(n.data(), {3, 4, 3}), std::vector{1, 5, 1}),
                       "input 'x': row 1: length 5 is beyond the bound of 4 steps", input_error);
  CHECK_THROWS_WITH_AS(set_input<"x">(run, backend::on_device(x.data(), {3, 4, 3})),
                       "input 'x': the pointer that is given on the device is none of the device's memory",
                       input_error);
  run.run();
  CHECK(results(run) == before);
}

// A plain CPU as the device, with Thrust's own vectors.
TEST_CASE("a thrust::device_vector is an input") {
  const parameters<tagger> theta(seed{1});
  inference<tagger, batch<4>, on<backend::thrust_device>> here(theta), there(theta);
  here(view<const int>(tokens.data(), {3, 4}), view<const float>(x.data(), {3, 4, 3}), h0, index);
  const thrust::device_vector<int> t(tokens.begin(), tokens.end()), i(index.begin(), index.end());
  thrust::device_vector<float> n(x.begin(), x.end()), h(h0.begin(), h0.end());
  there(backend::on_device(t, {3, 4}), backend::on_device(n.data(), {3, 4, 3}), h, i);
  CHECK(results(there) == results(here));
  const auto y = backend::get_on_device<"context">(there);
  const thrust::device_vector<float> copy(y.data(), y.data() + y.size());
  CHECK(copy.size() == 15);
  CHECK_THROWS_WITH_AS(set_input<"x">(there, backend::on_device(n, {4, 4, 3})),
                       "input 'x': its shape has 48 numbers, and the vector has 36", input_error);
  h.resize(14);
  CHECK_THROWS_WITH_AS(set_input<"h0">(there, h), "input 'h0': expected a multiple of 5 numbers, got 14",
                       input_error);
}

using images = graph<"images", input<"image", grid<2, 3>, features<2>>, node<"c", conv2d<3, 2, 2>, "image">,
                     node<"y", mean_over<>, "c">, output<"y">>;
TEST_CASE("an image on the device") {
  const parameters<images> theta(seed{2});
  inference<images, batch<2>, on<fenced>> here(theta), there(theta);
  const std::vector<float> pixels = numbers(2 * 2 * 3 * 2);
  const auto y = here(view<const float>(pixels.data(), {2, 2, 3, 2}));
  std::vector<float> wide(2 * 2 * 4 * 2, 9);  // lines of four places
  for (std::size_t line = 0; line < 4; ++line)
    for (std::size_t k = 0; k < 6; ++k) wide[line * 8 + k] = pixels[line * 6 + k];
  const numbers_there<float> w(wide);
  const auto z =
      there(backend::device_view<const float>(view<const float>(w.data(), {2, 2, 3, 2}, {16, 8, 2, 1})));
  CHECK(std::equal(y.begin(), y.end(), z.begin()));
  CHECK_THROWS_WITH_AS(there(backend::on_device(w.data(), {2, 2, 4, 2})),
                       "input 'image': expected 2 x 3 places, got 2 x 4", input_error);
}

TEST_CASE("a stream and a trainer take them, too") {
  using line = graph<"line", input<"x", features<2>, steps<3>>, node<"y", gru<2>, "x">, output<"y">>;
  parameters<line> theta(seed{4}), other(seed{4});
  streaming<line, batch<2>> here(theta);
  streaming<line, batch<2>, on<fenced>> there(theta);
  const std::vector<float> steps = numbers(4);
  const numbers_there<float> s(steps);
  for (int k = 0; k < 4; ++k) {
    const auto y = here.step(steps);
    const auto z = k % 2 == 0 ? there.step(backend::on_device(s.data(), {2, 2})) : there.step(steps);
    for (int r = 0; r < 2; ++r)
      for (int j = 0; j < 2; ++j) CHECK(z(r, j) == doctest::Approx(y(r, j)).epsilon(1e-5));
  }
  trainer<line, losses::mse<"y">, optimizers::adam, batch<2>, on<fenced>> learner(theta), same(other);
  const std::vector<float> given = numbers(12), wanted = numbers(12);
  const numbers_there<float> g(given), t(wanted);
  for (int k = 0; k < 2; ++k) {
    set_input<"x">(learner, backend::on_device(g.data(), {2, 3, 2}));
    set_input<"target">(learner, backend::on_device(t.data(), {2, 3, 2}));
    set_input<"x">(same, view<const float>(given.data(), {2, 3, 2}));
    set_input<"target">(same, view<const float>(wanted.data(), {2, 3, 2}));
    CHECK(learner.step() == same.step());
  }
}

}  // namespace tenon::test
