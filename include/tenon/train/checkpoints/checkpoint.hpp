// Checkpoints: fit(trainer, data, {.checkpoint = checkpoint{"run.ckpt"}}) writes the whole state of a training into a
// safetensors file, and continues from that file if it exists. The result has the same bits as that of a training
// that was never stopped, with any number of threads. A file is replaced as a whole: if the program ends at any
// moment, the last good file is there.
#pragma once

// Included first, because compilers print each file on the include path to where errors are reported.
#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/train/checkpoints/trainer_checkpoint.hpp"
#include "tenon/train/checkpoints/without_checkpoints.hpp"
#include "tenon/train/loop/fit.hpp"

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tenon::inline v0_1 {

namespace engine {

// Access to the private state of fit's loop.
struct loop_checkpoint_access {
  using described = decltype(checkpoint::must_match);
  template <class Loop>
  static void describe(Loop& loop, const described& must_match, checkpoint_state& state) {
    state.identity["rows of data"] = std::to_string(loop.data_rows_);
    state.identity["seed of shuffle"] = std::to_string(loop.options_.shuffle.value);
    state.identity["batches sorted together"] = std::to_string(loop.options_.batches.sorted_together);
    std::string metrics;
    for (const std::string& name : loop.history_.metric_names) metrics += name + "; ";
    state.identity["metrics"] = metrics;
    for (const auto& [name, value] : must_match)
      if (!state.identity.emplace(name, value).second)
        throw input_error("checkpoint: must_match: '" + name +
                          "' is a name that checkpoints use themselves; take another");
  }
  // What a file must agree with. Throws input_error if must_match has a name that the file itself uses.
  template <class Loop>
  static checkpoint_state expected_of(Loop& loop, const described& must_match) {
    checkpoint_state expected;
    checkpoint_access::describe(loop.trainer_, expected);
    describe(loop, must_match, expected);
    return expected;
  }
  // Before there is a file: throws if the training could not be saved.
  template <class Loop>
  static void check(Loop& loop, const std::string& path, const described& must_match) {
    tenon::detail::check_safetensors_metadata(path, expected_of(loop, must_match).identity);
    checkpoint_access::check_rule(loop.trainer_);
  }
  template <class Loop>
  static void save(Loop& loop, checkpoint_state& state, const described& must_match) {
    checkpoint_access::save(loop.trainer_, state);
    describe(loop, must_match, state);
    const schedules::progress& p = loop.progress_;
    state.numbers["progress"] = {static_cast<double>(p.step),
                                 static_cast<double>(p.epoch),
                                 p.loss,
                                 static_cast<double>(loop.position_.batch),
                                 loop.total_,
                                 loop.best_loss_,
                                 static_cast<double>(loop.history_.best_epoch),
                                 loop.has_ended_ ? 1.0 : 0.0,
                                 !loop.kept_                      ? 0.0
                                 : loop.kept_average_.size() == 0 ? 1.0
                                                                  : 2.0};
    state.numbers["schedule"] = loop.schedule_.state();
    state.numbers["carried"] = loop.position_.carried;
    if (loop.stopping_)
      state.numbers["stopping"] = {loop.stopping_->best_, static_cast<double>(loop.stopping_->epochs_),
                                   static_cast<double>(loop.stopping_->best_epoch_)};
    std::vector<double>& history = state.numbers["history"];
    for (const reports::epoch& e : loop.history_.epochs) {
      for (double x : {e.loss, e.validation_loss, e.learning_rate, e.seconds}) history.push_back(x);
      history.insert(history.end(), e.metrics.begin(), e.metrics.end());
    }
    if (loop.kept_)
      state.blocks.push_back(
          {"best parameters", loop.kept_->data(), Loop::parameters_type::block_size, state.blocks[0].type});
    if (loop.kept_average_.size() > 0)
      state.blocks.push_back(
          {"best average", loop.kept_average_.data(), loop.kept_average_.size(), state.blocks[0].type});
  }
  template <class Loop>
  static void load(Loop& loop, const std::string& path, const described& must_match) {
    using trainer_type = std::remove_reference_t<decltype(loop.trainer_)>;
    const open_checkpoint file(path, expected_of(loop, must_match).identity, world_of(loop.trainer_));
    checkpoint_access::loading<trainer_type> of_trainer(loop.trainer_, file);
    const std::vector<double> p = file.numbers("progress", 9), schedule = file.numbers("schedule"),
                              history = file.numbers("history");
    const auto count = [&](std::size_t k, long most = open_checkpoint::most_counted) {
      return file.count_in("progress", p, k, most);
    };
    const int epoch = static_cast<int>(count(1, std::numeric_limits<int>::max() - 1));
    const int best_epoch = static_cast<int>(count(6, epoch));
    const long step = count(0), batch = count(3, loop.rows_);
    std::vector<double> carried = file.finite_numbers("carried", batch > 0 ? loop.carried_count_ : 0);
    const bool has_ended = count(7, 1) != 0;
    const long has_kept = count(8, 2);  // 2: with their average
    file.require(std::isfinite(p[4]), "progress", p, 4, "a finite number");
    file.require(!std::isnan(p[5]), "progress", p, 5, "a number");
    for (std::size_t k = 0; k < schedule.size(); ++k)
      file.require(!std::isnan(schedule[k]), "schedule", schedule, k, "a number");
    std::optional<stopping_rule> stopping = loop.stopping_;
    if (stopping) {
      const std::vector<double> of_file = file.numbers("stopping", 3);
      file.require(!std::isnan(of_file[0]), "stopping", of_file, 0, "a number");
      stopping->best_ = of_file[0];
      stopping->epochs_ = static_cast<int>(file.count_in("stopping", of_file, 1, epoch));
      stopping->best_epoch_ = static_cast<int>(file.count_in("stopping", of_file, 2, stopping->epochs_));
    }
    const std::size_t epochs = static_cast<std::size_t>(epoch), metrics = loop.history_.metric_names.size();
    file.numbers("history", epochs * (4 + metrics));
    std::optional<typename Loop::parameters_type> kept;
    parameter_block<typename trainer_type::T> kept_average;
    const auto read = [&](const char* name, void* to) {
      const checkpoint_state::block best{name, to, Loop::parameters_type::block_size,
                                         of_trainer.state.blocks[0].type};
      file.check(best);
      file.read(best);
    };
    if (has_kept > 0) {
      kept.emplace(zeros{});
      read("best parameters", kept->data());
    }
    if (has_kept > 1) {
      kept_average = decltype(kept_average)(Loop::parameters_type::block_size, {});
      read("best average", kept_average.data());
    }
    try {
      loop.schedule_.restore(schedule);
    } catch (const input_error& wrong) {
      tenon::detail::throw_data_error(path, {"tensor 'training.schedule': ", wrong.what()});
    }

    of_trainer.apply(loop.trainer_, file);
    loop.kept_ = std::move(kept);
    loop.kept_average_ = std::move(kept_average);
    loop.progress_.step = step;
    loop.progress_.epoch = epoch;
    loop.progress_.loss = p[2];
    loop.position_ = {batch, std::move(carried)};
    loop.total_ = p[4];
    loop.best_loss_ = p[5];
    loop.history_.best_epoch = best_epoch;
    loop.has_ended_ = has_ended;
    loop.stopping_ = stopping;
    loop.history_.epochs.clear();
    for (std::size_t e = 0; e < epochs; ++e) {
      const double* const x = history.data() + e * (4 + metrics);
      loop.history_.epochs.push_back({.epoch = static_cast<int>(e + 1),
                                      .loss = x[0],
                                      .validation_loss = x[1],
                                      .metrics = {x + 4, x + 4 + metrics},
                                      .learning_rate = x[2],
                                      .seconds = x[3]});
    }
  }
  template <class Loop, class Act>
  static void on_first_rank_of(const Loop& loop, Act act) {
    on_first_rank(world_of(loop.trainer_), act);
  }
  // Is there a file where the first rank looks for it? The others may have another disk.
  template <class Loop>
  static bool is_there(const Loop& loop, const std::string& path) {
    const auto world = world_of(loop.trainer_);
    std::vector<char> found;
    if (world.rank() == 0)
      found.push_back(system_calls::entry_at(path).kind != system_calls::entry_kind::missing);
    return distribute::gather_all(world, found).front() != 0;
  }
  template <class Loop>
  static bool continues(const Loop& loop) {
    return loop.progress_.epoch < loop.options_.epochs && !loop.has_ended_;
  }
};

template <class Loop>
struct saved_loop {
  static void load(Loop& loop, const checkpoint& at) {
    if (at.path.empty()) throw input_error("checkpoint: the path is empty; write checkpoint{\"run.ckpt\"}");
    if (at.every < 1 || at.steps < 0)
      throw input_error("checkpoint: expected to save after at least 1 epoch and 0 steps, got " +
                        std::to_string(at.every) + " and " + std::to_string(at.steps));
    if (loop_checkpoint_access::is_there(loop, at.path))
      loop_checkpoint_access::load(loop, at.path, at.must_match);
    else loop_checkpoint_access::check(loop, at.path, at.must_match);
    // If the file cannot be written, the error comes now, not after hours.
    if (loop_checkpoint_access::continues(loop))
      loop_checkpoint_access::on_first_rank_of(loop, [&] { tenon::detail::file_replacement{at.path}; });
  }
  static void save(Loop& loop, const checkpoint& at) {
    checkpoint_state state;
    loop_checkpoint_access::save(loop, state, at.must_match);
    loop_checkpoint_access::on_first_rank_of(loop, [&] { write_checkpoint(at.path, state); });
  }
};

}  // namespace engine

}  // namespace tenon::inline v0_1
