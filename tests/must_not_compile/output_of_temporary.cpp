// A view into a session that is gone.
// expect(g++): output \'logits\' is a view into a session that ends with this line; give the session a name: inference<graph> run;
// expect(clang): "output \'logits\' is a view into a"
// expect(clang): "session that ends with this line;"
// expect(clang): "give the session a name:"
// expect(clang): "inference<graph> run;"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;

#ifdef MISTAKE
float use() {
  const auto y = inference<model>().output<"logits">();
  return y(0, 0);
}
#else
float use() {
  inference<model> run;
  const auto y = run.output<"logits">();
  return y(0, 0);
}
#endif
