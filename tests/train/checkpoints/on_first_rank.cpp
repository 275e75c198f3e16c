// One rank acts, the others wait for it and fail as it does; what is no error of a file or a training ends them all.
#include "tenon/train/checkpoints/on_first_rank.hpp"

#include "tenon/distribute/in_process.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>

namespace tenon::test {

TEST_CASE("one acts, and all see what it has done") {
  for (int ranks : {1, 2, 4}) {
    std::atomic<int> done{0};
    distribute::in_process::run(ranks, [&](distribute::in_process& each) {
      const distribute::any_communicator world(each);
      for (int k = 1; k <= 50; ++k) {
        engine::on_first_rank(world, [&] { ++done; });
        CHECK(done >= k);  // the first may have gone on
      }
    });
    CHECK(done == 50);
  }
  bool acted = false;
  engine::on_first_rank({}, [&] { acted = true; });
  CHECK(acted);
}
TEST_CASE("all fail as the first does") {
  distribute::in_process::run(3, [](distribute::in_process& each) {
    const distribute::any_communicator world(each);
    CHECK_THROWS_WITH_AS(engine::on_first_rank(world, [] { throw data_error("run.ckpt: the disk is full"); }),
                         "run.ckpt: the disk is full", data_error);
    CHECK_THROWS_WITH_AS(engine::on_first_rank(world, [] { throw training_error("not finite"); }),
                         "not finite", training_error);
    CHECK_NOTHROW(engine::on_first_rank(world, [] {}));
  });
  std::atomic<int> lost{0};
  const auto run = [&] {
    distribute::in_process::run(3, [&](distribute::in_process& each) {
      const distribute::any_communicator world(each);
      try {
        engine::on_first_rank(world, [] { throw std::logic_error("a mistake"); });
      } catch (const distribute::rank_lost&) {
        ++lost;
        throw;
      }
    });
  };
  CHECK_THROWS_WITH_AS(run(), "a mistake", std::logic_error);
  CHECK(lost == 2);
}

}  // namespace tenon::test
