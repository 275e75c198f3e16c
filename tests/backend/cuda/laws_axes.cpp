// Attention and equations along axes on the CUDA backend, its kernels in the emulation of blocks and threads: all steps of attention at
// once, and blocks of steps.
#include "backend/thrust/laws.hpp"
#include "tenon/backend/cuda/cuda.hpp"
#include "tenon/nn/multi_head.hpp"
#include "tenon/nn/recurrent.hpp"

namespace tenon::test {
using namespace nn;

struct in_short_blocks : backend::cuda {};
constexpr int lanes_of_pairs(in_short_blocks, long, long) { return 8; }

using emulated = machine<backend::cuda, float>;
using emulated_in_blocks = machine<in_short_blocks, float>;

using crossing =
    graph<"crossing", input<"q", features<3>, steps<4, "target">>,
          input<"m", features<2>, steps<3, "source">>, node<"y", multi_head<4, 2>, "q", "m">, output<"y">>;
using causal = graph<"causal", input<"x", features<4>, steps<11>>,
                     node<"y", multi_head<4, 2, is_causal>, "x">, output<"y">>;
TEST_CASE("multi-head attention to another sequence") {
  check_device_laws<crossing, emulated>();
  check_device_laws<crossing, emulated_in_blocks>();
}
TEST_CASE("a mask, and blocks of steps of which the last one is not full") {
  check_device_laws<causal, emulated>();
  check_device_laws<causal, emulated_in_blocks>();
}

struct asking {  // scores are weights without a softmax
  static constexpr auto at(auto q, auto m) {
    const auto score = dot(q, m);
    return sum<"source">(softmax<"source">(score) * m) + sum<"source">(tanh(score) * m) * q;
  }
};
using asked = graph<"asked", input<"q", features<3>, steps<10, "target">>,
                    input<"m", features<3>, steps<12, "source">>, node<"y", asking, "q", "m">, output<"y">>;
TEST_CASE("an equation of two axes") {
  check_device_laws<asked, emulated>();
  check_device_laws<asked, emulated_in_blocks>();
}

struct along : equations::symbols {
  static constexpr auto at(auto x) {
    const auto near = shift<1, "time">(x) - x * reversed<"time">(x);
    return max<"time">(near) + sum<"time">(softmax<"time">(W<"s", 3>(x)) * x) * mean<"time">(x);
  }
};
using reductions =
    graph<"reductions", input<"x", features<3>, steps<12>>, node<"y", along, "x">, output<"y">>;
TEST_CASE("reductions along time") { check_device_laws<reductions, emulated>(); }

struct attending : equations::symbols {  // Bahdanau et al. 2015: the memory is seen at every step
  static constexpr auto step(auto y, auto s, auto memory) {
    const auto e = matrix<"v", 1>(tanh(W<"a", 3>(s) + U<"a", 3>(memory)));
    const auto c = sum<"source">(softmax<"source">(e) * memory);
    return tanh(W<"n">(y) + U<"n">(s) + W<"c">(c));
  }
};
using decoder = graph<"decoder", input<"q", features<3>, steps<4, "target">>,
                      input<"m", features<2>, steps<10, "source">>,
                      node<"y", recurrent<attending, hidden<3>>, "q", "m">, output<"y">>;
TEST_CASE("a recurrence that sees a sequence") { check_device_laws<decoder, emulated>(); }

}  // namespace tenon::test
