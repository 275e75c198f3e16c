// The checkpoint of a trainer without fit: training continues with the bits of one that was not stopped; another trainer's is refused.
#include "tenon/train/checkpoints/trainer_checkpoint.hpp"

#include "support/temporary_file.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/train/trainer/shards.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <vector>

namespace tenon::test {
using namespace nn;

using deep =
    graph<"deep", input<"x", features<2>>,
          node<"logits", chain<linear<8>, activation::relu, dropout<0.5>, linear<2>>, "x">, output<"logits">>;
template <class Rule, class... Options>
using training = trainer<deep, losses::cross_entropy<"logits">, Rule, batch<4>, Options...>;

TEST_CASE("a loop of one's own saves and loads its trainer") {
  const temporary_folder folder;
  const std::string path = folder.path + "/run.ckpt";
  const auto step = [](auto& t) {
    set_input<"x">(t, std::vector<float>{1, 2, -1, 0.5f, 3, -2, 0, 1});
    set_input<"target">(t, std::vector{0, 1, 1, 0});
    t.step();
  };
  parameters<deep> a(seed{1}), b(seed{2});
  training<optimizers::adam> t(a, {.learning_rate = 0.03}, seed{3}), u(b, {}, seed{3});
  step(t);
  step(t);
  io::save_checkpoint(t, path);
  io::load_checkpoint(u, path);
  CHECK(u.steps() == 2);
  CHECK(u.optimizer().learning_rate == 0.03);
  step(t);
  step(u);
  CHECK(std::equal(a.data(), a.data() + a.block_size, b.data()));
  t.accumulate = 2;
  step(t);
  CHECK_THROWS_WITH_AS(io::save_checkpoint(t, path),
                       "checkpoint: gradients are being accumulated; call update() first", input_error);
  t.accumulate = 1;
  io::load_checkpoint(t, path);  // drops them
  CHECK(t.pending() == 0);
  CHECK(t.steps() == 2);
  step(t);
  CHECK(std::equal(a.data(), a.data() + a.block_size, b.data()));
}

TEST_CASE("a checkpoint of another trainer is refused by what differs, and changes nothing") {
  const temporary_folder folder;
  const std::string path = folder.path + "/run.ckpt";
  parameters<deep> theta(seed{1});
  training<optimizers::adam> t(theta, {}, seed{3});
  io::save_checkpoint(t, path);
  const auto refuse = [&](auto& other, parameters<deep>& of, const std::string& what) {
    const parameters<deep> before = of;
    std::string said;
    try {
      io::load_checkpoint(other, path);
    } catch (const data_error& e) { said = e.what(); }
    CAPTURE(said);
    CHECK(said.find(what) != std::string::npos);
    CHECK(std::equal(before.data(), before.data() + before.block_size, of.data()));
    CHECK(other.steps() == 0);
  };
  parameters<deep> a(seed{4});
  training<optimizers::sgd> by_another_rule(a, {}, seed{3});
  refuse(by_another_rule, a, "update rule is 'optimizers::adam', here it is 'optimizers::sgd'");
  training<optimizers::adam> of_another_seed(a, {}, seed{5});
  refuse(of_another_seed, a, "seed of dropout is '3', here it is '5'");
  training<optimizers::adam, shards<2>> in_shards(a, {}, seed{3});
  refuse(in_shards, a, "shards is '1', here it is '2'");
  training<optimizers::adam> accumulating(a, {}, seed{3});
  accumulating.accumulate = 3;
  refuse(accumulating, a, "accumulate is '1', here it is '3'");
  training<optimizers::adam> alike(a, {}, seed{3});
  io::load_checkpoint(alike, path);
  CHECK(std::equal(theta.data(), theta.data() + theta.block_size, a.data()));
}

// User-defined rules: one with doubles, and one with other members, whose bits are those of no number.
struct plain_rule {
  static constexpr int states = 0;
  static constexpr auto update(auto w, auto g, auto rate) { return next(w - rate * g); }
};
struct with_integers : plain_rule {
  double learning_rate = 0.1;
  int calls = -1, limit = -1;  // together the bits of a NaN
  std::array<double, 1> constants(long) const { return {learning_rate}; }
};
struct of_twelve_bytes : plain_rule {
  float learning_rate = 0.1f;
  int calls = 7;
  bool is_slow = true;
  std::array<double, 1> constants(long) const { return {double(learning_rate)}; }
};
struct with_a_list : plain_rule {
  std::vector<double> rates{0.1, 0.2};
  std::array<double, 1> constants(long) const { return {rates[0]}; }
  std::vector<double> state() const { return rates; }
  void restore(const std::vector<double>& numbers) { rates = numbers; }
};
struct unbounded : plain_rule {
  double learning_rate = 0.1, bound = std::numeric_limits<double>::infinity();
  std::array<double, 1> constants(long) const { return {std::min(learning_rate, bound)}; }
};
static_assert(engine::saved_rule<optimizers::adam>::is_of_doubles &&
              engine::saved_rule<optimizers::sgd>::is_of_doubles &&
              engine::saved_rule<unbounded>::is_of_doubles && engine::saved_rule<plain_rule>::count == 0);
static_assert(!engine::saved_rule<with_integers>::is_of_doubles &&
              !engine::saved_rule<of_twelve_bytes>::is_of_doubles);

TEST_CASE("a rule of one's own comes back as it was, whatever it is made of") {
  const temporary_folder folder;
  const std::string path = folder.path + "/run.ckpt";
  const auto goes_on = [&]<class Rule>(const Rule& rule) {
    parameters<deep> a(seed{1}), b(seed{2});
    training<Rule> t(a, rule, seed{3}), u(b, Rule{}, seed{3});
    io::save_checkpoint(t, path);
    io::load_checkpoint(u, path);
    return u.optimizer();
  };
  with_integers integers;
  integers.learning_rate = 0.5;
  integers.calls = -2;
  integers.limit = -3;
  integers = goes_on(integers);
  CHECK((integers.learning_rate == 0.5 && integers.calls == -2 && integers.limit == -3));
  of_twelve_bytes bytes;
  bytes.learning_rate = 0.5f;
  bytes.calls = 12;
  bytes.is_slow = false;
  bytes = goes_on(bytes);
  CHECK((bytes.learning_rate == 0.5f && bytes.calls == 12 && !bytes.is_slow));
  with_a_list list;
  list.rates = {0.5, 3};
  CHECK(goes_on(list).rates == std::vector<double>{0.5, 3});
  CHECK_THROWS_WITH_AS(goes_on(unbounded()),
                       "checkpoint: update rule 'test::unbounded' has a number that is not finite, so "
                       "training could not continue from the file",
                       input_error);
}

}  // namespace tenon::test
