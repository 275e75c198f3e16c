// The name of a time axis beyond the room for it.
// expect(g++): node \'x\': the name of an axis has more than 23 letters: \'words_of_the_source_sentence\'; shorten it
// expect(clang): "node \'x\': the name of an axis has"
// expect(clang): "more than 23 letters:"
// expect(clang): "\'words_of_the_source_sentence\';"
// expect(clang): "shorten it"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using bound = steps<6, "words_of_the_source_sentence">;
#else
using bound = steps<6, "source_words">;
#endif
using model = graph<"model", input<"x", features<8>, bound>, node<"y", linear<4>, "x">, output<"y">>;
static_assert(check<model>());
