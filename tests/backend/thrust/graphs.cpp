// Captured work on a plain CPU: what it keeps, what it refuses, and when it can no longer be used.
#include "tenon/backend/thrust/graphs.hpp"

#include "tenon/backend/reference/reference.hpp"
#include "tenon/backend/thrust/thrust.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace tenon::test {

using backend::thrust_device;

static_assert(backend::HasGraphs<thrust_device> && !backend::HasGraphs<backend::reference>);

TEST_CASE("captured work is done when it is queued, on what the memory holds then") {
  std::vector<float> from{1, 2}, to{0, 0};
  backend::work_graphs graphs;
  const auto sum_up = [&](float factor) {
    set_all(thrust_device{}, 1, factor, to.data());
    accumulate_rows<2>(thrust_device{}, 1, from.data(), 2, to.data(), 2);
  };
  const backend::work_graphs::graph none;
  CHECK(!graphs.is_current(none));
  const auto captured = graphs.capture([&] { sum_up(10); });
  CHECK(graphs.is_current(captured));
  CHECK(captured.size() == 2);
  CHECK(to == std::vector<float>{0, 0});
  graphs.queue(captured);
  CHECK(to == std::vector<float>{11, 2});
  from = {5, 5};  // at the same place: the addresses and the arguments are kept
  graphs.queue(captured);
  CHECK(to == std::vector<float>{15, 7});
  sum_up(0);  // not captured
  CHECK(to == std::vector<float>{5, 12});
}

TEST_CASE("what reads a number of the device, or waits for it, cannot be captured") {
  const std::vector<int> tokens{0, 1, 2};
  std::vector<int> copy(3);
  backend::work_graphs graphs;
  const auto captures = [&](auto work) { graphs.capture(work); };
  const auto says = [&](auto work, const char* doing) {
    CHECK_THROWS_WITH_AS(captures(work), doctest::Contains(doing), device_error);
    CHECK_THROWS_WITH_AS(captures(work), doctest::Contains(": work that is being captured cannot do this"),
                         device_error);
    CHECK(!backend::thrust_detail::is_capturing());
  };
  says(
      [&] {
        first_outside(thrust_device{}, 3, 1, nullptr, 2, false,
                      backend::given_rows<int>{tokens.data(), 1, 1, 1});
      },
      "first_outside");
  says([&] { copy_out(thrust_device{}, tokens.data(), copy.data(), sizeof(int)); },
       "copying from the device");
  says([&] { copy_in(thrust_device{}, tokens.data(), copy.data(), sizeof(int)); }, "copying to the device");
  says([&] { wait_for(thrust_device{}, current_stream(thrust_device{})); }, "waiting for a stream");
  says([&] { release(thrust_device{}, allocate(thrust_device{}, 8)); }, "allocating memory");
}

TEST_CASE(
    "memory of kernels: of a session's graphs, and of what was captured before it grew nothing is left") {
  std::vector<int> tokens{2, 0, 2, 1};
  const std::vector<float> g{1, 2, 3, 4};
  std::vector<float> table(3);
  backend::work_graphs graphs;
  const auto scatter = [&](int rows) {
    return [&, rows] { scatter_add<1>(thrust_device{}, rows, tokens.data(), g.data(), 1, -1, table.data()); };
  };
  CHECK_THROWS_AS(graphs.capture(scatter(2)), device_error);  // it has no memory yet
  graphs.run(scatter(2));
  CHECK(table == std::vector<float>{2, 0, 1});
  auto captured = graphs.capture(scatter(2));
  CHECK(table == std::vector<float>{2, 0, 1});
  tokens = {1, 1, 2, 1};
  graphs.queue(captured);
  CHECK(table == std::vector<float>{2, 3, 1});
  const long before = graphs.memory_state();
  graphs.run(scatter(4));  // larger blocks
  CHECK(graphs.memory_state() > before);
  CHECK(!graphs.is_current(captured));
  CHECK(table == std::vector<float>{2, 3 + 7, 1 + 3});
  captured = graphs.capture(scatter(2));
  graphs.queue(captured);
  CHECK(table == std::vector<float>{2, 13, 4});
}

}  // namespace tenon::test
