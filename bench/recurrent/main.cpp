// A recurrent layer at batch 1: where a network's overhead shows. Sizes beside vector widths are here on
// purpose.
//   --write=FILE   instead of running: write all works and their answers, for contenders elsewhere
#include "recurrent/work.hpp"

namespace {

// For each work a line of fields, then floats: the weights, x, and the answer of the naive reference.
int write(const char* path, const std::vector<bench::recurrent_work>& works) {
  std::ofstream file(path, std::ios::binary);
  const auto put = [&](std::span<const float> v) {
    file.write(reinterpret_cast<const char*>(v.data()), static_cast<std::streamsize>(v.size_bytes()));
  };
  for (const bench::recurrent_work& w : works) {
    const bench::row r = w.describe();
    for (const auto& entry : bench::recurrent_contest::entries()) {
      if (entry.name != "naive reference") continue;
      const auto judge = entry.make(w);
      judge->reset();
      for (int k = 0; k < r.runs_to_check; ++k) judge->run();
      file << r.group << '\t' << r.name << '\t' << w.gates() << '\t' << w.size << '\t' << w.steps << '\t'
           << r.runs_to_check << '\t' << r.tolerance << '\t' << r.multiply_adds << '\t' << r.bytes_read
           << '\n';
      put(w.weight_ih), put(w.weight_hh), put(w.bias_ih), put(w.bias_hh), put(w.x), put(judge->output());
    }
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
