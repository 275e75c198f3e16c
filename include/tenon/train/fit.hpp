// fit: the training loop: epochs of shuffled batches, the last of them partial where the rows do not divide.
#pragma once

#include "tenon/backend/random.hpp"
#include "tenon/train/progress.hpp"
#include "tenon/train/stopwatch.hpp"
#include "tenon/train/trainer.hpp"

#include <algorithm>
#include <concepts>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tenon {

struct fit_options {
  int epochs = 1;
  seed shuffle{};               // the order of the rows: same seed, same order
  std::string label = "train";  // of the progress bar
};
namespace engine {
struct given_number {  // nothing makes one of {}
  given_number(auto) {}
};
struct called_epoch {  // what {.epoch = 2} makes
  given_number epoch;
};
template <class Trainer>
struct misspelt_epochs {
  static constexpr problem wrong{.rule = "fit has no option 'epoch'", .fix = "write {.epochs = 30}"};
};
}  // namespace engine

struct epoch_report {
  int epoch = 0;    // from 1
  double loss = 0;  // mean over the rows, each with the parameters it was trained with
  double seconds = 0;
};

// The rows 0 .. n-1 in the order of an epoch (Fisher and Yates 1938).
inline std::vector<int> shuffled(int n, seed s, int epoch) {
  std::vector<int> rows(static_cast<std::size_t>(n));
  std::iota(rows.begin(), rows.end(), 0);
  backend::random_stream random(s.value, static_cast<std::uint64_t>(epoch));
  for (std::size_t i = rows.size(); i > 1; --i)
    std::swap(rows[i - 1], rows[random.below(static_cast<std::uint32_t>(i))]);
  return rows;
}

// Calls f(rows) for consecutive batches of at most `batch` rows; the last may be smaller.
template <class F>
void for_each_batch(std::span<const int> rows, int batch, F f) {
  if (batch <= 0)
    throw input_error("for_each_batch: a batch needs a positive number of rows, got " +
                      std::to_string(batch));
  for (std::size_t at = 0; at < rows.size(); at += static_cast<std::size_t>(batch))
    f(rows.subspan(at, std::min(static_cast<std::size_t>(batch), rows.size() - at)));
}

namespace engine {
// What is wrong with what fit is given.
template <class Trainer, class Count, class Feed, class Options, class AfterEpoch>
struct unfit_loop {
  static constexpr problem wrong = [] {
    [[maybe_unused]] const sentence call = "write fit(trainer, rows, feed, {.epochs = 30}, after_epoch)";
    if (!requires(Trainer & t) { Trainer::B, static_cast<double>(t.step()); })
      return problem{.rule = "what fit is to train is no trainer", .fix = call};
    if (!std::convertible_to<Count, int>)
      return problem{
          .rule =
              sentence("fit needs the number of rows, got '").append(type_name<Count>().view()).append("'"),
          .fix = call};
    if (!std::same_as<Options, fit_options>)
      return problem{.rule = "fit needs its options behind the feed",
                     .fix = "write {.epochs = 30}, then what follows each epoch"};
    if (!requires(Trainer & t, Feed & feed, std::span<const int> rows) { feed(t, rows); })
      return problem{.rule = "fit calls feed(session, rows), and this feed does not take them",
                     .fix = "write [](auto& session, std::span<const int> rows) { .. }"};
    if (!requires(AfterEpoch & f, const epoch_report& report) { f(report); })
      return problem{.rule = "fit calls after_epoch(report), and this one does not take it",
                     .fix = "write [](const epoch_report& report) { .. }"};
    return problem{};
  }();
};
struct nothing_after {
  void operator()(const epoch_report&) const {}
};

template <class Trainer, class Feed, class AfterEpoch>
void run_epochs(Trainer& trainer, int count, Feed& feed, const fit_options& options,
                AfterEpoch& after_epoch) {
  if (count <= 0) throw input_error("fit: the data set is empty");
  for (int epoch = 1; epoch <= options.epochs; ++epoch) {
    const tenon::detail::stopwatch watch;
    double total = 0;
    {
      progress bar(options.label + " " + std::to_string(epoch) + "/" + std::to_string(options.epochs), count);
      long done = 0;
      for_each_batch(shuffled(count, options.shuffle, epoch), Trainer::B, [&](std::span<const int> rows) {
        feed(trainer, rows);
        total += static_cast<double>(trainer.step()) * static_cast<double>(rows.size());
        done += static_cast<long>(rows.size());
        bar.show(done, total / static_cast<double>(done));
      });
    }  // the bar is gone before after_epoch writes
    const epoch_report report{epoch, total / count, watch.seconds()};
    if constexpr (std::same_as<decltype(after_epoch(report)), bool>) {
      if (!after_epoch(report)) return;
    } else {
      after_epoch(report);
    }
  }
}
}  // namespace engine

// Trains on rows 0 .. count-1. feed(session, rows) gives the inputs of these rows to the session;
// after_epoch(report) returns nothing, or a bool: false stops early. Throws input_error where there is
// nothing to train on.
template <class Trainer, class Count, class Feed, class Options = fit_options,
          class AfterEpoch = engine::nothing_after>
void fit(Trainer& trainer, const Count& count, Feed feed, const Options& options = {},
         AfterEpoch after_epoch = {}) {
  using unfit = engine::unfit_loop<Trainer, Count, Feed, Options, AfterEpoch>;
  if constexpr (unfit::wrong) tenon::detail::say<tenon::detail::error_in<unfit>>();
  else engine::run_epochs(trainer, static_cast<int>(count), feed, options, after_epoch);
}

template <class Trainer, class Count, class Feed, class AfterEpoch = engine::nothing_after>
void fit(Trainer&, const Count&, Feed, engine::called_epoch, AfterEpoch = {}) {
  tenon::detail::say<tenon::detail::error_in<engine::misspelt_epochs<Trainer>>>();
}

}  // namespace tenon
