#include "tenon/parameters/copy_by_name.hpp"

#include "tenon/nn/chain.hpp"
#include "tenon/nn/convolution.hpp"
#include "tenon/nn/embedding.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace tenon::test {
using namespace nn;

using whole = graph<"whole", input<"t", token<7>, steps<5>>, node<"embedded", embedding<7, 4>, "t">,
                    node<"c", conv1d<3, 2>, "embedded">, node<"y", linear<6>, "c">, output<"y">>;
using part = graph<"part", input<"t", token<7>, steps<9>>, node<"embedded", embedding<7, 4>, "t">,
                   node<"c", conv1d<3, 2>, "embedded">, output<"c">>;
using foreign = graph<"foreign", input<"t", token<7>, steps<5>>, node<"table", embedding<7, 4>, "t">,
                      node<"y", linear<5>, "table">, output<"y">>;

template <class A, class B>
bool same(const A& a, const B& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}

TEST_CASE("parameters of the same names are copied, also into another scalar") {
  const parameters<whole> from(seed{1});
  parameters<part> to(seed{2});
  parameters<part, double> wide(seed{2});
  io::copy_by_name(from, to);
  io::copy_by_name(from, wide);
  CHECK(same(get<"embedded.weight">(from), get<"embedded.weight">(to)));
  CHECK(same(get<"c.weight">(from), get<"c.weight">(to)));
  CHECK(same(get<"c.bias">(from), get<"c.bias">(to)));
  CHECK(same(get<"c.weight">(from), get<"c.weight">(wide)));
}
TEST_CASE("a part, under other names, leaves the rest as it is") {
  const parameters<whole> from(seed{1});
  parameters<foreign> to(seed{2});
  const parameters<foreign> before = to;
  const auto left = io::copy_by_name(from, to, {.rename = {{"embedded.*", "table.*"}}, .only = "table.*"});
  CHECK(same(get<"embedded.weight">(from), get<"table.weight">(to)));
  CHECK(same(get<"y.weight">(before), get<"y.weight">(to)));
  CHECK(left.missing.empty());
  CHECK(left.unexpected.empty());

  parameters<whole> back(seed{3});
  const parameters<whole> old = back;
  const auto missing = io::copy_by_name(
      to, back,
      {.rename = {{"table.*", "embedded.*"}}, .only = {"embedded.*", "c.*"}, .allow_missing = true});
  CHECK(same(get<"embedded.weight">(from), get<"embedded.weight">(back)));
  CHECK(same(get<"c.weight">(old), get<"c.weight">(back)));
  CHECK(missing.missing == std::vector<std::string>{"c.weight", "c.bias"});
}
TEST_CASE("one error names all that does not fit, and nothing is changed") {
  const parameters<whole> from(seed{1});
  parameters<foreign> to(seed{2});
  const parameters<foreign> before = to;
  CHECK_THROWS_WITH_AS(
      io::copy_by_name(from, to, {}),
      "copy_by_name: the parameters of graph 'whole' do not fit those of graph 'foreign':\n"
      "  'y.weight': expected [5, 4], got [6, 3]\n"
      "  'y.bias': expected [5], got [6]\n"
      "  missing 'table.weight' [7, 4]; the nearest is 'embedded.weight' [7, 4]\n"
      "  match names by .rename = {{\"theirs.*\", \"ours.*\"}}, or accept these by .allow_missing = true",
      input_error);
  CHECK_THROWS_WITH_AS(io::copy_by_name(from, to, {.rename = {{"embeded.*", "table.*"}}, .only = "tabel.*"}),
                       "copy_by_name: the parameters of graph 'whole' do not fit those of graph 'foreign':\n"
                       "  the renaming 'embeded.*' to 'table.*' fits no tensor\n"
                       "  the pattern 'tabel.*' fits no parameter",
                       input_error);
  CHECK_THROWS_WITH_AS(
      io::copy_by_name(
          from, to,
          {.rename = {{"embedded.weight", "table.weight"}, {"c.weight", "table.weight"}}, .only = "table.*"}),
      "copy_by_name: the parameters of graph 'whole' do not fit those of graph 'foreign':\n"
      "  both 'embedded.weight' and 'c.weight' become 'table.weight'\n"
      "  'table.weight' (given as 'c.weight'): expected [7, 4], got [3, 4, 2]",
      input_error);
  CHECK(std::equal(before.data(), before.data() + parameters<foreign>::block_size, std::as_const(to).data()));
  CHECK(before.revision() == to.revision());
}

}  // namespace tenon::test
