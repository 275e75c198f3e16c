// A question without the input of the graph.
// alone: BOOST_HANA_ADAPT_STRUCT belongs to the global namespace
// expect(g++): input \'measured\' is no member of \'question\'; its members are \'target\'
// expect(clang): "input \'measured\' is no member of"
// expect(clang): "\'question\'; its members are"
// expect(clang): "\'target\'"
#include <tenon/hana.hpp>
#include <tenon/tenon.hpp>

#include <array>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
struct question {
  int target;
};
BOOST_HANA_ADAPT_STRUCT(question, target);
#else
struct question {
  std::array<float, 4> measured;
};
BOOST_HANA_ADAPT_STRUCT(question, measured);
#endif
using garden =
    graph<"garden", input<"measured", features<4>>, node<"scores", linear<3>, "measured">, output<"scores">>;
auto use(inference<garden>& model, const question& asked) { return model(asked); }
