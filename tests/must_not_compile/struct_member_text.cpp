// A text for an input of numbers.
// alone: BOOST_HANA_ADAPT_STRUCT belongs to the global namespace
// expect(g++): member \'measured\' of \'flower\': input \'measured\': text is given, it takes numbers; give ranges of float, or a tensor [batch, 4]
// expect(clang): "member \'measured\' of \'flower\':"
// expect(clang): "input \'measured\': text is given,"
// expect(clang): "it takes numbers; give ranges of"
// expect(clang): "float, or a tensor [batch, 4]"
#include <tenon/hana.hpp>
#include <tenon/tenon.hpp>

#include <array>
#include <string>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
struct flower {
  std::string measured;
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
