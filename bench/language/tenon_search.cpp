#include "language/tenon.hpp"

namespace bench {

std::unique_ptr<contender> make_search(const language_work& w) {
  using tenon::backend::cpu;
  if (w.is_large) return std::make_unique<tenon_searcher<model_of<model::bahdanau, true>, cpu>>(w);
  return std::make_unique<tenon_searcher<model_of<model::bahdanau, false>, cpu>>(w);
}

}  // namespace bench
