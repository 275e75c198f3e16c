// More entries than a graph has.
// expect(g++): graph \'model\' has at most 250 entries, got 261; put some of them into a graph of their own, as a node of this one
// expect(clang): "graph \'model\' has at most 250"
// expect(clang): "entries, got 261; put some of them"
// expect(clang): "into a graph of their own, as a"
// expect(clang): "node of this one"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>

#include <utility>

using namespace tenon;
using namespace tenon::nn;

using layer = linear<4>;
template <int Number>
struct numbered {
  static constexpr ir::text<4> value = [] {
    ir::text<4> digits;
    for (int k = 2, rest = Number; k >= 0; --k, rest /= 10)
      digits.chars[k] = static_cast<char>('0' + rest % 10);
    return digits;
  }();
};
template <class>
struct tower;
template <int... I>
struct tower<std::integer_sequence<int, I...>> {
  using type = graph<"model", input<"x", features<4>>, node<numbered<I>::value, layer, "x">...,
                     output<numbered<I>::value>...>;
};
#ifdef MISTAKE
using model = tower<std::make_integer_sequence<int, 130>>::type;
#else
using model = tower<std::make_integer_sequence<int, 30>>::type;
#endif
static_assert(check<model>());
