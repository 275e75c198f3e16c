// One rank acts, the others wait for it and fail as it does; what is no error of a file or a training ends them all.
#include "tenon/train/checkpoints/on_first_rank.hpp"

#include "tenon/distribute/in_process.hpp"
#include "tenon/distribute/shard_group.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>

namespace tenon::test {

namespace {

// What on_first_rank sees of a trainer.
struct of_ranks {
  struct session_type {
    distribute::shard_group mine;
    const distribute::shard_group& group() const { return mine; }
  } held;
  explicit of_ranks(distribute::in_process& world) : held{{distribute::any_communicator(world), 4}} {}
  const session_type& session() const { return held; }
};
struct of_one {};
static_assert(engine::OfRanks<of_ranks> && !engine::OfRanks<of_one>);

}  // namespace

TEST_CASE("one acts, and all see what it has done") {
  for (int ranks : {1, 2, 4}) {
    std::atomic<int> done{0};
    distribute::in_process::run(ranks, [&](distribute::in_process& world) {
      const of_ranks trainer(world);
      CHECK(engine::is_first_rank(trainer) == (world.rank() == 0));
      for (int k = 1; k <= 50; ++k) {
        engine::on_first_rank(trainer, [&] { ++done; });
        CHECK(done >= k);  // the first may have gone on
      }
    });
    CHECK(done == 50);
  }
  bool acted = false;
  engine::on_first_rank(of_one{}, [&] { acted = true; });
  CHECK(acted);
}
TEST_CASE("all fail as the first does") {
  distribute::in_process::run(3, [](distribute::in_process& world) {
    const of_ranks trainer(world);
    CHECK_THROWS_WITH_AS(
        engine::on_first_rank(trainer, [] { throw data_error("run.ckpt: the disk is full"); }),
        "run.ckpt: the disk is full", data_error);
    CHECK_THROWS_WITH_AS(engine::on_first_rank(trainer, [] { throw training_error("not finite"); }),
                         "not finite", training_error);
    CHECK_NOTHROW(engine::on_first_rank(trainer, [] {}));
  });
  std::atomic<int> lost{0};
  const auto run = [&] {
    distribute::in_process::run(3, [&](distribute::in_process& world) {
      const of_ranks trainer(world);
      try {
        engine::on_first_rank(trainer, [] { throw std::logic_error("a mistake"); });
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
