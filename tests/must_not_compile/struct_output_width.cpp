// A member that cannot hold a row of its output.
// alone: BOOST_HANA_ADAPT_STRUCT belongs to the global namespace
// expect(g++): member \'scores\' of \'answer\': a row of output \'scores\' is std::array<float, 3>, got std::array<float, 4>; mend the member
// expect(clang): "member \'scores\' of \'answer\': a row"
// expect(clang): "of output \'scores\' is"
// expect(clang): "std::array<float, 3>, got"
// expect(clang): "std::array<float, 4>; mend the"
// expect(clang): "member"
#include <tenon/hana.hpp>
#include <tenon/tenon.hpp>

#include <array>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
struct answer {
  std::array<float, 4> scores;
};
BOOST_HANA_ADAPT_STRUCT(answer, scores);
#else
struct answer {
  std::array<float, 3> scores;
};
BOOST_HANA_ADAPT_STRUCT(answer, scores);
#endif
using garden =
    graph<"garden", input<"measured", features<4>>, node<"scores", linear<3>, "measured">, output<"scores">>;
auto use(inference<garden>& model) { return get<answer>(model, 2); }
