// What the examples of decoders share: a decoder reads a sequence of digits and writes digits, one after the other.
#pragma once

#include <tenon/tenon.hpp>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace digit_writing {

using sequence = std::vector<int>;

constexpr int longest = 12, start = 10;  // `start` is the token before the first digit

// Sequence `row` of a set: 3 to 12 digits.
inline sequence some_digits(tenon::seed set, int row) {
  tenon::backend::random_stream random(set.value, static_cast<std::uint64_t>(row));
  sequence digits(3 + random.below(longest - 2));
  for (int& digit : digits) digit = static_cast<int>(random.below(10));
  return digits;
}

// Trains Model to write wanted(digits), with teacher forcing. The model's inputs are "digits" and "written".
template <tenon::concepts::Graph Model, class Wanted>
void train(tenon::parameters<Model>& theta, int steps, double rate, Wanted wanted) {
  constexpr int batch = 32;
  const int rows = batch * steps;
  const auto digits = [](int row) { return some_digits(tenon::seed{1}, row); };
  const auto data = tenon::data_set(tenon::column<"digits">(rows, digits),
                                    tenon::column<"written">(rows, [=](int row) { return tenon::decoding::shifted_right(wanted(digits(row)), start); }),
                                    tenon::column<"target">(rows, [=](int row) { return wanted(digits(row)); }));
  tenon::trainer<Model, tenon::losses::cross_entropy<"logits">, tenon::optimizers::adam, tenon::batch<batch>> trainer(theta);
  tenon::fit(trainer, data, {.schedule = tenon::schedules::cosine(rate), .label = "training", .log = stdout});
}

// The share of 200 new sequences that Model writes without a mistake when it reads the digits that it has written itself.
template <tenon::concepts::Graph Model, class Wanted>
double share_right(const tenon::parameters<Model>& theta, Wanted wanted) {
  const auto digits = [](int row) { return some_digits(tenon::seed{2}, row); };
  tenon::streaming<Model, tenon::batch<50>> writer(theta);
  auto write = tenon::greedy<"written">(writer, {.start = start, .max_steps = longest});
  const std::vector<sequence> written = predict(write, tenon::data_set(tenon::column<"digits">(200, digits)));
  int right = 0;
  for (int row = 0; row < 200; ++row) {
    const sequence expected = wanted(digits(row));
    right += std::equal(expected.begin(), expected.end(), written[static_cast<std::size_t>(row)].begin());
  }
  return right / 200.0;
}

}  // namespace digit_writing
