// A member of a row of data, misspelt.
// alone: BOOST_HANA_ADAPT_STRUCT belongs to the global namespace
// expect(g++): member \'measurd\' of \'flower\': the graph has no input \'measurd\'; did you mean \'measured\'?
// expect(clang): "member \'measurd\' of \'flower\': the"
// expect(clang): "graph has no input \'measurd\'; did"
// expect(clang): "you mean \'measured\'?"
#include <tenon/hana.hpp>
#include <tenon/tenon.hpp>

#include <array>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
struct flower {
  std::array<float, 4> measurd;
  int target;
};
BOOST_HANA_ADAPT_STRUCT(flower, measurd, target);
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
