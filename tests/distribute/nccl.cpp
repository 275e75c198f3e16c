// Ranks with a GPU each, over a fake of NCCL whose devices are the host's memory: what each gives the others get; every error is said, and ends
// NCCL's work, so that no rank waits for ever.
#include "tenon/distribute/nccl.hpp"

#include "support/nccl/fake_nccl.hpp"
#include "tenon/distribute/in_process.hpp"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace tenon::test {

using distribute::in_process;
using distribute::nccl;
using distribute::nccl_error;
static_assert(distribute::DeviceCommunicator<nccl> && !distribute::DeviceCommunicator<in_process>);
static_assert(!std::is_copy_constructible_v<nccl> && !std::is_move_constructible_v<nccl>);

namespace {

// A place for each byte of pieces of length(r) bytes, filled with `byte`.
struct block {
  std::vector<std::size_t> begin{0};
  std::vector<std::byte> bytes{};

  template <class Length>
  block(int pieces, Length length, unsigned char byte) {
    for (int r = 0; r < pieces; ++r) begin.push_back(begin.back() + static_cast<std::size_t>(length(r)));
    bytes.assign(begin.back(), std::byte{byte});
  }
  template <class Number>
  void fill(int piece, Number number) {
    const auto p = static_cast<std::size_t>(piece);
    for (std::size_t k = begin[p]; k < begin[p + 1]; ++k) bytes[k] = number(static_cast<int>(k - begin[p]));
  }
  distribute::pieces all() { return {bytes.data(), begin.data()}; }
};

// The k-th byte that one rank gives another, or all of them: no two of one round are alike in a pair's pieces.
std::byte number_of(int round, int from, int to, int k) {
  return static_cast<std::byte>((31 * round + 67 * from + 17 * to + k) % 251);
}
constexpr unsigned char untouched = 255;

// Rank r gives a piece of (r + round) % 4 bytes; begin is the same for all.
std::uint64_t check_gather_there(nccl& world, int round) {
  const auto length = [&](int rank) { return (rank + round) % 4; };
  block mine(world.size(), length, untouched), expected = mine;
  for (int r = 0; r < world.size(); ++r) expected.fill(r, [&](int k) { return number_of(round, r, 0, k); });
  mine.fill(world.rank(), [&](int k) { return number_of(round, world.rank(), 0, k); });
  world.gather_there(mine.all(), nullptr);
  CHECK((mine.bytes == expected.bytes));
  std::uint64_t sent = 0;
  for (int r = 0; r < world.size(); ++r)
    if (r != world.rank()) sent += static_cast<std::uint64_t>(length(world.rank()));
  return sent;
}
// Rank r gives rank s a piece of (2 r + s + round) % 3 bytes; of its own one nothing is read or written.
std::uint64_t check_exchange_there(nccl& world, int round) {
  const int me = world.rank();
  const auto length = [&](int from, int to) { return (2 * from + to + round) % 3; };
  block given(
      world.size(), [&](int to) { return length(me, to); }, untouched),
      received(
          world.size(), [&](int from) { return length(from, me); }, untouched),
      expected = received;
  std::uint64_t sent = 0;
  for (int other = 0; other < world.size(); ++other) {
    given.fill(other, [&](int k) { return number_of(round, me, other, k); });
    if (other == me) continue;
    expected.fill(other, [&](int k) { return number_of(round, other, me, k); });
    sent += given.all().bytes(other);
  }
  const block as_given = given;
  world.exchange_there(given.all(), received.all(), nullptr);
  CHECK((received.bytes == expected.bytes));
  CHECK((given.bytes == as_given.bytes));
  return sent;
}

// Two bytes for each other rank: a call that waits for all of them.
void exchange_two_bytes(nccl& world) {
  const auto two = [](int) { return 2; };
  block given(world.size(), two, 1), received(world.size(), two, 2);
  world.exchange_there(given.all(), received.all(), nullptr);
}
void gather_two_bytes(nccl& world) {
  block all(
      world.size(), [](int) { return 2; }, 1);
  world.gather_there(all.all(), nullptr);
}
constexpr auto never = [] { return false; };

template <class Error, class Call>
std::string text_of(Call call) {
  try {
    call();
  } catch (const Error& error) { return error.what(); }
  return "nothing is thrown";
}

}  // namespace

