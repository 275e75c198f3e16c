// Bahdanau's model of examples/translate compared with the same model in PyTorch, and a short run.
#include "../../../examples/translate/bahdanau.hpp"

#include "examples/translate/first_batches.hpp"
#include "examples/translate/short_run.hpp"

namespace tenon::test {

using model = translation::bahdanau<tiny>;

TEST_CASE("the first 20 batches are PyTorch's") {
  compare_first_batches<model>("translate_bahdanau", {.learning_rate = 1e-2}, model::max_norm(5));
}
TEST_CASE("it trains, goes on from a checkpoint, and translates with beams of any width") {
  check_short_run<model>();
}
TEST_CASE("so it does with the paper's Adadelta") {
  using by_adadelta = translation::bahdanau_with_adadelta<tiny>;
  const auto rule = translation::first_rule<by_adadelta>();
  CHECK(rule.rho == 0.95);
  CHECK(rule.epsilon == 1e-6);
  CHECK(translation::first_rule<model>().learning_rate == optimizers::adam{}.learning_rate);
  const translation::corpus known = translation::with_vocabularies(
      translation::made_sentences(400, seed{1}), translation::made_sentences(6, seed{2}), tiny, 1);
  translation::translator<by_adadelta> translator(known);
  const auto history = translator.train(12, "", nullptr);
  CHECK(history.last().learning_rate == 1);
  CHECK(history.last().loss < history.epochs[0].loss);
}

}  // namespace tenon::test
