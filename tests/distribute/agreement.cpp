// What ranks must have alike: the first that differs is named, with the rank, and all ranks say the same.
#include "tenon/distribute/agreement.hpp"

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/distribute/in_process.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

namespace tenon::test {

// What all of three ranks say; empty: they agree.
template <class Add>
std::string said(Add add) {
  std::vector<std::string> all(3);
  distribute::in_process::run(3, [&](distribute::in_process& world) {
    distribute::agreement same;
    add(same, world.rank());
    try {
      same.check(distribute::any_communicator(world), "test");
    } catch (const input_error& error) { all[static_cast<std::size_t>(world.rank())] = error.what(); }
  });
  CHECK(all[1] == all[0]);
  CHECK(all[2] == all[0]);
  return all[0];
}
TEST_CASE("ranks agree on numbers, texts and bytes, or one sentence says on which they do not") {
  CHECK(said([](distribute::agreement& same, int) {
          same.add("rows", 12);
          same.add("limit", std::numeric_limits<double>::quiet_NaN());
          same.add_text("network", "reader");
        }).empty());
  CHECK(said([](distribute::agreement& same, int rank) {
          same.add("rows", 12);
          same.add("epochs", rank == 2 ? 4 : 3);
          same.add("seed", rank);
        }) == "test: all ranks must have the same epochs; rank 0 has 3, rank 2 has 4");
  CHECK(said([](distribute::agreement& same, int rank) {
          same.add_text("network", rank == 1 ? "b" : "a");
        }) == "test: all ranks must have the same network; that of rank 1 is not that of rank 0");
  CHECK(said([](distribute::agreement& same, int rank) {
          const float bytes[]{1, rank == 2 ? 1e-30f : 0.f};
          same.add_bytes("parameters", bytes, sizeof bytes);
        }) == "test: all ranks must have the same parameters; that of rank 2 is not that of rank 0");
  CHECK(said([](distribute::agreement& same, int rank) {
          for (int k = 0; k <= rank; ++k) same.add("rows", 12);
        }) == "test: the ranks run different programs");
}
TEST_CASE("one rank alone agrees with itself") {
  distribute::agreement same;
  same.add("rows", std::numeric_limits<double>::quiet_NaN());
  CHECK_NOTHROW(same.check({}, "test"));
}

}  // namespace tenon::test