TEST_CASE("devices gather and exchange pieces of any length") {
  for (int ranks : {1, 2, 3, 4}) {
    CAPTURE(ranks);
    fake_nccl::reset();
    std::atomic<std::uint64_t> sent_by_all{0};
    in_process::run(ranks, [&](in_process& host) {
      nccl world(host);
      CHECK(world.rank() == host.rank());
      CHECK(world.size() == ranks);
      std::uint64_t sent = 0;
      for (int round = 0; round < 24; ++round) {
        sent += check_gather_there(world, round);
        CHECK(world.bytes_sent_there() == sent);
        sent += check_exchange_there(world, round);
        CHECK(world.bytes_sent_there() == sent);
      }
      sent_by_all += sent;
    });
    const fake_nccl::counts all = fake_nccl::calls();
    CHECK(all.creates == ranks);
    CHECK(all.destroys == ranks);
    CHECK(all.aborts == 0);
    CHECK(all.bytes == sent_by_all);
    CHECK(all.sends == all.receives);
    if (ranks == 1) CHECK(all.groups + all.sends + all.broadcasts == 0);
  }
}

TEST_CASE("a group has a call for each piece that is not empty, and there is none without one") {
  fake_nccl::reset();
  in_process::run(3, [](in_process& host) {
    nccl world(host);
    // Rank 0 sends 5 bytes to rank 2, and nobody anything else.
    const auto is_sent = [](int from, int to) { return from == 0 && to == 2 ? 5 : 0; };
    block given(
        3, [&](int to) { return is_sent(world.rank(), to); }, 1),
        received(
            3, [&](int from) { return is_sent(from, world.rank()); }, 2);
    world.exchange_there(given.all(), received.all(), nullptr);
    // Each has something for itself only.
    block own(
        3, [&](int r) { return r == world.rank() ? 4 : 0; }, 3),
        kept = own;
    world.exchange_there(own.all(), kept.all(), nullptr);
    block nothing(
        3, [](int) { return 0; }, 0),
        of_one(
            3, [](int r) { return r == 1 ? 7 : 0; }, 4);
    world.gather_there(nothing.all(), nullptr);
    world.gather_there(of_one.all(), nullptr);
    CHECK(world.bytes_sent_there() ==
          std::array<std::uint64_t, 3>{5, 14, 0}[static_cast<std::size_t>(host.rank())]);
  });
  const fake_nccl::counts all = fake_nccl::calls();
  CHECK(all.sends == 1);
  CHECK(all.receives == 1);
  CHECK(all.broadcasts == 3);
  CHECK(all.groups == 2 + 3);
}

namespace {

// Ranks on the host that count what they are asked for.
struct counting_host {
  in_process& ranks;
  int gathers = 0, exchanges = 0;
  long step = 0;

  int rank() const { return ranks.rank(); }
  int size() const { return ranks.size(); }
  void gather(distribute::pieces all) {
    ++gathers;
    ranks.gather(all);
  }
  void exchange(distribute::pieces sent, distribute::pieces received) {
    ++exchanges;
    ranks.exchange(sent, received);
  }
  void begins_step(long s) { step = s; }
  double seconds_waited() const { return 1.5; }
};

}  // namespace

TEST_CASE("what is said on the host goes through the ranks there") {
  fake_nccl::reset();
  in_process::run(2, [](in_process& ranks) {
    counting_host host{ranks};
    nccl world(host);
    const int at_start = host.gathers;
    const auto one = [](int) { return 1; };
    block all(2, one, 0), given(2, one, static_cast<unsigned char>(10 + world.rank())), received(2, one, 0);
    all.fill(world.rank(), [&](int) { return std::byte(7 + world.rank()); });
    world.gather(all.all());
    world.exchange(given.all(), received.all());
    CHECK((all.bytes == std::vector<std::byte>{std::byte{7}, std::byte{8}}));
    CHECK((received.bytes == std::vector<std::byte>{std::byte{10}, std::byte{11}}));
    CHECK(host.gathers == at_start + 1);
    CHECK(host.exchanges == 1);
    world.begins_step(17);
    CHECK(host.step == 17);
    CHECK(world.seconds_waited() == 1.5);
    CHECK(world.bytes_sent_there() == 0);
  });
  CHECK(fake_nccl::calls().groups == 0);
}

TEST_CASE("a device that is watched until it is done, and for how long that was") {
  fake_nccl::reset();
  fake_nccl::set_async_error(0, ncclInProgress);  // is no error
  in_process::run(1, [](in_process& host) {
    nccl world(host);
    world.watch([] { return true; });
    const double at_once = world.seconds_waited();
    CHECK(at_once >= 0);
    CHECK(fake_nccl::calls().looks_for_errors == 0);
    int looks = 0;
    std::chrono::steady_clock::time_point first;
    world.watch([&] {
      if (++looks == 1) first = std::chrono::steady_clock::now();
      return looks > 640 && std::chrono::steady_clock::now() - first > std::chrono::milliseconds(20);
    });
    CHECK(world.seconds_waited() >= at_once + 0.0199);
    CHECK(world.seconds_waited() < at_once + 20);
    CHECK(fake_nccl::calls().looks_for_errors == (looks - 1) / 64);
  });
  CHECK(fake_nccl::calls().destroys == 1);
}

