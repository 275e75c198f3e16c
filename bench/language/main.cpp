// Models of sequences, trained and searched.
#include "language/work.hpp"
#include "support/contest.hpp"

int main(int count, char** given) {
  // Logits are larger than malloc's largest mmap threshold: no contender may have to map their pages again in each run.
  mallopt(M_MMAP_MAX, 0);
  using bench::model;
  std::vector<bench::language_work> works;
  for (bool is_large : {false, true})
    for (model m : {model::bahdanau, model::transformer, model::words})
      works.emplace_back(m, false, is_large);
  for (bool is_large : {false, true}) works.emplace_back(model::bahdanau, true, is_large);
  return bench::compete(count, given, works);
}
