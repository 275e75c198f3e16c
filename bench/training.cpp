// What a training step costs besides the passes over its batch: the share of a step at batch 1 that does not depend on the batch,
// an update with groups beside one without, a step with a large table whose gradient is sparse, and passes over networks of many small
// nodes. Contenders take turns; medians.
#include "../examples/amplifier/networks.hpp"
#include "../examples/arguments.hpp"
#include "networks/graphs.hpp"
#include <tenon/tenon.hpp>
#include <tenon/train/optimizers/groups.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace bench {

using namespace tenon;
using namespace tenon::nn;

// Microseconds of one call: the median of `rounds` rounds, in each of which every contender runs `calls` times.
inline std::vector<double> take_turns(int rounds, int calls,
                                      const std::vector<std::function<void()>>& contenders) {
  std::vector<std::vector<double>> times(contenders.size());
  for (int round = 0; round < rounds; ++round)
    for (std::size_t c = 0; c < contenders.size(); ++c) {
      contenders[c]();  // loads its numbers into the caches
      const auto start = std::chrono::steady_clock::now();
      for (int k = 0; k < calls; ++k) contenders[c]();
      const std::chrono::duration<double, std::micro> passed = std::chrono::steady_clock::now() - start;
      times[c].push_back(passed.count() / calls);
    }
  std::vector<double> medians;
  for (auto& t : times) {
    std::nth_element(t.begin(), t.begin() + std::ssize(t) / 2, t.end());
    medians.push_back(t[t.size() / 2]);
  }
  return medians;
}

// The cost of packing is the difference between passes over changed and over unchanged parameters.
inline void share_of_one(int rounds) {
  using G = index_lookup_graph;
  parameters<G> theta(first_parameters), gradients(zeros{});
  trainer<G, losses::cross_entropy<"logits">, optimizers::adam> whole(theta);
  differentiation<G, losses::cross_entropy<"logits">> passes;
  optimizer<optimizers::adam, G> rule;
  const auto feed = [](auto& to) {
    set_input<"tokens">(to, std::vector<std::vector<int>>{{3, 1, 4, 1, 5, 9, 2, 6, 5, 3}});
    set_input<"index">(to, std::vector{4});
    set_input<"target">(to, std::vector{5});
  };
  feed(whole);
  feed(passes);
  const auto both = [&] {
    passes.forward(theta);
    passes.backward(theta, gradients);
  };
  const auto t =
      take_turns(rounds, 300,
                 {[&] { whole.step(); }, both,
                  [&] {
                    theta.data();  // marks the parameters as possibly changed
                    both();
                  },
                  [&] { gradients.set_zero(); }, [&] { rule.update(theta, std::as_const(gradients)); }});
  const double packing = t[2] - t[1];
  std::printf(
      "batch 1, index lookup, Adam: a step %.1f us; passes %.1f, packing %.1f, clearing %.1f, update %.1f "
      "us\n",
      t[0], t[1], packing, t[3], t[4]);
  std::printf("  without regard to the batch: %.0f %% of the step\n", 100 * (packing + t[3] + t[4]) / t[0]);
}

// Three groups, which update the same parameters.
template <class G>
void with_groups(int rounds, const char* name) {
  parameters<G> theta(first_parameters), gradients(seed{3});
  optimizer<optimizers::adam, G> all, grouped;
  grouped.groups({{"*.bias*", {.weight_decay = 0}},
                  {"*.weight_hh*", {.rate_factor = 0.5}},
                  {"logits.*", {.rate_factor = 2}}});
  const auto update = [&](auto& by) { return [&] { by.update(theta, std::as_const(gradients)); }; };
  const auto t = take_turns(rounds, 100, {update(all), update(grouped)});
  std::printf("%s, Adam, %ld parameters: an update %.2f us, with three groups %.2f us, %.3f of it\n", name,
              parameters<G>::count(), t[0], t[1], t[1] / t[0]);
}

// The mean of 20 rows of a table and a layer after it, batches of 32 with tokens below `Tokens`.
template <int V, class... Options>
using reader = graph<"reader", input<"words", token<V>, steps<20>>,
                     node<"table", embedding<V, 300, Options...>, "words">,
                     node<"mean", mean_over<>, "table">, node<"logits", linear<2>, "mean">, output<"logits">>;
