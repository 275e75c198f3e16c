// A cell in the search: its network with as many units as give it the number of parameters that all have, its training and its test.
#pragma once

#include "tasks.hpp"

#include <tenon/tenon.hpp>

#include <string>
#include <vector>

namespace architecture_search {

inline constexpr long parameters_of_all = 16000;

template <class Cell, int Units>
using searched = tenon::graph<"searched",
    tenon::input<"characters", tenon::token<known>, tenon::steps<longest>>,
    tenon::node<"embedded", tenon::nn::embedding<known, 24>,                       "characters">,
    tenon::node<"states",   tenon::nn::recurrent<Cell, tenon::nn::hidden<Units>>,  "embedded">,
    tenon::node<"logits",   tenon::nn::linear<known>,                              "states">,
    tenon::output<"logits">>;

// How many units give the number of parameters that is nearest to that of all. Parameters are a polynomial of second degree in the units: three
// networks determine it.
template <class Cell>
consteval int units_of() {
  constexpr auto count = []<int Units>() { return tenon::parameters<searched<Cell, Units>>::count(); };
  constexpr long at_32 = count.template operator()<32>(), at_33 = count.template operator()<33>(), at_34 = count.template operator()<34>();
  long units = 32, parameters = at_32, step = at_33 - at_32;
  for (; parameters + step / 2 < parameters_of_all; ++units) {
    parameters += step;
    step += (at_34 - at_33) - (at_33 - at_32);
  }
  return static_cast<int>(units);
}

struct job {
  task of = task::arithmetic;
  int seed = 1, updates = 0;
  double learning_rate = 0;
};
struct contestant {
  std::string name;
  int units = 0;
  long parameters = 0;
  double (*result_of)(const job&) = nullptr;  // trains, and returns the share of right characters; of counting the share of right texts
};
// Each is in the file of its name: a compilation of all cells would need 3 GB.
std::vector<contestant> lstm_cells();
std::vector<contestant> mutated_cells();
std::vector<contestant> other_cells();
// Draws how much of a gradient reaches earlier steps; in gradients.cpp.
std::string gradients_svg();

// Seed 0 chooses a learning rate: its exercises and those that judge it are of no other training, and of no test.
inline constexpr std::uint64_t judging = 1000, testing = 2000;

template <class Cell>
double result_of(const job& wanted) {
  using namespace tenon;
  using network = searched<Cell, units_of<Cell>()>;
  constexpr int rows = 32;
  const task t = wanted.of;
  const bool is_choosing = wanted.seed == 0;
  const auto seed_of = [&](std::uint64_t purpose) { return seed{static_cast<std::uint64_t>(wanted.seed) * 10 + purpose}; };
  parameters<network> theta(seed_of(1));
  trainer<network, losses::cross_entropy<"logits">, optimizers::adam, batch<rows>> train(theta);
  train.max_norm = 1;
  fit(train, exercises(rows * wanted.updates, [=, s = seed_of(2)](int row) { return some_exercise(t, s, row); }),
      {.schedule = schedules::cosine(wanted.learning_rate), .log = nullptr});
  if (t == task::counting) {  // longer texts than those of the training, each of another length
    const int first = is_choosing ? longest_learnt : longest_chosen_by, last = is_choosing ? longest_chosen_by : longest_tested;
    return evaluate(train, exercises(last - first, [=](int row) { return exercise_of(t, counting_text(first + 1 + row)); }), {metric::sequence_accuracy{}}).metrics[0];
  }
  return evaluate(train, exercises(2000, [=](int row) { return some_exercise(t, seed{is_choosing ? judging : testing}, row); }), {metric::accuracy{}}).metrics[0];
}

template <class Cell>
contestant enter(const char* name) {
  return {name, units_of<Cell>(), tenon::parameters<searched<Cell, units_of<Cell>()>>::count(), result_of<Cell>};
}

}  // namespace architecture_search
