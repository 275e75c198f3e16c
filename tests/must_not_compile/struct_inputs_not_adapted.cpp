// The inputs of a trainer, of a struct whose members have no names.
// alone: BOOST_HANA_ADAPT_STRUCT belongs to the global namespace
// expect(g++): the members of \'flower\' have no names here; write BOOST_HANA_ADAPT_STRUCT(flower, its members); after it, in no namespace
// expect(clang): "the members of \'flower\' have no"
// expect(clang): "names here; write"
// expect(clang): "BOOST_HANA_ADAPT_STRUCT(flower,"
// expect(clang): "its members); after it, in no"
// expect(clang): "namespace"
#include <tenon/hana.hpp>
#include <tenon/tenon.hpp>

#include <array>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

struct flower {
  std::array<float, 4> measured;
  int target;
};
#ifndef MISTAKE
BOOST_HANA_ADAPT_STRUCT(flower, measured, target);
#endif
using garden =
    graph<"garden", input<"measured", features<4>>, node<"scores", linear<3>, "measured">, output<"scores">>;
using teacher = trainer<garden, losses::cross_entropy<"scores">, optimizers::adam, batch<4>>;
void use(teacher& learner, const std::vector<flower>& rows) { set_inputs(learner, rows); }
