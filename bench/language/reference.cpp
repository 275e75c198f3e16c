// Tenon's reference backend: the formulas as plain loops. Without the large models, which would take minutes.
#include "language/tenon.hpp"

namespace {

template <bench::model M>
using learner = bench::tenon_learner<bench::model_of<M, false>, tenon::backend::reference>;
using searcher =
    bench::tenon_searcher<bench::model_of<bench::model::bahdanau, false>, tenon::backend::reference>;

const bool entered = bench::language_contest::enter(
    "naive reference", 9, [](const bench::language_work& w) -> std::unique_ptr<bench::contender> {
      if (w.is_large) return nullptr;
      if (w.searches) return std::make_unique<searcher>(w);
      if (w.which == bench::model::bahdanau) return std::make_unique<learner<bench::model::bahdanau>>(w);
      if (w.which == bench::model::transformer)
        return std::make_unique<learner<bench::model::transformer>>(w);
      return std::make_unique<learner<bench::model::words>>(w);
    });

}  // namespace
