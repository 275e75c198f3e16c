// Checkpoints: fit(trainer, data, {.checkpoint = checkpoint{"run.ckpt"}}) writes all that a training consists of into a safetensors
// file, and goes on from it where there is one, to the bits of a training that was never stopped, with any number of threads.
// A file is replaced as a whole: whoever ends the program at whatever moment, the last good one is there.
#pragma once

// First, as compilers print each file on the way to the one where errors are said.
#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/io/safetensors.hpp"
#include "tenon/parameters/by_name.hpp"
#include "tenon/train/fit.hpp"

#include <unistd.h>

#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tenon {

namespace engine {

// What a checkpoint holds.
struct checkpoint_state {
  struct block {  // of the program's memory
    std::string name;
    void* data;
    std::size_t count;
    dtype type;
  };
  std::map<std::string, std::string> identity{};  // what must be the same: of which graph, rule, ..
  std::vector<block> blocks{};                    // of finite numbers
  std::map<std::string, std::vector<double>> numbers{};
  std::shared_ptr<void> copy{};  // of the optimiser's states, where these are in a device's memory
};

template <class T>
bool all_finite(const void* data, std::size_t count) {
  const T* const x = static_cast<const T*>(data);
  for (std::size_t k = 0; k < count; ++k)
    if (!std::isfinite(x[k])) return false;
  return true;
}
inline bool all_finite(const void* data, std::size_t count, dtype type) {
  return type == dtype::float32 ? all_finite<float>(data, count) : all_finite<double>(data, count);
}

// Throws training_error, and leaves the file as it is, where a block has a number that is not finite; data_error where the file
// cannot be written.
inline void write_checkpoint(const std::string& path, const checkpoint_state& state) {
  std::vector<named_tensor> tensors;
  for (const checkpoint_state::block& b : state.blocks) {
    if (!all_finite(b.data, b.count, b.type))
      throw training_error(path + ": not written: '" + b.name + "' has a number that is not finite");
    tensors.push_back({b.name, b.type, {b.count}, b.data});
  }
  for (const auto& [name, values] : state.numbers)
    tensors.push_back({"training." + name, dtype::float64, {values.size()}, values.data()});
  write_safetensors(path, tensors, state.identity);
}

// An open checkpoint that fits: reading it changes nothing before all of it is known to be right.
class open_checkpoint {
 public:
  // Throws data_error for a file that is no checkpoint, is malformed, or belongs to another training.
  open_checkpoint(const std::string& path, const std::map<std::string, std::string>& identity) : file_(path) {
    if (!file_.metadata().contains("checkpoint"))
      tenon::detail::throw_data_error(path, {"is no checkpoint of a training"});
    for (const auto& [key, ours] : identity) {
      const auto theirs = file_.metadata().find(key);
      if (theirs == file_.metadata().end() || theirs->second != ours)
        tenon::detail::throw_data_error(
            path, {"is a checkpoint of another training: its ", key, " is '",
                   theirs == file_.metadata().end() ? "" : theirs->second, "', here it is '", ours,
                   "'; give another path, or remove the file"});
    }
  }
  std::vector<double> numbers(const std::string& name) const {
    const named_tensor& tensor = checked("training." + name, dtype::float64);
    std::vector<double> values(tensor.size());
    read_numbers(tensor, 0, values.size(), values.data());
    return values;
  }
  // So many numbers.
  std::vector<double> numbers(const std::string& name, std::size_t count) const {
    std::vector<double> values = numbers(name);
    if (values.size() != count)
      tenon::detail::throw_data_error(
          file_.path(), {"tensor 'training.", name, "' has ", values.size(), " numbers, expected ", count});
    return values;
  }
  void check(const checkpoint_state::block& b) const {
    const named_tensor& tensor = checked(b.name, b.type);
    if (tensor.size() != b.count)
      tenon::detail::throw_data_error(
          file_.path(), {"tensor '", b.name, "' has ", tensor.size(), " numbers, expected ", b.count});
    std::vector<double> some(4096);
    for (std::size_t k = 0; k < b.count; k += some.size()) {
      const std::size_t count = std::min(some.size(), b.count - k);
      read_numbers(tensor, k, count, some.data());
      if (!all_finite<double>(some.data(), count))
        tenon::detail::throw_data_error(file_.path(),
                                        {"tensor '", b.name, "' has a number that is not finite"});
    }
  }
  void read(const checkpoint_state::block& b) const {
    std::memcpy(b.data, file_.at(b.name).data, b.count * tenon::detail::size_of(b.type));
  }

