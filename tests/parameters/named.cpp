#include "tenon/parameters/named.hpp"

#include "tenon/nn/nn.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace tenon;
using namespace tenon::nn;
using namespace tenon::ir;

using small = graph<"small", input<"word", token<7>>, node<"embedded", embedding<7, 3>, "word">,
                    node<"logits", linear<2>, "embedded">, output<"logits">>;

TEST_CASE("parameters are a Hana map from names to views of the same memory") {
  parameters<small> theta(seed{1});
  auto all = named(theta);
  CHECK(all[parameter_key<"embedded.weight">].shape(0) == 7);
  CHECK(all[parameter_key<"embedded.weight">].shape(1) == 3);
  all[parameter_key<"logits.bias">](1) = 4.0f;
  CHECK(get<"logits.bias">(theta)(1) == 4.0f);

  std::vector<std::string> names;
  const parameters<small>& fixed = theta;
  boost::hana::for_each(named(fixed), [&](auto entry) {
    using shown = std::remove_cvref_t<decltype(boost::hana::second(entry))>;
    static_assert(std::is_convertible_v<shown, view<const float>> &&
                  !std::is_convertible_v<shown, view<float>>);
    names.emplace_back(boost::hana::to<char const*>(boost::hana::first(entry)));
  });
  CHECK(names == std::vector<std::string>{"embedded.weight", "logits.weight", "logits.bias"});
}
