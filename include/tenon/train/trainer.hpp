// trainer: a graph, an objective and an update rule; step() is forward, backward, clipping and update.
#pragma once

// First, as compilers print each file on the way to the one where errors are said.
#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/backend/cpu/instruction_set.hpp"
#include "tenon/diagnostics/wrong_method.hpp"
#include "tenon/train/clip.hpp"
#include "tenon/train/evaluation.hpp"
#include "tenon/train/optimizer.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

namespace tenon {

struct threads {  // of a trainer with shards<N>: at most so many run at once
  int count = 1;
};

namespace engine {
// What a trainer runs: one session. A trainer with shards<N> runs several: see shards.hpp.
template <class G, class Objective, class... Options>
struct learner {
  static constexpr problem wrong = unfit_option<G, Objective, purpose::differentiation, Options...>::wrong;
  using type = differentiation<G, Objective, Options...>;
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
    else if constexpr (UpdateRule<Rule>)
      return unfit_rule<Rule, updated_at_once(network_of<G>.learned_elements)>::wrong;
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
}  // namespace engine

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
  using optimizer_type =
      std::conditional_t<UpdateRule<Rule>, Rule, sgd>;  // where it is refused, nothing follows

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
    tenon::detail::say<tenon::detail::error_in<engine::wrong_parameters<G, T, std::remove_cvref_t<Theta>>>>();
  }

  template <class... Given>
  requires(sizeof...(Given) != 1 && !engine::StartsTraining<parameters<G, T>, optimizer_type, Given...>)  //
      explicit trainer(Given&&...)
      : trainer(engine::refused<parameters<G, T>>()) {
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

  double max_norm = 0;  // gradients are clipped to this norm; 0: not at all

  // One step on the inputs given last; returns the loss before the update. A loss that is not finite, or
  // where gradients are clipped a norm that is not, is a training_error and leaves the parameters as they
  // were.
  T step() {
    session_.randomness(seed_, static_cast<std::uint64_t>(optimizer_.step()));
    const T loss = session_.forward(theta_);
    if (!std::isfinite(loss)) {
      const std::string node = session_.first_not_finite();
      fail("the loss", static_cast<double>(loss),
           node.empty() ? node : "; the first node with a value that is not finite is '" + node + "'");
    }
    gradients_.set_zero();
    session_.backward(theta_, gradients_);
    if (max_norm > 0)
      if (const double before = clip_norm(gradients_, max_norm); !std::isfinite(before))
        fail("the norm of the gradients", before, "");
    optimizer_.update(theta_, gradients_);
    return loss;
  }

  template <class... Given>
  requires(sizeof...(Given) > 0) T step(const Given&...) {
    tenon::detail::say<tenon::detail::error_in<engine::wrong_step<G, Given...>>>();
    return 0;
  }

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
  long steps() const { return optimizer_.step(); }

 private:
  [[noreturn]] void fail(const char* what, double value, const std::string& where) const {
    const char* shown = value > 0 ? "inf" : "-inf";
    if (std::isnan(value)) shown = "nan";  // to_string would show its sign
    throw training_error(std::string(what) + " is " + shown + " at step " + std::to_string(steps() + 1) +
                         where);
  }

  session_type session_;
  tenon::optimizer<optimizer_type, G, T, typename plan::backend> optimizer_;
  parameters<G, T> gradients_{zeros{}};
  parameters<G, T>& theta_;
  seed seed_;
};

}  // namespace TENON_INSTRUCTION_SET
}  // namespace tenon
