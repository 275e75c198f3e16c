// A member that the trainer has no input for.
// alone: BOOST_HANA_ADAPT_STRUCT belongs to the global namespace
// expect(g++): member \'colour\' of \'flower\': the graph has no input \'colour\'; its inputs are \'measured\', \'target\'; or leave the member out of BOOST_HANA_ADAPT_STRUCT
// expect(clang): "member \'colour\' of \'flower\': the"
// expect(clang): "graph has no input \'colour\'; its"
// expect(clang): "inputs are \'measured\', \'target\';"
// expect(clang): "or leave the member out of"
// expect(clang): "BOOST_HANA_ADAPT_STRUCT"
#include <tenon/hana.hpp>
#include <tenon/tenon.hpp>

#include <array>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
struct flower {
  std::array<float, 4> measured;
  int target;
  int colour;
};
BOOST_HANA_ADAPT_STRUCT(flower, measured, target, colour);
#else
struct flower {
  std::array<float, 4> measured;
  int target;
};
BOOST_HANA_ADAPT_STRUCT(flower, measured, target);
#endif
using garden =
    graph<"garden", input<"measured", features<4>>, node<"scores", linear<3>, "measured">, output<"scores">>;
using teacher = trainer<garden, losses::cross_entropy<"scores">, optimizers::adam, batch<4>>;
void use(teacher& learner, const std::vector<flower>& rows) { fit(learner, columns_of(rows)); }
