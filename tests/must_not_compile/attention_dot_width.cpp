// A dot score between a query and states of different widths.
// expect(g++): node \'context\': dot attention needs a query as wide as the states: 12 features, got 8 from \'query\'; put linear<12> before the query, or use score::multiplicative
// expect(clang): "node \'context\': dot attention"
// expect(clang): "needs a query as wide as the"
// expect(clang): "states: 12 features, got 8 from"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/attention.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using query = features<8>;
#else
using query = features<12>;
#endif
using model = graph<"model", input<"query", query>, input<"states", features<12>, steps<6>>,
                    node<"context", attention<score::dot>, "query", "states">, output<"context">>;
static_assert(check<model>());
