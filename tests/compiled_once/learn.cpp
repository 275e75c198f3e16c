// A file that trains and evaluates the network as any other would.
#include "trained.hpp"

#include <cstdio>

int main() {
  sequences x(8);
  tags target(8);
  for (int k = 0; k < 8; ++k)
    for (int t = 0; t <= k % 5; ++t) {
      x[static_cast<std::size_t>(k)].push_back(
          {0.1f * static_cast<float>(k), 0.2f * static_cast<float>(t), 1});
      target[static_cast<std::size_t>(k)].push_back((k + t) % 3);
    }
  tenon::parameters<tagger> theta(tenon::seed{1});
  training train(theta);
  const samples data = samples_of(std::move(x), std::move(target));
  const auto history = tenon::fit(
      train, data, {.epochs = 3, .validate = data, .metrics = {tenon::metric::accuracy{}}, .log = nullptr});
  std::printf("%a\n", history.last().validation_loss);
  std::printf("%a\n", tenon::evaluate(train, data, {tenon::metric::macro_f1{}}).loss);
}
