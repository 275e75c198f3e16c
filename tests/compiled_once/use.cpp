// A file that uses the network as any other would.
#include "model.hpp"

#include <cstdio>

int main() {
  const tenon::parameters<lookup_network> theta(tenon::seed{1});
  lookup_session lookup;
  const std::vector<std::vector<int>> tokens{{3, 1, 4, 1, 5, 9, 2, 6, 5, 3}};
  const auto logits = lookup(theta, tokens, std::vector{5});
  for (int k = 0; k < 10; ++k) std::printf("%a\n", static_cast<double>(logits(0, k)));
}
