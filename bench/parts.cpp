// Where the time of a training step goes: products, stages (products and the gates after them) and maps, each compared
// with the time of its multiply-adds and gates with all numbers in registers, measured in turn with the step.
#include "../examples/arguments.hpp"
#include "support/limits.hpp"
#include "support/quantile.hpp"
#include <tenon/backend/cpu/cpu.hpp>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace bench {

// The CPU backend, which records what it runs.
struct observed_cpu : tenon::backend::cpu {};
struct part {
  double seconds = 0, multiply_adds = 0, gates = 0;
};
struct step_parts {
  part products, stages, maps;
};
inline step_parts parts;

inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
template <class F>
void observe(part& of, double multiply_adds, double gates, F run) {
  const double start = now();
  run();
  of.seconds += now() - start;
  of.multiply_adds += multiply_adds;
  of.gates += gates;
}
template <class Body>
constexpr double gates_of(const Body& body) {
  double n = 0;
  for (const tenon::ir::instruction& i : body.code)
    n += i.code == tenon::ir::opcode::sigmoid || i.code == tenon::ir::opcode::tanh;
  return n * body.width;
}

}  // namespace bench

// Declared before the engine is included, so that it finds these first.
namespace tenon::inline v0_1::backend {

template <int N, int K, class T>
void matmul(bench::observed_cpu, int rows, const T* x, std::ptrdiff_t x_row, const T* packed, T* y,
            std::ptrdiff_t y_row) {
  bench::observe(bench::parts.products, double(rows) * N * K, 0,
                 [&] { matmul<N, K>(cpu{}, rows, x, x_row, packed, y, y_row); });
}
template <int N, int K, class T>
void matmul_transposed(bench::observed_cpu, int rows, const T* g, std::ptrdiff_t g_row, const T* w, T* dx,
                       std::ptrdiff_t dx_row) {
  bench::observe(bench::parts.products, double(rows) * N * K, 0,
                 [&] { matmul_transposed<N, K>(cpu{}, rows, g, g_row, w, dx, dx_row); });
}
template <int N, int K, class T>
void contract_packed_transposed(bench::observed_cpu, int rows, const T* g, std::ptrdiff_t g_row,
                                const T* packed, T* dx, std::ptrdiff_t dx_row) {
  bench::observe(bench::parts.products, double(rows) * N * K, 0,
                 [&] { contract_packed_transposed<N, K>(cpu{}, rows, g, g_row, packed, dx, dx_row); });
}
template <int N, int K, class T, class... Scratch>
void gradient_outer(bench::observed_cpu, int rows, const T* g, std::ptrdiff_t g_row, const T* x,
                    std::ptrdiff_t x_row, T* dw, Scratch*... scratch) {
  bench::observe(bench::parts.products, double(rows) * N * K, 0,
                 [&] { gradient_outer<N, K>(cpu{}, rows, g, g_row, x, x_row, dw, scratch...); });
}
template <class Stage, class T>
void stage(bench::observed_cpu, int steps, int rows, const stage_rows<T>* x, const T* packed,
           const operand<const T>* loads, const operand<T>* stores, bool backwards) {
  constexpr double sums_of_row = [] {
    double n = 0;
    for (const stage_product& p : Stage::stage.products) n += double(p.columns.size) * p.depth;
    return n * Stage::stage.body.width;
  }();
  const double all = double(steps) * rows;
  bench::observe(bench::parts.stages, all * sums_of_row, all * bench::gates_of(Stage::body),
                 [&] { stage<Stage>(cpu{}, steps, rows, x, packed, loads, stores, backwards); });
}
template <class Kernel, class T>
void map(bench::observed_cpu, int steps, int rows, const operand<const T>* loads, const operand<T>* stores) {
  bench::observe(bench::parts.maps, 0, double(steps) * rows * bench::gates_of(Kernel::body),
                 [&] { map<Kernel>(cpu{}, steps, rows, loads, stores); });
}
template <class... Kernels, class T>
void map_chain(bench::observed_cpu, int first, int steps, int rows, const int* lengths,
               const operand<const T>* const* loads, const operand<T>* const* stores) {
  bench::observe(bench::parts.maps, 0, (0 + ... + bench::gates_of(Kernels::body)) * steps * rows,
                 [&] { map_chain<Kernels...>(cpu{}, first, steps, rows, lengths, loads, stores); });
}

}  // namespace tenon::inline v0_1::backend

