// trainer: a graph, an objective and an update rule; step() is forward, backward, clipping and update.
#pragma once

// Included first, because compilers print each file on the include path to where errors are reported.
#include "tenon/diagnostics/diagnose.hpp"
#include "tenon/diagnostics/wrong_call.hpp"

#include "tenon/backend/instruction_set.hpp"
#include "tenon/distribute/communicator.hpp"
#include "tenon/engine/session/captured_runs.hpp"
#include "tenon/train/optimizers/moving_average.hpp"
#include "tenon/train/optimizers/optimizer.hpp"
#include "tenon/train/trainer/gradients.hpp"
#include "tenon/train/trainer/host_update.hpp"
#include "tenon/train/trainer/learner.hpp"
#include "tenon/train/trainer/step_queue.hpp"
#include "tenon/train/trainer/trainer_errors.hpp"
#include "tenon/train/trainer/training_error.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

namespace tenon::inline v0_1 {

namespace engine {
template <class Trainer>
class training_loop;  // keeps the best parameters, and their average
template <class Trainer>
class unfinished_update;
}  // namespace engine

inline namespace TENON_INSTRUCTION_SET {

template <class G, class Objective, class Rule = void,
          class... Options>  // each a type: batch<32>, steps<20>, on<backend::cpu>
class trainer
    : public engine::trainer_has_no_run,
      public engine::trainer_has_no_forward,
      public engine::trainer_has_no_backward,
      engine::has_learner<tenon::detail::say<tenon::detail::error_in<detail::problem_of<G, Objective>>>() &&
                              tenon::detail::say<tenon::detail::error_in<
                                  engine::learner_of<G, Objective, Rule, Options...>>>(),
                          engine::learner_of<G, Objective, Rule, Options...>> {
  using learner = engine::learner_of<G, Objective, Rule, Options...>;
  static_assert(tenon::detail::say<tenon::detail::error_in<engine::unfit_rule_of<G, Objective, Rule>>>());
  static_assert(tenon::detail::say<
                tenon::detail::error_in<engine::unfit_sparse<engine::sparse_tables<network_of<G>>, Rule>>>());
  using optimizer_type = std::conditional_t<concepts::UpdateRule<Rule>, Rule,
                                            optimizers::sgd>;  // a refused rule gives no further errors
  using captured_type = typename engine::captured_steps<typename learner::type, Options...>::type;
  // Whether the numbers of a step are in memory that the program does not see.
  static constexpr bool is_there = backend::HasOwnMemory<typename learner::type::plan::backend>;
  static constexpr bool is_captured = !std::same_as<captured_type, engine::nothing_captured>;

 public:
  using session_type = typename learner::type;
  using plan = typename session_type::plan;
  using evaluation_type = typename learner::evaluation_type;
  using T = typename session_type::T;
  using objective = Objective;
  using update_type =
      tenon::optimizer<optimizer_type, G, T, typename plan::backend, engine::touched_by<G, plan>>;
  static constexpr int B = plan::batch;
  static constexpr std::size_t workspace_bytes = session_type::workspace_bytes;

  // Trains theta, which must outlive the trainer. The seed determines dropout.
  explicit trainer(parameters<G, T>& theta, optimizer_type rule = {}, seed s = {})
      : optimizer_(rule), theta_(theta), seed_(s) {}
  trainer(const trainer& TENON_COPY(TENON_COPIED_SESSION)) TENON_DELETED(TENON_COPIED_SESSION);
  TENON_CALL(TENON_COPIED_SESSION, trainer&)
  operator=(const trainer&) TENON_DELETED(TENON_COPIED_SESSION);
  // The number of threads does not change any bit of a result. They share large kernels, or run the parts of shards<N>.
  trainer(parameters<G, T>& theta, optimizer_type rule, seed s,
          threads t) requires(std::constructible_from<session_type, threads>)  //
      : session_(t), optimizer_(rule), theta_(theta), seed_(s) {}
  // The same with the numbers of the rule as they are.
  template <std::same_as<threads> Threads>
  requires(std::constructible_from<session_type, threads>)  //
      trainer(parameters<G, T>& theta, Threads t)
      : trainer(theta, {}, {}, t) {}
  // With shards<N>, as one of several ranks, each with a trainer of its own, see communicator.hpp: all make the same calls with the same
  // inputs, each runs its shards, and all get the same parameters. `world` must outlive the trainer. Throws input_error if there are more
  // ranks than shards.
  template <std::same_as<threads> Threads, distribute::Communicator World>
  requires(engine::IsCut<session_type> && !is_there)  //
      trainer(parameters<G, T>& theta, Threads t, World& world)
      : trainer(theta, {}, {}, t, world) {}
  template <std::same_as<threads> Threads, distribute::Communicator World>
  requires(engine::IsCut<session_type> && !is_there)  //
      trainer(parameters<G, T>& theta, optimizer_type rule, seed s, Threads t, World& world)
      : session_(t, typename session_type::world_type(world)), optimizer_(rule), theta_(theta), seed_(s) {
    optimizer_.keep_states(session_.first_element(), session_.end_element());
  }
  // The same on a device, of which each rank has one; its shards run there one after the other.
  template <distribute::DeviceCommunicator World>
  requires(engine::IsCut<session_type>&& is_there)  //
      trainer(parameters<G, T>& theta, World& world)
      : trainer(theta, {}, {}, world) {}
  template <distribute::DeviceCommunicator World>
  requires(engine::IsCut<session_type>&& is_there)  //
      trainer(parameters<G, T>& theta, optimizer_type rule, seed s, World& world)
      : session_(typename session_type::world_type(world)), optimizer_(rule), theta_(theta), seed_(s) {}
  template <TENON_SAYS_AND(TENON_WORLD_OF_DEVICES) distribute::Communicator World>
  requires(engine::IsCut<session_type>&& is_there && !distribute::DeviceCommunicator<World>)  //
      trainer(parameters<G, T>&, World&)
  TENON_DELETED(TENON_WORLD_OF_DEVICES);
  template <TENON_SAYS_AND(TENON_WORLD_OF_DEVICES) distribute::Communicator World>
  requires(engine::IsCut<session_type>&& is_there && !distribute::DeviceCommunicator<World>)  //
      trainer(parameters<G, T>&, optimizer_type, seed, World&)
  TENON_DELETED(TENON_WORLD_OF_DEVICES);
  // Arguments that start no trainer. Deleted, not refused by an assertion, so that std::is_constructible is false.
  template <TENON_SAYS_AND(TENON_THREADS_ON_DEVICE) std::same_as<threads> Threads>
  requires(!std::constructible_from<session_type, threads>)  //
      trainer(parameters<G, T>&, optimizer_type, seed, Threads)
  TENON_DELETED(TENON_THREADS_ON_DEVICE);
  template <TENON_SAYS_AND(TENON_THREADS_ON_DEVICE) std::same_as<threads> Threads, class... More>
  requires(!std::constructible_from<session_type, threads>)  //
      trainer(parameters<G, T>&, Threads, More&&...)
  TENON_DELETED(TENON_THREADS_ON_DEVICE);
  template <TENON_SAYS_AND(TENON_WORLD_OF_ONE) std::same_as<threads> Threads, class Other, class... More>
  requires(std::constructible_from<session_type, threads> && !engine::IsCut<session_type>)  //
      trainer(parameters<G, T>&, Threads, Other&&, More&&...)
  TENON_DELETED(TENON_WORLD_OF_ONE);
  template <TENON_SAYS_AND(TENON_WORLD) std::same_as<threads> Threads, class Other, class... More>
  requires(engine::IsCut<session_type> &&
           (sizeof...(More) > 0 || !distribute::Communicator<std::remove_reference_t<Other>>))  //
      trainer(parameters<G, T>&, Threads, Other&&, More&&...)
  TENON_DELETED(TENON_WORLD);
  template <TENON_SAYS_AND(TENON_UNWRITABLE) engine::Unwritable<G, T, Objective> Theta>
  explicit trainer(Theta&&, optimizer_type = {}, seed = {}) TENON_DELETED(TENON_UNWRITABLE);
  template <TENON_SAYS_AND(TENON_BOUND_TO_SCALAR) engine::TrainedScalar<G, T, Objective> Theta>
  explicit trainer(Theta&&, optimizer_type = {}, seed = {}) TENON_DELETED(TENON_BOUND_TO_SCALAR);
  template <TENON_SAYS_AND(TENON_BOUND_TO_OTHER) engine::TrainedOther<G, T, Objective> Theta>
  explicit trainer(Theta&&, optimizer_type = {}, seed = {}) TENON_DELETED(TENON_BOUND_TO_OTHER);
  template <TENON_SAYS_AND(TENON_START_OF_TRAINING) class... Given>
  requires(fits<G, Objective> && sizeof...(Given) != 1 && !engine::second_is_threads<Given...> &&
           !engine::StartsTraining<parameters<G, T>, optimizer_type, Given...>)  //
      explicit trainer(Given&&...) TENON_DELETED(TENON_START_OF_TRAINING);
  template <class... Given>
  requires(!fits<G, Objective>)  // which is already reported
      explicit trainer(Given&&...)
      : trainer(engine::refused<parameters<G, T>>()) {}

  // {.lr = 1e-3}: other libraries' words for our numbers. Right words select the constructor
  // above, which is no template.
  template <class Numbers = engine::called_lr>
  trainer(parameters<G, T>& theta, engine::only<engine::called_lr, Numbers>, seed = {}) : trainer(theta) {
    tenon::detail::say<tenon::detail::error_in<engine::unfit_name_of_number<Numbers, optimizer_type>>>();
  }
  template <class Numbers = engine::called_rate>
  trainer(parameters<G, T>& theta, engine::only<engine::called_rate, Numbers>, seed = {}) : trainer(theta) {
    tenon::detail::say<tenon::detail::error_in<engine::unfit_name_of_number<Numbers, optimizer_type>>>();
  }
  template <class Numbers = engine::called_eps>
  trainer(parameters<G, T>& theta, engine::only<engine::called_eps, Numbers>, seed = {}) : trainer(theta) {
    tenon::detail::say<tenon::detail::error_in<engine::unfit_name_of_number<Numbers, optimizer_type>>>();
  }
#define TENON_SENTENCE                                                                             \
  "a trainer takes parameters, the numbers of its update rule by their names in the order of its " \
  "struct, as in train(theta, {.learning_rate = 1e-3}, seed{1}), and no others; optimizers::adam " \
  "has " TENON_MEMBERS_OF_ADAM
  TENON_SAYS(TENON_SENTENCE) trainer(const volatile parameters<G, T>&, ...) TENON_DELETED(TENON_SENTENCE);
#undef TENON_SENTENCE

  // Before an update all gradients are clipped: first each to [-max_value, max_value], then those of each group to its
  // norm, then all together to the norm max_norm (Pascanu et al. 2013). 0: not at all.
  double max_norm = 0, max_value = 0;

  // Parameters with their own rates, decays or limits, or frozen: see groups.hpp. Frozen ones count in no norm.
  void groups(std::initializer_list<optimizers::parameter_group> all) { optimizer_.groups(all); }
#define TENON_SENTENCE                                                                         \
  "groups takes patterns of names, each with its options by their names in this order, as in " \
  "groups({{\"*.bias\", {.weight_decay = 0}}}): " TENON_MEMBERS_OF_GROUP_OPTIONS
  TENON_SAYS(TENON_SENTENCE) void groups(...) TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE

  // This many batches make one update, with the gradient of all their positions together: each batch counts by the
  // number of positions that its loss is a mean over. If the objective is a sum of several losses, this is the gradient
  // of the joined batches only if the losses' numbers of positions have the same ratio in each batch.
  int accumulate = 1;

  // After each update an average of the parameters follows them: average := decay average + (1 - decay)
  // theta (Polyak and Juditsky 1992, with exponential weights). It starts as the parameters after the
  // first such update; 0: no average.
  double average_decay = 0;
  // A copy of the average; of the parameters if there is no average yet.
  parameters<G, T> averaged() const {
    parameters<G, T> all = theta_;
    if (average_.size() > 0) std::copy_n(average_.data(), average_.size(), all.data());
    return all;
  }

  // One step on the inputs given last; returns the loss before the update. Throws training_error, and leaves the
  // parameters unchanged, if the loss is not finite or, with clipping, a norm of the gradients. Throws input_error if
  // the learning rate or a limit of the gradients is negative or not finite.
  T step() {
    engine::check_averaging(average_decay);
    engine::check_accumulation(accumulate);
    engine::check_limit(max_norm, "max_norm");
    engine::check_limit(max_value, "max_value");
    optimizer_.check_rate();
    if constexpr (touched::is_sparse)
      if (!optimizer_.takes_sparse())
        throw input_error(
            "'" + std::string(touched::name()) + "' is sparse: update rule '" +
            std::string(ir::type_name<optimizer_type>().view()) +
            "' changes rows that have no gradient, with a momentum or a weight_decay other than 0");
    if constexpr (is_cut) {
      session_.group().world().begins_step(batches_ + 1);
      session_.agree_once([this](auto& same) { this->tell(same); });
    }
    session_.randomness(seed_, static_cast<std::uint64_t>(batches_));
    if constexpr (is_there) {
      return accumulate <= 1 && pending_ == 0 ? step_there() : accumulate_there();
    } else {
      const T loss = session_.forward(theta_);
      if (!std::isfinite(loss)) fail_of_loss(static_cast<double>(loss));
      if (pending_ == 0) {
        engine::host_update<parts_type>::clear(parts());
        gradients_.start_counting();
      }
      add_gradients();
      ++batches_;
      ++pending_;
      if (pending_ >= accumulate) update();
      return loss;
    }
  }
  // The update with the accumulated gradients, if there are any: for the last batches of an epoch, which may be fewer.
  void update() {
    if (pending_ == 0) return;
    pending_ = 0;
    if constexpr (is_there) {
      gradients_.finish();
      update_there();
    } else {
      if (const double norms = engine::host_update<parts_type>::run(parts()); !std::isfinite(norms))
        fail("the norm of the gradients", norms, "");
    }
    if (average_decay != 0) follow();
  }
  int pending() const { return pending_; }  // batches since the last update

  template <class First, class... Given>
  tenon::detail::refused<tenon::detail::why<engine::unfit_step<G, First, Given...>>> step(const First&,
                                                                                          const Given&...);
#define TENON_SENTENCE \
  "step takes nothing; give the inputs and the target before it: set_input<\"name\">(trainer, value)"
  TENON_CALL(TENON_SENTENCE, T)
  step(tenon::detail::in_braces, ...) TENON_SAID(TENON_SENTENCE);
#undef TENON_SENTENCE

  parameters<G, T>& theta() { return theta_; }  // what is trained
  // Of the last update. With shards<N>, they are summed in it: between its batches, these are of the first shard alone. With
  // several ranks, each has those of the slice that it updates; on a device, all of them.
  const parameters<G, T>& gradients() const { return gradients_.block; }
  // The update rule and its numbers, which may change between steps: trainer.optimizer().learning_rate = 1e-4.
  optimizer_type& optimizer() { return optimizer_.rule; }
  const optimizer_type& optimizer() const { return optimizer_.rule; }
  T loss() const { return session_.loss(); }    // of the last step
  int rows() const { return session_.rows(); }  // of the last step
  // What runs the graph. Inputs are set and outputs read by name, on it or on the trainer.
  session_type& session() { return session_; }
  const session_type& session() const { return session_; }
  // With shards<N>: shard k of the batch, to read its outputs after a step.
  const auto& shard(int k) const requires engine::IsCut<const session_type> { return session_.shard(k); }
  long steps() const { return optimizer_.step(); }  // updates
  // With the option captured: the number of batch shapes whose steps are queued as a whole.
  int captured_shapes() const requires is_captured { return queue_.captured().count(); }

  // What updates change: the parameters, the rule with its states, numbers and steps, the average and the count of
  // batches. To try something and go back: const auto before = trainer.state(); ..; trainer.restore(before). The steps
  // that follow have the same bits as if nothing had been tried. Views of the parameters stay valid.
  struct state_type {
    parameters<G, T> theta;
    typename update_type::state_type optimizer;
    engine::parameter_block<T> average;
    long batches;
  };
  // Gradients that are being accumulated are not part of it: restore() drops them.
  state_type state() const { return {theta_, optimizer_.state(), average_, batches_}; }
  void restore(const state_type& before) {
    optimizer_.restore(before.optimizer);
    std::copy_n(before.theta.data(), before.theta.block_size, theta_.data());
    average_ = before.average;
    batches_ = before.batches;
    pending_ = 0;
  }

 private:
  friend engine::checkpoint_access;
  template <class>
  friend class engine::training_loop;
  template <class>
  friend class engine::unfinished_update;
  using touched = typename update_type::touched_type;
  using device = typename plan::backend;
  static constexpr bool is_cut = engine::IsCut<session_type>;
  static constexpr std::ptrdiff_t learned_size = parameters<G, T>::learned_size;
  using gradients_type = engine::update_gradients<G, plan, touched, is_there>;
  using parts_type = engine::step_parts<session_type, update_type, gradients_type, parameters<G, T>>;
  void add_gradients() {
    const bool is_first = pending_ == 0;
    const double factor = gradients_.count(session_.positions());
    if constexpr (is_cut) {
      if (is_first) session_.begin_update(accumulate <= 1);
      session_.scale_gradients(factor);
      session_.add_gradients(theta_, gradients_.block, gradients_.touched);
    } else {
      if constexpr (touched::is_sparse) engine::access::add_touched(session_, gradients_.touched);
      session_.backward(theta_, gradients_.block);
    }
  }
  // On a device: see step_queue. The update has checked there whether the loss and the norm are finite.
  T step_there() requires is_there {
    const backend::run_numbers made = queue_.step(parts());
    if (const T loss = static_cast<T>(made.loss); !std::isfinite(loss)) fail_of_loss(made.loss);
    ++batches_;
    if (!std::isfinite(made.all_squares)) fail("the norm of the gradients", made.all_squares, "");
    optimizer_.count_step();
    if (average_decay != 0) follow();
    return static_cast<T>(made.loss);
  }
  T accumulate_there() requires is_there {
    const bool is_first = pending_ == 0;
    const double loss = queue_.forward(parts(), is_first);
    if (!std::isfinite(static_cast<T>(loss))) fail_of_loss(loss);
    if (is_first) gradients_.start_counting();
    gradients_.count(session_.positions());
    queue_.backward(parts());
    ++batches_;
    ++pending_;
    if (pending_ >= accumulate) update();
    return static_cast<T>(loss);
  }
  void update_there() requires is_there {
    if (const double squares = queue_.update(parts()); !std::isfinite(squares))
      fail("the norm of the gradients", squares, "");
    optimizer_.count_step();
  }
  parts_type parts() { return {session_, optimizer_, gradients_, theta_, max_norm, max_value}; }
  [[noreturn]] void fail_of_loss(double loss) {
    const std::string node = session_.first_not_finite();
    fail("the loss", loss,
         node.empty() ? node : "; the first node with a value that is not finite is '" + node + "'");
  }

  void follow() { engine::follow<device>(average_, std::as_const(theta_), average_decay, ir::title_of<G>()); }
  // In what several ranks must be alike.
  void tell(auto& same) const {
    T numbers[engine::constants_of<optimizer_type> + 1]{};
    engine::find_constants(optimizer_.rule, optimizer_.step() + 1, numbers);
    same.add_text("objective", ir::type_name<Objective>().view());
    same.add_text("update rule", ir::type_name<optimizer_type>().view());
    same.add_bytes("numbers of the update rule", numbers, sizeof numbers);
    same.add_text("groups of parameters", optimizer_.group_description());
    same.add_bytes("parameters", std::as_const(theta_).data(), theta_.block_size * sizeof(T));
    same.add("seed", static_cast<double>(seed_.value));
    same.add("steps", static_cast<double>(batches_));
    same.add("accumulate", accumulate);
    same.add("max_norm", max_norm);
    same.add("max_value", max_value);
    same.add("average_decay", average_decay);
  }
  [[noreturn]] void fail(const char* what, double value, const std::string& where) const {
    engine::fail_not_finite(what, value, steps() + 1, where);
  }

  session_type session_;
  update_type optimizer_;
  gradients_type gradients_;
  parameters<G, T>& theta_;
  seed seed_;
  engine::parameter_block<T> average_;
  long batches_ = 0;  // so far
  int pending_ = 0;   // since the last update
  [[no_unique_address]] engine::step_queue<device, captured_type> queue_;
};

template <class... Given>
trainer(Given&&...) -> trainer<engine::types_left_out, void>;

}  // namespace TENON_INSTRUCTION_SET
}  // namespace tenon::inline v0_1
