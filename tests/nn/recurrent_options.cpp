// The options of a recurrent layer: what they set, and their mistakes, checked by a builder without a graph.
#include "tenon/nn/recurrent_options.hpp"

#include "tenon/graph/input_parts.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>

namespace tenon::test {
using namespace nn;

namespace {

using detail::recurrent_options;

constexpr recurrent_options right = detail::read_options<hidden<8>>(recurrent_options{});

// The mistake in the options of a cell with `states` states; "" if there is none.
std::string wrong_with(const recurrent_options& options, int states = 1, bool takes_no_x = false) {
  const auto b = std::make_unique<builder>();
  const bool accepted = detail::accept_recurrent_options(*b, options, states, takes_no_x);
  CHECK(accepted == b->ok());
  return std::string(b->wrong.rule.view());
}
template <class Change>
recurrent_options with(Change change) {
  recurrent_options options = right;
  change(options);
  return options;
}

}  // namespace

static_assert(detail::read_options<hidden<32, 8>, bidirectional, layers<3>>(recurrent_options{}).directions ==
              2);
static_assert(detail::read_options<hidden<32, 8>, bidirectional, layers<3>>(recurrent_options{}).layers == 3);
static_assert(detail::read_options<hidden<32, 8>>(recurrent_options{}).hidden[1] == 8);
static_assert(!detail::read_options<no_bias>(recurrent_options{}).bias);
static_assert(detail::read_options<is_causal>(recurrent_options{}).unknown == "is_causal");

TEST_CASE("what is right is accepted") {
  CHECK(wrong_with(right) == "");
  CHECK(wrong_with(with([](auto& o) { o.hidden = {4, 3}; }), 2) == "");
  CHECK(wrong_with(with([](auto& o) {
          o.layers = 16;
          o.directions = 2;
          o.dropout = 0.5;
        })) == "");
  CHECK(wrong_with(with([](auto& o) {
                     o.is_projected = true;
                     o.projection = 7;
                   }),
                   2) == "");
  CHECK(wrong_with(with([](auto& o) { o.steps = 1; }), 1, true) == "");
}

TEST_CASE("what is wrong is said by its rule") {
  const auto says = [](const std::string& rule, auto change, int states = 1, bool takes_no_x = false) {
    const std::string got = wrong_with(with(change), states, takes_no_x);
    CAPTURE(got);
    CHECK(got.starts_with(rule));
  };
  says("a recurrent layer has no option 'is_causal'", [](auto& o) { o.unknown = "is_causal"; });
  says("a recurrent layer needs a positive hidden<n>", [](auto& o) { o.hidden = {0}; });
  says("hidden<..> has one size, or one for each state", [](auto& o) { o.hidden = {4, 3}; });
  says("proj_size<n> projects the first of several states", [](auto& o) {
    o.is_projected = true;
    o.projection = 4;
  });
  for (int size : {0, 8})
    says(
        "proj_size<n> projects the state to fewer features",
        [size](auto& o) {
          o.is_projected = true;
          o.projection = size;
        },
        2);
  says("a recurrent layer needs a positive layers<n>", [](auto& o) { o.layers = 0; });
  says("a recurrent layer has at most", [](auto& o) {
    o.layers = 17;
    o.directions = 2;
  });
  for (double rate : {-0.1, 1.0})
    says("dropout<rate> needs a rate from 0 to below 1", [rate](auto& o) {
      o.layers = 2;
      o.dropout = rate;
    });
  says("dropout<rate> of a recurrent layer is applied between its layers", [](auto& o) { o.dropout = 0.5; });
  says(
      "steps<n> of a recurrent layer needs", [](auto& o) { o.steps = 0; }, 1, true);
  says(
      "an upper layer reads",
      [](auto& o) {
        o.steps = 3;
        o.layers = 2;
      },
      1, true);
}

}  // namespace tenon::test
