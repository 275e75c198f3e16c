// A draw with a seed in place of a stream of random numbers.
// expect: sample takes the scores of one row and a stream of random numbers: backend::random_stream random(1, 0)
#include <tenon/tenon.hpp>

using namespace tenon;

int use(view<const float, 2> logits) {
#ifdef MISTAKE
  return sample(logits[0], 42);
#else
  backend::random_stream random(42, 0);
  return sample(logits[0], random);
#endif
}
