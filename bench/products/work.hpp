// The products of a recurrent layer with a learned matrix w [N, K], at typical sizes.
#pragma once

#include "support/contender.hpp"
#include <tenon/backend/random.hpp>
#include <tenon/tensor/memory.hpp>

namespace bench {

enum class product { forward, backward, gradient };

struct product_work {
  product what;
  int rows, n, k;
  tenon::engine::memory<float> x, w, g;  // [rows, K], [N, K], [rows, N]

  product_work(product p, int r, int out, int in)
      : what(p), rows(r), n(out), k(in), x(elements(r, in)), w(elements(out, in)), g(elements(r, out)) {
    tenon::backend::random_stream random(2024, 3);
    for (auto* m : {&x, &w, &g})
      for (float& v : *m) v = 2 * static_cast<float>(random.uniform()) - 1;
  }
  static std::size_t elements(int a, int b) {
    return static_cast<std::size_t>(a) * static_cast<std::size_t>(b);
  }
  std::size_t result_size() const {
    return what == product::forward ? g.size() : what == product::backward ? x.size() : w.size();
  }

  row describe() const {
    const char* const names[]{"y = x W^T", "dx = g W", "dW += g^T x"};
    return {.group = std::string("product ") + names[static_cast<int>(what)],
            .name = std::to_string(rows) + " rows, W [" + std::to_string(n) + ", " + std::to_string(k) + "]",
            .multiply_adds = double(rows) * n * k,
            .bytes_read = rows == 1 ? 4.0 * n * k : 0,
            .runs_to_check = 1,
            .tolerance = 2e-5 * std::sqrt(double(what == product::gradient  ? rows
                                                 : what == product::forward ? k
                                                                            : n))};
  }
};

using product_contest = contest<product_work>;

// Calls f<N, K>() for the matrices of the table.
template <class F>
bool with_matrix(int n, int k, F f) {
  const auto is = [&]<int N, int K>() { return n == N && k == K && (f.template operator()<N, K>(), true); };
  return is.template operator()<128, 32>() || is.template operator()<128, 128>() ||
         is.template operator()<192, 64>() || is.template operator()<300, 100>() ||
         is.template operator()<512, 128>() || is.template operator()<1024, 256>() ||
         is.template operator()<2048, 512>() || is.template operator()<4096, 1024>();
}

}  // namespace bench
