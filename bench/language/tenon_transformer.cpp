#include "language/tenon.hpp"

namespace bench {

std::unique_ptr<contender> make_transformer(const language_work& w) {
  using tenon::backend::cpu;
  if (w.is_large) return std::make_unique<tenon_learner<model_of<model::transformer, true>, cpu>>(w);
  return std::make_unique<tenon_learner<model_of<model::transformer, false>, cpu>>(w);
}
named_values transformer_values(const language_work& w) {
  return w.is_large ? values_of_model<model::transformer, true>(w)
                    : values_of_model<model::transformer, false>(w);
}

}  // namespace bench
