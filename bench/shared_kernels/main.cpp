// What threads that share the kernels of one network save: beside one thread, beside the limit of two networks that run side by side and
// share nothing (the time of both is halved), and beside PyTorch on as many threads. Real time, not processor time; all take turns.
#include "../examples/arguments.hpp"
#include "shared_kernels/work.hpp"
#include "support/quantile.hpp"
#include <tenon/tenon.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>

namespace {

using namespace bench;
using clock_type = std::chrono::steady_clock;

template <class Layer>
using network =
    tenon::graph<"network",
                 tenon::input<"x", tenon::features<shared_work::width>, tenon::steps<shared_work::steps>>,
                 tenon::node<"h", Layer, "x">, tenon::node<"y", tenon::nn::linear<shared_work::answers>, "h">,
                 tenon::output<"y">>;
using lstms = network<tenon::nn::lstm<shared_work::width, tenon::layers<2>>>;
using block = network<
    tenon::nn::transformer_encoder<shared_work::width, shared_work::heads, shared_work::feed_forward>>;

template <class G, int Rows>
class tenon_network final : public contender {
  const shared_work& work;
  tenon::parameters<G> theta{tenon::seed{7}};
  tenon::inference<G, tenon::batch<Rows>> run_;
  tenon::trainer<G, tenon::losses::mse<"y">, tenon::optimizers::adam, tenon::batch<Rows>> train_;
  mutable std::vector<float> answer;

  tenon::view<const float> shown(const std::vector<float>& of, std::ptrdiff_t size) const {
    return {of.data(), {Rows, shared_work::steps, size}, {shared_work::steps * size, size, 1}};
  }

 public:
  tenon_network(const shared_work& w, int threads)
      : work(w),
        run_(theta, tenon::threads{threads}),
        train_(theta, {.learning_rate = 1e-4}, {}, tenon::threads{threads}) {
    set_input<"x">(run_, shown(w.x, shared_work::width));
    set_input<"x">(train_, shown(w.x, shared_work::width));
    set_input<"target">(train_, shown(w.target, shared_work::answers));
  }
  void name_parameters(shared_work& to) const {
    std::as_const(theta).for_each([&](std::string_view path, auto v) {
      to.parameters[std::string(path)].assign(v.data(), v.data() + v.size());
    });
  }
  void run() override {
    if (work.training) answer = {train_.step()};
    else run_.run();
  }
  std::span<const float> output() const override {
    if (work.training) return answer;
    answer.clear();
    const auto y = get<"y">(run_);
    for (std::size_t r = 0; r < y.shape(0); ++r)
      for (std::size_t t = 0; t < y.shape(1); ++t)
        for (const float number : y[r][t]) answer.push_back(number);
    return answer;
  }
};

double seconds_of(contender& of) {
  const auto start = clock_type::now();
  of.run();
  return std::chrono::duration<double>(clock_type::now() - start).count();
}
// The largest difference of the first run's answers.
double difference(contender& a, contender& b) {
  a.run();
  b.run();
  const std::span<const float> x = a.output(), y = b.output();
  double most = x.size() == y.size() ? 0 : INFINITY;
  for (std::size_t k = 0; k < x.size() && k < y.size(); ++k)
    most = std::max(most, double(std::abs(x[k] - y[k])));
  return most;
}

template <class G, int Rows>
void compare(std::ofstream& table, bool training, double seconds) {
  shared_work work(Rows == shared_work::rows_of(true), training);
  tenon_network<G, Rows> shared(work, shared_work::threads), one(work, 1), apart[]{{work, 1}, {work, 1}};
  shared.name_parameters(work);
  std::unique_ptr<contender> rival;
  for (const auto& entry : contest<shared_work>::entries()) rival = entry.make(work);
  std::printf("%s\n  difference: to one thread %g", work.name().c_str(), difference(shared, one));
  if (rival) std::printf(", to PyTorch %g", difference(apart[0], *rival));
  std::printf("\n");
  std::vector<double> times[4], ratios;
  const auto start = clock_type::now();
  while (std::chrono::duration<double>(clock_type::now() - start).count() < seconds || times[0].size() < 5) {
    times[0].push_back((seconds_of(shared) + seconds_of(shared)) / 2);
    const auto both = clock_type::now();
    std::thread other([&] { apart[1].run(); });
    apart[0].run();
    other.join();
    times[3].push_back(std::chrono::duration<double>(clock_type::now() - both).count() / 2);
    times[1].push_back(seconds_of(one));
    if (rival) times[2].push_back(seconds_of(*rival));
    ratios.push_back(times[3].back() / times[0].back());
  }
  const char* const names[]{"Tenon", "one thread", "PyTorch", "limit: two networks that share nothing"};
  for (int k = 0; k < 4; ++k) {
    if (times[k].empty()) continue;
    table << "One network on two threads, real time\t" << work.name() << '\t' << names[k] << '\t'
          << quantile(times[k], 0.5) << '\t' << quantile(times[k], 0.25) << '\t' << quantile(times[k], 0.75)
          << "\t0\t0\n";
    std::printf("  %-38s median %9.3f ms, x%.3f of two threads\n", names[k], 1e3 * quantile(times[k], 0.5),
                quantile(times[k], 0.5) / quantile(times[0], 0.5));
  }
  std::printf("  share of the limit: median %.3f, quartiles %.3f and %.3f\n", quantile(ratios, 0.5),
              quantile(ratios, 0.25), quantile(ratios, 0.75));
  std::fflush(stdout);
}

int compare_all(const std::string& path, double seconds) {
  std::ofstream table;
  if (!path.empty()) table.open(path, std::ios::app);
  for (bool training : {false, true}) compare<lstms, shared_work::rows_of(false)>(table, training, seconds);
  for (bool training : {false, true}) compare<block, shared_work::rows_of(true)>(table, training, seconds);
  return 0;
}

}  // namespace

int main(int count, char** words) {
  std::string path;
  double seconds = 10;
  return command_line::program("bench_shared_kernels: what threads save that share a network", count, words,
                               {{"--seconds", &seconds, "how long each network is measured"},
                                {"--table", &path, "a file to which bench/run wants the rows appended"}},
                               [&] { return compare_all(path, seconds); });
}
