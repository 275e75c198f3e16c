// shards<N> among options: its mistakes, and the options of each shard and of the whole batch.
#include "tenon/train/trainer/shard_options.hpp"

#include "tenon/nn/nn.hpp"

#include <doctest/doctest.h>

#include <concepts>
#include <cstddef>
#include <string>

namespace tenon::test {
using namespace nn;

using namespace engine;

using model = graph<"model", input<"x", features<2>>, node<"logits", linear<3>, "x">, output<"logits">>;
using loss = losses::cross_entropy<"logits">;
template <class Table>
using words = graph<"words", input<"x", token<9>>, node<"embedded", Table, "x">,
                    node<"logits", linear<3>, "embedded">, output<"logits">>;

// Each shard has its part of the rows, and no option shards<N>; all other options are unchanged, in their order.
using given =
    cut_options<4, option_list<>, scalar_type<double>, batch<12>, shards<4>, on<backend::reference>>;
static_assert(std::same_as<given::type, option_list<scalar_type<double>, batch<3>, on<backend::reference>>>);
using whole = cut_options<1, option_list<>, scalar_type<double>, batch<12>, shards<4>>;
static_assert(std::same_as<whole::type, option_list<scalar_type<double>, batch<12>>>);
static_assert(ShardsOption<shards<3>> && !ShardsOption<batch<3>> && parts_of<shards<3>> == 3 &&
              parts_of<batch<3>> == 0);

template <class G, class... Options>
std::string rule_of() {
  return std::string(unfit_shards<G, loss, Options...>::wrong.rule.view());
}
template <class... Options>
std::string remedy_of() {
  return std::string(unfit_shards<model, loss, Options...>::wrong.fix.view());
}

TEST_CASE("parts that cut the batch into equal ones are right") {
  for (const std::string& said :
       {rule_of<model, batch<8>, shards<1>>(), rule_of<model, batch<8>, shards<8>>(),
        rule_of<model, shards<4>, batch<8>>(), rule_of<words<embedding<9, 2>>, batch<8>, shards<2>>(),
        rule_of<words<embedding<9, 2, sparse>>, batch<8>, shards<2>>()})
    CHECK(said.empty());
}

TEST_CASE("others are not, and the rows nearest are said") {
  CHECK(rule_of<model, batch<8>, shards<3>>() == "shards<3> cannot cut batch<8> into equal parts");
  CHECK(remedy_of<batch<8>, shards<3>>() == "write batch<6> or batch<9>");
  CHECK(remedy_of<batch<2>, shards<3>>() == "write batch<3>");  // the smallest multiple
  CHECK(rule_of<model, batch<8>, shards<0>>() == "shards<0> cuts the batch into no parts");
  CHECK(rule_of<model, batch<8>, shards<2>, shards<4>>() == "the trainer's options say shards<N> twice");
}

// A device that cannot add blocks, and whose header is not included here.
struct bare_device : backend::reference {};
void* allocate(bare_device, std::size_t);
void release(bare_device, void*);
void copy_in(bare_device, const void*, void*, std::size_t);
void copy_out(bare_device, const void*, void*, std::size_t);
TEST_CASE("a device needs a header") {
  static_assert(backend::HasOwnMemory<bare_device> && !JoinsShards<bare_device>);
  CHECK(rule_of<model, batch<8>, shards<2>, on<bare_device>>() ==
        "shards<2> on a device needs a header that is not included");
  CHECK(remedy_of<batch<8>, shards<2>, on<bare_device>>() == "include <tenon/on_device.hpp>");
}

TEST_CASE("what looks at a whole batch cannot be cut") {
  CHECK(rule_of<words<embedding<9, 2, scale_grad_by_freq>>, batch<8>, shards<2>>() ==
        "scale_grad_by_freq counts the tokens of a whole batch, and shards<N> cut it");
}

}  // namespace tenon::test
