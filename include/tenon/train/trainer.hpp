// trainer: a graph, an objective and an update rule; step() is forward, backward, clipping and update.
#pragma once

// First, as compilers print each file on the way to the one where errors are said.
#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/backend/cpu/instruction_set.hpp"
#include "tenon/diagnostics/wrong_call.hpp"
#include "tenon/diagnostics/wrong_method.hpp"
#include "tenon/engine/session/captured_runs.hpp"
#include "tenon/train/clip.hpp"
#include "tenon/train/evaluation.hpp"
#include "tenon/train/optimizer.hpp"
#include "tenon/train/sparse_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

namespace tenon {

struct threads {  // of a trainer with shards<N>: at most so many run at once
  int count = 1;
};

namespace engine {
// What a trainer runs: one session. A trainer with shards<N> runs several: see shards.hpp.
template <class G, class Objective, class... Options>
struct learner {
  static constexpr problem wrong =
      unfit_option<G, Objective, purpose::differentiation, option_of_session<Options>...>::wrong;
  using type = differentiation<G, Objective, option_of_session<Options>...>;
  using evaluation_type = evaluation<G, Objective, Options...>;
};
// What is wrong is said first, in the trainer: there the user's line is one note away.
template <bool Said, class G, class Objective, class... Options>
struct has_learner {
  using session_type = typename learner<G, Objective, Options...>::type;
};
TENON_WITHOUT(trainer_has_no_run, run, "a trainer has no run; write step()");
TENON_WITHOUT(trainer_has_no_forward, forward,
              "a trainer takes whole steps; write step(), or trainer.session().forward(theta)");
TENON_WITHOUT(trainer_has_no_backward, backward,
              "a trainer takes whole steps; write step(), or trainer.session().backward(theta, gradients)");
template <class G>
struct nothing_to_share {
  static constexpr problem wrong{.rule = "threads are given to a trainer that runs in one piece",
                                 .fix = "add the option shards<N>: it cuts the batch into N parts"};
};

// Words of other libraries, each the only member of a type that {.word = 1e-3} makes.
struct called_lr {
  double lr;
  static constexpr const char *word = "lr", *ours = "learning_rate";
};
struct called_rate {
  double rate;
  static constexpr const char *word = "rate", *ours = "learning_rate";
};
struct called_eps {
  double eps;
  static constexpr const char *word = "eps", *ours = "epsilon";
};
template <class Numbers, class Same>
using only = std::enable_if_t<std::is_same_v<Numbers, Same>, Numbers>;
template <class Numbers, class Rule>
struct misspelt_number {
  static constexpr problem wrong{.rule = sentence("update rule '")
                                             .append(type_name<Rule>().view())
                                             .append("' has no '")
                                             .append(Numbers::word)
                                             .append("'"),
                                 .fix = sentence("write {.").append(Numbers::ours).append(" = ..}")};
};

template <class P>
P& refused();  // stands where a wrong argument was said to be wrong; never called

// How a trainer starts, and what is said of all else.
template <class Theta, class Rule>
struct training_start {
  void operator()(Theta&, Rule = {}, seed = {}, threads = {}) const;
};
template <class Theta, class Rule, class... Given>
concept StartsTraining = requires(training_start<Theta, Rule> start, Given&&... given) {
  start(static_cast<Given&&>(given)...);
};
template <class G, class Rule>
struct wrong_training {
  static constexpr problem wrong{
      .rule = sentence("a trainer takes the parameters, then '")
                  .append(type_name<Rule>().view())
                  .append("', then a seed"),
      .fix = "write train(theta), or train(theta, {.learning_rate = 1e-3}, seed{1})"};
};
template <class G, class... Given>
struct wrong_step {
  static constexpr problem wrong{
      .rule = "step takes",
      .axis = "arguments",
      .expected = 0,
      .got = sizeof...(Given),
      .fix = "give the inputs and the target before it: set_input<\"name\">(trainer, value)"};
};
template <class Rule>
constexpr characters lacking() {
  if constexpr (update_arity<Rule> < 2) return "a static update(w, g, states.., numbers..) that compiles";
  else if constexpr (!requires {
                       { Rule::states } -> std::convertible_to<int>;
                     })
    return "`static constexpr int states`";
  else return "`std::array<double, n> constants(long step) const`";
}
// What is wrong with what stands where a trainer's update rule is needed.
template <class G, class Objective, class Rule>
struct unfit_rule_of {
  static constexpr problem wrong = [] {
    if constexpr (!fits<G, Objective>) return problem{};
    else if constexpr (UpdateRule<Rule>) return unfit_rule<Rule>::wrong;
    else if constexpr (
        requires { &Rule::constants; } || requires { Rule::states; } || update_arity<Rule> >= 2)
      return problem{.rule = sentence("update rule '")
                                 .append(type_name<Rule>().view())
                                 .append("' lacks ")
                                 .append(lacking<Rule>()),
                     .fix = "see struct sgd in tenon/train/rule.hpp"};
    else
      return problem{.rule = sentence("'").append(type_name<Rule>().view()).append("' is no update rule"),
                     .fix = "a trainer takes the graph, a loss, a rule such as adam, then the options"};
  }();
};
// What `trainer t(theta)` is deduced to be.
struct types_left_out {};
}  // namespace engine

template <class Objective>
struct detail::problem_of<engine::types_left_out, Objective> {
  static constexpr problem wrong{.rule = "a trainer's graph, loss and rule are its types",
                                 .fix = "write trainer<model, cross_entropy<\"logits\">, adam>, with yours"};
};

// Training cannot go on: the message says at which step, and why.
struct training_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline namespace TENON_INSTRUCTION_SET {

template <class G, class Objective, class Rule = void, class... Options>
class trainer
    : public engine::trainer_has_no_run,
      public engine::trainer_has_no_forward,
      public engine::trainer_has_no_backward,
      engine::has_learner<
          tenon::detail::say<tenon::detail::error_in<detail::problem_of<G, Objective>>>() &&
              tenon::detail::say<tenon::detail::error_in<engine::learner<G, Objective, Options...>>>(),
          G, Objective, Options...> {
  static_assert(tenon::detail::say<tenon::detail::error_in<engine::unfit_rule_of<G, Objective, Rule>>>());
  static_assert(tenon::detail::say<
                tenon::detail::error_in<engine::unfit_sparse<engine::sparse_tables<network_of<G>>, Rule>>>());
  using optimizer_type =
      std::conditional_t<UpdateRule<Rule>, Rule, sgd>;  // where it is refused, nothing follows
  using captured_type =
      engine::captured_runs_for<typename engine::learner<G, Objective, Options...>::type::plan, Options...>;
  static constexpr bool is_captured = !std::same_as<captured_type, engine::nothing_captured>;

 public:
  using session_type = typename engine::learner<G, Objective, Options...>::type;
  using plan = typename session_type::plan;
  using evaluation_type = typename engine::learner<G, Objective, Options...>::evaluation_type;
  using T = typename session_type::T;
  using objective = Objective;
  static constexpr int B = plan::batch;
  static constexpr std::size_t workspace_bytes = session_type::workspace_bytes;

  // Trains theta, which must outlive the trainer. The seed rules dropout.
  explicit trainer(parameters<G, T>& theta, optimizer_type rule = {}, seed s = {})
      : optimizer_(rule), theta_(theta), seed_(s) {}
  // With shards<N>. The number of threads changes no bit of any result.
  trainer(parameters<G, T>& theta, optimizer_type rule, seed s,
          threads t) requires(std::constructible_from<session_type, threads>)  //
      : session_(t), optimizer_(rule), theta_(theta), seed_(s) {}
  template <std::same_as<threads> Threads>
  requires(!std::constructible_from<session_type, threads>)  //
      trainer(parameters<G, T>& theta, optimizer_type rule, seed s, Threads)
      : trainer(theta, rule, s) {
    tenon::detail::say<tenon::detail::error_in<engine::nothing_to_share<G>>>();
  }
  template <class Theta>
  requires(!engine::Accepted<void(parameters<G, T>&), Theta>)  //
      explicit trainer(Theta&&, optimizer_type rule = {}, seed s = {})
      : trainer(engine::refused<parameters<G, T>>(), rule, s) {
    if constexpr (fits<G, Objective>)  // else that has been said
      tenon::detail::say<
          tenon::detail::error_in<engine::wrong_parameters<G, T, std::remove_cvref_t<Theta>>>>();
  }

  template <class... Given>
  requires(sizeof...(Given) != 1 && !engine::StartsTraining<parameters<G, T>, optimizer_type, Given...>)  //
      explicit trainer(Given&&...)
      : trainer(engine::refused<parameters<G, T>>()) {
    if constexpr (fits<G, Objective>)
      tenon::detail::say<tenon::detail::error_in<engine::wrong_training<G, optimizer_type>>>();
  }

  // {.lr = 1e-3}: other libraries' words for our numbers. Right ones find the constructor above, which is no template.
  template <class Numbers = engine::called_lr>
  trainer(parameters<G, T>& theta, engine::only<engine::called_lr, Numbers>, seed = {}) : trainer(theta) {
    tenon::detail::say<tenon::detail::error_in<engine::misspelt_number<Numbers, optimizer_type>>>();
  }
  template <class Numbers = engine::called_rate>
  trainer(parameters<G, T>& theta, engine::only<engine::called_rate, Numbers>, seed = {}) : trainer(theta) {
    tenon::detail::say<tenon::detail::error_in<engine::misspelt_number<Numbers, optimizer_type>>>();
  }
  template <class Numbers = engine::called_eps>
  trainer(parameters<G, T>& theta, engine::only<engine::called_eps, Numbers>, seed = {}) : trainer(theta) {
    tenon::detail::say<tenon::detail::error_in<engine::misspelt_number<Numbers, optimizer_type>>>();
  }
#define TENON_SENTENCE                                                                             \
  "a trainer takes parameters, the numbers of its update rule by their names in the order of its " \
  "struct, as in train(theta, {.learning_rate = 1e-3}, seed{1}), and no others; adam has "         \
  ".learning_rate, .beta1, .beta2, .epsilon, .weight_decay"
  TENON_SAYS(TENON_SENTENCE) trainer(const volatile parameters<G, T>&, ...) TENON_DELETED(TENON_SENTENCE);
#undef TENON_SENTENCE

  // Before an update all gradients are clipped: each to [-max_value, max_value], those of a group to its norm, all to the norm
  // max_norm, in this order (Pascanu et al. 2013). 0: not at all.
  double max_norm = 0, max_value = 0;

  // Parameters with rates, decays or limits of their own, or frozen: see groups.hpp. Frozen ones count in no norm.
  void groups(std::initializer_list<parameter_group> given) { optimizer_.groups(given); }

  // So many batches make one update, with the gradient of all their positions together: each batch counts as much as the positions
  // that its loss is a mean over. With several losses, whose sum is the objective, that is the gradient of the batches as one where
  // the losses count in the same ratio in each batch.
  int accumulate = 1;

  // Behind each update an average of the parameters follows them: average := decay average + (1 - decay) theta (Polyak and Juditsky
  // 1992, with exponential weights). It begins as the parameters behind the first such update; 0: there is none.
  double average_decay = 0;
  // A copy of it; of the parameters where there is none yet.
  parameters<G, T> averaged() const {
    parameters<G, T> all = theta_;
    if (average_.size() > 0) std::copy_n(average_.data(), average_.size(), all.data());
    return all;
  }

  // One step on the inputs given last; returns the loss before the update. A loss that is not finite, or
  // where gradients are clipped a norm that is not, is a training_error and leaves the parameters as they
  // were. A learning rate that is negative or not finite is an input_error.
  T step() {
    if (!(average_decay >= 0 && average_decay < 1))
      throw input_error("average_decay: expected a number from 0 to below 1, got " +
                        std::to_string(average_decay));
    optimizer_.check_rate();
    if constexpr (touched::is_sparse)
      if (!optimizer_.takes_sparse())
        throw input_error(
            "'" + std::string(touched::name()) + "' is sparse: update rule '" +
            std::string(ir::type_name<optimizer_type>().view()) +
            "' changes rows that have no gradient, with a momentum or a weight_decay other than 0");
    session_.randomness(seed_, static_cast<std::uint64_t>(batches_));
    if constexpr (backend::HasOwnMemory<typename plan::backend> && !engine::IsCut<session_type>) {
      if (accumulate <= 1 && pending_ == 0) return step_there();
      if (is_captured)
        throw input_error("accumulate: a captured step takes one batch, and updates; leave out captured");
    }
    const T loss = session_.forward(theta_);
    if (!std::isfinite(loss)) fail_of_loss(static_cast<double>(loss));
    if (pending_ == 0) begin_update();
    if constexpr (touched::is_sparse) engine::access::add_touched(session_, touched_);
    weigh(session_.positions());
    session_.backward(theta_, gradients_);
    ++batches_, ++pending_;
    if (pending_ >= accumulate) update();
    return loss;
  }
  // The update with what has been accumulated, if anything has: of the last batches of an epoch, which may be fewer.
  void update() {
    if (pending_ == 0) return;
    pending_ = 0;
    if (positions_ > unit_) scale_gradients(unit_ / positions_);
    clip();
    optimizer_.update(theta_, gradients_, touched_);
    if (average_decay != 0) follow();
  }
  int pending() const { return pending_; }  // batches since the last update

  template <class First, class... Given>
  tenon::detail::refused<tenon::detail::why<engine::wrong_step<G, First, Given...>>> step(const First&,
                                                                                          const Given&...);

  parameters<G, T>& theta() { return theta_; }  // what is trained
  const parameters<G, T>& gradients() const { return gradients_; }
  // The update rule and its numbers, which may change between steps: trainer.optimizer().learning_rate = 1e-4.
  optimizer_type& optimizer() { return optimizer_.rule; }
  const optimizer_type& optimizer() const { return optimizer_.rule; }
  T loss() const { return session_.loss(); }    // of the last step
  int rows() const { return session_.rows(); }  // of the last step
  // What runs the graph: inputs are set and outputs read by name, on the trainer as on it.
  session_type& session() { return session_; }
  const session_type& session() const { return session_; }
  // With shards<N>: shard k of the batch, to read its outputs after a step.
  const auto& shard(int k) const requires engine::IsCut<const session_type> { return session_.shard(k); }
  long steps() const { return optimizer_.step(); }  // updates
  // With the option captured: for so many shapes of batches, steps are queued as a whole.
  int captured_shapes() const requires is_captured { return captured_.count(); }

  // What updates change: the parameters, the rule with its states, numbers and steps, the average and the count of batches. To try something and go back:
  // const auto before = trainer.state(); ..; trainer.restore(before). The steps that follow are those that would have followed then,
  // to the bit. Views of the parameters stay valid.
  struct state_type {
    parameters<G, T> theta;
    typename tenon::optimizer<optimizer_type, G, T, typename plan::backend,
                              engine::touched_by<G, plan>>::state_type optimizer;
    engine::memory<T> average;
    long batches;
  };
  // Gradients that are being accumulated are no part of it: restore() drops them.
  state_type state() const { return {theta_, optimizer_.state(), average_, batches_}; }
  void restore(const state_type& before) {
    std::copy_n(before.theta.data(), before.theta.block_size, theta_.data());
    optimizer_.restore(before.optimizer);
    average_ = before.average, batches_ = before.batches, pending_ = 0;
  }

 private:
  friend engine::checkpoint_access;
  using touched = engine::touched_by<G, plan>;

  // On a device all is queued, and waited for once: for the loss or, where there is one, for the norm of the gradients. Whether they are
  // finite the update sees there.
  T step_there() requires backend::HasOwnMemory<typename plan::backend> {
    engine::access::begin_step(session_);
    optimizer_.send_numbers();
    queue_part(0, [this] { go_forward_there(); });
    engine::access::ran_forward(session_, !optimizer_.may_clip(max_norm));
    queue_part(1, [this] { go_back_there(); });
    engine::access::ran_backward(session_);
    const backend::run_numbers made = engine::access::fetch_numbers(session_);
    if (const T loss = static_cast<T>(made.loss); !std::isfinite(loss)) fail_of_loss(made.loss);
    ++batches_;
    if (!std::isfinite(made.all_squares)) fail("the norm of the gradients", made.all_squares, "");
    optimizer_.count_step();
    if (average_decay != 0) follow();
    return static_cast<T>(made.loss);
  }
  template <class Run>
  void queue_part(int part, Run run) {
    if constexpr (is_captured) {
      using device = typename plan::backend;
      captured_(session_,
                {.parameters = engine::data_on<device>(theta_),
                 .gradients = engine::data_on<device>(gradients_),
                 .max_norm = max_norm,
                 .max_value = max_value,
                 .groups = optimizer_.group_changes(),
                 .part = part},
                run);
    } else {
      run();
    }
  }
  void go_forward_there() {
    engine::clear_on<typename plan::backend>(gradients_);
    engine::access::go_forward(session_, theta_);
  }
  void go_back_there() {
    using device = typename plan::backend;
    session_.backward(theta_, gradients_);
    T* const all = engine::data_on<device>(gradients_);
    backend::run_numbers* const numbers = engine::access::numbers(session_);
    if (max_value > 0)
      touched_.each([&](std::ptrdiff_t from, std::ptrdiff_t count) {
        limit_elements(device{}, count, static_cast<T>(max_value), all + from);
      });
    optimizer_.clip_there(all, max_norm, touched_, numbers);
    optimizer_.apply(theta_, gradients_, touched_, numbers);
  }
  [[noreturn]] void fail_of_loss(double loss) {
    const std::string node = session_.first_not_finite();
    fail("the loss", loss,
         node.empty() ? node : "; the first node with a value that is not finite is '" + node + "'");
  }

  void begin_update() {
    if constexpr (backend::HasOwnMemory<typename plan::backend>) {
      engine::clear_on<typename plan::backend>(gradients_);
    } else {
      T* const all = gradients_.data();
      touched_.each([&](std::ptrdiff_t from, std::ptrdiff_t count) { std::fill_n(all + from, count, T(0)); });
      if constexpr (touched::is_sparse) touched_.clear();
    }
    positions_ = unit_ = 0;
  }
  // Before the gradients of a batch are added: those before it are counted in units of its positions.
  void weigh(double positions) {
    if (positions > 0) {
      if (unit_ > 0 && unit_ != positions) scale_gradients(unit_ / positions);
      unit_ = positions, positions_ += positions;
    }
  }
  void scale_gradients(double factor) {
    T* const all = gradients_.data();
    touched_.each(
        [&](std::ptrdiff_t from, std::ptrdiff_t count) { engine::scale_range(all + from, count, factor); });
  }
  void follow() {
    constexpr int size = parameters<G, T>::block_size;
    const T* const theta = std::as_const(theta_).data();
    const bool is_first = average_.size() == 0;
    if (is_first) average_ = engine::memory<T>(size, {"the average of the parameters", ir::title_of<G>()});
    T* const average = average_.data();
    const T share = is_first ? T(1) : static_cast<T>(1 - average_decay);
    for (int k = 0; k < size; ++k) average[k] += share * (theta[k] - average[k]);
  }
  void clip() {
    if (max_value > 0) {
      T* const all = gradients_.data();
      touched_.each([&](std::ptrdiff_t from, std::ptrdiff_t count) {
        engine::limit_range(all + from, count, max_value);
      });
    }
    if (const double norm = optimizer_.clip(gradients_, max_norm, touched_); !std::isfinite(norm))
      fail("the norm of the gradients", norm, "");
  }
  [[noreturn]] void fail(const char* what, double value, const std::string& where) const {
    const char* shown = value > 0 ? "inf" : "-inf";
    if (std::isnan(value)) shown = "nan";  // to_string would show its sign
    throw training_error(std::string(what) + " is " + shown + " at step " + std::to_string(steps() + 1) +
                         where);
  }

  session_type session_;
  tenon::optimizer<optimizer_type, G, T, typename plan::backend, touched> optimizer_;
  touched touched_;  // by the batches since the last update
  parameters<G, T> gradients_{zeros{}};
  parameters<G, T>& theta_;
  seed seed_;
  engine::memory<T> average_;
  long batches_ = 0;                 // so far
  int pending_ = 0;                  // since the last update
  double positions_ = 0, unit_ = 0;  // of the pending batches, and of the last of them
  [[no_unique_address]] captured_type captured_;
};

template <class... Given>
trainer(Given&&...) -> trainer<engine::types_left_out, void>;

}  // namespace TENON_INSTRUCTION_SET
}  // namespace tenon
