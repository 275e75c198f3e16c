// A view of an input of a session without a name.
// expect(g++): input \'x\' is a view into a session that ends with this line; give the session a name: inference<graph> model;
// expect(clang): "input \'x\' is a view into a session"
// expect(clang): "that ends with this line; give the"
// expect(clang): "session a name: inference<graph>"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<4>>, node<"y", linear<3>, "x">, output<"y">>;

float use() {
#ifdef MISTAKE
  const auto x = get_input<"x">(inference<model>{});
#else
  const inference<model> session;
  const auto x = get_input<"x">(session);
#endif
  return x(0, 0);
}
