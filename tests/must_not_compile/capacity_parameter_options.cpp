// More options of its parameters than a layer has room for.
// expect(g++): node \'y\': a layer has more than 8 options of its parameters; let one speak of several
// expect(clang): "node \'y\': a layer has more than 8"
// expect(clang): "options of its parameters; let one"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>
#include <tenon/nn/options.hpp>

using namespace tenon;
using namespace tenon::nn;

template <class... More>
using started =
    linear<2, initialized<"weight", init::normal()>, initialized<"bias", init::normal()>,
           initialized<"weight", init::uniform()>, initialized<"bias", init::uniform()>,
           initialized<"weight", init::constant(1)>, initialized<"bias", init::constant(1)>,
           initialized<"weight", init::constant(2)>, initialized<"bias", init::constant(2)>, More...>;
#ifdef MISTAKE
using layer = started<frozen>;
#else
using layer = started<>;
#endif
using model = graph<"model", input<"x", features<8>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
