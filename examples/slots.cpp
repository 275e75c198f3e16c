// Fills slots: what does a sentence ask for, and what with? "play some jazz by ella" is PlayMusic with a genre and an artist (Snips, Coucke et al. 2018).
//
//   slots --data DIR                         learns DIR/train, of which a tenth chooses the best epoch, and judges DIR/valid
//   slots --data DIR --eval OTHER            judges another folder with seq.in, seq.out and label
//   slots --data DIR "play some jazz"        tags a sentence of yours
#include "arguments.hpp"
#include "slots.hpp"

using namespace sentences;

constexpr sizes of_network{.words = 8000, .word = 128, .part = 48, .hidden = 96, .channels = 0};
using model = slot_filler<of_network>;

struct arguments {
  std::string data, eval, page;
  std::vector<std::string> asked;
  std::uint64_t seed = 1;
  plan training;
};

void show(const model& of, const std::string& folder) {
  const tagged rows = read_tagged(folder);
  const model::judgement found = of.judge(rows);
  std::printf("%s: %d sentences, intent %.2f %%, slots: precision %.2f %%, recall %.2f %%, F1 %.2f %%; all right: %.2f %%\n", folder.c_str(), rows.size(),
              100 * found.intents.accuracy(), 100 * found.spans.precision(), 100 * found.spans.recall(), 100 * found.spans.value(), 100.0 * found.right / rows.size());
  print(found.intents, of.intents());
}

int run(const arguments& wanted) {
  if (wanted.data.empty()) throw std::invalid_argument("--data is missing; see --help");
  const tagged all = read_tagged(wanted.data + "/train");
  const auto [rest, part] = split(of_each(all.words, in_lower_case), 0.1, seed{1});
  const tagged held_out = all.part(part);
  plan training = wanted.training;
  training.after_epoch = [&](const reports::epoch& e) {
    std::printf("epoch %d/%d  loss %.4f  held out: %.4f, intent %.4f, span F1 %.4f  %.1f s\n", e.epoch, training.epochs, e.loss, e.validation_loss, e.metrics[0], e.metrics[1], e.seconds);
    std::fflush(stdout);
  };
  const model learned(all, all.part(rest), held_out, training, seed{wanted.seed});
  std::printf("%ld parameters\n", learned.parameter_count());
  show(learned, wanted.eval.empty() ? wanted.data + "/valid" : wanted.eval);

  std::vector<sentence> asked;
  for (const std::string& text : wanted.asked) asked.push_back(words_of(text));
  if (asked.empty()) asked.assign(held_out.words.begin(), held_out.words.begin() + std::min(wanted.page.empty() ? 3 : 20, held_out.size()));
  std::vector<attended> drawn;
  for (const model::answer& one : learned.answers(asked))
    drawn.push_back({asked[drawn.size()], one.weights, learned.intents().word(one.intent), learned.tag_names(one)});
  for (const attended& one : drawn) {
    std::printf("\n%s\n", one.answer.c_str());
    for (std::size_t k = 0; k < one.words.size(); ++k) std::printf("  %-20s %s\n", one.words[k].c_str(), one.tags[k].c_str());
  }
  if (!wanted.page.empty()) tenon::detail::write_file(wanted.page, attention_page("Where the network looks", drawn));
  return 0;
}

int main(int count, char** words) {
  arguments wanted;
  return command_line::program("slots: what does a sentence ask for, and what with?", count, words,
      {{"SENTENCE", &wanted.asked, "a sentence that is tagged"},
       {"--data", &wanted.data, "a folder with the folders train and valid, each of which has seq.in, seq.out and label"},
       {"--eval", &wanted.eval, "a folder of the same format, which is judged in place of valid"},
       {"--epochs", &wanted.training.epochs, "how often the sentences are read", 1},
       {"--rate", &wanted.training.rate, "the learning rate at the beginning"},
       {"--seed", &wanted.seed, "of parameters, dropout and order"},
       {"--checkpoint", &wanted.training.checkpoint, "a file of the trained network; training continues from it"},
       {"--page", &wanted.page, "a page to write, FILE.html, with tags and attention of the sentences, or of held-out ones"}},
      [&] { return run(wanted); });
}
