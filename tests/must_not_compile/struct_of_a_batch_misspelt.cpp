// Questions of a batch with a misspelt member.
// alone: BOOST_HANA_ADAPT_STRUCT belongs to the global namespace
// expect(g++): input \'measured\' is no member of \'question\'; is \'measurd\' misspelt?
// expect(clang): "input \'measured\' is no member of"
// expect(clang): "\'question\'; is \'measurd\' misspelt?"
#include <tenon/hana.hpp>
#include <tenon/tenon.hpp>

#include <array>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
struct question {
  std::array<float, 4> measurd;
};
BOOST_HANA_ADAPT_STRUCT(question, measurd);
#else
struct question {
  std::array<float, 4> measured;
};
BOOST_HANA_ADAPT_STRUCT(question, measured);
#endif
using garden =
    graph<"garden", input<"measured", features<4>>, node<"scores", linear<3>, "measured">, output<"scores">>;
auto use(inference<garden, batch<8>>& model, const std::vector<question>& asked) { return model(asked); }
