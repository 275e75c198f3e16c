// A communicator of any type, and none.
#include "tenon/distribute/any_communicator.hpp"

#include "tenon/distribute/in_process.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <vector>

namespace tenon::test {

static_assert(distribute::Communicator<distribute::any_communicator>);

namespace {

std::byte* bytes_of(std::vector<int>& numbers) { return reinterpret_cast<std::byte*>(numbers.data()); }

// One of ranks that can start an exchange and finish it later, and says for how long it has waited.
struct patient {
  distribute::in_process& ranks;
  distribute::pieces sent{}, received{};
  int looks = 0;
  long step = 0;

  int rank() const { return ranks.rank(); }
  int size() const { return ranks.size(); }
  void gather(distribute::pieces all) { ranks.gather(all); }
  void exchange(distribute::pieces out, distribute::pieces in) { ranks.exchange(out, in); }
  int start(distribute::pieces out, distribute::pieces in) {
    sent = out;
    received = in;
    return 7;
  }
  void progress() { ++looks; }
  void finish(int started) {
    CHECK(started == 7);
    ranks.exchange(sent, received);
  }
  void begins_step(long s) { step = s; }
  double seconds_waited() const { return 1.5; }
};
static_assert(distribute::StartsExchanges<patient> && !distribute::StartsExchanges<distribute::in_process>);
static_assert(distribute::StartsExchanges<distribute::any_communicator>);

// Each rank sends its number to all, and looks at what has come before and after it finishes.
void exchange_in_two(const distribute::any_communicator& world, bool is_there_before) {
  const std::size_t begin[]{0, sizeof(int), 2 * sizeof(int)};
  std::vector<int> sent(2, 10 + world.rank()), received{-1, -1};
  const int started = world.start({bytes_of(sent), begin}, {bytes_of(received), begin});
  world.progress();
  CHECK((received == std::vector<int>{10, 11}) == is_there_before);
  world.finish(started);
  CHECK((received == std::vector<int>{10, 11}));
}

}  // namespace

TEST_CASE("an exchange is started and finished later, or done at once") {
  distribute::in_process::run(2, [](distribute::in_process& ranks) {
    patient waits{ranks};
    exchange_in_two(distribute::any_communicator(waits), false);
    exchange_in_two(distribute::any_communicator(ranks), true);
    CHECK(waits.looks == 1);
  });
}
TEST_CASE("what not all communicators have") {
  distribute::in_process::run(1, [](distribute::in_process& ranks) {
    patient waits{ranks};
    const distribute::any_communicator counts(waits), other(ranks);
    counts.begins_step(17);
    other.begins_step(17);
    CHECK(waits.step == 17);
    CHECK(counts.seconds_waited() == 1.5);
    CHECK(other.seconds_waited() == 0);
  });
}
// One whose blocks are in the memory of devices, and which says what it was called with.
struct of_devices : distribute::alone {
  std::string said{};
  int looks = 0;
  void exchange_there(distribute::pieces sent, distribute::pieces received, void* stream) {
    said += "exchange " + std::to_string(sent.bytes(0)) + " for " + std::to_string(received.bytes(0)) +
            (stream == this ? " here; " : "; ");
  }
  void gather_there(distribute::pieces all, void* stream) {
    said += "gather " + std::to_string(all.bytes(0)) + (stream == this ? " here" : "");
  }
  template <class IsDone>
  void watch(IsDone is_done) {
    while (!is_done()) ++looks;
  }
};
static_assert(distribute::DeviceCommunicator<of_devices> &&
              distribute::DeviceCommunicator<distribute::alone>);
static_assert(!distribute::DeviceCommunicator<distribute::in_process>);
static_assert(distribute::DeviceCommunicator<distribute::any_communicator>);
TEST_CASE("blocks of devices are for communicators of devices") {
  const std::size_t three[]{0, 3}, five[]{0, 5};
  of_devices there;
  const distribute::any_communicator world(there);
  world.exchange_there({nullptr, three}, {nullptr, five}, &there);
  world.gather_there({nullptr, five}, &there);
  int left = 4;
  world.watch([&left] { return left-- == 0; });
  CHECK(there.said == "exchange 3 for 5 here; gather 5 here");
  CHECK(there.looks == 4);

  distribute::any_communicator nobody;  // there is nobody to wait for
  nobody.exchange_there({nullptr, three}, {nullptr, five}, nullptr);
  nobody.gather_there({nullptr, three}, nullptr);
  nobody.watch([] { return false; });

  distribute::in_process::run(1, [&](distribute::in_process& ranks) {
    const distribute::any_communicator of_host(ranks);
    const char* const said = "exchanges no blocks in the memory of devices; distribute::nccl does";
    CHECK_THROWS_WITH_AS(of_host.exchange_there({nullptr, three}, {nullptr, five}, nullptr),
                         doctest::Contains(said), input_error);
    CHECK_THROWS_WITH_AS(of_host.gather_there({nullptr, five}, nullptr), doctest::Contains(said),
                         input_error);
    CHECK_THROWS_WITH_AS(of_host.watch([] { return true; }), doctest::Contains(said), input_error);
  });
}
TEST_CASE("without a communicator there is one rank, which gets what it gives") {
  distribute::any_communicator world;
  CHECK(world.rank() == 0);
  CHECK(world.size() == 1);
  std::vector<int> given{3, 1, 4}, received(3);
  const std::size_t begin[]{0, 3 * sizeof(int)};
  world.exchange({bytes_of(given), begin}, {bytes_of(received), begin});
  CHECK((received == given));
  world.gather({bytes_of(given), begin});
  CHECK((received == given));
}

TEST_CASE("it calls the communicator that it stands for") {
  distribute::in_process::run(3, [](distribute::in_process& ranks) {
    distribute::any_communicator world(ranks);
    CHECK(world.rank() == ranks.rank());
    CHECK(world.size() == 3);
    std::vector<int> all(3);
    all[static_cast<std::size_t>(world.rank())] = 10 + world.rank();
    const std::size_t begin[]{0, sizeof(int), 2 * sizeof(int), 3 * sizeof(int)};
    world.gather({bytes_of(all), begin});
    CHECK((all == std::vector<int>{10, 11, 12}));
    std::vector<int> received(3);
    world.exchange({bytes_of(all), begin}, {bytes_of(received), begin});
    CHECK((received == std::vector<int>(3, 10 + world.rank())));
  });
}

}  // namespace tenon::test
