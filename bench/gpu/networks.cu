// The index lookup and a block of a transformer: a training step (forward, backward, Adam) and inference.
#include "measure.hpp"
#include "networks/graphs.hpp"

#include <thrust/device_vector.h>

using namespace tenon;

// D 256, 4 heads, feed-forward 1024, 128 steps
using block = graph<"block", input<"x", features<256>, steps<128>>,
                    node<"y", transformer_encoder<256, 4, 1024>, "x">, output<"y">>;

constexpr int lookups = 32, blocks = 8;  // rows of their batches

template <class... Options>
void measure_lookup(const char* column) {
  constexpr int B = lookups;
  const thrust::device_vector<int> tokens = bench::whole_numbers(B * 10, 0, 9),
                                   index = bench::whole_numbers(B, 0, 9);
  parameters<bench::index_lookup_graph> theta(bench::first_parameters);
  inference<bench::index_lookup_graph, batch<B>, on<backend::cuda>, Options...> model(theta);
  set_input<"tokens">(model, backend::on_device(tokens, {B, 10})), set_input<"index">(model, index);
  bench::say("networks, inference", "index lookup, batch 32", column,
             bench::microseconds_of([&] { model.run(); }));
  trainer<bench::index_lookup_graph, losses::cross_entropy<"logits">, optimizers::adam, batch<B>, on<backend::cuda>,
          Options...>
      learner(theta);
  set_input<"tokens">(learner, backend::on_device(tokens, {B, 10})), set_input<"index">(learner, index);
  set_input<"target">(learner, index);
  bench::say("networks, training step", "index lookup, batch 32", column,
             bench::microseconds_of([&] { learner.step(); }));
}
template <class... Options>
void measure_block(const char* column) {
  constexpr int B = blocks;
  const thrust::device_vector<float> x = bench::numbers(B * 128 * 256);
  parameters<block> theta(seed{1});
  inference<block, batch<B>, on<backend::cuda>, Options...> model(theta);
  set_input<"x">(model, backend::on_device(x, {B, 128, 256}));
  bench::say("networks, inference", "transformer block 256, batch 8, 128 steps", column,
             bench::microseconds_of([&] { model.run(); }));
  trainer<block, losses::mse<"y">, optimizers::adam, batch<B>, on<backend::cuda>, Options...> learner(theta);
  set_input<"x">(learner, backend::on_device(x, {B, 128, 256})),
      set_input<"target">(learner, backend::on_device(x, {B, 128, 256}));
  bench::say("networks, training step", "transformer block 256, batch 8, 128 steps", column,
             bench::microseconds_of([&] { learner.step(); }));
}

void measure() {
  measure_lookup<>("Tenon"), measure_lookup<captured>("Tenon, captured");
  measure_block<>("Tenon"), measure_block<captured>("Tenon, captured");
}

int main() { return bench::run(measure); }
