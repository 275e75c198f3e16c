// What a header declares, one file compiles: here both in one file. The network of the program, which declares nothing, must do the same.
// (tests/compiled_once and tests/consumers/network look at what the other files contain.)
#include "tenon/declare.hpp"

#include "tenon/decode/forced_decoding.hpp"
#include "tenon/tenon.hpp"

#include <doctest/doctest.h>

#include <array>
#include <type_traits>
#include <vector>

namespace declared {

template <tenon::ir::text Name>
using letters = tenon::graph<Name, tenon::input<"word", tenon::token<5>, tenon::steps<7>>,
                             tenon::node<"embedded", tenon::nn::embedding<5, 3>, "word">,
                             tenon::node<"states", tenon::nn::gru<11>, "embedded">,
                             tenon::node<"logits", tenon::nn::linear<5>, "states">, tenon::output<"logits">>;
template <class Model>
struct uses {
  using judging = tenon::inference<Model>;
  using writing = tenon::streaming<Model, tenon::batch<2>>;
  using adjoints = tenon::differentiation<Model>;
  using training = tenon::trainer<Model, tenon::losses::cross_entropy<"logits">, tenon::optimizers::adam,
                                  tenon::batch<4>, tenon::shards<2>>;
};
using one = uses<letters<"one">>;
using other = uses<letters<"other">>;

using words = std::vector<std::vector<int>>;
inline auto samples_of(words read, words next) {
  return tenon::data_set(tenon::column<"word">(std::move(read)), tenon::column<"target">(std::move(next)));
}
using samples = decltype(samples_of({}, {}));

}  // namespace declared

TENON_DECLARE_SESSION(declared::one::judging);
TENON_DECLARE_SESSION(declared::one::writing);
TENON_DECLARE_SESSION(declared::one::adjoints);
TENON_DECLARE_TRAINING(declared::one::training, declared::samples);
TENON_DECLARE_DECODER(generate, declared::one::writing, "word");
TENON_DECLARE_DECODER(greedy, declared::one::writing, "word", "logits");
TENON_DECLARE_DECODER(beam_search, declared::one::writing, "word");
TENON_DECLARE_DECODER(forced_decoding, declared::one::writing, "word");

TENON_COMPILE_SESSION(declared::one::judging);
TENON_COMPILE_SESSION(declared::one::writing);
TENON_COMPILE_SESSION(declared::one::adjoints);
TENON_COMPILE_TRAINING(declared::one::training, declared::samples);
TENON_COMPILE_DECODER(generate, declared::one::writing, "word");
TENON_COMPILE_DECODER(greedy, declared::one::writing, "word", "logits");
TENON_COMPILE_DECODER(beam_search, declared::one::writing, "word");
TENON_COMPILE_DECODER(forced_decoding, declared::one::writing, "word");

namespace {

// With shards, what runs is a part of the batch.
using training = declared::one::training;
static_assert(std::is_same_v<tenon::engine::plan_run_by<training>::type, training::session_type::part_plan>);
static_assert(!std::is_same_v<tenon::engine::plan_run_by<training>::type, training::plan>);
static_assert(
    std::is_same_v<tenon::engine::plan_run_by<declared::one::judging>::type, declared::one::judging::plan>);

template <class Uses, class Model>
std::vector<double> results() {
  using tenon::seed;
  const declared::samples data =
      declared::samples_of({{0, 1, 2, 3}, {1, 2, 3, 4, 0}, {2}}, {{1, 2, 3, 4}, {2, 3, 4, 0, 1}, {3}});
  tenon::parameters<Model> theta(seed{1});
  typename Uses::training train(theta, {.learning_rate = 1e-2});
  std::vector<double> all;
  const auto history = tenon::fit(
      train, data, {.epochs = 3, .validate = data, .metrics = {tenon::metric::accuracy{}}, .log = nullptr});
  all.push_back(history.last().validation_loss);
  tenon::set_input<"word">(train, declared::words{{0, 1}, {2, 3}});
  tenon::set_input<"target">(train, declared::words{{1, 2}, {3, 4}});
  all.push_back(static_cast<double>(train.step()));
  all.push_back(tenon::evaluate(train, data).loss);

  typename Uses::judging judge(theta);
  all.push_back(static_cast<double>(judge(declared::words{{0, 1, 2}})(0, 2, 3)));

  typename Uses::writing live(theta);
  auto write = tenon::generate<"word">(live, {.start = 0, .max_steps = 4, .random = seed{3}});
  write();
  auto likeliest = tenon::greedy<"word", "logits">(live, {.start = 0, .max_steps = 4});
  likeliest();
  for (const auto& text : {write.text(), likeliest.text()})
    for (const int token : text) all.push_back(token);
  auto search = tenon::beam_search<"word">(live, {.width = 2, .start = 0, .end = 4, .max_steps = 5});
  search();
  all.push_back(search.best(0).log_probability);
  auto forced = tenon::forced_decoding<"word">(live, {.start = 0, .max_steps = 4});
  forced(declared::words{{1, 2}});
  all.push_back(forced.log_probability(0));

  typename Uses::adjoints both;
  tenon::parameters<Model> gradients(tenon::zeros{});
  tenon::set_input<"word">(both, declared::words{{0, 1, 2}});
  both.forward(theta);
  tenon::get<"logits">(both);
  tenon::output_adjoint<"logits">(both)(0, 1, 2) = 1;
  both.backward(theta, gradients);
  all.push_back(static_cast<double>(tenon::get<"logits.bias">(gradients)(2)));
  return all;
}

TEST_CASE("what is declared and compiled gives the bits of what every file compiles for itself") {
  const std::vector<double> found = results<declared::one, declared::letters<"one">>();
  CHECK(found == results<declared::other, declared::letters<"other">>());
  CHECK(found.size() > 10);
  CHECK(found.back() == 1);  // the adjoint of a bias is that of its score
}

}  // namespace
