// An option that metric::bleu does not have.
// expect(g++): bleu takes options by their names in this order, as in metric::bleu score({.lowercase = true}): .lowercase, .tokenize
// expect(clang): bleu takes options by their names in this order, as in metric::bleu score({.lowercase = true}): .lowercase, .tokenize
#include <tenon/tenon.hpp>
#include <tenon/train/metrics/bleu.hpp>

using namespace tenon;

#ifdef MISTAKE
const metric::bleu score({.lowercased = true});
#else
const metric::bleu score({.lowercase = true});
#endif
