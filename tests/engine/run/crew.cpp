// A crew calls each piece once, with scratch of its own; without threads there is one piece.
#include "tenon/engine/run/crew.hpp"

#include "tenon/backend/reference/reference.hpp"
#include "tenon/engine/run/thread_pool.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace tenon::inline v0_1::engine::test {

TEST_CASE("each piece once, with its scratch") {
  for (int count : {2, 3, 5}) {
    crew<float> all;
    all.start(threads{count}, 20, {"threads", "a test"});
    CHECK(all.size() == count);
    std::vector<int> calls(static_cast<std::size_t>(count));
    for (int round = 1; round <= 50; ++round) {
      all.share<backend::reference>([&](backend::piece mine) {
        const auto k = static_cast<std::size_t>(mine.number);
        calls[k] += mine.count == count;
        for (int j = 0; j < 20; ++j) all.scratch(mine)[j] = static_cast<float>(mine.number);
      });
      CHECK(calls == std::vector<int>(calls.size(), round));
    }
    for (backend::piece k{0, count}; k.number < count; ++k.number)
      for (int j = 0; j < 20; ++j) CHECK(all.scratch(k)[j] == static_cast<float>(k.number));
  }
}
TEST_CASE("a crew that has not started, and one of one thread") {
  crew<float> nobody, one;
  one.start(threads{1}, 20, {});
  CHECK(nobody.size() == 1);
  CHECK(one.size() == 1);
}
TEST_CASE("there is at least one thread") {
  crew<float> none;
  CHECK_THROWS_WITH_AS(none.start(threads{0}, 8, {}), "threads{0}: expected at least one thread",
                       input_error);
}

}  // namespace tenon::inline v0_1::engine::test
