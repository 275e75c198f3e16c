// Draws networks of every layer, option, joint and loss, and writes them as C++ programs. A network is a seed or a file.
//
//   networks draw SEED            a network, a part on each line
//   networks checks NETWORK..     a test that checks these networks: support/check_network.hpp
//   networks devices NETWORK..    a test that checks them on Thrust's device and on the CUDA backend in the emulation
//   networks smaller FILE K       the network with its K-th part left out or simpler; the exit status is 1 if there is no such part
//   networks wrong NETWORK SEED   a program with one mistake, and its correction, for tests/must_not_compile/check
//   networks kinds NETWORK..      how many of them have each layer, option, joint and loss; the exit status is 1 if none has some kind
#include "drawn.hpp"
#include "kinds.hpp"
#include "programs.hpp"
#include "smaller.hpp"

namespace random_networks {

std::uint64_t as_number(const string& text) { return std::stoull(text); }
network drawn_or_read(const string& text) {
  return text.find_first_not_of("0123456789") == string::npos ? drawn(as_number(text)) : read(text);
}
int run(const texts& given) {
  const string what = given.empty() ? "" : given[0];
  if (what == "draw" && given.size() == 2) {
    std::cout << text_of(drawn(as_number(given[1])));
    return 0;
  }
  if (what == "smaller" && given.size() == 3) {
    const std::vector<network> all = smaller(read(given[1]));
    const std::uint64_t k = as_number(given[2]);
    if (k >= all.size()) return 1;
    std::cout << text_of(all[k]);
    return 0;
  }
  if (what == "wrong" && given.size() == 3) {
    write_mistake(drawn_or_read(given[1]), as_number(given[2]));
    return 0;
  }
  if (given.size() >= 2 && (what == "checks" || what == "devices" || what == "kinds")) {
    std::vector<network> all;
    for (std::size_t k = 1; k < given.size(); ++k) all.push_back(drawn_or_read(given[k]));
    if (what == "kinds") return write_kinds(all);
    write_tests(all, what == "devices");
    return 0;
  }
  std::cerr
      << "networks draw SEED | checks NETWORK.. | devices NETWORK.. | smaller FILE K | wrong NETWORK SEED | "
         "kinds NETWORK..\n";
  return 2;
}

}  // namespace random_networks

int main(int count, char** words) try {
  return random_networks::run({words + 1, words + count});
} catch (const std::exception& error) {
  std::cerr << error.what() << "\n";
  return 2;
}
