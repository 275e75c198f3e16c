#include "language/tenon.hpp"

namespace bench {

std::unique_ptr<contender> make_words(const language_work& w) {
  using tenon::backend::cpu;
  if (w.is_large) return std::make_unique<tenon_learner<model_of<model::words, true>, cpu>>(w);
  return std::make_unique<tenon_learner<model_of<model::words, false>, cpu>>(w);
}
named_values words_values(const language_work& w) {
  return w.is_large ? values_of_model<model::words, true>(w) : values_of_model<model::words, false>(w);
}

}  // namespace bench
