// A class as a number that is not whole.
// alone: BOOST_HANA_ADAPT_STRUCT belongs to the global namespace
// expect(g++): member \'target\' of \'flower\': input \'target\': tokens are whole numbers, got float; give the class of each row as an int: targets are not one-hot
// expect(clang): "member \'target\' of \'flower\': input"
// expect(clang): "\'target\': tokens are whole"
// expect(clang): "numbers, got float; give the class"
// expect(clang): "of each row as an int: targets are"
// expect(clang): "not one-hot"
#include <tenon/hana.hpp>
#include <tenon/tenon.hpp>

#include <array>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
struct flower {
  std::array<float, 4> measured;
  float target;
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
