// Models of sequences, trained and searched.
#include "language/work.hpp"

int main(int count, char** given) {
  mallopt(M_MMAP_MAX,
          0);  // logits are beyond the largest threshold: nobody shall ask for their pages in each run
  using bench::model;
  std::vector<bench::language_work> works;
  for (bool is_large : {false, true})
    for (model m : {model::bahdanau, model::transformer, model::words})
      works.emplace_back(m, false, is_large);
  for (bool is_large : {false, true}) works.emplace_back(model::bahdanau, true, is_large);
  return bench::compete(count, given, works);
}
