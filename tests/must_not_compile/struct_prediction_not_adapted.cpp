// Predictions in a struct whose members have no names.
// alone: BOOST_HANA_ADAPT_STRUCT belongs to the global namespace
// expect(g++): the members of \'answer\' have no names here; write BOOST_HANA_ADAPT_STRUCT(answer, its members); after it, in no namespace
// expect(clang): "the members of \'answer\' have no"
// expect(clang): "names here; write"
// expect(clang): "BOOST_HANA_ADAPT_STRUCT(answer,"
// expect(clang): "its members); after it, in no"
// expect(clang): "namespace"
#include <tenon/hana.hpp>
#include <tenon/tenon.hpp>

#include <array>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

struct answer {
  std::array<float, 3> scores;
};
#ifndef MISTAKE
BOOST_HANA_ADAPT_STRUCT(answer, scores);
#endif
using garden =
    graph<"garden", input<"measured", features<4>>, node<"scores", linear<3>, "measured">, output<"scores">>;
auto use(inference<garden>& model) {
  return predict<answer>(model, data_set(column<"measured">(std::vector<std::array<float, 4>>(3))));
}
