// A `*` in one of two names that are tied.
// expect(g++): tied: of \'one.*\' and \'two.weight\' one has a \'*\'; write it in both: tied<\"left.*\", \"right.*\">
// expect(clang): "tied: of \'one.*\' and \'two.weight\'"
// expect(clang): one has a
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using one = tied<"one.*", "two.weight">;
#else
using one = tied<"one.*", "two.*">;
#endif
using model = graph<"model", input<"x", features<8>>, node<"one", linear<8>, "x">,
                    node<"two", linear<8>, "one">, one, output<"two">>;
static_assert(check<model>());
