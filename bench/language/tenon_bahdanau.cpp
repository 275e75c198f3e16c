#include "language/tenon.hpp"

namespace bench {

std::unique_ptr<contender> make_bahdanau(const language_work& w) {
  using tenon::backend::cpu;
  if (w.is_large) return std::make_unique<tenon_learner<model_of<model::bahdanau, true>, cpu>>(w);
  return std::make_unique<tenon_learner<model_of<model::bahdanau, false>, cpu>>(w);
}
named_values bahdanau_values(const language_work& w) {
  return w.is_large ? values_of_model<model::bahdanau, true>(w) : values_of_model<model::bahdanau, false>(w);
}

}  // namespace bench
