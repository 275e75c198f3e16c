// Weights stored as bfloat16 on Thrust's device.
// Bits are compared: the compiler must not fuse a product and a sum in one kernel but not in the other.
// flags: -ffp-contract=off
#include "tenon/backend/thrust/bfloat16.hpp"

#include "backend/thrust/bfloat16.hpp"
#include "backend/thrust/fenced.hpp"
#include "tenon/nn/attention.hpp"
#include "tenon/nn/convolution.hpp"
#include "tenon/nn/embedding.hpp"
#include "tenon/nn/linear.hpp"
#include "tenon/nn/loss.hpp"
#include "tenon/nn/multi_head.hpp"
#include "tenon/nn/recurrent.hpp"
#include "tenon/train/trainer/trainer.hpp"

#include <vector>

namespace tenon::test {
using namespace nn;

using rounded = backend::device_with<fenced, backend::bfloat16_weights>;

using read = graph<"read", input<"tokens", token<7>, steps<5>>, node<"embedded", embedding<7, 3>, "tokens">,
                   node<"states", lstm<5, bidirectional>, "embedded">, node<"again", gru<3>, "states">,
                   node<"logits", linear<3>, "again">, output<"logits">, output<"states.final">>;
TEST_CASE("embedding, LSTM, GRU, linear") { check_rounded_weights<read, 5, fenced, rounded>(); }

using attend = graph<"attend", input<"x", features<6>, steps<4>>, node<"y", multi_head<6, 2>, "x">,
                     node<"z", conv1d<5, 3>, "y">, output<"y">, output<"z">>;
TEST_CASE("the projections of attention, and windows") {
  check_rounded_weights<attend, 3, fenced, rounded>();
}

using streamed = graph<"streamed", input<"x", features<3>, steps<4>>, node<"states", gru<5>, "x">,
                       node<"y", linear<2>, "states">, output<"y">>;
TEST_CASE("a stream") { check_rounded_stream<streamed, 2, fenced, rounded>(); }

// --- the memory it needs ---
using wide = graph<"wide", input<"x", features<32>>, node<"y", linear<64>, "x">, output<"y">>;
using without = inference<wide, on<backend::thrust_device>>;
using with = inference<wide, on<backend::thrust_device_with<backend::bfloat16_weights>>>;
static_assert(without::packed_bytes == 64 * 32 * sizeof(float) && with::packed_bytes == 64 * 32 * 2);
static_assert(without::workspace_bytes - with::workspace_bytes == 64 * 32 * 2);
static_assert(backend::packed_size<3, 5>(backend::thrust_device_with<backend::bfloat16_weights>{}) == 8,
              "an odd number of weights");

// --- what is refused, and what is as without it ---
template <engine::purpose Purpose, class... Options>
constexpr bool is_refused = bool(engine::unfit_option<wide, void, Purpose, Options...>::wrong);
static_assert(is_refused<engine::purpose::differentiation, on<rounded>> &&
              is_refused<engine::purpose::inference, on<rounded>, scalar_type<double>>);
static_assert(!is_refused<engine::purpose::inference, on<rounded>> &&
              !is_refused<engine::purpose::streaming, on<rounded>> &&
              !is_refused<engine::purpose::differentiation, on<backend::thrust_device_with<>>>);
static_assert(!backend::trades<fenced, backend::bfloat16_weights> &&
              backend::trades<rounded, backend::bfloat16_weights>);

struct counting : fenced {};
int blocks = 0;
void* allocate(counting, std::size_t bytes) {
  ++blocks;
  return allocate(fenced{}, bytes);
}
TEST_CASE("parameters are on the device once, for sessions with it and without it") {
  using traded = backend::device_with<counting, backend::bfloat16_weights>;
  const parameters<wide> theta(seed{1});
  const float* const there = engine::data_on<counting>(theta);
  CHECK(engine::data_on<traded>(theta) == there);
  CHECK(blocks == 1);
}
using line = graph<"line", input<"x", features<3>>, node<"y", linear<2>, "x">, output<"y">>;
TEST_CASE("an inference with it sees what a trainer without it has learned") {
  parameters<line> theta(seed{1});
  trainer<line, losses::mse<"y">, optimizers::sgd, batch<2>, on<fenced>> learner(theta);
  inference<line, batch<2>, on<rounded>> session;
  inference<line, batch<2>, on<fenced>> plain;
  const std::vector<float> x{1, 2, 3, 4, 5, 6}, y{1, 0, 2, 3};
  for (int k = 0; k < 3; ++k) {
    set_input<"x">(learner, x);
    set_input<"target">(learner, y);
    learner.step();
    set_input<"x">(session, x);
    set_input<"x">(plain, x);
    session.run(theta);
    plain.run(with_rounded_weights<float>(theta));
    CHECK(numbers_of<line>(session, 2) == numbers_of<line>(plain, 2));
  }
}

}  // namespace tenon::test
