// Losses in the emulation of blocks and threads against the reference: cross-entropy of few and of many classes, means over positions.
#include "tenon/backend/cuda/loss.hpp"

#include "support/guarded_rows.hpp"
#include "tenon/backend/reference/cross_entropy.hpp"
#include "tenon/backend/reference/numbers.hpp"

#include <doctest/doctest.h>

#include <utility>
#include <vector>

namespace tenon::test {

// The gradient of `scale` times each row's loss, and the sum of the losses.
template <int C, class T>
double sum_on_cuda(int rows, const T* logits, std::ptrdiff_t stride, const int* targets, double scale,
                   T* gradient) {
  int counted = 0;
  for (int r = 0; r < rows; ++r) counted += targets[r] >= 0 ? 1 : 0;
  backend::positions_sum own;
  backend::run_numbers run;
  T mean = 0;
  mean_cross_entropy<C>(backend::cuda{}, rows, logits, stride, targets, scale * counted, gradient,
                        backend::loss_numbers<T>{&own, &run, &mean});
  CHECK(own.count == counted);
  CHECK(run.positions == counted);
  CHECK(mean == static_cast<T>(run.loss));
  CHECK(own.sum == doctest::Approx(run.loss * counted).epsilon(1e-14));
  return own.sum / (scale * counted);
}
template <int C, class T>
void check_cross_entropy(int rows, double spread) {
  CAPTURE(C);
  CAPTURE(rows);
  noise random(std::uint64_t(C + rows));
  guarded_rows<T> logits(rows, C, C + 3), gradient(rows, C);
  logits.fill([&](int, int) { return spread * random(); });
  std::vector<int> targets;
  for (int r = 0; r < rows; ++r) targets.push_back(r % 3 == 1 ? -1 : (r * 7919 + C / 2) % C);
  const std::vector<double> logits_ = logits.numbers();
  std::vector<double> gradient_(logits_.size());
  const double loss =
      sum_on_cuda<C>(rows, logits.data(), logits.stride, targets.data(), 0.25, gradient.data());
  const double loss_ = backend::sum_cross_entropy<C>(backend::reference{}, rows, logits_.data(), C,
                                                     targets.data(), 0.25, gradient_.data());
  const double near_enough = 8 * static_cast<double>(std::numeric_limits<T>::epsilon());
  CHECK(std::abs(loss - loss_) <= near_enough * (rows + std::abs(loss_)));
  CHECK(distance(gradient, gradient_) <= near_enough);
  CHECK(logits.intact());
  CHECK(gradient.intact());
}
TEST_CASE("few classes: a warp for each row") {
  check_cross_entropy<1, float>(1, 1);
  check_cross_entropy<10, float>(9, 3);
  check_cross_entropy<33, double>(17, 30);
}
TEST_CASE("many classes: a block for each row") {
  check_cross_entropy<257, float>(2, 3);
  check_cross_entropy<1000, double>(3, 3);
  check_cross_entropy<32000, float>(2, 5);
}
TEST_CASE("more rows than a block has threads") { check_cross_entropy<2, float>(700, 1); }
TEST_CASE("a class that is all but sure: no digit of its gradient is lost") {
  constexpr int C = 3;
  const float logits[C]{20, 0, -1};
  const double logits_[C]{20, 0, -1};
  const int target = 0;
  float gradient[C];
  double gradient_[C];
  sum_on_cuda<C>(1, logits, C, &target, 1.0, gradient);
  backend::sum_cross_entropy<C>(backend::reference{}, 1, logits_, C, &target, 1.0, gradient_);
  for (int c = 0; c < C; ++c) CHECK(gradient[c] == doctest::Approx(gradient_[c]).epsilon(1e-6));
}

// With few positions, which one block adds up, and with more.
void check_positions(int steps, int rows, bool ends_early, bool is_weighted) {
  CAPTURE(steps);
  CAPTURE(ends_early);
  CAPTURE(is_weighted);
  noise random(std::uint64_t(steps + rows));
  std::vector<float> values, counts;
  std::vector<int> lengths;
  for (int k = 0; k < steps * rows; ++k) {
    values.push_back(float(random()));
    counts.push_back(float(k % 3) / 2);
  }
  for (int r = 0; r < rows; ++r) lengths.push_back(r * 7 % (steps + 1));
  const backend::operand<const float> x{values.data(), 1, rows},
      weight{is_weighted ? counts.data() : nullptr, 1, rows};
  const int* const ends = ends_early ? lengths.data() : nullptr;
  backend::positions_sum ours, theirs;
  backend::run_numbers run{.loss = 1, .positions = 5}, run_ = run;
  float mean = 0, mean_ = 0;
  mean_positions(backend::cuda{}, steps, rows, ends, x, weight, 0.5,
                 backend::loss_numbers<float>{&ours, &run, &mean});
  mean_positions(backend::reference{}, steps, rows, ends, x, weight, 0.5,
                 backend::loss_numbers<float>{&theirs, &run_, &mean_});
  CHECK(ours.sum == doctest::Approx(theirs.sum).epsilon(1e-12));
  CHECK(ours.count == theirs.count);
  CHECK(run.loss == doctest::Approx(run_.loss).epsilon(1e-12));
  CHECK(run.positions == run_.positions);
  CHECK(mean == doctest::Approx(mean_));
}
TEST_CASE("means over positions: of steps up to their ends, and of what each counts") {
  for (bool ends_early : {false, true})
    for (bool is_weighted : {false, true}) {
      check_positions(4, 3, ends_early, is_weighted);
      check_positions(32, 128, ends_early, is_weighted);
      check_positions(61, 100, ends_early, is_weighted);
    }
}

// --- shards of a batch -------------------------------------------------------------------------------------------

// Rows in two shards have the gradients of the whole batch, and shares of its loss. The batch's count is known before.
template <class Backend>
void check_shards_of_cross_entropy() {
  constexpr int C = 5, rows = 12, first = 8;
  noise random(7);
  std::vector<float> logits, whole(rows * C), cut(rows * C);
  std::vector<int> targets;
  for (int k = 0; k < rows * C; ++k) logits.push_back(float(random()));
  for (int r = 0; r < rows; ++r) targets.push_back(r % 3 == 1 ? -1 : r % C);
  backend::positions_sum all, of_shard;
  backend::run_numbers run, run_of_shards;
  float mean = 0;
  mean_cross_entropy<C>(Backend{}, rows, logits.data(), C, targets.data(), 0.5, whole.data(),
                        backend::loss_numbers<float>{&all, &run, &mean});
  double sum = 0;
  for (const auto& [from, count] : {std::pair(0, first), std::pair(first, rows - first)}) {
    of_shard = {0, all.count};
    mean_cross_entropy<C>(
        Backend{}, count, logits.data() + from * C, C, targets.data() + from, 0.5, cut.data() + from * C,
        backend::loss_numbers<float>{&of_shard, &run_of_shards, &mean, backend::loss_count::known});
    sum += of_shard.sum;
    CHECK(of_shard.count == all.count);
  }
  CHECK((cut == whole));
  CHECK(sum == doctest::Approx(all.sum).epsilon(1e-12));
  CHECK(run_of_shards.loss == doctest::Approx(run.loss).epsilon(1e-12));
  CHECK(run_of_shards.positions == 0);  // which the trainer knows
}
template <class Backend>
void check_shards_of_positions(bool is_weighted) {
  CAPTURE(is_weighted);
  constexpr int rows = 9, first = 4;
  std::vector<float> values, counts;
  for (int r = 0; r < rows; ++r) {
    values.push_back(float(r * r));
    counts.push_back(float(r % 3));
  }
  const auto from = [](const std::vector<float>& numbers, int row) {
    return backend::operand<const float>{numbers.data() + row, 1, rows};
  };
  const auto run_on = [&](int row, int count, backend::positions_sum& own, backend::run_numbers& run,
                          backend::loss_count by, float& mean) {
    mean_positions(Backend{}, 1, count, nullptr, from(values, row),
                   is_weighted ? from(counts, row) : backend::operand<const float>{}, 0.5,
                   backend::loss_numbers<float>{&own, &run, &mean, by});
  };
  const backend::loss_count by = is_weighted ? backend::loss_count::open : backend::loss_count::known;
  backend::positions_sum all;
  backend::run_numbers run, run_of_shards;
  float mean = 0;
  run_on(0, rows, all, run, backend::loss_count::own, mean);
  backend::positions_sum one{0, all.count}, other{0, all.count};
  run_on(0, first, one, run_of_shards, by, mean);
  run_on(first, rows - first, other, run_of_shards, by, mean);
  CHECK(one.sum + other.sum == doctest::Approx(all.sum).epsilon(1e-12));
  CHECK(run_of_shards.positions == 0);
  if (is_weighted) {
    CHECK(one.count + other.count == all.count);
    CHECK(run_of_shards.loss == 0);
    CHECK(mean == doctest::Approx(other.sum / other.count));  // until more is known
  } else {
    CHECK(one.count == all.count);
    CHECK(run_of_shards.loss == doctest::Approx(run.loss).epsilon(1e-12));
    CHECK(mean == doctest::Approx(other.sum / all.count));
  }
  std::vector<float> whole(rows), cut(rows);
  const auto gradient = [&](int row, int count, const backend::positions_sum& own, std::vector<float>& to) {
    positions_gradient(Backend{}, 1, count, nullptr, 0.5, &own,
                       backend::operand<float>{to.data() + row, 1, rows});
  };
  one.count = other.count = all.count;
  gradient(0, rows, all, whole);
  gradient(0, first, one, cut);
  gradient(first, rows - first, other, cut);
  CHECK((cut == whole));
}
TEST_CASE_TEMPLATE("shards of a batch share its loss and have its gradients", B, backend::reference,
                   backend::thrust_device, backend::cuda) {
  check_shards_of_cross_entropy<B>();
  for (bool is_weighted : {false, true}) check_shards_of_positions<B>(is_weighted);
}

}  // namespace tenon::test
