// A view into a session that is gone.
// expect(g++): output \'logits\' is a view into a session that ends with this line; give the session a name: inference<graph> model;
// expect(clang): "output \'logits\' is a view into a"
// expect(clang): "session that ends with this line;"
// expect(clang): "give the session a name:"
// expect(clang): "inference<graph> model;"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;

#ifdef MISTAKE
float use() {
  const auto y = get<"logits">(inference<model>());
  return y(0, 0);
}
#else
float use() {
  inference<model> run;
  const auto y = get<"logits">(run);
  return y(0, 0);
}
#endif
