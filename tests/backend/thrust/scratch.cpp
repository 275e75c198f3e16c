// Temporary memory for one kernel, against a plain list of its blocks: no block is lent twice, a free block that is large enough is used
// before a new one is allocated, and after the first round nothing is allocated.
#include <tenon/backend/thrust/scratch.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <set>
#include <thread>
#include <vector>

namespace tenon::test {

using backend::thrust_detail::scratch;

TEST_CASE("the smallest free block that is large enough") {
  scratch s;
  char* const large = s.allocate(1000);
  char* const small = s.allocate(100);
  char* const middle = s.allocate(300);
  s.deallocate(large, 0);
  s.deallocate(small, 0);
  s.deallocate(middle, 0);
  CHECK(s.allocate(200) == middle);
  CHECK(s.allocate(200) == large);
  CHECK(s.allocate(100) == small);
  CHECK(s.released() == 0);
  s.deallocate(small, 0);
  s.allocate(101);  // replaces the free block
  CHECK(s.released() == 1);
}

TEST_CASE("what is lent does not overlap, and a round that was there once allocates nothing") {
  struct loan {
    char* start;
    std::ptrdiff_t bytes;
    char mark;
  };
  scratch s;
  std::mt19937 random(1);
  std::vector<loan> lent;
  long released = 0;
  for (int round = 0; round < 3; ++round) {
    random.seed(7);
    for (int step = 0; step < 400; ++step) {
      if (lent.size() < 6 && random() % 2 == 0) {
        const auto bytes = std::ptrdiff_t(random() % 5000);
        lent.push_back({s.allocate(bytes), bytes, char(step)});
        std::memset(lent.back().start, lent.back().mark, std::size_t(bytes));
      } else if (!lent.empty()) {
        const std::size_t k = random() % lent.size();
        CHECK(std::all_of(lent[k].start, lent[k].start + lent[k].bytes,
                          [&](char c) { return c == lent[k].mark; }));
        s.deallocate(lent[k].start, 0);
        lent.erase(lent.begin() + std::ptrdiff_t(k));
      }
    }
    for (const loan& one : lent) s.deallocate(one.start, 0);
    lent.clear();
    if (round == 1) released = s.released();
  }
  CHECK(released > 0);
  // The third round repeats the second: the same free blocks fit again.
  std::set<char*> first, again;
  for (std::set<char*>* const addresses : {&first, &again}) {
    for (std::ptrdiff_t bytes : {4000, 100, 2500}) addresses->insert(s.allocate(bytes));
    for (char* start : *addresses) s.deallocate(start, 0);
  }
  CHECK(first == again);
}

TEST_CASE("a thread has one of its own, and may be lent another") {
  scratch* const mine = &scratch::mine();
  CHECK(&scratch::mine() == mine);
  scratch* others = mine;
  std::thread([&] { others = &scratch::mine(); }).join();
  CHECK(others != mine);
  scratch one, two;
  {
    const scratch::lent outer(one);
    CHECK(&scratch::mine() == &one);
    {
      const scratch::lent inner(two);
      CHECK(&scratch::mine() == &two);
    }
    CHECK(&scratch::mine() == &one);
    const backend::thrust_detail::scratch_numbers<double> numbers(10);
    numbers.data()[9] = 1;
    char* const next = one.allocate(80);
    CHECK(static_cast<void*>(next) != numbers.data());
  }
  CHECK(&scratch::mine() == mine);
}

}  // namespace tenon::test
