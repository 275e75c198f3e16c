// A view of a parameter whose block ends with the line.
// expect(g++): parameter \'y.bias\' is a view into a block that ends with this line; give the block a name: parameters<graph> theta;
// expect(clang): "parameter \'y.bias\' is a view into"
// expect(clang): "a block that ends with this line;"
// expect(clang): "give the block a name:"
// expect(clang): "parameters<graph> theta;"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
float use() {
#ifdef MISTAKE
  const auto bias = get<"y.bias">(parameters<model>(seed{1}));
#else
  const parameters<model> theta(seed{1});
  const auto bias = get<"y.bias">(theta);
#endif
  return bias(0);
}
