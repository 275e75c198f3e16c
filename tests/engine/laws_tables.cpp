// The laws of networks where rows of a table are only multiplied: the table is multiplied instead, with the same results.
#include "support/graphs.hpp"
#include "support/laws.hpp"
#include "tenon/nn/chain.hpp"
#include "tenon/nn/embedding.hpp"
#include "tenon/nn/linear.hpp"
#include "tenon/nn/loss.hpp"
#include "tenon/nn/multi_head.hpp"
#include "tenon/nn/recurrent.hpp"

namespace tenon::test {
using namespace nn;

namespace {

constexpr int count_tables(const auto& plan_tables) {
  int n = 0;
  for (int t : plan_tables) n += t >= 0;
  return n;
}
// How many operations multiply a table, in training and in inference.
template <concepts::Graph G, int Batch>
constexpr int trained =
    count_tables(engine::plan_of<G, void, engine::purpose::differentiation, batch<Batch>>::tables);
template <concepts::Graph G, int Batch>
constexpr int asked =
    count_tables(engine::plan_of<G, void, engine::purpose::inference, batch<Batch>>::tables);

using both_ways =
    graph<"both_ways", input<"t", token<6>, steps<5>>, node<"e", embedding<6, 4, padding_idx<2>>, "t">,
          node<"y", lstm<3, bidirectional>, "e">, output<"y">>;
static_assert(trained<both_ways, 6> == 2, "both directions look up their products");
static_assert(trained<both_ways, 2> == 0, "ten rows are no more than twice the table");
static_assert(asked<both_ways, 1> == 2, "in inference the table is multiplied once for all");

using two_readers = graph<"two_readers", input<"t", token<5>, steps<4>>, node<"e", embedding<5, 3>, "t">,
                          node<"a", gru<4>, "e">, node<"b", linear<2>, "e">, output<"a">, output<"b">>;
static_assert(trained<two_readers, 6> == 2);

using row_by_row = graph<"row_by_row", input<"t", token<3>>, node<"e", embedding<3, 4>, "t">,
                         node<"y", linear<5>, "e">, output<"y">>;
static_assert(trained<row_by_row, 6> == 1);

// The rows themselves are needed, too.
using added = graph<"added", input<"t", token<5>, steps<4>>, node<"e", embedding<5, 3>, "t">,
                    node<"a", rnn<3>, "e">, node<"s", add, "a", "e">, output<"s">>;
using shown = graph<"shown", input<"t", token<5>, steps<4>>, node<"e", embedding<5, 3>, "t">,
                    node<"a", rnn<3>, "e">, output<"a">, output<"e">>;
static_assert(trained<added, 6> == 0 && asked<added, 1> == 0);
static_assert(trained<shown, 6> == 0 && asked<shown, 1> == 0);

using tied =
    graph<"tied", input<"t", token<6>, steps<3>>, node<"e", embedding<6, 4>, "t">, node<"h", gru<4>, "e">,
          node<"logits", linear<6>, "h">, tied<"e.weight", "logits.weight">, output<"logits">>;
static_assert(trained<tied, 6> == 1);

// Rows that are combined with the steps of another sequence: a loop that runs one sequence after the other multiplies them.
struct question : equations::symbols {
  static constexpr auto at(auto q, auto m) {
    return sum<"source">(softmax<"source">(dot(W<"q", 3>(q), m)) * m);
  }
};
using looking_around =
    graph<"looking_around", input<"t", token<6>, steps<5>>, input<"m", features<3>, steps<4, "source">>,
          node<"e", embedding<6, 4>, "t">, node<"a", question, "e", "m">, node<"b", multi_head<4, 2>, "e">,
          output<"a">, output<"b">>;
using asking = graph<"asking", input<"t", token<6>, steps<5>>, input<"m", features<3>, steps<4, "source">>,
                     node<"e", embedding<6, 4>, "t">, node<"y", question, "e", "m">, output<"y">>;
static_assert(trained<looking_around, 6> == 0 && asked<looking_around, 6> == 0);
static_assert(trained<asking, 6> == 0 && asked<asking, 6> == 0);

static_assert(count_tables(engine::plan_of<both_ways, void, engine::purpose::inference,
                                           on<backend::reference>>::tables) == 0,
              "the reference multiplies the rows");

}  // namespace

TEST_CASE("both directions, with a row of padding") { check_laws<both_ways>(); }
TEST_CASE("one table, two readers") { check_laws<two_readers>(); }
TEST_CASE("a table without time") { check_laws<row_by_row>(); }
TEST_CASE("rows that somebody needs") {
  check_laws<added>();
  check_laws<shown>();
}
TEST_CASE("a table that is also the output's matrix") { check_laws<tied>(); }
TEST_CASE("rows that meet each other") {
  check_laws<looking_around>();
  check_laws<asking>();
}

TEST_CASE("a table of numbers that are not finite is named") {
  using loss = losses::cross_entropy<"y">;
  using G = graph<"classes", input<"t", token<3>>, node<"e", embedding<3, 4>, "t">, node<"y", linear<5>, "e">,
                  output<"y">>;
  parameters<G> theta(seed{1});
  get<"e.weight">(theta)(1, 2) = std::numeric_limits<float>::quiet_NaN();
  differentiation<G, loss, batch<8>> d;
  const std::vector<int> harmless{0, 2, 0, 2, 0, 2, 0, 2}, harmful{0, 2, 0, 2, 0, 2, 0, 1};
  set_input<"t">(d, harmless);
  set_input<"target">(d, std::vector<int>(8, 0));
  d.forward(theta);
  CHECK(d.first_not_finite().empty());
  set_input<"t">(d, harmful);
  d.forward(theta);
  CHECK(d.first_not_finite() == "e");
}

}  // namespace tenon::test