 private:
  const named_tensor& checked(const std::string& name, dtype type) const {
    const named_tensor& tensor = file_.at(name);
    if (tensor.type != type)
      tenon::detail::throw_data_error(
          file_.path(), {"tensor '", name, "' has numbers of type ", tenon::detail::name_of(tensor.type),
                         ", expected ", tenon::detail::name_of(type)});
    return tensor;
  }
  safetensors_file file_;
};

// What a trainer and a loop keep to themselves, as a checkpoint's state.
struct checkpoint_access {
  template <class G, class Objective, class Rule, class... Options>
  static void describe(trainer<G, Objective, Rule, Options...>& t, checkpoint_state& state) {
    using type = trainer<G, Objective, Rule, Options...>;
    std::string shapes;
    for (const auto& p : tenon::detail::entries_of<G>())
      shapes += std::string(p.path) + " " + tenon::detail::shape_text(p.shape()) + "; ";
    state.identity = {{"checkpoint", "1"},
                      {"graph", std::string(ir::title_of<G>())},
                      {"parameters", shapes},
                      {"update rule", std::string(ir::type_name<Rule>().view())},
                      {"groups", t.optimizer_.groups_ ? t.optimizer_.groups_->description() : ""},
                      {"type of numbers", std::string(tenon::detail::name_of(dtype_of<typename type::T>))},
                      {"batch", std::to_string(type::B)},
                      {"shards", std::to_string(shards_of<typename type::session_type>())},
                      {"accumulate", std::to_string(t.accumulate)},
                      {"seed of dropout", std::to_string(t.seed_.value)}};
  }
  template <class Trainer>
  static void add_blocks(Trainer& t, bool has_average, checkpoint_state& state) {
    using T = typename Trainer::T;
    const auto add = [&](const char* name, void* data, std::size_t count) {
      state.blocks.push_back({name, data, count, dtype_of<T>});
    };
    add("parameters", t.theta_.data(), std::remove_reference_t<decltype(t.theta_)>::block_size);
    if constexpr (backend::HasOwnMemory<typename Trainer::plan::backend>) {
      const auto copy = std::make_shared<memory<T>>(t.optimizer_.state().states);
      add("optimizer", copy->data(), copy->size());
      state.copy = copy;
    } else {
      add("optimizer", t.optimizer_.states_.data(), t.optimizer_.states_.size());
    }
    if (has_average) add("average", t.average_.data(), t.average_.size());
  }
  template <class Trainer>
  static void save(Trainer& t, checkpoint_state& state) {
    if (t.pending() > 0)
      throw input_error("checkpoint: gradients are being accumulated; call update() first");
    describe(t, state);
    state.numbers["steps"] = {static_cast<double>(t.optimizer_.step_), static_cast<double>(t.batches_),
                              t.average_.size() > 0 ? 1.0 : 0.0};
    std::vector<double>& rule = state.numbers["rule"];
    each_number(t.optimizer_.rule, [&](double& x) { rule.push_back(x); });
    add_blocks(t, t.average_.size() > 0, state);
  }
  // Prepares what is read: nothing of the trainer changes before apply().
  template <class Trainer>
  struct loading {
    checkpoint_state state{};
    std::vector<double> steps{}, rule{};
    memory<typename Trainer::T> average{};

