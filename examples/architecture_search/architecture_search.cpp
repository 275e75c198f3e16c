// Which cell is best? The ten cells of Jozefowicz, Zaremba and Sutskever 2015 and one of this program's own, each with the same number of
// parameters and of updates, on the paper's tasks in small: a table of the means over several trainings, beside the paper's numbers.
//
//   architecture_search                                            the whole table
//   architecture_search --checkpoint search.csv --threads 2        keeps each result; the same command continues where it was stopped
//   architecture_search --task counting --cells LSTM,GRU           two cells on one task
//   architecture_search --gradients vanishing.svg                  draws how much of a gradient reaches earlier steps
#include "../arguments.hpp"
#include "results.hpp"
#include "search.hpp"

#include <tenon/io/file.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <exception>
#include <mutex>
#include <thread>

using namespace architecture_search;

// The shares of right characters in table 1 of the paper.
struct published {
  const char* cell;
  double arithmetic, xml;
};
constexpr published paper[]{{"tanh", 0.29493, 0.32050},   {"LSTM", 0.89228, 0.42470},   {"LSTM-f", 0.29292, 0.23356}, {"LSTM-i", 0.75109, 0.41371},
                            {"LSTM-o", 0.86747, 0.42117}, {"LSTM-b", 0.90163, 0.44434}, {"GRU", 0.89565, 0.45963},    {"MUT1", 0.92135, 0.47483},
                            {"MUT2", 0.89735, 0.47324},   {"MUT3", 0.90728, 0.46478}};

constexpr int usual_updates(task t) { return t == task::arithmetic ? 20000 : 5000; }
constexpr double rates[]{3e-3, 1e-2};  // one of them is chosen for each cell and task

struct arguments {
  std::string task, cells, checkpoint, gradients;
  int seeds = 3, updates = 0, threads = 1;
  double rate = 0;
  bool is_listing = false;
};

// Those whose names are in `names`, which has commas between them; all if it is empty.
template <class T>
std::vector<T> chosen_of(const std::vector<T>& all, const std::string& names, const char* option, auto name_of_one) {
  if (names.empty()) return all;
  std::vector<T> chosen;
  for (std::size_t from = 0; from <= names.size();) {
    const std::size_t to = std::min(names.find(',', from), names.size());
    const std::string name = names.substr(from, to - from);
    std::string known_names;
    const T* found = nullptr;
    for (const T& one : all) {
      known_names += (known_names.empty() ? "" : ", ") + std::string(name_of_one(one));
      if (name_of_one(one) == name) found = &one;
    }
    if (found == nullptr) throw std::invalid_argument(option + (": expected some of " + known_names) + " with commas between, got '" + name + "'");
    chosen.push_back(*found);
    from = to + 1;
  }
  return chosen;
}

struct training {
  contestant of;
  job wanted;
  std::string key() const {  // all that determines the result
    return std::string(name_of(wanted.of)) + " " + of.name + " units " + std::to_string(of.units) + " seed " + std::to_string(wanted.seed) + " updates " + std::to_string(wanted.updates) +
           " rate " + command_line::text_of(wanted.learning_rate);
  }
};
// Trains what has no result yet, several at once. An error ends all, and is thrown.
void train_all(const char* purpose, const std::vector<training>& all, results& known_results, int threads) {
  std::vector<training> left;
  for (const training& t : all)
    if (!known_results.find(t.key())) left.push_back(t);
  std::printf("%s: %zu trainings, of which the file has %zu\n", purpose, all.size(), all.size() - left.size());
  std::mutex one_at_a_time;
  std::exception_ptr failed;
  std::atomic<std::size_t> next = 0;
  std::size_t done = 0;
  const tenon::detail::stopwatch since_start;
  const auto work = [&] {
    for (std::size_t k = next++; k < left.size(); k = next++) try {
        const tenon::detail::stopwatch watch;
        const double result = left[k].of.result_of(left[k].wanted);
        const std::lock_guard lock(one_at_a_time);
        known_results.add(left[k].key(), result, watch.seconds());
        ++done;
        std::printf("%zu/%zu %s %s, seed %d, rate %g: %.3f, %.0f s; about %.0f min left\n", done, left.size(), name_of(left[k].wanted.of), left[k].of.name.c_str(), left[k].wanted.seed,
                    left[k].wanted.learning_rate, result, watch.seconds(), since_start.seconds() / 60 * static_cast<double>(left.size() - done) / static_cast<double>(done));
        std::fflush(stdout);
      } catch (...) {
        const std::lock_guard lock(one_at_a_time);
        failed = std::current_exception();
        next = left.size();
      }
  };
  std::vector<std::jthread> workers;
  for (int t = 1; t < threads; ++t) workers.emplace_back(work);
  work();
  workers.clear();  // joins
  if (failed) std::rethrow_exception(failed);
}

