// The types of data from which a session sets rows, in which batches rows are set, and that they are checked first.
#include "tenon/engine/rows/row_data.hpp"

#include <doctest/doctest.h>

#include <span>
#include <vector>

namespace tenon::test {

namespace {
struct two_rows_at_once {
  struct plan {
    static constexpr int batch = 2;
  };
  std::vector<int> set{};
};
struct numbers {
  int count = 0;
  int size() const { return count; }
  void set_inputs(two_rows_at_once& session, std::span<const int> rows) const {
    session.set.assign(rows.begin(), rows.end());
  }
};
struct of_no_size {
  void set_inputs(two_rows_at_once&, std::span<const int>) const {}
};
struct set_by_one {
  int size() const { return 0; }
  void set_inputs(two_rows_at_once&, int) const {}
};
struct checked : numbers {
  int* calls = nullptr;
  template <class Session>
  void check_inputs() const {
    ++*calls;
  }
};
static_assert(engine::RowsFor<numbers, two_rows_at_once>);
static_assert(!engine::RowsFor<of_no_size, two_rows_at_once>);
static_assert(!engine::RowsFor<set_by_one, two_rows_at_once>);
static_assert(!engine::RowsFor<int, two_rows_at_once>);
}  // namespace

TEST_CASE("batches come in the order of the rows, the last one smaller") {
  two_rows_at_once session;
  std::vector<std::vector<int>> seen;
  engine::for_each_batch_of(numbers{5}, session, [&] { seen.push_back(session.set); });
  CHECK(seen == std::vector<std::vector<int>>{{0, 1}, {2, 3}, {4}});
  seen.clear();
  engine::for_each_batch_of(numbers{0}, session, [&] { seen.push_back(session.set); });
  CHECK(seen.empty());
}
TEST_CASE("data that can check its rows is asked to") {
  int calls = 0;
  checked data;
  data.calls = &calls;
  engine::check_all<two_rows_at_once>(data);
  CHECK(calls == 1);
  engine::check_all<two_rows_at_once>(numbers{});
  CHECK(calls == 1);
}

}  // namespace tenon::test
