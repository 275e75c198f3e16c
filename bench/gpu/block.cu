// A block of a transformer: a training step (forward, backward, Adam) and inference.
#include "measure.hpp"

#include <thrust/device_vector.h>

using namespace tenon;
using namespace tenon::nn;

// D 256, 4 heads, feed-forward 1024, 128 steps
using block = graph<"block", input<"x", features<256>, steps<128>>,
                    node<"y", transformer_encoder<256, 4, 1024>, "x">, output<"y">>;

template <class... Options>
void measure_as(const char* column) {
  constexpr int B = 8;
  const thrust::device_vector<float> x = bench::numbers(B * 128 * 256);
  parameters<block> theta(seed{1});
  inference<block, batch<B>, on<backend::cuda>, Options...> model(theta);
  set_input<"x">(model, backend::on_device(x, {B, 128, 256}));
  bench::say("networks, inference", "transformer block 256, batch 8, 128 steps", column,
             bench::microseconds_of([&] { model.run(); }));
  trainer<block, losses::mse<"y">, optimizers::adam, batch<B>, on<backend::cuda>, Options...> learner(theta);
  set_input<"x">(learner, backend::on_device(x, {B, 128, 256}));
  set_input<"target">(learner, backend::on_device(x, {B, 128, 256}));
  bench::say("networks, training step", "transformer block 256, batch 8, 128 steps", column,
             bench::microseconds_of([&] { learner.step(); }));
}


void measure() {
  measure_as<>("Tenon");
  measure_as<captured>("Tenon, captured");
}

int main(int count, char** arguments) { return bench::run(measure, count, arguments); }