TEST_CASE("a patience that is none") {
  fake_nccl::reset();
  for (const double patience : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()})
    in_process::run(1, [&](in_process& host) {
      CHECK(text_of<input_error>([&] { nccl(host, {.patience = patience}); }) ==
            "nccl: expected a patience above 0 seconds, got " + std::to_string(patience));
    });
  CHECK(fake_nccl::calls().creates == 0);
}

TEST_CASE("NCCL that does not start ends all ranks") {
  for (const std::string function : {"ncclGetUniqueId", "ncclCommInitRank"}) {
    CAPTURE(function);
    fake_nccl::reset();
    std::array<std::string, 3> texts;
    in_process::run(3, [&](in_process& host) {
      if (host.rank() == 0) fake_nccl::fail_next(function, ncclSystemError, "no such device");
      texts[static_cast<std::size_t>(host.rank())] = text_of<nccl_error>([&] { nccl world(host); });
    });
    const std::string others = function == "ncclGetUniqueId" ? "ncclGetUniqueId has failed on rank 0"
                                                             : "ncclCommInitRank: remote error";
    CHECK(texts[0] == "nccl: rank 0 of 3: " + function + ": system error; no such device");
    CHECK(texts[1] == "nccl: rank 1 of 3: " + others);
    CHECK(texts[2] == "nccl: rank 2 of 3: " + others);
    const fake_nccl::counts all = fake_nccl::calls();
    CHECK(all.creates + all.destroys + all.aborts == 0);
  }
}

TEST_CASE("a call that fails is said, its group is ended, and the others end too") {
  for (const std::string function :
       {"ncclGroupStart", "ncclSend", "ncclRecv", "ncclBroadcast", "ncclGroupEnd"}) {
    CAPTURE(function);
    fake_nccl::reset();
    const std::string call = function == "ncclBroadcast" ? "gather_there" : "exchange_there";
    std::array<std::string, 3> texts;
    in_process::run(3, [&](in_process& host) {
      nccl world(host);
      const auto take_part = [&] {
        if (call == "gather_there") gather_two_bytes(world);
        else exchange_two_bytes(world);
      };
      take_part();
      const std::uint64_t sent = world.bytes_sent_there();
      world.begins_step(17);
      if (host.rank() == 1) fake_nccl::fail_next(function, ncclUnhandledCudaError, "out of memory");
      texts[static_cast<std::size_t>(host.rank())] = text_of<nccl_error>(take_part);
      CHECK(!fake_nccl::is_in_group());
      CHECK(world.bytes_sent_there() == sent);
    });
    CHECK(texts[0] == "nccl: rank 0 of 3, step 17: " + call + ": remote error");
    CHECK(texts[1] == "nccl: rank 1 of 3, step 17: " + call + ": CUDA error; out of memory");
    CHECK(texts[2] == "nccl: rank 2 of 3, step 17: " + call + ": remote error");
    const fake_nccl::counts all = fake_nccl::calls();
    CHECK(all.creates == 3);
    CHECK(all.aborts == 3);
    CHECK(all.destroys == 0);
  }
}

TEST_CASE("pieces that do not fit each other") {
  for (const bool gathers : {false, true}) {
    CAPTURE(gathers);
    fake_nccl::reset();
    std::atomic<int> refused{0};
    in_process::run(2, [&](in_process& host) {
      nccl world(host);
      const auto length = [&](int) { return 4 + host.rank(); };
      block given(2, length, 1), received(2, length, 2);
      const std::string text = text_of<nccl_error>([&] {
        if (gathers) world.gather_there(given.all(), nullptr);
        else world.exchange_there(given.all(), received.all(), nullptr);
      });
      CHECK(text == "nccl: rank " + std::to_string(host.rank()) +
                        " of 2: " + (gathers ? "gather_there" : "exchange_there") + ": wrong use");
      ++refused;
    });
    CHECK(refused == 2);
  }
}

TEST_CASE("an error of work on the device ends the wait for it") {
  fake_nccl::reset();
  fake_nccl::set_async_error(2, ncclRemoteError);
  in_process::run(3, [](in_process& host) {
    nccl world(host);
    if (host.rank() != 2) return;
    world.begins_step(4);
    CHECK(text_of<nccl_error>([&] { world.watch(never); }) ==
          "nccl: rank 2 of 3, step 4: work on the device: remote error");
    CHECK(world.seconds_waited() < 60);
  });
  CHECK(fake_nccl::calls().aborts == 1);
  CHECK(fake_nccl::calls().destroys == 2);

  fake_nccl::reset();
  in_process::run(1, [](in_process& host) {
    nccl world(host);
    fake_nccl::fail_next("ncclCommGetAsyncError", ncclInvalidArgument);
    CHECK(text_of<nccl_error>([&] { world.watch(never); }) ==
          "nccl: rank 0 of 1: ncclCommGetAsyncError: wrong argument");
  });
}

