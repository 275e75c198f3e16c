// Rows of a vector.
// expect(g++): renormalize scales rows of a matrix, and \'y.bias\' is a vector; name a table: embedded.weight
// expect(clang): "matrix, and \'y.bias\' is a vector;"
#include <tenon/nn/linear.hpp>
#include <tenon/parameters/renormalize.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
void scale(parameters<model>& theta) {
#ifdef MISTAKE
  renormalize<"y.bias">(theta, 1.0);
#else
  renormalize<"y.weight">(theta, 1.0);
#endif
}
