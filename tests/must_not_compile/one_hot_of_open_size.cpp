// A class among as many as a product has rows, whose number is open.
// expect(g++): node \'loss\': one_hot(token, like) is as wide as `like`, whose size is open; write its rows down, or use a value of a known size
// expect(clang): "node \'loss\': one_hot(token, like)"
// expect(clang): "is as wide as `like`, whose size"
// expect(clang): "is open; write its rows down, or"
// expect(clang): "use a value of a known size"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

struct own_loss : equations::symbols {
#ifdef MISTAKE
  static constexpr auto at(auto y, auto target) { return sum(one_hot(target, W<>(y)) * y); }
#else
  static constexpr auto at(auto y, auto target) { return sum(one_hot(target, y) * y); }
#endif
};
using model = graph<"model", input<"x", features<4>>, node<"y", linear<4>, "x">, output<"y">>;
static_assert(check<model, losses::mean_loss_of_classes<own_loss, "y">>());
