// What a decoder reads in training, without the token that it starts with.
// expect(g++): shifted_right takes the token to start with behind the targets: shifted_right(targets, start)
// expect(clang): shifted_right takes the token to start with behind the targets: shifted_right(targets, start)
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;

auto use(const std::vector<std::vector<int>>& targets) {
#ifdef MISTAKE
  return decoding::shifted_right(targets);
#else
  return decoding::shifted_right(targets, 0);
#endif
}