    loading(Trainer& t, const open_checkpoint& file) {
      steps = file.numbers("steps", 3);
      std::size_t numbers = 0;
      each_number(t.optimizer_.rule, [&](double&) { ++numbers; });
      rule = file.numbers("rule", numbers);
      add_blocks(t, false, state);
      if (steps[2] != 0) {
        average = memory<typename Trainer::T>(std::remove_reference_t<decltype(t.theta_)>::block_size);
        state.blocks.push_back({"average", average.data(), average.size(), state.blocks[0].type});
      }
      for (const auto& b : state.blocks) file.check(b);
    }
    void apply(Trainer& t, const open_checkpoint& file) {
      for (const auto& b : state.blocks) file.read(b);
      using own_backend = typename Trainer::plan::backend;
      if constexpr (backend::HasOwnMemory<own_backend>) {
        t.optimizer_.stream_.join();
        backend::copy_to<own_backend>(
            static_cast<const memory<typename Trainer::T>*>(state.copy.get())->data(),
            t.optimizer_.states_.data(), t.optimizer_.states_.size());
      }
      t.average_ = std::move(average);
      t.optimizer_.step_ = static_cast<long>(steps[0]), t.batches_ = static_cast<long>(steps[1]);
      t.pending_ = 0;
      t.theta_.data();  // it has changed: packed weights are made anew
      std::size_t k = 0;
      each_number(t.optimizer_.rule, [&](double& x) { x = rule[k++]; });
    }
  };

  using described = std::map<std::string, std::string>;
  template <class Loop>
  static void describe_loop(Loop& loop, const described& must_match, checkpoint_state& state) {
    state.identity["rows of data"] = std::to_string(loop.rows_);
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
  // What a file must agree with. Throws input_error for names in must_match that it has itself.
  template <class Loop>
  static checkpoint_state expected_of(Loop& loop, const described& must_match) {
    checkpoint_state expected;
    describe(loop.trainer_, expected);
    describe_loop(loop, must_match, expected);
    return expected;
  }
  template <class Loop>
  static void save_loop(Loop& loop, checkpoint_state& state, const described& must_match) {
    save(loop.trainer_, state);
    describe_loop(loop, must_match, state);
    const training_progress& p = loop.progress_;
    state.numbers["progress"] = {static_cast<double>(p.step),
                                 static_cast<double>(p.epoch),
                                 p.loss,
                                 static_cast<double>(loop.batch_),
                                 loop.total_,
                                 loop.best_loss_,
                                 static_cast<double>(loop.history_.best_epoch),
                                 loop.has_ended_ ? 1.0 : 0.0,
                                 loop.kept_ ? 1.0 : 0.0};
    state.numbers["schedule"] = loop.schedule_.state();
    if (loop.stopping_)
      state.numbers["stopping"] = {loop.stopping_->best_, static_cast<double>(loop.stopping_->epochs_),
                                   static_cast<double>(loop.stopping_->best_epoch_)};
    std::vector<double>& history = state.numbers["history"];
    for (const epoch_report& e : loop.history_.epochs) {
      for (double x : {e.loss, e.validation_loss, e.learning_rate, e.seconds}) history.push_back(x);
      history.insert(history.end(), e.metrics.begin(), e.metrics.end());
    }
    if (loop.kept_)
      state.blocks.push_back(
          {"best parameters", loop.kept_->data(), Loop::parameters_type::block_size, state.blocks[0].type});
  }
  template <class Loop>
  static void load_loop(Loop& loop, const std::string& path, const described& must_match) {
    using trainer_type = std::remove_reference_t<decltype(loop.trainer_)>;
    const open_checkpoint file(path, expected_of(loop, must_match).identity);
    loading<trainer_type> of_trainer(loop.trainer_, file);
    const std::vector<double> p = file.numbers("progress", 9), schedule = file.numbers("schedule"),
                              history = file.numbers("history");
    std::vector<double> stopping;
    if (loop.stopping_) stopping = file.numbers("stopping", 3);
    const std::size_t epochs = static_cast<std::size_t>(p[1]), metrics = loop.history_.metric_names.size();
    file.numbers("history", epochs * (4 + metrics));
    std::optional<typename Loop::parameters_type> kept;
    if (p[8] != 0) {
      kept.emplace(zeros{});
      const checkpoint_state::block best{"best parameters", kept->data(), Loop::parameters_type::block_size,
                                         of_trainer.state.blocks[0].type};
      file.check(best), file.read(best);
    }
    loop.schedule_.restore(schedule);

    of_trainer.apply(loop.trainer_, file);
    loop.kept_ = std::move(kept);
    loop.progress_.step = static_cast<long>(p[0]), loop.progress_.epoch = static_cast<int>(p[1]);
    loop.progress_.loss = p[2], loop.batch_ = static_cast<long>(p[3]), loop.total_ = p[4];
    loop.best_loss_ = p[5], loop.history_.best_epoch = static_cast<int>(p[6]), loop.has_ended_ = p[7] != 0;
    if (loop.stopping_) {
      loop.stopping_->best_ = stopping[0], loop.stopping_->epochs_ = static_cast<int>(stopping[1]);
      loop.stopping_->best_epoch_ = static_cast<int>(stopping[2]);
    }
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

 private:
  template <class Session>
  static constexpr int shards_of() {
    if constexpr (requires { Session::part_rows; }) return Session::B / Session::part_rows;
    else return 1;
  }
  // The numbers of a rule, if it is made of nothing else.
  template <class Rule, class F>
  static void each_number(Rule& rule, F f) {
    if constexpr (std::is_trivially_copyable_v<Rule> && sizeof(Rule) % sizeof(double) == 0 &&
                  !std::is_empty_v<Rule>) {
      double numbers[sizeof(Rule) / sizeof(double)];
      std::memcpy(numbers, &rule, sizeof rule);
      for (double& x : numbers) f(x);
      std::memcpy(&rule, numbers, sizeof rule);
    }
  }
};

inline bool is_there(const std::string& path) { return ::access(path.c_str(), F_OK) == 0; }

}  // namespace engine

// Where fit saves a training, and from where it goes on if the file is there. Saved are the parameters, the optimiser's states and
// numbers, the average, steps and random counters, what schedule and early stopping remember, the best parameters, the history, and
// the place in the data. What else is set on the trainer and given to fit is the program's, and must be the same again.
struct checkpoint {
  std::string path;
  int every = 1;  // epochs; the last one is always saved
  long steps =
      0;  // and after every so many updates within an epoch; 0: not. A long text, whose state is carried, is saved at epochs alone
  // What else the program goes by, as the words of a vocabulary: saved under these names in the file's metadata, and must be the same
  // again. A name that a checkpoint uses itself is an input_error.
  std::map<std::string, std::string> must_match = {};

