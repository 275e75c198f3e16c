// More losses with targets of their own than an objective has room for.
// expect(g++): node \'loss\': the objective has more than 8 targets; let losses share a target
// expect(clang): "node \'loss\': the objective has"
// expect(clang): "more than 8 targets; let losses"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>
#include <tenon/nn/loss.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<2>, "x">, output<"y">>;
#ifdef MISTAKE
using last = losses::sum_of<losses::mse<"y", "h">, losses::mse<"y", "i">>;
#else
using last = losses::mse<"y", "h">;
#endif
using objective =
    losses::sum_of<losses::mse<"y", "a">, losses::mse<"y", "b">, losses::mse<"y", "c">, losses::mse<"y", "d">,
                   losses::mse<"y", "e">, losses::mse<"y", "f">, losses::mse<"y", "g">, last>;
static_assert(check<model, objective>());
