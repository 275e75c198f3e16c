// The checkpoint of a trainer alone: it goes on to the bits of one that was not stopped; what is another's is refused.
#include "tenon/train/trainer_checkpoint.hpp"

#include "support/temporary_file.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/train/shards.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace tenon::test {

using deep =
    graph<"deep", input<"x", features<2>>,
          node<"logits", chain<linear<8>, activation::relu, dropout<0.5>, linear<2>>, "x">, output<"logits">>;
template <class Rule, class... Options>
using training = trainer<deep, cross_entropy<"logits">, Rule, batch<4>, Options...>;

TEST_CASE("a loop of one's own saves and loads its trainer") {
  const temporary_folder folder;
  const std::string path = folder.path + "/run.ckpt";
  const auto step = [](auto& t) {
    set_input<"x">(t, std::vector<float>{1, 2, -1, 0.5f, 3, -2, 0, 1});
    set_input<"target">(t, std::vector{0, 1, 1, 0});
    t.step();
  };
  parameters<deep> a(seed{1}), b(seed{2});
  training<adam> t(a, {.learning_rate = 0.03}, seed{3}), u(b, {}, seed{3});
  step(t), step(t);
  save_checkpoint(t, path);
  load_checkpoint(u, path);
  CHECK(u.steps() == 2);
  CHECK(u.optimizer().learning_rate == 0.03);
  step(t), step(u);
  CHECK(std::equal(a.data(), a.data() + a.block_size, b.data()));
  t.accumulate = 2;
  step(t);
  CHECK_THROWS_WITH_AS(save_checkpoint(t, path),
                       "checkpoint: gradients are being accumulated; call update() first", input_error);
}

TEST_CASE("a checkpoint of another trainer is refused by what differs, and changes nothing") {
  const temporary_folder folder;
  const std::string path = folder.path + "/run.ckpt";
  parameters<deep> theta(seed{1});
  training<adam> t(theta, {}, seed{3});
  save_checkpoint(t, path);
  const auto refuse = [&](auto& other, parameters<deep>& of, const std::string& what) {
    const parameters<deep> before = of;
    std::string said;
    try {
      load_checkpoint(other, path);
    } catch (const data_error& e) { said = e.what(); }
    CAPTURE(said);
    CHECK(said.find(what) != std::string::npos);
    CHECK(std::equal(before.data(), before.data() + before.block_size, of.data()));
    CHECK(other.steps() == 0);
  };
  parameters<deep> a(seed{4});
  training<sgd> by_another_rule(a, {}, seed{3});
  refuse(by_another_rule, a, "update rule is 'adam', here it is 'sgd'");
  training<adam> of_another_seed(a, {}, seed{5});
  refuse(of_another_seed, a, "seed of dropout is '3', here it is '5'");
  training<adam, shards<2>> in_shards(a, {}, seed{3});
  refuse(in_shards, a, "shards is '1', here it is '2'");
  training<adam> accumulating(a, {}, seed{3});
  accumulating.accumulate = 3;
  refuse(accumulating, a, "accumulate is '1', here it is '3'");
  training<adam> alike(a, {}, seed{3});
  load_checkpoint(alike, path);
  CHECK(std::equal(theta.data(), theta.data() + theta.block_size, a.data()));
}

}  // namespace tenon::test
