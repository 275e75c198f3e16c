// Writes dates as numbers, letter by letter: "3rd of March, 1987" becomes "1987-03-03". An encoder and a decoder without attention (Cho et al.
// 2014; Sutskever et al. 2014), trained on the right letters (teacher forcing, Williams and Zipser 1989), on their own, or on either by sentence.
//
//   dates                                      trains five models and writes new dates with each
//   dates "July 4, 1976" --checkpoint d.ckpt   writes a date of yours; d.ckpt keeps what was learned
#include "arguments.hpp"
#include "dates.hpp"

using namespace dates_as_numbers;

struct arguments {
  std::string checkpoint, eval;
  std::vector<std::string> asked;
  int epochs = 12, learnt = 20000;
};

template <class Model>
bool learn(const arguments& wanted, const char* name, const char* file, const dates& known, const dates& unseen) {
  parameters<typename Model::learner> theta(seed{1});
  typename Model::training train(theta, {}, seed{2});
  train.max_norm = 1;
  const data_set rows(column<"read">(known.read), column<"before">(known.before), column<"target">(known.target));
  // One date for each update: 32 times as many updates, which are noisier, so fewer passes and a lower rate.
  const int epochs = Model::rows == 1 ? (wanted.epochs + 3) / 4 : wanted.epochs;
  fit_options<typename Model::training> options{.epochs = epochs, .shuffle = seed{3}, .schedule = schedules::cosine(Model::rows == 1 ? 1e-3 : 3e-3)};
  options.log = nullptr;
  options.after_epoch = [&](const reports::epoch& epoch) {
    std::printf("%s: epoch %d/%d, loss %.4f, %.0f s\n", name, epoch.epoch, epochs, epoch.loss, epoch.seconds);
    std::fflush(stdout);
  };
  if (!wanted.checkpoint.empty()) options.checkpoint = checkpoint{wanted.checkpoint + "." + file};
  fit(train, rows, options);
  const double share = share_right<Model>(theta, unseen, wanted.asked.empty() ? 3 : static_cast<int>(unseen.texts.size()));
  if (wanted.asked.empty()) std::printf("%s, %ld parameters: %.1f %% of %zu unseen dates written without a mistake\n\n", name, theta.count(), 100 * share, unseen.texts.size());
  return share >= 0.97 || !wanted.asked.empty();
}

int main(int count, char** words) {
  arguments wanted;
  const std::vector<command_line::option> options{{"DATE", &wanted.asked, "dates to write; without them unseen ones are"},
                                                  {"--epochs", &wanted.epochs, "how often the dates are seen", 1},
                                                  {"--dates", &wanted.learnt, "how many are learnt from", 100},
                                                  {"--checkpoint", &wanted.checkpoint, "the beginning of the names of files that keep what is learnt"},
                                                  {"--eval", &wanted.eval, "a file of dates: a date, a tab and the same as 1987-03-03 in each line"}};
  return command_line::program("dates: writes dates as numbers, letter by letter", count, words, options, [&] {
    std::set<int> taken;
    dates unseen = some_dates(2000, seed{5}, taken);
    const dates known = some_dates(wanted.learnt, seed{4}, taken);
    if (!wanted.asked.empty() || !wanted.eval.empty()) unseen = {};
    for (const std::string& text : wanted.asked) {
      unseen.texts.push_back(text);
      unseen.answers.emplace_back();
      unseen.read.push_back(letters_of(text));
    }
    if (!wanted.eval.empty())
      for (const io::table_row& row : io::read_table(wanted.eval, 2, {.separator = '\t', .quoted = false})) {
        unseen.texts.push_back(row.field(0));
        unseen.answers.push_back(row.field(1));
        unseen.read.push_back(letters_of(row.field(0)));
      }
    bool all = learn<model<false, 1.0>>(wanted, "teacher forcing", "forced", known, unseen);
    all = learn<model<false, 0.5>>(wanted, "half of the dates forced", "half", known, unseen) && all;
    all = learn<model<false, 0.0>>(wanted, "its own letters", "own", known, unseen) && all;
    all = learn<model<true, 0.5>>(wanted, "Cho's decoder, half forced", "cho", known, unseen) && all;
    all = learn<model<false, 0.5, 1>>(wanted, "half forced, one date an update", "single", known, unseen) && all;
    return all ? 0 : 1;
  });
}
