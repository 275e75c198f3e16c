// The README's network, with an inference: prints the bits of its outputs.
#ifdef SINGLE
#  include "tenon-single.hpp"
#else
#  include <tenon/tenon.hpp>
#endif

#include <cstdio>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

using index_lookup = graph<"index_lookup",
    input<"tokens", token<10>, steps<10>>,
    input<"index",  token<10>>,
    node<"embedded", embedding<10, 128>,                                "tokens">,
    node<"states",   lstm<32, bidirectional, layers<2>, dropout<0.5>>,  "embedded">,
    node<"query",    chain<embedding<10, 128>, linear<64>>,             "index">,
    node<"context",  attention<score::dot>,                             "query", "states">,
    node<"logits",   linear<10>,                                        "context">,
    output<"logits">>;

int main() {
  parameters<index_lookup> theta(seed{3});
#ifdef PARAMETERS_ONLY
  std::printf("%ld %a\n", theta.count(), static_cast<double>(theta.data()[7]));
#else
  inference<index_lookup> model(theta);
  const auto logits = model(std::vector<std::vector<int>>{{3, 1, 4, 1, 5, 9, 2, 6, 5, 3}}, std::vector{5});
  for (int k = 0; k < 10; ++k) std::printf("%a\n", static_cast<double>(logits(0, k)));
#endif
}
