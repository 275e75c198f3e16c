// Trains on the first 20 windows of a text, carrying the state from one to the next, and compares with PyTorch's losses in a golden file.
#pragma once

#include "golden/golden.hpp"
#include "tenon/data/contiguous.hpp"
#include "tenon/train/schedules/schedule.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>

namespace tenon::test {

template <class Data, class Trainer>
void check_first_windows(const golden::file& f, const Data& data, Trainer& train,
                         const schedules::schedule& rate, double tolerance) {
  REQUIRE(data.windows(train) == 20);
  data.start(train);
  for (int k = 0; k < 20; ++k) {
    data.set_window(train, k);
    train.optimizer().learning_rate = rate({.step = k, .steps = 20});
    const double expected = static_cast<double>(f["losses"].values[static_cast<std::size_t>(k)]);
    CAPTURE(k);
    CHECK(std::abs(static_cast<double>(train.step()) - expected) <= tolerance * expected);
    data.carry(train);
  }
}

}  // namespace tenon::test
