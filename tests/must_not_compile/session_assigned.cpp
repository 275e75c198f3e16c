// A session is copied into another.
// expect: sessions and trainers are not copied; take a reference, auto& same = session, or make another
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
void use(inference<model>& run, inference<model>& other) {
#ifdef MISTAKE
  other = run;
#else
  const auto* const same = &run;
  (void)same;
#endif
  other.run();
}
