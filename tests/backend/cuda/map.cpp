// Maps with sums and maxima over a row, in the emulation of blocks and threads, against the reference.
#include "tenon/backend/cuda/map.hpp"

#include "support/guarded_rows.hpp"
#include "support/map_kernels.hpp"
#include "tenon/backend/reference/map.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <set>

namespace tenon::test {

template <class Kernel, class T>
void check_map(int steps, int rows, int gap) {
  CAPTURE(Kernel::body.width);
  CAPTURE(rows);
  constexpr int load_count = Kernel::body.loads.size, store_count = Kernel::body.stores.size;
  noise random(7);
  std::vector<std::unique_ptr<guarded_rows<T>>> in, out;
  std::vector<std::vector<double>> in_, out_;
  backend::operand<const T> loads[load_count + 1];
  backend::operand<T> stores[store_count + 1];
  backend::operand<const double> loads_[load_count + 1];
  backend::operand<double> stores_[store_count + 1];
  for (int l = 0; l < load_count; ++l) {
    const int width = Kernel::body.loads[l].broadcast ? 1 : Kernel::body.width, stride = width + gap;
    in.push_back(std::make_unique<guarded_rows<T>>(steps * rows, width, stride, random));
    in_.push_back(in.back()->numbers());
    loads[l] = {in.back()->data(), stride, rows * stride};
  }
  for (int s = 0; s < store_count; ++s) {
    const int width = Kernel::body.stores[s].reduction == opcode::copy ? Kernel::body.width : 1,
              stride = width + gap;
    out.push_back(std::make_unique<guarded_rows<T>>(steps * rows, width, stride));
    out_.push_back(out.back()->numbers());
    stores[s] = {out.back()->data(), stride, rows * stride};
  }
  for (int l = 0; l < load_count; ++l) {
    const int width = Kernel::body.loads[l].broadcast ? 1 : Kernel::body.width;
    loads_[l] = {in_[std::size_t(l)].data(), width, rows * width};
  }
  for (int s = 0; s < store_count; ++s) {
    const int width = Kernel::body.stores[s].reduction == opcode::copy ? Kernel::body.width : 1;
    stores_[s] = {out_[std::size_t(s)].data(), width, rows * width};
  }
  backend::map<Kernel>(backend::cuda{}, steps, rows, loads, stores);
  backend::map<Kernel>(backend::reference{}, steps, rows, loads_, stores_);
  for (std::size_t s = 0; s < out.size(); ++s) {
    CHECK(distance(*out[s], out_[s]) <= 64 * static_cast<double>(std::numeric_limits<T>::epsilon()));
    CHECK(out[s]->intact());
  }
}
template <class Schedule, class T>
void check_schedule(int steps, int rows) {
  for_each_map<Schedule>([&](auto kernel) { check_map<decltype(kernel), T>(steps, rows, 2); });
}

TEST_CASE("a warp for each row") {
  check_map<multiply_add<1, true>, float>(1, 1, 0);
  check_map<multiply_add<31, true>, float>(3, 5, 1);
  check_map<multiply_add<32, true>, double>(1, 9, 0);
  check_map<multiply_add<255, true>, float>(2, 3, 3);
}
TEST_CASE("a block for each row") {
  check_map<multiply_add<257, true>, float>(1, 1, 0);
  check_map<multiply_add<1000, true>, double>(2, 2, 5);
}
TEST_CASE("a softmax of products and its gradient") {
  check_schedule<softmax_step<9>::forward, float>(3, 5);
  check_schedule<softmax_step<9>::backward, float>(3, 5);
  check_schedule<softmax_step<300>::forward, float>(1, 3);
}
TEST_CASE("a map without sums is Thrust's") { check_map<multiply_add<33, false>, float>(2, 3, 1); }

TEST_CASE("each row has its own threads") {
  using namespace backend::cuda_detail;
  static_assert(threads_of_row(1) == 32 && threads_of_row(256) == 32 && threads_of_row(257) == 256);
  static_assert(threads_of_row(4096) == 256 && threads_of_row(4097) == 1024);
  for (int lanes : {32, 256, 1024}) {
    const int threads = block_of_rows(lanes);
    CHECK(blocks_for_rows(3 * threads / lanes, lanes) == 3);
    std::set<std::pair<std::ptrdiff_t, int>> places;
    for (int block = 0; block < 3; ++block)
      for (int index = 0; index < threads; ++index)
        places.insert({row_of_thread(block, index, lanes), lane_of_thread(index, lanes)});
    CHECK(int(places.size()) == 3 * threads);
    CHECK(places.rbegin()->first == 3 * threads / lanes - 1);
    CHECK(places.rbegin()->second == lanes - 1);
  }
}

}  // namespace tenon::test
