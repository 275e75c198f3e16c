// How the programs of bench/gpu measure and print: one line for each number, with section, row, column and microseconds separated by
// tabs. page.cpp makes tables of such lines.
#pragma once

#include <tenon/backend/cuda/cuda.hpp>
#include <tenon/on_device.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace bench {

inline void finish() {  // waits for all queued work
  tenon::backend::wait_for(tenon::backend::thrust_device{},
                           tenon::backend::current_stream(tenon::backend::thrust_device{}));
}
// The length of one measurement; a program's argument.
inline double& seconds() {
  static double all = 0.5;
  return all;
}
// Microseconds of one call of f, with calls queued one after the other: the median of nine rounds, each of `seconds` / 9 or one call.
template <class F>
double microseconds_of(F f) {
  using clock = std::chrono::steady_clock;
  const auto round = [&](int calls) {
    const auto start = clock::now();
    for (int k = 0; k < calls; ++k) f();
    finish();
    return std::chrono::duration<double, std::micro>(clock::now() - start).count() / calls;
  };
  round(2);  // code is loaded, weights are packed
  const int calls = std::clamp(static_cast<int>(seconds() / 9 * 1e6 / round(1)), 1, 10000);
  std::vector<double> rounds;
  for (int k = 0; k < 9; ++k) rounds.push_back(round(calls));
  std::nth_element(rounds.begin(), rounds.begin() + 4, rounds.end());
  return rounds[4];
}
inline void say(const std::string& section, const std::string& row, const std::string& column,
                double microseconds) {
  std::printf("%s\t%s\t%s\t%.4g\n", section.c_str(), row.c_str(), column.c_str(), microseconds);
  std::fflush(stdout);
}

// Numbers and tokens on the device, the same for all programs.
inline std::vector<float> numbers(std::size_t count) {
  std::vector<float> all(count);
  tenon::backend::random_stream random(7, 0);
  for (float& x : all) x = static_cast<float>(random.below(2001)) / 1000 - 1;
  return all;
}
inline std::vector<int> whole_numbers(std::size_t count, int from, int to) {
  std::vector<int> all(count);
  tenon::backend::random_stream random(8, 0);
  for (int& n : all) n = from + static_cast<int>(random.below(static_cast<std::uint32_t>(to - from + 1)));
  return all;
}

// The main function of every program. Arguments: none, or the seconds of a measurement.
template <class F>
int run(F f, int count, char** arguments) {
  try {
    if (count > 1) seconds() = std::stod(arguments[1]);
    f();
    return 0;
  } catch (const std::exception& error) {  // no device, too little memory
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

}  // namespace bench
