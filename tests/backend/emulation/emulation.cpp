// The emulation of blocks and threads: it computes what a device would, and reports kernels whose result on a device is undefined.
#include "tenon/backend/emulation/emulation.hpp"

#include "tenon/backend/cuda/launch.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace tenon::test {

using backend::emulation::error;
using backend::emulation::run;
using backend::emulation::run_together;

// Each block of 64 threads reverses its part of `from`, through shared memory, and adds the sums of its warps.
struct turn_around {
  static constexpr int threads = 64;
  template <template <class, int> class Array>
  struct shared_memory {
    Array<int, threads> numbers;
    Array<int, 2> sums;
  };
  const int* from;
  int* to;
  int* totals;
  template <class Thread>
  void operator()(Thread& thread) const {
    const int block = thread.block.x + 3 * (thread.block.y + 2 * thread.block.z), i = thread.index;
    const int mine = from[block * threads + i];
    thread.shared.numbers[i] = mine;
    int sum = mine;
    for (int bits = 16; bits > 0; bits /= 2) sum += thread.from_lane(sum, bits);
    if (i % 32 == 0) thread.shared.sums[i / 32] = sum;
    thread.synchronise();
    to[block * threads + i] = thread.shared.numbers[threads - 1 - i];
    if (i == 0) totals[block] = thread.shared.sums[0] + thread.shared.sums[1];
  }
};
TEST_CASE("blocks, threads, barriers and lanes") {
  constexpr int blocks = 3 * 2 * 2;
  std::vector<int> from, to(blocks * 64), totals(blocks);
  for (int k = 0; k < blocks * 64; ++k) from.push_back(k * k % 101);
  run(turn_around{from.data(), to.data(), totals.data()}, 3, 2, 2);
  for (int b = 0; b < blocks; ++b) {
    int total = 0;
    for (int i = 0; i < 64; ++i) {
      total += from[std::size_t(b * 64 + i)];
      CHECK(to[std::size_t(b * 64 + i)] == from[std::size_t(b * 64 + 63 - i)]);
    }
    CHECK(totals[std::size_t(b)] == total);
  }
}

// A kernel of one or two warps that shares eight numbers and does the given work.
template <class Work, int Threads = 64>
struct broken {
  static constexpr int threads = Threads;
  template <template <class, int> class Array>
  struct shared_memory {
    Array<int, 8> numbers;
  };
  Work work;
  template <class Thread>
  void operator()(Thread& thread) const {
    work(thread);
  }
};
template <class Work>
std::string complaint(Work work) {
  try {
    run(broken<Work>{work}, 1, 1, 1);
  } catch (const error& e) { return e.what(); }
  return "none";
}

