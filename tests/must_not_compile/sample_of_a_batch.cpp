// A draw from the scores of a whole batch.
// expect: sample takes the scores of one row and a stream of random numbers
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<4>>, node<"y", linear<3>, "x">, output<"y">>;

int use(const inference<model, batch<8>>& run, backend::random_stream& random) {
#ifdef MISTAKE
  return sample(get<"y">(run), random);
#else
  return sample(get<"y">(run)[0], random);
#endif
}
