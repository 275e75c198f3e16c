// What programs run beside a session and a trainer's steps: the checker of gradients, fit with validation, metrics and shards, text in
// windows, and decoders. Compiled only: the files of a program must share no function that refers to one of an instruction set.
#include <tenon/data/standardizer.hpp>
#include <tenon/tenon.hpp>
#include <tenon/train/checkpoints/checkpoint.hpp>
#include <tenon/train/loop/rate_range.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

using writer = graph<"writer", input<"letter", token<6>, steps<8>>, input<"h0", features<5>>,
                     node<"e", embedding<6, 4>, "letter">, node<"states", gru<5>, "e", "h0">,
                     node<"logits", linear<6>, "states">, output<"logits">, output<"states.h_n">>;
using speaker = graph<"speaker", input<"letter", token<6>, steps<8>>, node<"e", embedding<6, 4>, "letter">,
                      node<"states", gru<5>, "e">, node<"logits", linear<6>, "states">, output<"logits">>;
using classifier =
    graph<"classifier", input<"x", features<3>>, node<"logits", linear<2>, "x">, output<"logits">>;
using loss = losses::cross_entropy<"logits">;

int main() {
  const reports::gradients compared =
      check_gradients<classifier, losses::cross_entropy<"logits", "target", losses::class_weights<1, 2>>, 2>(
          [](auto& run) {
            set_input<"x">(run, std::vector<double>{1, 2, 3, 4, 5, 6});
            set_input<"target">(run, std::vector{0, 1});
          });
  const reports::gradients of_cell = check_cell_gradients<cells::gru>();

  const auto data = data_set(column<"x">(8, [](int r) { return std::vector<float>(3, std::sin(float(r))); }),
                             column<"target">(8, [](int r) { return r % 2; }));
  parameters<classifier> theta(seed{1});
  trainer<classifier, loss, optimizers::adam, batch<4>, shards<2>> train(theta, {}, {}, threads{2});
  train.groups({{"*.bias", {.max_norm = 1}}});
  double sum =
      fit(train, data, {.epochs = 2, .validate = data, .metrics = {metric::accuracy{}, metric::top_k<1>{}}})
          .last()
          .loss;
  sum += evaluate(train, data, {metric::accuracy{}}).loss;
  inference<classifier, batch<4>> judging(theta);
  sum += predict<"logits">(judging, data)[3][0];
  const std::vector<std::vector<double>> sizes{{1, 2}, {3, 4}, {5, 9}};
  const standardizer size(sizes);
  sum += size.mean()[0] + size.original(0.5);
  parameters<classifier> tried(seed{1});
  trainer<classifier, loss, optimizers::sgd, batch<4>> trying(tried);
  sum += schedules::rate_range_test(trying, data, {.steps = 8}).steepest();

  parameters<writer> of_text(seed{2});
  trainer<writer, loss, optimizers::sgd, batch<2>> reading(of_text);
  const std::vector<int> text{0, 1, 2, 3, 4, 5, 4, 3, 2, 1, 0, 1, 2, 3, 4, 5, 0};
  sum += fit(reading, contiguous<"letter", carry<"states.h_n", "h0">>(text), {.epochs = 1}).last().loss;

  const parameters<speaker> spoken(seed{3});
  streaming<speaker, batch<3>> live(spoken);
  auto write = greedy<"letter">(live, {.start = 1, .max_steps = 4});
  write();
  auto draw = generate<"letter">(live, {.start = 1, .max_steps = 4, .choice = {.top_k = 2}});
  draw();
  auto search = beam_search<"letter">(live, {.width = 3, .start = 1, .end = 0, .max_steps = 4});
  search();
  auto judge = forced_decoding<"letter">(live, {.start = 1, .max_steps = 4});
  judge(std::vector<std::vector<int>>{{1, 2}, {3}});
  sum += judge.log_probability(0);
  if (sum == 0) io::save_checkpoint(train, "run.ckpt");
  std::printf("%ld %ld %g %zu %zu %g\n", compared.entries, of_cell.entries, sum, write.text().size(),
              draw.text().size(), search.best().log_probability);
}