#include "networks/tenon.hpp"

namespace bench {
namespace {

struct column {
  const char* name;
  std::vector<double> seconds{};
};

template <class G, int Batch>
void take_apart(std::ofstream& table, network which, double seconds, int hidden = 0) {
  const network_work work(which, true, Batch, hidden);
  tenon_training<G, Batch, observed_cpu> training(work);
  multiply_adding some_products(1e6);
  computing some_gates(0, 1e5);
  column columns[]{{"Tenon"},
                   {"products"},
                   {"products: limit"},
                   {"stages"},
                   {"stages: limit"},
                   {"maps, Adam"},
                   {"loss, tables, packing, copies"}};
  training.run();
  const auto seconds_of = [](contender& c) {
    const double start = now();
    c.run();
    return now() - start;
  };
  for (const double start = now(); now() - start < seconds;) {
    const double multiply_add = seconds_of(some_products) / 1e6, gate = seconds_of(some_gates) / 1e5;
    training.run();
    parts = {};
    const double whole = seconds_of(training);
    const auto limit = [&](const part& p) { return p.multiply_adds * multiply_add + p.gates * gate; };
    const double of_columns[]{whole,
                              parts.products.seconds,
                              limit(parts.products),
                              parts.stages.seconds,
                              limit(parts.stages),
                              parts.maps.seconds,
                              whole - parts.products.seconds - parts.stages.seconds - parts.maps.seconds};
    for (int k = 0; column & c : columns) c.seconds.push_back(of_columns[k++]);
  }
  if (parts.products.seconds == 0 || parts.stages.seconds == 0 || parts.maps.seconds == 0) {
    std::fprintf(stderr,
                 "bench_parts: the engine calls the CPU past observed_cpu: a declaration has changed\n");
    std::exit(1);
  }
  std::printf("%s\n", work.describe().name.c_str());
  for (const column& c : columns) {
    const double median = quantile(c.seconds, 0.5);
    std::printf("  %-30s %9.1f us  %.3f\n", c.name, 1e6 * median, median / quantile(columns[0].seconds, 0.5));
    table << "Where a training step goes\t" << work.describe().name << '\t' << c.name << '\t' << median
          << '\t' << quantile(c.seconds, 0.25) << '\t' << quantile(c.seconds, 0.75) << "\t0\t0\n";
  }
  std::fflush(stdout);
}

int take_all_apart(const std::string& path, double seconds) {
  std::ofstream table;
  if (!path.empty()) table.open(path, std::ios::app);
  take_apart<index_lookup_graph, 32>(table, network::index_lookup, seconds);
  take_apart<index_lookup_graph, 128>(table, network::index_lookup, seconds);
  take_apart<surnames_graph, 64>(table, network::surnames, seconds);
  take_apart<characters_graph, 32>(table, network::characters, seconds);
  take_apart<stack_graph<128>, 32>(table, network::stack, seconds, 128);
  take_apart<stack_graph<256>, 32>(table, network::stack, seconds, 256);
  return 0;
}

}  // namespace
}  // namespace bench

int main(int count, char** words) {
  std::string path;
  double seconds = 3;
  return command_line::program("bench_parts: what the parts of a training step take", count, words,
                               {{"--seconds", &seconds, "how long each network is measured"},
                                {"--table", &path, "a file to which bench/run wants the rows appended"}},
                               [&] { return bench::take_all_apart(path, seconds); });
}
