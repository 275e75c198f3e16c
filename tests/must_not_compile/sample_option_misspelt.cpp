// An option that sample does not have.
// expect(g++): then options by their names in this order: .temperature, .top_k, .top_p
// expect(clang): then options by their names in this order: .temperature, .top_k, .top_p
#include <tenon/tenon.hpp>

using namespace tenon;

int draw(const view<const float>& scores, backend::random_stream& random) {
#ifdef MISTAKE
  return sample(scores, random, {.temp = 0.8});
#else
  return sample(scores, random, {.temperature = 0.8});
#endif
}
