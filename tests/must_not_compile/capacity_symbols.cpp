// More learned symbols than an equation may have: each name is another one.
// expect(g++): node \'y\': the equation has more than 40 symbols; make two nodes of it
// expect(clang): "node \'y\': the equation has more"
// expect(clang): "than 40 symbols; make two nodes of"
#include <tenon/graph/graph.hpp>

#include <utility>

using namespace tenon;

#ifdef MISTAKE
constexpr int count = 41;
#else
constexpr int count = 40;
#endif
template <int K>
constexpr tenon::ir::text<3> letters{{'a' + K / 26, 'a' + K % 26, '\0'}};
struct own : equations::symbols {
  static constexpr auto at(auto x) {
    return [&]<int... K>(std::integer_sequence<int, K...>) { return (x + ... + vector<letters<K>>); }
    (std::make_integer_sequence<int, count>{});
  }
};
using model = graph<"model", input<"x", features<8>>, node<"y", own, "x">, output<"y">>;
static_assert(check<model>());
