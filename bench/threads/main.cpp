// Training steps in one piece, in two shards on one thread, and in two shards on two threads; and the limit for two
// threads that share nothing: each trains its own network in one piece, and the time of both is halved. Real time,
// not processor time; all take turns. On a machine that does other work only the best time is meaningful, and each
// thread is pinned to its own core.
#include "../examples/arguments.hpp"
#include "networks/tenon.hpp"
#include "support/quantile.hpp"

#include <sched.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

using namespace bench;

// Pins the calling thread, which is the first, to core 0 and the others to the cores after it, wrapping around.
void keep_apart() {
  namespace fs = std::filesystem;
  const auto cores = static_cast<std::size_t>(sysconf(_SC_NPROCESSORS_ONLN));
  std::vector<int> threads;
  for (const auto& entry : fs::directory_iterator("/proc/self/task"))
    threads.push_back(std::stoi(entry.path().filename().string()));
  std::sort(threads.begin(), threads.end());
  for (std::size_t k = 0; k < threads.size(); ++k) {
    cpu_set_t cores_of_thread;
    CPU_ZERO(&cores_of_thread);
    CPU_SET(k == 0 || cores == 1 ? 0 : 1 + (k - 1) % (cores - 1), &cores_of_thread);
    sched_setaffinity(threads[k], sizeof cores_of_thread, &cores_of_thread);
  }
}

template <class Trainer>
class contestant {
 public:
  template <class... Threads>
  explicit contestant(const network_work& w, Threads... threads)
      : work_(w), train_(theta_, {.learning_rate = 1e-4}, {}, threads...) {}

  double seconds_of_step() {
    const auto start = std::chrono::steady_clock::now();
    give_inputs(train_, work_);
    if constexpr (std::same_as<graph, index_lookup_graph>) set_input<"index">(train_, work_.index);
    const std::ptrdiff_t batch = work_.batch, steps = work_.steps();
    if constexpr (std::same_as<graph, characters_graph>)
      set_input<"target">(train_, tenon::view<const int>(work_.target.data(), {batch, steps}, {steps, 1}));
    else set_input<"target">(train_, work_.target);
    train_.step();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

 private:
  using graph = typename std::remove_cvref_t<decltype(std::declval<Trainer&>().gradients())>::graph_type;
  const network_work& work_;
  tenon::parameters<graph> theta_{first_parameters};
  Trainer train_;
};

template <class G, int Batch>
void compare(std::ofstream& table, network which, double seconds, int hidden = 0) {
  const network_work work(which, true, Batch, hidden);
  using loss = tenon::losses::cross_entropy<"logits">;
  using cut_trainer = tenon::trainer<G, loss, tenon::optimizers::adam, tenon::batch<Batch>, tenon::shards<2>>;
  using whole_trainer = tenon::trainer<G, loss, tenon::optimizers::adam, tenon::batch<Batch>>;
  contestant<whole_trainer> whole(work),
      apart[]{contestant<whole_trainer>(work), contestant<whole_trainer>(work)};
  tenon::engine::thread_pool both(2);
  contestant<cut_trainer> one(work, tenon::threads{1}), two(work, tenon::threads{2});
  keep_apart();
  std::vector<double> times[4];
  const auto some_steps_in_a_row = [](auto& of, std::vector<double>& seconds_of) {
    for (int k = 0; k < 4; ++k) seconds_of.push_back(of.seconds_of_step());
  };
  const auto start = std::chrono::steady_clock::now();
  do {
    some_steps_in_a_row(whole, times[0]);
    some_steps_in_a_row(one, times[1]);
    some_steps_in_a_row(two, times[2]);
    for (int k = 0; k < 4; ++k) {
      double seconds_of[2];
      both.parallel_for(2, [&](int t) { seconds_of[t] = apart[t].seconds_of_step(); });
      times[3].push_back(std::max(seconds_of[0], seconds_of[1]) / 2);
    }
  } while (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < seconds);
  std::printf("%s\n", work.describe().name.c_str());
  const char* const columns[]{"in one piece", "2 shards on one thread", "Tenon",
                              "limit: two threads that share nothing"};
  for (int k : {2, 1, 0, 3})  // the page's order, where ratios are to the first
    table << "Training step on two threads, real time\t" << work.describe().name << '\t' << columns[k] << '\t'
          << quantile(times[k], 0.5) << '\t' << quantile(times[k], 0.25) << '\t' << quantile(times[k], 0.75)
          << "\t0\t0\n";
  const char* const names[]{"one piece", "2 shards, 1 thread", "2 shards, 2 threads",
                            "2 threads apart, half"};
  for (int k = 0; k < 4; ++k)
    std::printf("  %-21s best %9.1f us, median %9.1f us; one piece takes x%.2f (median x%.2f)\n", names[k],
                1e6 * quantile(times[k], 0), 1e6 * quantile(times[k], 0.5),
                quantile(times[0], 0) / quantile(times[k], 0),
                quantile(times[0], 0.5) / quantile(times[k], 0.5));
  std::fflush(stdout);
}

int compare_all(const std::string& path, double seconds) {
  std::ofstream table;
  if (!path.empty()) table.open(path, std::ios::app);
  compare<index_lookup_graph, 64>(table, network::index_lookup, seconds);
  compare<index_lookup_graph, 128>(table, network::index_lookup, seconds);
  compare<surnames_graph, 64>(table, network::surnames, seconds);
  compare<surnames_graph, 128>(table, network::surnames, seconds);
  compare<characters_graph, 64>(table, network::characters, seconds);
  compare<stack_graph<128>, 64>(table, network::stack, seconds, 128);
  compare<stack_graph<256>, 64>(table, network::stack, seconds, 256);
  return 0;
}

}  // namespace

int main(int count, char** words) {
  std::string path;
  double seconds = 4;
  return command_line::program("bench_threads: what threads save of a training step", count, words,
                               {{"--seconds", &seconds, "how long each network is measured"},
                                {"--table", &path, "a file to which bench/run wants the rows appended"}},
                               [&] { return compare_all(path, seconds); });
}
