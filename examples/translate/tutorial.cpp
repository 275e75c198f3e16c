// PyTorch's sequence-to-sequence tutorial, from French to English, with and without teacher forcing.
//
//   translate_tutorial [--data FILE] [--epochs N] [--beam N] [--attention FILE.svg] [--output FILE] [--threads N] [--seed N]
//
// FILE has an English sentence, a tab and a French one in each line. Without it, it learns sentences of a small grammar. A tenth of the English
// sentences is held out, with all of their translations.
#include "tutorial.hpp"

#include "program.hpp"

namespace {

template <translation::sizes S>
void compare(const translation::arguments& given, const translation::corpus& known, int epochs) {
  using namespace translation;
  run<with_forcing<S>>(given, known, known.held_out, epochs);
  std::printf("\n");
  run<without_forcing<S>>(given, known, known.held_out, epochs);
}

}  // namespace

int main(int count, char** values) {
  using namespace translation;
  try {
    const arguments given = parse(count, values);
    if (!given.eval.empty() || !given.checkpoint.empty()) throw std::invalid_argument("--eval and --checkpoint: two models are trained here; leave them out");
    if (given.data.empty()) {
      const corpus known = with_vocabularies(made_sentences(4000, tenon::seed{1}), made_sentences(200, tenon::seed{2}), small, 1);
      compare<small>(given, known, given.epochs > 0 ? given.epochs : 20);
    } else {
      auto [train, held_out] = split_by_target(read_tatoeba(given.data));
      const corpus known = with_vocabularies(std::move(train), std::move(held_out), tatoeba, 1);
      compare<tatoeba>(given, known, given.epochs > 0 ? given.epochs : 10);
    }
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "translate: " << error.what() << "\n";
    return 2;
  }
}
