// What a trainer runs, and which arguments it can be constructed with.
#include "tenon/train/trainer/learner.hpp"

#include "tenon/nn/nn.hpp"
#include "tenon/train/optimizers/rule.hpp"

#include <doctest/doctest.h>

#include <concepts>

namespace tenon::test {
using namespace nn;

using model = graph<"model", input<"x", features<2>>, node<"logits", linear<3>, "x">, output<"logits">>;
using loss = losses::cross_entropy<"logits">;
using one = engine::learner<model, loss, batch<8>>;

static_assert(!one::wrong);
static_assert(std::same_as<one::type, differentiation<model, loss, batch<8>>>);
static_assert(std::same_as<one::evaluation_type, evaluation<model, loss, batch<8>>>);
static_assert(engine::learner<model, loss, batch<0>>::wrong);
static_assert(engine::learner<model, loss, int>::wrong);

template <class... Given>
constexpr bool starts = engine::StartsTraining<parameters<model>, optimizers::adam, Given...>;
static_assert(starts<parameters<model>&> && starts<parameters<model>&, optimizers::adam> &&
              starts<parameters<model>&, optimizers::adam, seed> &&
              starts<parameters<model>&, optimizers::adam, seed, threads>);
// Not without parameters, with constant or temporary ones, or with arguments in another order.
static_assert(!starts<> && !starts<const parameters<model>&> && !starts<parameters<model>> &&
              !starts<parameters<model>&, seed, optimizers::adam> &&
              !starts<parameters<model>&, optimizers::adam, threads> &&
              !starts<optimizers::adam, parameters<model>&>);

TEST_CASE("one thread, unless more are given") { CHECK(threads{}.count == 1); }

}  // namespace tenon::test
