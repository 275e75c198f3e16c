// Equations along axes and over two of them, and windows, on Thrust's device.
#include "backend/thrust/laws.hpp"
#include "support/images.hpp"
#include "tenon/nn/convolution.hpp"
#include "tenon/nn/linear.hpp"
#include "tenon/nn/multi_head.hpp"
#include "tenon/nn/pooling.hpp"
#include "tenon/nn/recurrent.hpp"

namespace tenon::test {
using namespace nn;

struct along : equations::symbols {
  static constexpr auto at(auto x) {
    const auto near = shift<1, "time">(x) - x * reversed<"time">(x);
    return max<"time">(near) + sum<"time">(softmax<"time">(W<"s", 3>(x)) * x) * mean<"time">(x);
  }
};
using reductions = graph<"reductions", input<"x", features<3>, steps<4>>, node<"y", along, "x">, output<"y">>;
TEST_CASE("reductions along time") { check_device_laws<reductions>(); }

using crossing =
    graph<"crossing", input<"q", features<3>, steps<4, "target">>,
          input<"m", features<2>, steps<3, "source">>, node<"y", multi_head<4, 2>, "q", "m">, output<"y">>;
TEST_CASE("multi-head attention to another sequence") { check_device_laws<crossing>(); }

struct attending : equations::symbols {  // Bahdanau et al. 2015: the memory is seen at every step
  static constexpr auto step(auto y, auto s, auto memory) {
    const auto e = matrix<"v", 1>(tanh(W<"a", 3>(s) + U<"a", 3>(memory)));
    const auto c = sum<"source">(softmax<"source">(e) * memory);
    return tanh(W<"n">(y) + U<"n">(s) + W<"c">(c));
  }
};
using decoder =
    graph<"decoder", input<"q", features<3>, steps<4, "target">>, input<"m", features<2>, steps<3, "source">>,
          node<"y", recurrent<attending, hidden<3>>, "q", "m">, output<"y">>;
TEST_CASE("a recurrence that sees a sequence") { check_device_laws<decoder>(); }

using windows =
    graph<"windows", input<"x", features<2>, steps<6>>, node<"c", conv1d<3, 3, same_padding>, "x">,
          node<"p", max_pool1d<2, stride<1>>, "c">, node<"y", mean_over<>, "p">, output<"y">>;
TEST_CASE("windows along a sequence") { check_device_laws<windows>(); }
TEST_CASE("windows over a grid") {
  check_device_laws<over_grid<conv2d<3, 3, 3, stride<2>, padding<1>>, 2, 5, 4>>();
  check_device_laws<over_grid<avg_pool2d<2, 2>, 2, 4, 4>>();
}

}  // namespace tenon::test
