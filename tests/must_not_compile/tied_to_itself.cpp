// Parameters tied to themselves.
// expect(g++): tied: \'one.weight\' is tied to itself; name the two parameters that are one
// expect(clang): "tied: \'one.weight\' is tied to"
// expect(clang): "itself; name the two parameters"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using one = tied<"one.*", "one.*">;
#else
using one = tied<"one.*", "two.*">;
#endif
using model = graph<"model", input<"x", features<8>>, node<"one", linear<8>, "x">,
                    node<"two", linear<8>, "one">, one, output<"two">>;
static_assert(check<model>());
