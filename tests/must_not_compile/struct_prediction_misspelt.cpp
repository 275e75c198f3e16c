// Predictions in a struct with a misspelt member.
// alone: BOOST_HANA_ADAPT_STRUCT belongs to the global namespace
// expect(g++): member \'score\' of \'answer\': the graph has no output \'score\'; did you mean \'scores\'?
// expect(clang): "member \'score\' of \'answer\': the"
// expect(clang): "graph has no output \'score\'; did"
// expect(clang): "you mean \'scores\'?"
#include <tenon/hana.hpp>
#include <tenon/tenon.hpp>

#include <array>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
struct answer {
  std::array<float, 3> score;
};
BOOST_HANA_ADAPT_STRUCT(answer, score);
#else
struct answer {
  std::array<float, 3> scores;
};
BOOST_HANA_ADAPT_STRUCT(answer, scores);
#endif
using garden =
    graph<"garden", input<"measured", features<4>>, node<"scores", linear<3>, "measured">, output<"scores">>;
auto use(inference<garden>& model) {
  return predict<answer>(model, data_set(column<"measured">(std::vector<std::array<float, 4>>(3))));
}
