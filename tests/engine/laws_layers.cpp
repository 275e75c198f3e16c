// The laws of linear layers and embeddings, at sizes that fill SIMD vectors and sizes that do not.
#include "support/graphs.hpp"
#include "support/laws.hpp"
#include "tenon/nn/chain.hpp"
#include "tenon/nn/embedding.hpp"
#include "tenon/nn/linear.hpp"

namespace tenon::test {
using namespace nn;

TEST_CASE("linear") {
  check_laws<single<linear<1>, 1>>();
  check_laws<single<linear<3>, 16>>();
  check_laws<over_time<linear<17>, 5>>();
  check_laws<over_time<linear<8>, 1, 9>>();
  check_laws<over_time<linear<8, no_bias>, 13, 1>>();
}
TEST_CASE("embedding, of sequences and of rows, with and without a padding row") {
  check_laws<graph<"sequence", input<"t", token<5>, steps<4>>,
                   node<"y", embedding<5, 7, padding_idx<2>>, "t">, output<"y">>>();
  check_laws<
      graph<"rows", input<"t", token<3>>, node<"y", chain<embedding<4, 1>, linear<2>>, "t">, output<"y">>>();
}

}  // namespace tenon::test
