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
struct two_numbers {
  int numbers[2];
};
TEST_CASE("several numbers at once") {
  int sum = 0;
  CHECK(complaint([&](auto& t) {
          if (t.index == 0)
            for (int k = 0; k < 8; ++k) t.shared.numbers[k] = 10 + k;
          t.synchronise();
          const auto two = t.shared.numbers.template at<two_numbers>(t.index % 4 * 2);
          if (t.index == 3) sum = 100 * two.numbers[0] + two.numbers[1];
        }) == "none");
  CHECK(sum == 1617);
  CHECK(complaint([](auto& t) {
          if (t.index == 1) t.shared.numbers.template at<two_numbers>(3);
        }) ==
        "thread 1 reads several numbers at once from number 3 of an array of 8 in shared memory, which is "
        "not aligned");
  CHECK(complaint([](auto& t) {
          if (t.index == 1) t.shared.numbers[2] = 5;
          if (t.index == 1) t.shared.numbers.template at<two_numbers>(2);
        }) == "thread 1 reads number 3 of an array of 8 in shared memory before any thread has written it");
}
TEST_CASE("four numbers that are fetched") {
  alignas(16) const int from[]{1, 2, 3, 4, 5};
  int sum = 0;
  CHECK(complaint([&](auto& t) {
          if (t.index == 5) t.fetch_four(t.shared.numbers, 4, from, 3);
          t.close_fetches();
          t.template wait_for_fetches<0>();
          t.synchronise();
          if (t.index == 3)
            sum = int(t.shared.numbers[4]) * 1000 + t.shared.numbers[6] * 10 + t.shared.numbers[7];
        }) == "none");
  CHECK(sum == 1030);
  const char* const crooked = "thread 1 fetches four numbers to or from a place that is no multiple of four";
  CHECK(complaint([&](auto& t) {
          if (t.index == 1) t.fetch_four(t.shared.numbers, 2, from, 4);
        }) == crooked);
  CHECK(complaint([&](auto& t) {
          if (t.index == 1) t.fetch_four(t.shared.numbers, 4, from + 1, 4);
        }) == crooked);
}
TEST_CASE("a product of matrices that a warp holds") {
  // a[16, 8], b[8, 8] of small whole numbers, which have less than 11 bits
  const auto a = [](int row, int k) { return float((row * 7 + k * 3) % 11 - 5); };
  const auto b = [](int k, int column) { return float((k * 5 + column * 2) % 13 - 6); };
  std::vector<float> got(16 * 8);
  CHECK(complaint([&](auto& t) {
          const int g = t.index % 32 / 4, n = t.index % 4;
          float c[4]{1, 2, 3, 4};
          t.multiply_add(c, {a(g, n), a(g + 8, n), a(g, n + 4), a(g + 8, n + 4)}, {b(n, g), b(n + 4, g)});
          for (int i = 0; i < 4; ++i) got[std::size_t((g + i / 2 * 8) * 8 + 2 * n + i % 2)] = c[i];
        }) == "none");
  for (int row = 0; row < 16; ++row)
    for (int column = 0; column < 8; ++column) {
      float sum = float(1 + row / 8 * 2 + column % 2);
      for (int k = 0; k < 8; ++k) sum += a(row, k) * b(k, column);
      CHECK(got[std::size_t(row * 8 + column)] == sum);
    }
}
TEST_CASE("tensor cores read 11 bits of a factor, and cut a sum off") {
  float product = 0, cut = 0;
  CHECK(complaint([&](auto& t) {
          const float first = t.index % 4 == 0 ? 1 : 0, many = 1 + 0x1p-12f;
          float c[4]{}, d[4]{1, 1, 1, 1};
          t.multiply_add(c, {many * first, 0, 0, 0}, {first, 0});
          t.multiply_add(d, {0x1p-24f * 1.5f * first, 0, 0, 0}, {first, 0});
          if (t.index == 0) {
            product = c[0];
            cut = d[0];
          }
        }) == "none");
  CHECK(product == 1.0f);  // and not 1 + 2^-12
  CHECK(cut == 1.0f);      // and not 1 + 2^-23, which is nearest
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
