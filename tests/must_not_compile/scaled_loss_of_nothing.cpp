// A scale that is 0, since both of its numbers are whole.
// expect(g++): scaled<scale, loss> needs a scale that is not 0; write losses::scaled<0.5, losses::mse<\"height\">>; 1/2 is the whole number 0
// expect(clang): "scaled<scale, loss> needs a scale"
// expect(clang): "that is not 0; write"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>
#include <tenon/nn/loss.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<3>>, node<"y", linear<2>, "x">, output<"y">>;
#ifdef MISTAKE
static_assert(
    check<model, losses::sum_of<losses::mse<"y">, losses::scaled<1 / 2, losses::l1<"y", "other">>>>());
#else
static_assert(
    check<model, losses::sum_of<losses::mse<"y">, losses::scaled<0.5, losses::l1<"y", "other">>>>());
#endif
