#include "language/values.hpp"

static const bool entered = bench::language_contest::enter("Tenon", 0, [](const bench::language_work& w) {
  if (w.searches) return bench::make_search(w);
  return w.which == bench::model::bahdanau      ? bench::make_bahdanau(w)
         : w.which == bench::model::transformer ? bench::make_transformer(w)
                                                : bench::make_words(w);
});
