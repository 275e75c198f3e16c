#include "naive.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace {

constexpr float most = 6;  // beyond it a sigmoid is 0 or 1
constexpr int steps = 1000;

struct sigmoid_table {
  float at[steps];
  sigmoid_table() {
    for (int k = 0; k < steps; ++k) {
      const float e = std::exp((2 * static_cast<float>(k) / steps - 1) * most);
      at[k] = e / (e + 1);
    }
  }
};
const sigmoid_table sigmoids;

template <bool InAnyOrder>
float dot(const float* x, const float* y, int size) {
  if constexpr (InAnyOrder) {
    float sums[16]{};
    int k = 0;
    for (; k + 16 <= size; k += 16)
      for (int j = 0; j < 16; ++j) sums[j] += x[k + j] * y[k + j];
    for (; k < size; ++k) sums[0] += x[k] * y[k];
    float sum = 0;
    for (int j = 0; j < 16; ++j) sum += sums[j];
    return sum;
  } else {
    float sum = 0;
    for (int k = 0; k < size; ++k) sum += x[k] * y[k];
    return sum;
  }
}

// One step for x: candidate 0 is right. The gradient of x is added to `slope`.
template <bool InAnyOrder>
void step(naive_tables& tables, const float* x, const std::vector<int>& candidates, float rate, float* slope) {
  const int size = tables.dimensions;
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    float* const y = tables.outside.data() + std::ptrdiff_t(candidates[c]) * size;
    const float score = dot<InAnyOrder>(x, y, size), label = c == 0 ? 1 : 0;
    const float chance = score > most ? 1 : score < -most ? 0 : sigmoids.at[static_cast<int>((score + most) * (steps / most / 2))];
    const float g = (label - chance) * rate;
    for (int k = 0; k < size; ++k) slope[k] += g * y[k];
    for (int k = 0; k < size; ++k) y[k] += g * x[k];
  }
}

template <bool InAnyOrder>
void train(naive_tables& tables, const tenon::word_windows& windows, const tenon::alias_table& noise, const naive_options& how) {
  const int size = tables.dimensions;
  tenon::backend::random_stream random(1, 1);
  std::vector<int> context, candidates;
  std::vector<float> mean(static_cast<std::size_t>(size)), slope(static_cast<std::size_t>(size));
  for (int epoch = 1; epoch <= how.epochs; ++epoch) {
    const tenon::word_windows::epoch rows = windows.of_epoch(epoch);
    for (int row = 0; row < rows.size(); ++row) {
      const double done = (epoch - 1 + static_cast<double>(row) / rows.size()) / how.epochs;
      const float rate = static_cast<float>(how.rate * std::fmax(1e-4, 1 - done));
      context.clear();
      candidates.clear();
      rows.append_context(row, context);
      rows.append_candidates(row, candidates);
      if (how.is_bag) {
        for (float& x : mean) x = 0;
        for (float& x : slope) x = 0;
        for (int word : context)
          for (int k = 0; k < size; ++k) mean[std::size_t(k)] += tables.inside[std::size_t(word * size + k)];
        for (float& x : mean) x /= static_cast<float>(context.size());
        step<InAnyOrder>(tables, mean.data(), candidates, rate, slope.data());
        for (int word : context)
          for (int k = 0; k < size; ++k) tables.inside[std::size_t(word * size + k)] += slope[std::size_t(k)];
        continue;
      }
      for (std::size_t c = 0; c < context.size(); ++c) {
        if (how.draws_for_each && c > 0)
          for (std::size_t k = 1; k < candidates.size();)
            if (const int word = noise.draw(random); word != candidates[0]) candidates[k++] = word;
        float* const x = tables.inside.data() + std::ptrdiff_t(context[c]) * size;
        for (float& s : slope) s = 0;
        step<InAnyOrder>(tables, x, candidates, rate, slope.data());
        for (int k = 0; k < size; ++k) x[k] += slope[std::size_t(k)];
      }
    }
  }
}

}  // namespace

naive_tables::naive_tables(int words, int size, tenon::seed s)
    : dimensions(size), inside(std::size_t(words) * std::size_t(size)), outside(inside.size()) {
  tenon::backend::random_stream random(s.value, 0);
  for (float& x : inside) x = static_cast<float>((random.uniform() - 0.5) / size);
}
void train_naively(naive_tables& tables, const tenon::word_windows& windows, const tenon::alias_table& noise, const naive_options& how) {
  if (how.adds_in_any_order) train<true>(tables, windows, noise, how);
  else train<false>(tables, windows, noise, how);
}
