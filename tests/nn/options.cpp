// Options are distinguished by what they set; their order does not matter, and a user's own option is a type.
#include "tenon/nn/options.hpp"

#include "tenon/graph/graph.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/parameters/parameters.hpp"

#include <doctest/doctest.h>

#include <string>

namespace tenon::test {
using namespace nn;

struct some_options {
  static constexpr const char* all = "no_bias, dropout<rate>, layers<n>";
  bool bias = true;
  double dropout = 0;
  int layers = 1;
  ir::name unknown{}, repeated{};
};
struct three_of_each {  // a user's own option: it is identified by what it sets
  static constexpr void set(auto& options) requires requires { options.layers; }
  { options.layers = 3; }
};

TEST_CASE("what is given is set, what is not keeps its default") {
  constexpr some_options none = detail::read_options<>(some_options{});
  CHECK(none.bias);
  CHECK(none.layers == 1);
  constexpr some_options all = detail::read_options<dropout<0.25>, no_bias, layers<2>>(some_options{});
  CHECK(!all.bias);
  CHECK(all.dropout == 0.25);
  CHECK(all.layers == 2);
  CHECK(all.unknown.empty());
  constexpr some_options own = detail::read_options<three_of_each>(some_options{});
  CHECK(own.layers == 3);
}
TEST_CASE("the first option that a layer lacks is remembered by its name") {
  constexpr some_options o = detail::read_options<no_bias, is_causal, bidirectional>(some_options{});
  CHECK(std::string(o.unknown.view()) == "is_causal");
  CHECK(!o.bias);
}
TEST_CASE("a number is no option, nor is a type that sets nothing") {
  constexpr some_options o = detail::read_options<int>(some_options{});
  CHECK(std::string(o.unknown.view()) == "int");
}

TEST_CASE("one option twice is remembered, rules of parameters may be many") {
  CHECK(detail::read_options<dropout<0.25>, no_bias, layers<2>>(some_options{}).repeated.empty());
  CHECK(detail::read_options<no_bias, layers<2>, no_bias>(some_options{}).repeated == "no_bias");
  CHECK(detail::read_options<dropout<0.25>, layers<2>, layers<3>>(some_options{}).repeated == "layers<3>");
  using ruled = detail::options_of_parameters;
  CHECK(detail::read_options<frozen, frozen, initialized<"a", init::constant(0)>,
                             initialized<"b", init::constant(0)>>(ruled{})
            .repeated.empty());
}

// One function reports all mistakes in options.
template <class... Given, class Options>
std::string mistake(const Options& options) {
  return std::string(
      ir::explain(detail::unfit_options_of_layer(detail::read_options<Given...>(options), "it")).view());
}
struct options_with_a_comma {
  static constexpr const char* all = "initialized<\"name\", start>, layers<n>";
  int layers = 1;
  ir::name unknown{}, repeated{};
};
std::string mistake_of(const char* unknown) {
  options_with_a_comma o;
  o.unknown = unknown;
  return std::string(ir::explain(detail::unfit_options_of_layer(o, "it")).view());
}
TEST_CASE("an unknown option is named, with the nearest or with all") {
  CHECK(mistake<layers<2>>(options_with_a_comma{}).empty());
  CHECK(mistake<layers<2>, layers<3>>(options_with_a_comma{}) ==
        "it is given 'layers' twice; keep one of them");
  CHECK(mistake_of("layer<2>") == "it has no option 'layer<2>'; did you mean 'layers'?");
  CHECK(mistake_of("starts") ==
        "it has no option 'starts'; its options: initialized<\"name\", start>, layers<n>");
  CHECK(mistake<layers<2>>(detail::no_options{}) ==
        "it has no option 'layers<2>'; leave it out: it has none");
  CHECK(!detail::unfit_no_options<>("it"));
}
TEST_CASE("an option with an option that it does not have is shown as it is written") {
  CHECK(mistake<dropout<0.5, no_bias>>(some_options{}).ends_with("; write dropout<rate>"));
}

template <class Layer>
using over = graph<"over", input<"x", features<3>, steps<4>>, node<"y", Layer, "x">, output<"y">>;

ir::problem told_of(const char* option) {
  ir::builder b;
  detail::recurrent_options o;
  o.unknown = option;
  CHECK_FALSE(detail::accept_options(b, o, "a recurrent layer"));
  return b.wrong;
}
TEST_CASE("a misspelt option is answered with the nearest that the layer has, another with all") {
  CHECK(std::string(told_of("bidirectionall").rule.view()) ==
        "a recurrent layer has no option 'bidirectionall'");
  CHECK(std::string(told_of("bidirectionall").fix.view()) == "did you mean 'bidirectional'?");
  CHECK(std::string(told_of("droput<0.5>").fix.view()) == "did you mean 'dropout'?");
  CHECK(std::string(told_of("padding_idx<0>").fix.view()) ==
        "its options: hidden<n>, layers<n>, bidirectional, dropout<rate>, no_bias, steps<n>, proj_size<n>, "
        "zoneout<rate>, forget_bias<b>, variational_dropout<rate>, initialized<\"name\", start>, frozen, "
        "frozen_parameters<\"name\">");
}
TEST_CASE("the order of options does not matter") {
  using one = over<lstm<4, bidirectional, layers<2>, no_bias>>;
  using other = over<lstm<4, no_bias, layers<2>, bidirectional>>;
  CHECK(parameters<one>::count() == parameters<other>::count());
  CHECK(parameters<one>::count() == 2 * (16 * 3 + 16 * 4) + 2 * (16 * 8 + 16 * 4));
  CHECK(parameters<over<linear<2, no_bias, features<3>>>>::count() == 6);
  CHECK(parameters<over<linear<2, features<3>>>>::count() == 8);
}

}  // namespace tenon::test
