// A draw with options, without random numbers.
// expect(g++): sample takes the scores of one row and a stream of random numbers:
// expect(clang): error: sample takes the scores of one row and a stream of random numbers:
#include <tenon/tenon.hpp>

using namespace tenon;

#ifdef MISTAKE
int use(const view<const float>& scores) { return sample(scores, {.temperature = 0.8}); }
#else
int use(const view<const float>& scores, backend::random_stream& random) {
  return sample(scores, random, {.temperature = 0.8});
}
#endif
