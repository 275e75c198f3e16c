// Attention, a softmax over 32,000 classes, the gradient of an embedding: forward, or forward and backward.
#include "measure.hpp"

#include <thrust/device_vector.h>

using namespace tenon;
using namespace tenon::nn;

using attending = graph<"attending", input<"x", features<256>, steps<128>>,
                        node<"y", multi_head<256, 4>, "x", "x">, output<"y">>;
using classes =
    graph<"classes", input<"x", features<32000>>, node<"y", activation::softmax, "x">, output<"y">>;
using words = graph<"words", input<"tokens", token<32000>, steps<128>>,
                    node<"y", embedding<32000, 256>, "tokens">, output<"y">>;

using learning_words = differentiation<words, losses::mse<"y">, batch<32>, on<backend::cuda>>;

void measure() {
  {
    constexpr int B = 8;
    const thrust::device_vector<float> x = bench::numbers(B * 128 * 256);
    const parameters<attending> theta(seed{1});
    inference<attending, batch<B>, on<backend::cuda>> model(theta);
    set_input<"x">(model, backend::on_device(x, {B, 128, 256}));
    bench::say("parts", "self-attention, forward: 256 in 4 heads, batch 8, 128 steps", "Tenon",
               bench::microseconds_of([&] { model.run(); }));
  }
  {
    constexpr int B = 512;
    const thrust::device_vector<float> x = bench::numbers(std::size_t(B) * 32000);
    const parameters<classes> theta(zeros{});
    inference<classes, batch<B>, on<backend::cuda>> model(theta);
    set_input<"x">(model, backend::on_device(x, {B, 32000}));
    bench::say("parts", "softmax, forward: 512 rows of 32,000 classes", "Tenon",
               bench::microseconds_of([&] { model.run(); }));
  }
  {
    constexpr int B = 32;
    const thrust::device_vector<int> tokens = bench::whole_numbers(B * 128, 0, 31999);
    const thrust::device_vector<float> target = bench::numbers(B * 128 * 256);
    const parameters<words> theta(seed{1});
    parameters<words> gradients(zeros{});
    learning_words learn;
    set_input<"tokens">(learn, backend::on_device(tokens, {B, 128}));
    set_input<"target">(learn, backend::on_device(target, {B, 128, 256}));
    bench::say("parts", "embedding, forward and backward: 32,000 rows of 256, 4,096 tokens", "Tenon",
               bench::microseconds_of([&] {
                 learn.forward(theta);
                 learn.backward(theta, gradients);
               }));
  }
}

int main(int count, char** arguments) { return bench::run(measure, count, arguments); }
