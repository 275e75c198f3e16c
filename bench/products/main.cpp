// Only products: one row (a step), 32 rows (a step of a batch) and 1,024 rows (all steps of a batch).
#include "products/work.hpp"
#include "support/contest.hpp"

int main(int count, char** given) {
  using bench::product;
  const int matrices[][2]{{128, 32},  {128, 128},  {192, 64},   {300, 100},
                          {512, 128}, {1024, 256}, {2048, 512}, {4096, 1024}};
  std::vector<bench::product_work> works;
  for (product p : {product::forward, product::backward, product::gradient})
    for (int rows : {1, 32, 320, 1024})
      for (const auto& m : matrices) {
        if (rows == 1 && p != product::forward) continue;
        if (rows == 320 && m[0] > 128) continue;
        if (rows == 32 && p == product::gradient) continue;
        works.emplace_back(p, rows, m[0], m[1]);
      }
  return bench::compete(count, given, works);
}
