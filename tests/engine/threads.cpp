// The threads of a session share its large kernels: all bits are those of one thread, nothing is allocated in a run, and a network without
// large kernels has no threads.
// timeout: 300
#include "support/allocations.hpp"
#include "support/check_threads.hpp"
#include "tenon/nn/nn.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <span>

namespace tenon::test {
using namespace nn;

TEST_CASE("recurrent layers") {
  check_threads<along<lstm<37, bidirectional, layers<2>>, 19>, mean_square>();
  check_threads<along<lstm<150>, 130>, mean_square>();  // products of their own
}
TEST_CASE("wide products, with a rest in each direction") {
  check_threads<along_nothing<chain<linear<301>, activation::tanh, linear<140>>, 270>, mean_square,
                optimizers::sgd>();
}

using deep = along<lstm<70>, 40>;
using deep_stream = streaming<deep, batch<5>, block<3>, on<eager_cpu>>;

std::vector<float> drawn_numbers(int count) {
  random_numbers random(3);
  std::vector<float> all;
  for (int k = 0; k < count; ++k) all.push_back(static_cast<float>(random()));
  return all;
}

TEST_CASE("a stream: steps, blocks, and steps with a deadline") {
  const parameters<deep> theta = drawn_parameters<deep>();
  deep_stream alone(theta), shared(theta, threads{3});
  const std::vector<float> x = drawn_numbers(9 * 5 * 40);
  const auto outputs = [&](deep_stream& live) {
    std::vector<float> all;
    const auto keep = [&](auto y) { all.insert(all.end(), y.begin(), y.end()); };
    keep(live.step(view<const float>(x.data(), {5, 40}, {40, 1})));
    keep(live.run(view<const float>(x.data() + 200, {5, 3, 40}, {120, 40, 1})));
    live.prepare();
    for (int t = 4; t < 9; ++t) keep(live.step(std::span<const float, 200>(x.data() + t * 200, 200)));
    return all;
  };
  const std::vector<float> expected = outputs(alone);
  CHECK(outputs(shared) == expected);
  CHECK(shared.try_step(std::span<const float>(x).first(200)) == step_status::taken);
}

std::ptrdiff_t threads_of_process() {
  namespace fs = std::filesystem;
  return std::distance(fs::directory_iterator("/proc/self/task"), fs::directory_iterator{});
}

TEST_CASE("threads are made with a session, if it has large kernels, and end with it") {
  const parameters<deep> theta = drawn_parameters<deep>();
  const std::ptrdiff_t before = threads_of_process();
  {
    const inference<deep, batch<4>> small(theta, threads{4});
    CHECK(threads_of_process() == before);
    const inference<deep, batch<4>, on<eager_cpu>> large(theta, threads{4});
    CHECK(threads_of_process() == before + 3);
  }
  CHECK(threads_of_process() == before);
}
TEST_CASE("which operations are large") {
  using small = inference<along<lstm<64>, 64, 20>, batch<32>>;
  using large = inference<along<lstm<256>, 64, 20>, batch<32>>;
  using step_of_much = streaming<along<lstm<512>, 512>>;
  CHECK_FALSE(small::plan::shares_kernels);
  CHECK(large::plan::shares_kernels);
  CHECK(step_of_much::plan::shares_kernels);  // the second cache does not hold its weights
}

TEST_CASE("runs and steps allocate nothing") {
  parameters<deep> theta = drawn_parameters<deep>();
  inference<deep, batch<4>, on<eager_cpu>> run(theta, threads{2});
  trainer<deep, mean_square, optimizers::adam, batch<4>, on<eager_cpu>> train(theta, {}, {}, threads{2});
  const std::vector<float> x = drawn_numbers(4 * 5 * 40), target = drawn_numbers(4 * 5 * 3);
  const view<const float> shown(x.data(), {4, 5, 40}, {200, 40, 1}),
      wanted(target.data(), {4, 5, 3}, {15, 3, 1});
  double sum = 0;
  const auto once = [&] {
    sum += double(run(shown)(0, 0, 0));
    set_input<"x">(train, shown);
    set_input<"target">(train, wanted);
    sum += double(train.step());
  };
  once();
  CHECK(allocations_of(once) == 0);
  CHECK(sum != 0);
}

TEST_CASE("bad input") {
  parameters<deep> theta = drawn_parameters<deep>();
  CHECK_THROWS_WITH_AS((inference<deep, on<eager_cpu>>(theta, threads{0})),
                       "threads{0}: expected at least one thread", input_error);
  CHECK_THROWS_WITH_AS((inference<deep>(theta, threads{-1})), "threads{-1}: expected at least one thread",
                       input_error);
  CHECK_THROWS_WITH_AS((streaming<deep>(theta, threads{0})), "threads{0}: expected at least one thread",
                       input_error);
  CHECK_THROWS_WITH_AS((trainer<deep, mean_square, optimizers::adam>(theta, threads{0})),
                       "threads{0}: expected at least one thread", input_error);
}

}  // namespace tenon::test
