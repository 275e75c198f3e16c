// PyTorch's sequence-to-sequence tutorial, from French to English, with and without teacher forcing.
//
//   translate_tutorial [--data PATH] [--help]
//
// PATH is a file with an English sentence, a tab and a French one in each line, or a folder that has eng-fra_train.txt. Without --data, the program
// learns sentences of a small grammar. --eval translates the French sentences of such a file. A tenth of the English sentences is held out, with all
// of their translations; without --eval, these are translated. Each of the two models has its own files: --checkpoint run.ckpt writes
// run.with_forcing.ckpt and run.without_forcing.ckpt.
#include "tutorial.hpp"

#include "program.hpp"

namespace {

template <translation::sizes S>
void compare(const translation::arguments& wanted, const translation::corpus& known, const translation::sentence_pairs& judged) {
  using namespace translation;
  run<with_forcing<S>>(files_of(wanted, "with_forcing"), known, judged);
  std::printf("\n");
  run<without_forcing<S>>(files_of(wanted, "without_forcing"), known, judged);
}

}  // namespace

int main(int count, char** words) {
  using namespace translation;
  arguments wanted;
  return command_line::program("translate: the decoder of PyTorch's tutorial, from French to English", count, words, options_of(wanted), [&] {
    const auto judged = [&](const corpus& known) { return wanted.eval.empty() ? known.held_out : read_tatoeba(wanted.eval); };
    if (wanted.data.empty()) {
      const corpus known = with_vocabularies(made_sentences(4000, tenon::seed{1}), made_sentences(200, tenon::seed{2}), small, 1);
      compare<small>(wanted, known, judged(known));
    } else {
      auto [train, held_out] = split_by_target(read_tatoeba(std::filesystem::is_directory(wanted.data) ? wanted.data + "/eng-fra_train.txt" : wanted.data));
      const corpus known = with_vocabularies(std::move(train), std::move(held_out), tatoeba, 1);
      compare<tatoeba>(wanted, known, judged(known));
    }
    return 0;
  });
}