TEST_CASE("an index outside shared memory") {
  CHECK(complaint([](auto& t) {
          if (t.index == 5) t.shared.numbers[8] = 1;
        }) == "thread 5 writes number 8 of an array of 8 in shared memory");
  CHECK(complaint([](auto& t) {
          if (t.index == 6) static_cast<void>(int(t.shared.numbers[-1]));
        }) == "thread 6 reads number -1 of an array of 8 in shared memory");
}
TEST_CASE("a number that nobody has written") {
  CHECK(complaint([](auto& t) { static_cast<void>(int(t.shared.numbers[2])); }) ==
        "thread 0 reads number 2 of an array of 8 in shared memory before any thread has written it");
}
TEST_CASE("two threads touch one number without a barrier") {
  CHECK(complaint([](auto& t) { t.shared.numbers[t.index / 16] = t.index; }) ==
        "thread 1 writes number 0 of an array of 8 in shared memory that thread 0 writes without a barrier "
        "between them");
  CHECK(complaint([](auto& t) {
          if (t.index < 8) t.shared.numbers[t.index] = 1;
          if (t.index == 9) static_cast<void>(int(t.shared.numbers[7]));
        }) ==
        "thread 9 reads number 7 of an array of 8 in shared memory that thread 7 writes without a barrier "
        "between them");
  CHECK(complaint([](auto& t) {  // the barrier after the reads is missing
          if (t.index < 8) t.shared.numbers[t.index] = 1;
          t.synchronise();
          if (t.index < 4) static_cast<void>(int(t.shared.numbers[3]));
          if (t.index == 40) t.shared.numbers[3] = 2;
        }) ==
        "thread 40 writes number 3 of an array of 8 in shared memory that others read without a barrier "
        "between them");
  CHECK(complaint([](auto& t) {  // a single thread may read and write; a barrier separates the others
          if (t.index == 0) t.shared.numbers[0] = 1;
          if (t.index == 0) t.shared.numbers[0] = t.shared.numbers[0] + 1;
          t.synchronise();
          static_cast<void>(int(t.shared.numbers[0]));
        }) == "none");
}
TEST_CASE("a barrier that not all threads reach") {
  const std::string one = complaint([](auto& t) {
    if (t.index != 3) t.synchronise();
  });
  CHECK(one.starts_with("thread 0 waits at the barrier in line "));
  CHECK(one.ends_with(", and thread 3 has returned"));
  const std::string two = complaint([](auto& t) {
    if (t.index < 32) t.synchronise();
    else t.synchronise();
  });
  CHECK(two.find("at that in line") != std::string::npos);
}
TEST_CASE("an exchange that not all lanes reach") {
  CHECK(complaint([](auto& t) {
          if (t.index != 40) t.from_lane(1, 16);
        }) == "thread 32 waits for the other lanes of its warp, and thread 0 has returned");
  CHECK(complaint([](auto& t) {  // whole warps may skip an exchange
          if (t.index < 32) t.from_lane(1, 16);
        }) == "none");
}
// Each block waits for the number of the block behind it, and publishes that number plus one; the last block waits for the first if `in_a_ring`.
struct passed_on {
  static constexpr int threads = 32;
  struct shared_numbers {};
  template <template <class, int> class Array>
  using shared_memory = shared_numbers;
  struct two {
    float numbers[2];
  };
  int blocks;
  bool in_a_ring;
  float* numbers;  // two of each block
  template <class Thread>
  void operator()(Thread& thread) const {
    if (thread.index > 1) return;
    const int next = thread.block.x + 1;
    two seen{};
    if (in_a_ring || next < blocks)
      while ((seen = thread.template look<two>(numbers + 2 * (next % blocks))).numbers[thread.index] < 0)
        thread.pause();
    thread.publish(numbers + 2 * thread.block.x + thread.index, seen.numbers[thread.index] + 1);
  }
};
TEST_CASE("blocks that wait for each other") {
  std::vector<float> numbers(2 * 5, -1);
  run_together(passed_on{5, false, numbers.data()}, 5, 1, 1);
  CHECK(numbers == std::vector<float>{5, 5, 4, 4, 3, 3, 2, 2, 1, 1});
  std::vector<float> missing(2 * 3, -1);
  CHECK_THROWS_WITH_AS(run_together(passed_on{3, true, missing.data()}, 3, 1, 1),
                       "blocks wait for each other for ever", error);
  std::vector<float> again(2 * 3, -1);
  run_together(passed_on{3, false, again.data()}, 3, 1, 1);
  CHECK(again == std::vector<float>{3, 3, 2, 2, 1, 1});
}
TEST_CASE("a block that waits for one that runs after it") {
  CHECK(complaint([](auto& t) { t.pause(); }) == "none");
  CHECK(complaint([](auto& t) {
          for (;;) t.pause();
        }) == "blocks wait for each other for ever");
}
TEST_CASE("after a failure the next kernel runs; a failure is the device's, with the kernel") {
  const auto work = [](auto& t) { t.shared.numbers[t.index] = 1; };
  CHECK_THROWS_WITH_AS(backend::cuda_detail::launch(broken<decltype(work)>{work}, {1, 1, 1}, "matmul"),
                       "matmul: thread 8 writes number 8 of an array of 8 in shared memory", device_error);
  CHECK(complaint([](auto& t) { t.synchronise(); }) == "none");
}

}  // namespace tenon::test