  // Called by fit. Throws data_error for a file that is malformed, or a checkpoint of another graph, rule, data set or version;
  // nothing is changed then. input_error where `every` or `steps` mean nothing.
  template <class Loop>
  void load(Loop& loop) const {
    if (every < 1 || steps < 0)
      throw input_error("checkpoint: expected to save after at least 1 epoch and 0 steps, got " +
                        std::to_string(every) + " and " + std::to_string(steps));
    if (engine::is_there(path)) engine::checkpoint_access::load_loop(loop, path, must_match);
    else engine::checkpoint_access::expected_of(loop, must_match);
  }
  template <class Loop>
  void save(Loop& loop) const {
    engine::checkpoint_state state;
    engine::checkpoint_access::save_loop(loop, state, must_match);
    engine::write_checkpoint(path, state);
  }
};

// The same for a loop of one's own: the trainer alone. Between updates; throws as `checkpoint` does.
template <class G, class Objective, class Rule, class... Options>
void save_checkpoint(trainer<G, Objective, Rule, Options...>& trainer, const std::string& path) {
  engine::checkpoint_state state;
  engine::checkpoint_access::save(trainer, state);
  engine::write_checkpoint(path, state);
}
template <class G, class Objective, class Rule, class... Options>
void load_checkpoint(trainer<G, Objective, Rule, Options...>& trainer, const std::string& path) {
  engine::checkpoint_state expected;
  engine::checkpoint_access::describe(trainer, expected);
  const engine::open_checkpoint file(path, expected.identity);
  engine::checkpoint_access::loading<tenon::trainer<G, Objective, Rule, Options...>> found(trainer, file);
  found.apply(trainer, file);
}

}  // namespace tenon
