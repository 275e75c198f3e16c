// What the files of a contender share: each model is compiled in its own file, because compiling one takes a while.
#pragma once

#include "language/work.hpp"

namespace bench {

struct named_value {
  std::string name;
  std::vector<long> sizes;
  std::vector<float> values;
};
using named_values = std::vector<named_value>;

// The parameters that a work starts with, for one model and for any.
named_values bahdanau_values(const language_work&);
named_values transformer_values(const language_work&);
named_values words_values(const language_work&);
inline named_values first_values(const language_work& w) {
  return w.which == model::bahdanau      ? bahdanau_values(w)
         : w.which == model::transformer ? transformer_values(w)
                                         : words_values(w);
}

// Tenon's contenders on its CPU backend.
std::unique_ptr<contender> make_bahdanau(const language_work&);
std::unique_ptr<contender> make_transformer(const language_work&);
std::unique_ptr<contender> make_words(const language_work&);
std::unique_ptr<contender> make_search(const language_work&);

}  // namespace bench
