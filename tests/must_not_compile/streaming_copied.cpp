// A stream is copied, for another way to go on.
// expect: sessions and trainers are not copied; take a reference, auto& same = session, or make another
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
using stepped = graph<"stepped", input<"x", features<8>, steps<6>>, node<"y", gru<4>, "x">, output<"y">>;
void use(streaming<stepped>& live) {
#ifdef MISTAKE
  auto same = live;
#else
  auto& same = live;
#endif
  same.reset();
}
