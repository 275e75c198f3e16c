// A decoder that sees everything it has written, with sampling, beam search and evaluation.
#include <tenon/decode/decode.hpp>
#include <tenon/decode/forced_decoding.hpp>
#include <tenon/nn/transformer.hpp>
#include <tenon/tenon.hpp>

#include <vector>

namespace decoded {

using model = tenon::graph<
    "translator", tenon::input<"source", tenon::token<7>, tenon::steps<5, "source">>,
    tenon::input<"word", tenon::token<9>, tenon::steps<6, "target">>,
    tenon::node<"memory", tenon::nn::chain<tenon::nn::embedding<7, 8>, tenon::nn::learned_positions<5>>,
                "source">,
    tenon::node<"before", tenon::nn::chain<tenon::nn::embedding<9, 8>, tenon::nn::learned_positions<6>>,
                "word">,
    tenon::node<"decoder", tenon::nn::transformer_decoder<8, 2, 8>, "before", "memory">,
    tenon::node<"logits", tenon::nn::linear<9>, "decoder">, tenon::output<"logits">,
    tenon::output<"decoder">>;
using stream = tenon::streaming<model, tenon::batch<4>>;

double run(stream& live, const std::vector<std::vector<int>>& sources, const std::vector<int>& prompt) {
  tenon::set_input<"source">(live, sources);
  auto write = tenon::generate<"word">(live, {.start = 1, .end = 2, .max_steps = 4, .choice = {.top_k = 3}});
  write();
  write(prompt);
  auto likeliest = tenon::greedy<"word">(live, {.start = 1, .end = 2, .max_steps = 4});
  likeliest();
  auto search = tenon::beam_search<"word", "logits", "decoder">(
      live, {.width = 2, .start = 1, .end = 2, .max_steps = 4});
  search();
  auto judge = tenon::forced_decoding<"word">(live, {.start = 1, .max_steps = 4});
  judge(sources);
  return judge.log_probability(0) + search.best(0).log_probability +
         static_cast<double>(write.text().size() + likeliest.text().size());
}

}  // namespace decoded
