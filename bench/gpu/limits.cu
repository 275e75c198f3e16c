// The most that the card can do: bytes copied, and multiply-adds with all numbers in registers. Rows are GB/s and GFLOP/s, not microseconds.
#include "measure.hpp"

#include <thrust/copy.h>
#include <thrust/device_vector.h>

// Sixteen independent sums, so that no addition waits for the one before.
struct multiply_adds {
  static constexpr int sums = 16, turns = 1024;
  float* out;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t index) const {
    float sum[sums], x = static_cast<float>(index) * 1e-9f;
    for (int k = 0; k < sums; ++k) sum[k] = x + static_cast<float>(k);
    for (int t = 0; t < turns; ++t)
      for (int k = 0; k < sums; ++k) sum[k] = sum[k] * 0.999f + x;
    float all = 0;
    for (int k = 0; k < sums; ++k) all += sum[k];
    out[index] = all;
  }
};

void measure() {
  const bool on_card = THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA;
  const std::size_t count = on_card ? std::size_t(1) << 28 : std::size_t(1) << 22,
                    threads = on_card ? std::size_t(1) << 20 : 64;
  const thrust::device_vector<float> from(count, 1.0f);
  thrust::device_vector<float> to(count);
  const auto policy = tenon::backend::thrust_detail::policy();
  const double copy =
      bench::microseconds_of([&] { thrust::copy(policy, from.begin(), from.end(), to.begin()); });
  bench::say("limits", "copy, read and written: GB/s", "measured",
             2e-3 * double(count) * sizeof(float) / copy);
  const multiply_adds one{thrust::raw_pointer_cast(to.data())};
  const double adds = bench::microseconds_of(
      [&] { tenon::backend::thrust_detail::for_each_index(static_cast<std::ptrdiff_t>(threads), one); });
  bench::say("limits", "multiply-adds in float: GFLOP/s", "measured",
             2e-3 * double(threads) * multiply_adds::sums * multiply_adds::turns / adds);
}

int main(int count, char** arguments) { return bench::run(measure, count, arguments); }
