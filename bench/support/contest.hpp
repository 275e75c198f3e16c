// run_contest: several contenders do the same work; their answers are compared, then they are timed.
#pragma once

#include "support/contender.hpp"
#include "support/quantile.hpp"

#include <benchmark/benchmark.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace bench {

namespace detail {

struct result {
  std::string name;
  std::vector<double> seconds{};  // of the processor, one for each repetition
};

class collector : public benchmark::BenchmarkReporter {
 public:
  std::vector<result> results;

  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& r : runs) {
      if (r.run_type != Run::RT_Iteration) continue;
      const std::string name = r.run_name.function_name;
      auto found =
          std::find_if(results.begin(), results.end(), [&](const result& x) { return x.name == name; });
      if (found == results.end()) found = results.insert(results.end(), {name});
      const bool by_itself = r.run_name.time_type == "manual_time";
      found->seconds.push_back((by_itself ? r.real_accumulated_time : r.cpu_accumulated_time) /
                               static_cast<double>(r.iterations));
    }
  }
};

// The largest difference minus the tolerance; below 0 if the answers agree.
inline double excess(std::span<const float> got, std::span<const float> expected, double tolerance) {
  if (got.size() != expected.size()) return INFINITY;
  double worst = -1;
  for (std::size_t k = 0; k < got.size(); ++k) {
    const double difference = std::abs(double(got[k]) - double(expected[k]));
    const double beyond = difference - tolerance * std::max(1.0, std::abs(double(expected[k])));
    if (!(beyond <= worst)) worst = beyond;
  }
  return worst;
}

// Restricts every library to one thread. They read these variables before main, so the program starts itself again.
inline void insist_on_one_thread(char** given) {
  const char* const names[]{"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"};
  if (std::getenv(names[0]) != nullptr && std::getenv(names[0]) == std::string("1") &&
      std::getenv(names[1]) != nullptr)
    return;
  for (const char* name : names) setenv(name, "1", 1);
  execv("/proc/self/exe", given);
  std::perror("bench: could not start again with one thread");
  std::exit(2);
}

// Shifts the next allocations within a page. Two arrays may compete for the same cache sets, or a load may wait for a
// store to an address that looks the same: no contender should have that in every run, or in none.
inline std::unique_ptr<std::byte[]> random_distance() {
  static std::random_device random;
  return std::make_unique<std::byte[]>(64 * (random() % 64 + 1));
}

}  // namespace detail

// Runs all works and appends a line to the file of --table=FILE for each contender of each work: group, row,
// contender, median, lower and upper quartile of the seconds, multiply-adds, bytes, what is counted. In a group
// "memory of ..." the numbers are bytes instead of seconds. Returns 1 if an answer is wrong.
template <class Work>
int compete(int count, char** given, const std::vector<Work>& works) {
  detail::insist_on_one_thread(given);
  // Blocks mapped separately would all start at the same place of a page; and memory returned to the system would
  // have to be mapped again, page by page, by a contender that allocates in each run.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  std::string table, only;
  std::vector<std::string> words{given[0], "--benchmark_enable_random_interleaving=true",
                                 "--benchmark_repetitions=11", "--benchmark_min_time=0.02"};
  for (int k = 1; k < count; ++k) {
    const std::string word = given[k];
    if (word.starts_with("--table=")) table = word.substr(8);
    else if (word.starts_with("--only=")) only = word.substr(7);
    else words.push_back(word);
  }
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  int length = static_cast<int>(pointers.size());
  benchmark::Initialize(&length, pointers.data());
  if (benchmark::ReportUnrecognizedArguments(length, pointers.data())) return 2;

  auto& entries = contest<Work>::entries();
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    return a.place != b.place ? a.place < b.place : a.name < b.name;
  });
  bool all_agree = true;
  for (const Work& work : works) {
    const row r = work.describe();
    const std::string title = r.group + ", " + r.name;
    if (title.find(only) == std::string::npos) continue;
    std::vector<std::unique_ptr<std::byte[]>> distances;
    std::vector<std::unique_ptr<contender>> running;
    std::vector<float> expected;
    std::string judge;
    for (const auto& e : entries) {
      distances.push_back(detail::random_distance());
      auto made = e.make(work);
      if (!made) continue;
      made->reset();
      for (int k = 0; k < r.runs_to_check; ++k) made->run();
      const std::span<const float> answer = made->output();
      if (expected.empty()) {
        expected.assign(answer.begin(), answer.end());
        judge = e.name;
      }
      if (const double beyond = answer.empty() ? -1 : detail::excess(answer, expected, r.tolerance + e.error);
          !(beyond < 0)) {
        std::fprintf(stderr, "%s: '%s' disagrees with '%s' by %g more than the tolerance of %g\n",
                     title.c_str(), e.name.c_str(), judge.c_str(), beyond, r.tolerance + e.error);
        all_agree = false;
        continue;
      }
      if (const double bytes = r.asks_memory ? made->peak_bytes() : 0; bytes > 0) {
        std::printf("memory of a %s: %s %.1f KiB\n", title.c_str(), e.name.c_str(), bytes / 1024);
        if (!table.empty())
          std::ofstream(table, std::ios::app)
              << "memory of a " << r.group << '\t' << r.name << '\t' << e.name << '\t' << bytes << '\t'
              << bytes << '\t' << bytes << "\t0\t0\t0\n";
      }
      if (made->seconds_of(1) > 0)
        benchmark::RegisterBenchmark(e.name.c_str(), [runner = made.get()](benchmark::State& state) {
          const long runs = static_cast<long>(state.max_iterations);
          const double seconds = runner->seconds_of(runs) / static_cast<double>(runs);
          for (auto _ : state) state.SetIterationTime(seconds);
        })->UseManualTime();
      else
        benchmark::RegisterBenchmark(e.name.c_str(), [runner = made.get()](benchmark::State& state) {
          [[maybe_unused]] const auto held = runner->around_all_runs();
          for (auto _ : state) {
            runner->run();
            benchmark::ClobberMemory();
          }
        });
      running.push_back(std::move(made));
    }
    detail::collector collected;
    benchmark::RunSpecifiedBenchmarks(&collected);
    benchmark::ClearRegisteredBenchmarks();
    std::ofstream file;
    if (!table.empty()) file.open(table, std::ios::app);
    std::printf("%s\n", title.c_str());
    double first = 0;
    for (const auto& e : entries)  // in the order of the table, not of the first repetitions
      for (const detail::result& x : collected.results) {
        if (x.name != e.name) continue;
        const double median = quantile(x.seconds, 0.5);
        if (first == 0) first = median;
        const double low = quantile(x.seconds, 0.25), high = quantile(x.seconds, 0.75);
        std::printf("  %-28s %12.3f us  (%.3f .. %.3f)  %6.1f GFLOP/s  x%.2f\n", x.name.c_str(), median * 1e6,
                    low * 1e6, high * 1e6, 2e-9 * r.multiply_adds / median, median / first);
        if (file)
          file << r.group << '\t' << r.name << '\t' << x.name << '\t' << median << '\t' << low << '\t' << high
               << '\t' << r.multiply_adds << '\t' << r.bytes_read << '\t' << r.counted << '\n';
      }
    std::fflush(stdout);
  }
  benchmark::Shutdown();
  return all_agree ? 0 : 1;
}

}  // namespace bench
