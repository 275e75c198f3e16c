// LSTM or GRU: a training step (forward, backward, Adam) and inference, with sequences of full length and with lengths.
// -DCELL=lstm -DHIDDEN=256 -DBATCH=32
#include "measure.hpp"

#include <thrust/device_vector.h>

#ifndef CELL
#  define CELL lstm
#  define HIDDEN 32
#  define BATCH 32
#endif
#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

using namespace tenon;
using namespace tenon::nn;

using net = graph<"net", input<"x", features<HIDDEN>, steps<128>>, node<"y", CELL<HIDDEN>, "x">, output<"y">>;

// Inputs have the same length in every run, so that `captured` sees one shape.
template <class... Options>
void measure_as(const char* column, const std::string& row, const thrust::device_vector<float>& x, int time,
                const std::vector<int>& lengths) {
  parameters<net> theta(seed{1});
  inference<net, batch<BATCH>, on<backend::cuda>, Options...> model(theta);
  set_input<"x">(model, backend::on_device(x, {BATCH, time, HIDDEN}), lengths);
  bench::say(TEXT(CELL) ", inference", row, column, bench::microseconds_of([&] { model.run(); }));
  trainer<net, losses::mse<"y">, optimizers::adam, batch<BATCH>, on<backend::cuda>, Options...> learner(
      theta);
  set_input<"x">(learner, backend::on_device(x, {BATCH, time, HIDDEN}), lengths);
  set_input<"target">(learner, backend::on_device(x, {BATCH, time, HIDDEN}), lengths);
  bench::say(TEXT(CELL) ", training step", row, column, bench::microseconds_of([&] { learner.step(); }));
}

void measure() {
  for (int time : {32, 128}) {
    const thrust::device_vector<float> x = bench::numbers(std::size_t(BATCH) * std::size_t(time) * HIDDEN);
    for (bool full : {true, false}) {
      const std::vector<int> lengths =
          full ? std::vector<int>(BATCH, time) : bench::whole_numbers(BATCH, 1, time);
      const std::string row = "hidden " + std::to_string(HIDDEN) + ", batch " + std::to_string(BATCH) + ", " +
                              std::to_string(time) + " steps" + (full ? "" : ", with lengths");
      measure_as<>("Tenon", row, x, time, lengths);
      measure_as<captured>("Tenon, captured", row, x, time, lengths);
    }
  }
}

int main(int count, char** arguments) { return bench::run(measure, count, arguments); }
