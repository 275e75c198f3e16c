// Arguments that cannot start a block of parameters, a session or a trainer: an error message where they are written, false in a type trait.
#include "tenon/parameters/block_errors.hpp"

#include "tenon/engine/session/session.hpp"
#include "tenon/engine/session/streaming.hpp"
#include "tenon/nn/linear.hpp"
#include "tenon/nn/loss.hpp"
#include "tenon/parameters/parameters.hpp"
#include "tenon/train/trainer/shards.hpp"
#include "tenon/train/trainer/trainer.hpp"

#include <doctest/doctest.h>

#include <string>
#include <type_traits>

namespace tenon::test {
using namespace nn;

using model = graph<"model", input<"x", features<3>>, node<"y", linear<2>, "x">, output<"y">>;
using other = graph<"other", input<"x", features<3>>, node<"y", linear<2>, "x">, output<"y">>;
using theta = parameters<model>;
using in_double = parameters<model, double>;
struct stranger {};

template <class T, class... Given>
constexpr bool starts = std::is_constructible_v<T, Given...>;

// A block of parameters: nothing, a seed, zeros, another block of this type.
static_assert(starts<theta> && starts<theta, seed> && starts<theta, zeros> && starts<theta, const theta&> &&
              starts<theta, theta>);
static_assert(!starts<theta, int> && !starts<theta, std::string> && !starts<theta, stranger> &&
              !starts<theta, seed, int>);
static_assert(!starts<theta, const parameters<other>&> && !starts<theta, const in_double&>);

// A session: no argument, or parameters that outlive it.
template <class Session>
constexpr bool is_bound_as_it_should_be =
    starts<Session>&& starts<Session, theta&>&& starts<Session, const theta&> && !starts<Session, theta> &&
    !starts<Session, const parameters<other>&> && !starts<Session, const in_double&> &&
    !starts<Session, int> && !starts<Session, stranger> && !starts<Session, const theta&, batch<2>> &&
    !starts<Session, const Session&> && !starts<Session, Session>;
static_assert(is_bound_as_it_should_be<inference<model>>);
static_assert(is_bound_as_it_should_be<streaming<model, batch<4>>>);

// A trainer: parameters that it may write to, then the numbers of its optimizer, then a seed, then threads.
using rule = optimizers::adam;
using training = trainer<model, losses::mse<"y">, rule>;
using in_shards = trainer<model, losses::mse<"y">, rule, batch<4>, shards<2>>;
static_assert(starts<training, theta&> && starts<training, theta&, rule> &&
              starts<training, theta&, rule, seed>);
static_assert(starts<training, theta&, threads> && starts<training, theta&, rule, seed, threads>);
static_assert(starts<in_shards, theta&> && starts<in_shards, theta&, rule, seed, threads>);
static_assert(!starts<training> && !starts<training, const theta&> && !starts<training, theta>);
static_assert(!starts<training, parameters<other>&> && !starts<training, in_double&> &&
              !starts<training, int> && !starts<training, stranger>);
static_assert(!starts<training, theta&, int> && !starts<training, theta&, optimizers::sgd> &&
              !starts<training, theta&, seed> && !starts<training, theta&, rule, int> &&
              !starts<training, theta&, threads, int> && !starts<training, theta&, rule, seed, int>);

TEST_CASE("what is assigned to a block is said to be what it is") {
  const auto rule_of = [](const ir::problem& wrong) {
    return std::string(wrong.rule.view().data(), wrong.rule.view().size());
  };
  CHECK(rule_of(engine::unfit_start<model, float, int>::wrong) == "'int' is not a block of parameters");
  CHECK(rule_of(engine::unfit_start<model, float, in_double>::wrong) == "the parameters given are double");
  CHECK(rule_of(engine::unfit_start<model, float, parameters<other>>::wrong) ==
        "these are the parameters of another graph");
  CHECK(engine::unfit_scalar<int>::wrong);
  CHECK(!engine::unfit_scalar<double>::wrong);
}

}  // namespace tenon::test
