// fit and evaluate check data as a whole before they use it, and a mistake changes nothing.
#include "tenon/train/loop/training_data.hpp"

#include "tenon/data/contiguous.hpp"
#include "tenon/data/data_set.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/train/loop/fit.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace tenon::test {
using namespace nn;

using tagger = graph<"tagger", input<"words", token<9>, steps<5>>,
                     node<"y", chain<embedding<9, 3>, linear<3>>, "words">, output<"y">>;
using sequences = std::vector<std::vector<int>>;

// Twenty rows; the last one may have an invalid token.
auto data(int last) {
  sequences words(20, {1, 2}), tags(20, {0, 1});
  words.back()[1] = last;
  return data_set(column<"words">(std::move(words)), column<"target">(std::move(tags)));
}
const std::string message =
    "column 'words', row 19, step 1: token 9, expected 0 to 8, the rows of table 'y.0.weight'; write "
    "token<10> and as many "
    "rows, or bound the vocabulary: {.max_size = 9}";

TEST_CASE("a mistake in the last row of a data set is said before the first step") {
  parameters<tagger> theta(seed{1});
  const std::vector<float> before(theta.data(), theta.data() + theta.block_size);
  trainer<tagger, losses::cross_entropy<"y">, optimizers::sgd, batch<4>> t(theta);
  const auto refused = [&](auto call) {
    CHECK_THROWS_WITH_AS(call(), message.c_str(), input_error);
    CHECK(t.steps() == 0);
    CHECK(std::vector<float>(theta.data(), theta.data() + theta.block_size) == before);
  };
  refused([&] { fit(t, data(9), {.log = nullptr}); });
  refused([&] { fit(t, data(8), {.validate = data(9), .log = nullptr}); });
  refused([&] { evaluate(t, data(9)); });
  fit(t, data(8), {.validate = data(8), .log = nullptr});
  CHECK(t.steps() == 5);
}

// A user's own data may report its mistakes, or not.
struct own_data {
  int* checks;
  int size() const { return 20; }
  void set_inputs(auto& session, std::span<const int> rows) const { data(8).set_inputs(session, rows); }
  template <class>
  void check_inputs() const {
    ++*checks;
  }
};
TEST_CASE("data of one's own is asked once for each use") {
  parameters<tagger> theta(seed{1});
  trainer<tagger, losses::cross_entropy<"y">, optimizers::sgd, batch<4>> t(theta);
  int checks = 0;
  fit(t, own_data{&checks}, {.epochs = 3, .log = nullptr});
  CHECK(checks == 1);
  fit(t, data(8), {.epochs = 2, .validate = own_data{&checks}, .log = nullptr});
  CHECK(checks == 2);
}

// A user's own windows of a long text, of which there are none.
struct no_windows {
  int windows(const auto&) const { return 0; }
  void set_window(auto&, int) const {}
  void start(auto&) const {}
  void carry(auto&) const {}
};
TEST_CASE("a validation without windows is an error before the first step") {
  parameters<tagger> theta(seed{1});
  trainer<tagger, losses::cross_entropy<"y">, optimizers::sgd, batch<4>> t(theta);
  const std::vector<int> text{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2}, little{0, 1, 2};
  const auto refused = [&](const auto& held, const char* sentence) {
    const auto long_text = contiguous<"words">(text);
    CHECK_THROWS_WITH_AS(fit(t, long_text, {.validate = held, .log = nullptr}), sentence, input_error);
    CHECK_THROWS_WITH_AS(evaluate(t, held), sentence, input_error);
    CHECK(t.steps() == 0);
  };
  refused(contiguous<"words">(little),
          "contiguous: 3 tokens are too few for 4 streams, which need one each and one to predict");
  refused(no_windows(), "the data set to evaluate, or to validate with, is empty");
}
// A text of which each stream has a speaker, who is no step of it.
using spoken = graph<"spoken", input<"words", token<9>, steps<5>>, input<"who", token<3>>,
                     node<"e", embedding<9, 3>, "words">, node<"of", embedding<3, 2>, "who">,
                     node<"both", concatenate, "e", "of">, node<"y", linear<9>, "both">, output<"y">>;
template <class Windows>
struct with_speakers : Windows {
  std::vector<int> who;
  void start(auto& session) const {
    Windows::start(session);
    set_input<"who">(session, who);
  }
};
template <class Windows>
with_speakers(Windows, std::vector<int>) -> with_speakers<Windows>;

TEST_CASE("a validation has the inputs that its windows set, and others are named before the first step") {
  parameters<spoken> theta(seed{1});
  trainer<spoken, losses::cross_entropy<"y">, optimizers::sgd, batch<2>> t(theta);
  const std::vector<int> text{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2}, who{2, 1};
  const auto plain = contiguous<"words">(text);
  set_input<"who">(t, who);
  const char* const sentence =
      "the data to evaluate, or to validate with: input 'who' has not been given; they do not have the "
      "trainer's "
      "inputs, so set them in their start(session)";
  CHECK_THROWS_WITH_AS(fit(t, plain, {.validate = plain, .log = nullptr}), sentence, input_error);
  CHECK_THROWS_WITH_AS(evaluate(t, plain), sentence, input_error);
  CHECK(t.steps() == 0);
  fit(t, plain, {.log = nullptr});  // the trainer has it
  CHECK(t.steps() == 1);
  const with_speakers whole{contiguous<"words">(text), who};
  const auto history = fit(t, whole, {.validate = whole, .log = nullptr});
  CHECK(history.epochs[0].validation_loss == evaluate(t, whole).loss);
  CHECK(t.steps() == 2);
}
TEST_CASE("windows come in their order: what runs together is no option of theirs") {
  parameters<tagger> theta(seed{1});
  trainer<tagger, losses::cross_entropy<"y">, optimizers::sgd, batch<4>> t(theta);
  const std::vector<int> text{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2};
  CHECK_THROWS_WITH_AS(fit(t, contiguous<"words">(text), {.batches = similar_length(), .log = nullptr}),
                       "fit: .batches sorts rows, and windows keep their order; leave it out", input_error);
  CHECK(t.steps() == 0);
}

}  // namespace tenon::test
