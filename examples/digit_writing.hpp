// Sequences of digits that are written again, digit after digit: what the examples of decoders share.
#pragma once

#include <tenon/tenon.hpp>

#include <cstdio>
#include <random>
#include <vector>

namespace digit_writing {

using digits = std::vector<std::vector<int>>;

constexpr int longest = 12, start = 10;  // `start` is the token in front of the first digit

inline digits some_digits(int count, std::mt19937& random) {
  digits all(static_cast<std::size_t>(count));
  for (auto& one : all)
    for (auto n = 3 + random() % (longest - 2); n > 0; --n) one.push_back(static_cast<int>(random() % 10));
  return all;
}
// What stands in front of each digit.
inline digits shifted(digits all) {
  for (auto& one : all) one.insert(one.begin(), start), one.pop_back();
  return all;
}

// Trains Model to write wanted(digits), the right digits in front of it. Its inputs: "digits", and "written".
template <tenon::Graph Model, class Wanted>
tenon::parameters<Model> train(int steps, double rate, std::mt19937& random, Wanted wanted) {
  constexpr int rows = 32;
  tenon::parameters<Model> theta(tenon::seed{2});
  tenon::trainer<Model, tenon::cross_entropy<"logits">, tenon::adam, tenon::batch<rows>> learner(theta, {.rate = rate});
  for (int step = 1; step <= steps; ++step) {
    const digits given = some_digits(rows, random), target = wanted(given);
    learner.template input<"digits">(given);
    learner.template input<"written">(shifted(target));
    learner.template input<"target">(target);
    learner.rule().rate = tenon::cosine(rate, step, steps);
    const float loss = learner.step();
    if (step % 250 == 0) std::printf("step %4d  loss %.4f\n", step, static_cast<double>(loss));
  }
  return theta;
}

// The share of new sequences that it writes without a mistake, each digit from those that it has written itself.
template <tenon::Graph Model, class Wanted>
double share_right(const tenon::parameters<Model>& theta, std::mt19937& random, Wanted wanted) {
  tenon::inference<Model, tenon::batch<200>> writer;
  const digits given = some_digits(200, random), target = wanted(given);
  digits found = target;
  for (auto& one : found) one.assign(one.size(), 0);
  writer.template input<"digits">(given);
  for (std::size_t t = 0; t < longest; ++t) {
    writer.template input<"written">(shifted(found));
    writer.run(theta);
    const auto logits = writer.template output<"logits">();  // [rows, steps, 10]
    for (std::size_t r = 0; r < found.size(); ++r)
      if (t < found[r].size()) {
        int best = 0;
        for (int k = 1; k < 10; ++k)
          if (logits(r, t, k) > logits(r, t, best)) best = k;
        found[r][t] = best;
      }
  }
  int right = 0;
  for (std::size_t r = 0; r < found.size(); ++r) right += found[r] == target[r];
  return right / 200.0;
}

}  // namespace digit_writing