TEST_CASE("patience that is over, and what is called then") {
  fake_nccl::reset();
  in_process::run(4, [](in_process& host) {
    nccl world(host, {.patience = 0.05});
    if (host.rank() != 1) return;
    world.begins_step(17);
    const auto begun = std::chrono::steady_clock::now();
    CHECK(text_of<nccl_error>([&] { world.watch(never); }) ==
          "nccl: rank 1 of 4, step 17: waited 0 s for the device, which exchanges numbers with other ranks: "
          "one of "
          "them is stopped or lost, or needs longer than the patience of nccl_options");
    CHECK(std::chrono::steady_clock::now() - begun >= std::chrono::milliseconds(50));
    const std::string failed = ": NCCL has failed before";
    CHECK(text_of<nccl_error>([&] { exchange_two_bytes(world); }) ==
          "nccl: rank 1 of 4, step 17: exchange_there" + failed);
    CHECK(text_of<nccl_error>([&] { gather_two_bytes(world); }) ==
          "nccl: rank 1 of 4, step 17: gather_there" + failed);
    CHECK(text_of<nccl_error>([&] { world.watch([] { return true; }); }) ==
          "nccl: rank 1 of 4, step 17: watch" + failed);
  });
  const fake_nccl::counts all = fake_nccl::calls();
  CHECK(all.aborts == 1);
  CHECK(all.destroys == 3);
  CHECK(all.groups == 0);
}

TEST_CASE("the wait ends also while there is a graph, for which NCCL waits when it is ended") {
  fake_nccl::reset();
  in_process::run(2, [](in_process& host) {
    nccl world(host, {.patience = 0.01});
    CHECK_THROWS_AS(
        [&] {
          const fake_nccl::graph captured;
          world.watch(never);
        }(),
        nccl_error);
  });
  CHECK(fake_nccl::calls().aborts == 2);
}

TEST_CASE("a rank that has lost another on the host ends its own work on the device, too") {
  fake_nccl::reset();
  std::atomic<bool> is_said{false};
  CHECK_THROWS_AS(in_process::run(2,
                                  [&](in_process& ranks) {
                                    nccl world(ranks);
                                    if (ranks.rank() == 1) return;
                                    block mine(
                                        2, [](int) { return 3; }, untouched);
                                    try {
                                      world.gather(mine.all());
                                    } catch (const distribute::rank_lost&) {
                                      CHECK_THROWS_WITH_AS(world.gather_there(mine.all(), nullptr),
                                                           doctest::Contains("NCCL has failed before"),
                                                           nccl_error);
                                      is_said = true;
                                      throw;
                                    }
                                  }),
                  distribute::rank_lost);
  CHECK(is_said);
  CHECK(fake_nccl::calls().aborts == 1);
  CHECK(fake_nccl::calls().destroys == 1);
}
TEST_CASE("a rank that an exception leaves ends the others, which wait for it") {
  for (int failing : {0, 1, 3})
    for (const bool gathers : {false, true}) {
      CAPTURE(failing);
      CAPTURE(gathers);
      fake_nccl::reset();
      std::atomic<int> lost{0};
      const auto work = [&](in_process& host) {
        nccl world(host);
        exchange_two_bytes(world);
        if (host.rank() == failing) throw std::runtime_error("out of paper");
        const std::string text = text_of<nccl_error>([&] {
          if (gathers) gather_two_bytes(world);
          else exchange_two_bytes(world);
        });
        CHECK(text == "nccl: rank " + std::to_string(host.rank()) +
                          " of 4: " + (gathers ? "gather_there" : "exchange_there") + ": remote error");
        ++lost;
      };
      CHECK_THROWS_WITH_AS(in_process::run(4, work), "out of paper", std::runtime_error);
      CHECK(lost == 3);
      const fake_nccl::counts all = fake_nccl::calls();
      CHECK(all.aborts == 4);
      CHECK(all.destroys == 0);
    }
}

TEST_CASE("one that is made while an exception is under way is destroyed as any other") {
  struct last_work {
    in_process& host;
    ~last_work() {
      nccl world(host);
      gather_two_bytes(world);
    }
  };
  fake_nccl::reset();
  const auto work = [](in_process& host) {
    const last_work at_end{host};
    throw std::runtime_error("out of paper");
  };
  CHECK_THROWS_AS(in_process::run(2, work), std::runtime_error);
  CHECK(fake_nccl::calls().destroys == 2);
  CHECK(fake_nccl::calls().aborts == 0);
}

}  // namespace tenon::test
