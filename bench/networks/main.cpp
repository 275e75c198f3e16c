// Whole networks, inference and training.
//   --write=FILE   instead of running: write the works of inference and their answers, for other programs to run
#include "networks/graphs.hpp"
#include "networks/work.hpp"
#include "support/contest.hpp"
#include "support/write_works.hpp"

namespace {

int write(const char* path, const std::vector<bench::network_work>& works) {
  bench::works_file file(path);
  for (const bench::network_work& w : works) {
    if (w.trains) continue;
    const tenon::parameters<bench::index_lookup_graph> theta(bench::first_parameters);
    theta.for_each([&](std::string_view name, auto v) {
      const int rows = static_cast<int>(v.shape(0));
      file.add(std::string(name), {rows, static_cast<int>(v.size()) / rows}, std::span(v.data(), v.size()));
    });
    file.add("tokens", {w.batch, w.steps()}, w.tokens);
    file.add("index", {w.batch}, w.index);
    file.finish(w);
  }
  return file ? 0 : 1;
}

}  // namespace

int main(int count, char** given) {
  using bench::network;
  std::vector<bench::network_work> works;
  for (int batch : {1, 32, 128}) works.emplace_back(network::index_lookup, false, batch);
  for (int batch : {32, 128}) works.emplace_back(network::index_lookup, true, batch);
  works.emplace_back(network::surnames, true, 64);
  works.emplace_back(network::characters, true, 32);
  for (int hidden : {128, 256, 512, 1024}) works.emplace_back(network::stack, true, 32, hidden);
  const std::string option = count > 1 ? given[1] : "";
  if (option.starts_with("--write=")) return write(option.c_str() + 8, works);
  return bench::compete(count, given, works);
}