template <int V, class Rule, class... Options>
struct table_contender {
  parameters<reader<V, Options...>> theta{zeros{}};
  trainer<reader<V, Options...>, losses::cross_entropy<"logits">, Rule, batch<32>> t{theta};
  std::uint32_t random = 1;
  void step(int tokens) {
    std::vector<std::vector<int>> words(32, std::vector<int>(20));
    std::vector<int> target;
    for (auto& row : words) {
      for (int& w : row) {
        random = random * 1664525u + 1013904223u;
        w = static_cast<int>((random >> 4) % unsigned(tokens));
      }
      target.push_back(static_cast<int>(random >> 31));
    }
    set_input<"words">(t, words);
    set_input<"target">(t, target);
    t.step();
  }
};
template <class Rule>
void table(int rounds, const char* name) {
  constexpr int million = 1'000'000;
  table_contender<1000, Rule, sparse> small;
  table_contender<million, Rule, sparse> large;
  const auto t = take_turns(
      rounds, 100, {[&] { small.step(1000); }, [&] { large.step(1000); }, [&] { large.step(million); }});
  std::printf(
      "300 columns, 640 tokens, %s: 1,000 rows %.0f us; 1,000,000 rows, tokens among 1,000 of them %.0f us, "
      "among all %.0f us\n",
      name, t[0], t[1], t[2]);
}
template <class Rule>
void dense_table(const char* name) {
  constexpr int million = 1'000'000;
  table_contender<million, Rule> dense;
  const auto t = take_turns(3, 1, {[&] { dense.step(million); }});
  std::printf("  1,000,000 rows with a dense gradient, %s: %.0f us\n", name, t[0]);
}

// Forward and backward, Rows sequences of Steps numbers or vectors of `Features`.
template <class G, ir::text Input, ir::text Output, int Rows, int Steps, int Features>
struct passes_over {
  parameters<G> theta{first_parameters}, gradients{zeros{}};
  differentiation<G, losses::mse<Output>, batch<Rows>> passes{};

  passes_over() {
    std::vector<float> numbers;
    for (int k = 0; k < Rows * Steps * Features; ++k) numbers.push_back(std::sin(0.1f * float(k)));
    const view<const float> x(numbers.data(), {Rows, Steps, Features});
    set_input<Input>(passes, x);
    set_input<"target">(passes, x);
  }
  void run() {
    gradients.set_zero();
    passes.forward(theta);
    passes.backward(theta, gradients);
  }
};
inline void small_nodes(int rounds) {
  using block = graph<"block", input<"x", features<64>, steps<32>>,
                      node<"y", transformer_encoder<64, 4, 128>, "x">, output<"y">>;
  passes_over<amplifier::convolutional_network, "in", "out", 1, amplifier::longest, 1> convolutions;
  passes_over<block, "x", "y", 8, 32, 64> attention;
  const auto t = take_turns(rounds, 3, {[&] { convolutions.run(); }, [&] { attention.run(); }});
  std::printf(
      "forward and backward: 20 dilated convolutions, 8,192 samples %.0f us; a transformer block, 8 x 32 "
      "steps %.0f us\n",
      t[0], t[1]);
}

}  // namespace bench

int measure(int rounds) {
  bench::share_of_one(rounds);
  bench::with_groups<bench::index_lookup_graph>(rounds, "index lookup");
  bench::with_groups<bench::stack_graph<256>>(rounds, "LSTM stack of 256");
  bench::table<tenon::optimizers::sgd>(rounds, "sgd");
  bench::table<tenon::optimizers::adagrad>(rounds, "adagrad");
  bench::table<tenon::optimizers::sparse_adam>(rounds, "sparse_adam");
  bench::dense_table<tenon::optimizers::adam>("adam");
  bench::small_nodes(rounds);
  return 0;
}

int main(int count, char** words) {
  int rounds = 31;
  return command_line::program("bench_training: what a training step costs apart from its batch", count,
                               words, {{"--rounds", &rounds, "how often all is measured", 1}},
                               [&] { return measure(rounds); });
}
