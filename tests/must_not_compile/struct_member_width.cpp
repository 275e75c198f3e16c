// A member of another width than its input.
// alone: BOOST_HANA_ADAPT_STRUCT belongs to the global namespace
// expect(g++): member \'measured\' of \'flower\': input \'measured\' takes rows of 4 numbers, got 5; mend the rows, or the features<> of the input
// expect(clang): "member \'measured\' of \'flower\':"
// expect(clang): "input \'measured\' takes rows of 4"
// expect(clang): "numbers, got 5; mend the rows, or"
// expect(clang): "the features<> of the input"
#include <tenon/hana.hpp>
#include <tenon/tenon.hpp>

#include <array>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
struct flower {
  std::array<float, 5> measured;
  int target;
};
BOOST_HANA_ADAPT_STRUCT(flower, measured, target);
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
