// A recurrent layer at batch 1, which shows a network's overhead. Sizes that are not multiples of vector widths are
// included on purpose.
//   --write=FILE   instead of running: write all works and their answers, for other programs to run
#include "recurrent/work.hpp"
#include "support/contest.hpp"
#include "support/write_works.hpp"

namespace {

int write(const char* path, const std::vector<bench::recurrent_work>& works) {
  bench::works_file file(path);
  for (const bench::recurrent_work& w : works) {
    const int g = w.gates(), n = w.size;
    file.add("weight_ih", {g, n, n}, w.weight_ih);
    file.add("weight_hh", {g, n, n}, w.weight_hh);
    file.add("bias_ih", {g, n}, w.bias_ih);
    file.add("bias_hh", {g, n}, w.bias_hh);
    file.add("x", {w.steps, 1, n}, w.x);
    file.finish(w);
  }
  return file ? 0 : 1;
}

}  // namespace

int main(int count, char** given) {
  std::vector<bench::recurrent_work> works;
  for (bench::cell kind : {bench::cell::lstm, bench::cell::gru})
    for (int steps : {1, 32})
      for (int n : {7, 8, 13, 16, 32, 33, 64, 100, 128, 256}) works.emplace_back(kind, n, steps);
  const std::string option = count > 1 ? given[1] : "";
  if (option.starts_with("--write=")) return write(option.c_str() + 8, works);
  return bench::compete(count, given, works);
}