// "0.912 +- 0.004": mean and standard deviation.
std::string mean_and_spread(const std::vector<double>& values) {
  double mean = 0, squares = 0;
  for (const double v : values) mean += v / static_cast<double>(values.size());
  for (const double v : values) squares += (v - mean) * (v - mean);
  char text[40];
  if (values.size() > 1) std::snprintf(text, sizeof text, "%.3f +- %.3f", mean, std::sqrt(squares / static_cast<double>(values.size() - 1)));
  else std::snprintf(text, sizeof text, "%.3f", mean);
  return text;
}

int run(const arguments& wanted) {
  std::vector<contestant> all_cells;
  for (const auto& some : {other_cells(), lstm_cells(), mutated_cells()}) all_cells.insert(all_cells.end(), some.begin(), some.end());
  const auto cells = chosen_of(all_cells, wanted.cells, "--cells", [](const contestant& c) { return c.name; });
  const auto chosen = chosen_of(std::vector(std::begin(tasks), std::end(tasks)), wanted.task, "--task", [](task t) { return std::string(name_of(t)); });
  if (wanted.is_listing) {
    for (const contestant& c : cells) std::printf("%-7s %4d units %6ld parameters\n", c.name.c_str(), c.units, c.parameters);
    return 0;
  }
  if (!wanted.gradients.empty()) {
    tenon::detail::write_file(wanted.gradients, gradients_svg());
    return 0;
  }
  const auto updates = [&](task t) { return wanted.updates > 0 ? wanted.updates : usual_updates(t); };
  std::vector<training> choosing, all;
  for (const task t : chosen)
    for (const contestant& c : cells)
      for (const double rate : rates) choosing.push_back({c, {t, 0, (updates(t) + 1) / 2, rate}});
  results known_results(wanted.checkpoint);
  if (wanted.rate == 0) train_all("to choose learning rates", choosing, known_results, wanted.threads);
  for (int s = 1; s <= wanted.seeds; ++s)
    for (const task t : chosen)
      for (const contestant& c : cells) {
        double best_rate = wanted.rate, best = -1;
        for (const training& one : choosing)
          if (wanted.rate == 0 && one.wanted.of == t && one.of.name == c.name && known_results.find(one.key()).value() > best) {
            best = known_results.find(one.key()).value();
            best_rate = one.wanted.learning_rate;
          }
        all.push_back({c, {t, s, updates(t), best_rate}});
      }
  train_all("for the table", all, known_results, wanted.threads);

  std::printf("\n%-7s %5s %10s", "cell", "units", "parameters");
  for (const task t : chosen) std::printf("  %-14s %5s", name_of(t), t == task::counting ? "" : "paper");
  std::printf("\n");
  for (const contestant& c : cells) {
    std::printf("%-7s %5d %10ld", c.name.c_str(), c.units, c.parameters);
    for (const task t : chosen) {
      std::vector<double> found;
      for (const training& one : all)
        if (one.wanted.of == t && one.of.name == c.name) found.push_back(known_results.find(one.key()).value());
      std::printf("  %-14s", mean_and_spread(found).c_str());
      const auto* in_paper = std::find_if(std::begin(paper), std::end(paper), [&](const published& p) { return p.cell == c.name; });
      if (t == task::counting || in_paper == std::end(paper)) std::printf(" %5s", "");
      else std::printf(" %5.3f", t == task::xml ? in_paper->xml : in_paper->arithmetic);
    }
    std::printf("\n");
  }
  return 0;
}

int main(int count, char** words) {
  arguments wanted;
  return command_line::program("architecture_search: which recurrent cell is best?", count, words,
      {{"--task", &wanted.task, "arithmetic, xml or counting; without it all of them"},
       {"--cells", &wanted.cells, "names with commas between, such as LSTM,GRU; without it all of them"},
       {"--seeds", &wanted.seeds, "how often each cell is trained", 1},
       {"--updates", &wanted.updates, "of each training, with 32 texts each; 0: 20000 of arithmetic, 5000 of the others"},
       {"--rate", &wanted.rate, "the learning rate at the start; 0: chosen for each cell and task by a shorter training with each of two", 0},
       {"--threads", &wanted.threads, "how many trainings run at once", 1},
       {"--checkpoint", &wanted.checkpoint, "a file that keeps the results; the search continues from it"},
       {"--list", &wanted.is_listing, "prints the cells, and trains none"},
       {"--gradients", &wanted.gradients, "an SVG file, for a drawing of how much of a gradient reaches earlier steps"}},
      [&] { return run(wanted); });
}
