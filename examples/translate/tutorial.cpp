// PyTorch's sequence-to-sequence tutorial, from French to English, with and without teacher forcing.
//
//   translate_tutorial [--data PATH] [--eval FILE] [--epochs N] [--checkpoint FILE] [--beam N] [--attention FILE.svg] [--output FILE]
//                      [--threads N] [--seed N]
//
// PATH is a file with an English sentence, a tab and a French one in each line, or a folder that has eng-fra_train.txt. Without --data, the program
// learns sentences of a small grammar. --eval translates the French sentences of such a file. A tenth of the English sentences is held out, with all
// of their translations; without --eval, these are translated. Each of the two models has its own files: --checkpoint run.ckpt writes
// run.with_forcing.ckpt and run.without_forcing.ckpt.
#include "tutorial.hpp"

#include "program.hpp"

namespace {

template <translation::sizes S>
void compare(const translation::arguments& given, const translation::corpus& known, const translation::sentence_pairs& judged, int epochs) {
  using namespace translation;
  run<with_forcing<S>>(files_of(given, "with_forcing"), known, judged, epochs);
  std::printf("\n");
  run<without_forcing<S>>(files_of(given, "without_forcing"), known, judged, epochs);
}

}  // namespace

int main(int count, char** values) {
  using namespace translation;
  try {
    const arguments given = parse(count, values);
    const auto judged = [&](const corpus& known) { return given.eval.empty() ? known.held_out : read_tatoeba(given.eval); };
    if (given.data.empty()) {
      const corpus known = with_vocabularies(made_sentences(4000, tenon::seed{1}), made_sentences(200, tenon::seed{2}), small, 1);
      compare<small>(given, known, judged(known), given.epochs > 0 ? given.epochs : 20);
    } else {
      auto [train, held_out] = split_by_target(read_tatoeba(std::filesystem::is_directory(given.data) ? given.data + "/eng-fra_train.txt" : given.data));
      const corpus known = with_vocabularies(std::move(train), std::move(held_out), tatoeba, 1);
      compare<tatoeba>(given, known, judged(known), given.epochs > 0 ? given.epochs : 10);
    }
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "translate: " << error.what() << "\n";
    return 2;
  }
}
