// The index lookup: a training step (forward, backward, Adam) and inference.
#include "measure.hpp"
#include "networks/graphs.hpp"

#include <thrust/device_vector.h>

using namespace tenon;

template <class... Options>
void measure_as(const char* column) {
  constexpr int B = 32;
  const thrust::device_vector<int> tokens = bench::whole_numbers(B * 10, 0, 9),
                                   index = bench::whole_numbers(B, 0, 9);
  parameters<bench::index_lookup_graph> theta(bench::first_parameters);
  inference<bench::index_lookup_graph, batch<B>, on<backend::cuda>, Options...> model(theta);
  set_input<"tokens">(model, backend::on_device(tokens, {B, 10}));
  set_input<"index">(model, index);
  bench::say("networks, inference", "index lookup, batch 32", column,
             bench::microseconds_of([&] { model.run(); }));
  trainer<bench::index_lookup_graph, losses::cross_entropy<"logits">, optimizers::adam, batch<B>, on<backend::cuda>,
          Options...>
      learner(theta);
  set_input<"tokens">(learner, backend::on_device(tokens, {B, 10}));
  set_input<"index">(learner, index);
  set_input<"target">(learner, index);
  bench::say("networks, training step", "index lookup, batch 32", column,
             bench::microseconds_of([&] { learner.step(); }));
}

void measure() {
  measure_as<>("Tenon");
  measure_as<captured>("Tenon, captured");
}

int main(int count, char** arguments) { return bench::run(measure, count, arguments); }
