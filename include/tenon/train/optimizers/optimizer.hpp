// optimizer<Rule, G>: applies an update rule to all parameters of a graph in one fused pass over the block, with the
// same numbers for all or by groups.
#pragma once

// Included first, because compilers print each file on the include path to where errors are reported.
#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/backend/instruction_set.hpp"
#include "tenon/engine/session/session.hpp"
#include "tenon/train/optimizers/clip.hpp"
#include "tenon/train/optimizers/rule.hpp"
#include "tenon/train/optimizers/rule_numbers.hpp"
#include "tenon/train/optimizers/update_kernel.hpp"
#include "tenon/train/optimizers/update_pass.hpp"
#include "tenon/train/optimizers/whole_block.hpp"

#include <cstddef>
#include <initializer_list>
#include <string>
#include <utility>

namespace tenon::inline v0_1 {

namespace optimizers {
struct parameter_group;  // in groups.hpp, which includes more of the standard library than a trainer does
#define TENON_MEMBERS_OF_GROUP_OPTIONS ".learning_rate, .rate_factor, .weight_decay, .frozen, .max_norm"
}  // namespace optimizers

namespace engine {
template <class T>
struct group_plan;
struct checkpoint_access;  // for trainer_checkpoint.hpp
// The code of an update. It is defined outside the class, so that one file of a program can compile it for all others:
// see declare.hpp.
template <class Optimizer>
struct update_run {
  static void apply(Optimizer& by, typename Optimizer::scalar* weights,
                    const typename Optimizer::scalar* gradients,
                    const typename Optimizer::touched_type& touched, const backend::run_numbers* numbers,
                    std::ptrdiff_t from, std::ptrdiff_t end);
};

template <class Rule, class G, class T>
struct all_of {
  using type = void;
};
template <concepts::UpdateRule Rule, class G, class T>
struct all_of<Rule, G, T> {
  using type = whole_block<parameters<G, T>::learned_size>;
};
}  // namespace engine

inline namespace TENON_INSTRUCTION_SET {

// Touched: the pieces of a block that have gradients, see touched_rows.
template <class Rule, class G, class T = float, class Backend = backend::cpu,
          class Touched = typename engine::all_of<Rule, G, T>::type>
class optimizer {
  static_assert(tenon::detail::say<tenon::detail::error_in<engine::unfit_optimizer<Rule, G, Backend>>>());

 public:
  explicit optimizer(const Rule& = {}) {}
  void update(const auto&...) {}
};
template <concepts::UpdateRule Rule, class G, class T, class Backend, class Touched>
requires(!engine::BackendOption<Backend>) class optimizer<Rule, G, T, Backend, Touched> {
 public:
  using scalar = T;
  using touched_type = Touched;

  explicit optimizer(Rule chosen = {})
      : rule(chosen),
        states_(static_cast<std::size_t>(Rule::states) * size,
                {"the states of the update rule", ir::title_of<G>()}) {
    stream_.use();
  }

#define TENON_SENTENCE                                                                                  \
  "an optimizer takes the numbers of its update rule by their names in the order of its struct, as in " \
  "optimizer<optimizers::adam, model> update({.learning_rate = 1e-3}), and no others"
  template <TENON_SAYS_AND(TENON_SENTENCE) class Given = Rule>
  explicit optimizer(...) TENON_DELETED(TENON_SENTENCE);
#undef TENON_SENTENCE
  optimizer(const optimizer&) = delete;
  optimizer& operator=(const optimizer&) = delete;
  ~optimizer() { delete groups_; }

  // Keeps states only for the elements from `from` to before `end`, which are all that it may update then. They start as zeros.
  void keep_states(std::ptrdiff_t from, std::ptrdiff_t end) {
    states_ = {};
    states_ = decltype(states_)(static_cast<std::size_t>(Rule::states * (end - from)),
                                {"the states of the update rule", ir::title_of<G>()});
    first_kept_ = from;
    kept_ = end - from;
  }

  Rule rule;  // its numbers may change between steps: schedules set rule.learning_rate

  // theta := the rule's new weights. Steps count from 1. Throws input_error, and changes nothing, if a number of the
  // rule is not finite or its learning rate is negative.
  void update(parameters<G, T>& theta, const parameters<G, T>& gradients, const Touched& touched = {}) {
    if constexpr (engine::unfit_rule<Rule>::wrong) {
      tenon::detail::say<tenon::detail::error_in<engine::unfit_rule<Rule>>>();
    } else {
      check_rate();
      if constexpr (backend::HasOwnMemory<Backend>) send_numbers();
      apply(theta, gradients, touched, nullptr);
      ++step_;
    }
  }
  void check_rate() const {
    if constexpr (has_rate) engine::check_rate(static_cast<double>(rule.learning_rate));
  }
  // update() in parts, for a step that the program does not wait for. First, the numbers of the
  // next step go to the device.
  void send_numbers() requires backend::HasOwnMemory<Backend> {
    constexpr std::size_t count = engine::constants_of<Rule>;
    const int sets = groups_ != nullptr ? groups_->sets() : 1;
    stream_.join();
    if (constants_.size() < count * static_cast<std::size_t>(sets))
      constants_ = decltype(constants_)(count * static_cast<std::size_t>(sets));
    for (int s = 0; s < sets; ++s) {
      T numbers[count + 1];
      engine::find_constants(groups_ != nullptr ? groups_->rule_of_set(*this, s) : rule, step_ + 1, numbers);
      copy_in(Backend{}, numbers, constants_.data() + count * static_cast<std::size_t>(s), count * sizeof(T));
    }
  }
  // Then they are used, if the device finds that the numbers of the run are finite; null: it does not check.
  void apply(parameters<G, T>& theta, const parameters<G, T>& gradients, const Touched& touched,
             const backend::run_numbers* numbers) {
    [[maybe_unused]] const auto mode = backend::begin<Backend>();
    stream_.join();
    apply_between(0, size, engine::data_on<Backend>(theta), engine::data_on<Backend>(gradients), touched,
                  numbers);
  }
  // The same for the elements from `from` to before `end` of all that is learned.
  void apply_between(std::ptrdiff_t from, std::ptrdiff_t end, T* weights, const T* gradients,
                     const Touched& touched, const backend::run_numbers* numbers = nullptr) {
    if constexpr (!engine::unfit_rule<Rule>::wrong)
      engine::update_run<optimizer>::apply(*this, weights, gradients, touched, numbers, from, end);
  }
  // Last, the step counts.
  void count_step() { ++step_; }
  // Gives parameters their own rates and decays, or freezes them: see parameter_group in groups.hpp.
  // Replaces earlier groups. Throws input_error for a pattern without a match, for a number out of range,
  // and for one that the rule does not have.
  void groups(std::initializer_list<optimizers::parameter_group> all) {
    struct grouped final : group_passes {
      engine::group_plan<T> plan;
      explicit grouped(std::initializer_list<optimizers::parameter_group> groups)
          : plan(groups.begin(), groups.size(), spans(), ir::type_name<Rule>().view(), has_rate, has_decay) {}

      static auto pieces(const typename engine::group_plan<T>::range_list& ranges, const Touched& touched,
                         std::ptrdiff_t from = 0, std::ptrdiff_t end = size) {
        return [&, from, end](auto f) {
          for (const auto& [first, count] : ranges)
            if (first < end && from < first + count)
              touched.each(first < from ? from : first, end < first + count ? end : first + count, f);
        };
      }
      void update(optimizer& self, T* weights, const T* gradients, const Touched& touched,
                  const backend::run_numbers* numbers, std::ptrdiff_t from,
                  std::ptrdiff_t end) const override {
        int set = 0;
        for (const auto& group : plan.updated)
          self.update_pieces(self.rule_of(group.options), set++, weights, gradients, numbers,
                             pieces(group.ranges, touched, from, end));
      }
      int sets() const override { return static_cast<int>(plan.updated.size()); }
      Rule rule_of_set(const optimizer& self, int set) const override {
        return self.rule_of(plan.updated[static_cast<std::size_t>(set)].options);
      }
      int limits() const override { return static_cast<int>(plan.clipped.size()); }
      double most(int limit) const override {
        return plan.clipped[static_cast<std::size_t>(limit)].options.max_norm;
      }
      const auto& ranges_of(int limit) const {
        return limit < limits() ? plan.clipped[static_cast<std::size_t>(limit)].ranges : plan.learned;
      }
      double squares(int limit, const T* gradients, const Touched& touched, std::ptrdiff_t from,
                     std::ptrdiff_t end) const override {
        double all = 0;
        pieces(ranges_of(limit), touched, from, end)([&](std::ptrdiff_t first, std::ptrdiff_t count) {
          all += engine::sum_of_squares(gradients + first, count);
        });
        return all;
      }
      void scale(int limit, T* gradients, const Touched& touched, std::ptrdiff_t from, std::ptrdiff_t end,
                 double factor) const override {
        pieces(ranges_of(limit), touched, from, end)([&](std::ptrdiff_t first, std::ptrdiff_t count) {
          engine::scale_range(gradients + first, count, factor);
        });
      }
      void clip_there([[maybe_unused]] T* gradients, [[maybe_unused]] double max_norm,
                      [[maybe_unused]] const Touched& touched,
                      [[maybe_unused]] backend::run_numbers* numbers) const override {
        if constexpr (backend::HasOwnMemory<Backend>)
          plan.each_limit(max_norm, [&](const auto& ranges, double most) {
            engine::clip_pieces_there<Backend>(gradients, pieces(ranges, touched), most, numbers);
          });
      }
      std::string description() const override { return plan.description; }
      bool takes_sparse([[maybe_unused]] const optimizer& self) const override {
        if constexpr (Touched::is_sparse)
          for (const auto& group : plan.updated)
            for (const auto& [from, count] : group.ranges)
              if (Touched::has_table(from, from + count) && !self.rule_of(group.options).takes_sparse())
                return false;
        return true;
      }
    };
    const group_passes* const made = new grouped(all);
    delete groups_;
    groups_ = made;
    ++group_changes_;
  }
  // Gradients are clipped to the limits of the groups one after the other, then all that is learned to max_norm. `most`:
  // 0, if this one is no limit. The squares of the elements from `from` to before `end` that a limit is for; and these
  // elements multiplied by a factor.
  int limits() const { return (groups_ != nullptr ? groups_->limits() : 0) + 1; }
  double most(int limit, double max_norm) const {
    return groups_ != nullptr && limit < groups_->limits() ? groups_->most(limit) : max_norm;
  }
  double squares(int limit, const T* gradients, const Touched& touched, std::ptrdiff_t from,
                 std::ptrdiff_t end) const {
    if (groups_ != nullptr) return groups_->squares(limit, gradients, touched, from, end);
    double all = 0;
    touched.each(from, end, [&](std::ptrdiff_t first, std::ptrdiff_t count) {
      all += engine::sum_of_squares(gradients + first, count);
    });
    return all;
  }
  void scale(int limit, T* gradients, const Touched& touched, std::ptrdiff_t from, std::ptrdiff_t end,
             double factor) const {
    if (groups_ != nullptr) return groups_->scale(limit, gradients, touched, from, end, factor);
    touched.each(from, end, [&](std::ptrdiff_t first, std::ptrdiff_t count) {
      engine::scale_range(gradients + first, count, factor);
    });
  }
  // Is any norm limited? Groups may have limits.
  bool may_clip(double max_norm) const { return groups_ != nullptr || max_norm > 0; }
  // The same on the device: the norms are added to the numbers of the run.
  void clip_there(T* gradients, double max_norm, const Touched& touched,
                  backend::run_numbers* numbers) const requires backend::HasOwnMemory<Backend> {
    if (groups_ != nullptr) groups_->clip_there(gradients, max_norm, touched, numbers);
    else if (max_norm > 0)
      engine::clip_pieces_there<Backend>(
          gradients, [&](auto f) { touched.each(f); }, max_norm, numbers);
  }
  // May rows without a gradient stay unchanged, with the rule's present numbers?
  bool takes_sparse() const {
    constexpr bool says = requires(const Rule& r) {
      r.takes_sparse();
    };  // the trainer has refused any other rule
    if constexpr (!Touched::is_sparse || !says) return true;
    else return groups_ != nullptr ? groups_->takes_sparse(*this) : rule.takes_sparse();
  }
  long step() const { return step_; }
  // How often groups() has been called, and what it was called with.
  long group_changes() const { return group_changes_; }
  std::string group_description() const { return groups_ != nullptr ? groups_->description() : std::string(); }

  // A copy of the rule with its numbers, its states and its number of steps, to return to later.
  struct state_type {
    Rule rule;
    engine::memory<T> states;  // of the elements that are kept
    long step;
    std::ptrdiff_t first, kept;
  };
  state_type state() const {
    state_type now{rule, engine::memory<T>(states_.size()), step_, first_kept_, kept_};
    stream_.join();
    backend::copy_from<Backend>(states_.data(), now.states.data(), states_.size());
    return now;
  }
  // Throws input_error for a state of other elements: that of another rank.
  void restore(const state_type& before) {
    if (before.first != first_kept_ || before.kept != kept_)
      throw input_error("restore: this state is of another rank, or of another number of ranks");
    rule = before.rule;
    step_ = before.step;
    stream_.join();
    backend::copy_to<Backend>(before.states.data(), states_.data(), states_.size());
  }

 private:
  friend engine::checkpoint_access;
  friend engine::update_run<optimizer>;
  static constexpr int size = parameters<G, T>::learned_size;  // frozen parameters come after these
  static constexpr bool has_rate = requires(Rule r) { r.learning_rate = 0.1; };
  static constexpr bool has_decay = requires(Rule r) { r.weight_decay = 0.1; };

  // The work of groups(), behind an interface: programs that do not call it compile none of it.
  struct group_passes {
    virtual ~group_passes() = default;
    virtual void update(optimizer&, T* weights, const T* gradients, const Touched&,
                        const backend::run_numbers*, std::ptrdiff_t from, std::ptrdiff_t end) const = 0;
    virtual int limits() const = 0;
    virtual double most(int limit) const = 0;
    virtual double squares(int limit, const T* gradients, const Touched&, std::ptrdiff_t from,
                           std::ptrdiff_t end) const = 0;
    virtual void scale(int limit, T* gradients, const Touched&, std::ptrdiff_t from, std::ptrdiff_t end,
                       double factor) const = 0;
    virtual void clip_there(T* gradients, double max_norm, const Touched&, backend::run_numbers*) const = 0;
    virtual int sets() const = 0;  // of numbers
    virtual Rule rule_of_set(const optimizer&, int set) const = 0;
    virtual bool takes_sparse(const optimizer&) const = 0;
    virtual std::string description() const = 0;
  };
  static auto spans() {
    typename engine::group_plan<T>::spans all;
    ir::repeat<parameters<G, T>::table.size>([&](auto p) {
      constexpr int first = parameters<G, T>::table[p].offset,
                    size_of = parameters<G, T>::table[p].elements();
      if constexpr (!parameters<G, T>::table[p].frozen)
        all.push_back({engine::parameter_access::path<p, G, T>(), first, first + size_of});
    });
    return all;
  }
  Rule rule_of(const auto& group) const {
    Rule own = rule;
    if constexpr (has_rate)
      own.learning_rate = group.learning_rate.value_or(rule.learning_rate) * group.rate_factor.value_or(1);
    if constexpr (has_decay) own.weight_decay = group.weight_decay.value_or(rule.weight_decay);
    return own;
  }

  // Updates, with the numbers of this rule, the pieces of the block for which `each` calls f(first element, how many).
  template <class Each>
  void update_pieces(const Rule& with, [[maybe_unused]] int set, T* weights, const T* gradients,
                     [[maybe_unused]] const backend::run_numbers* run, Each each) {
    const engine::updated_block<T> block{weights, gradients, states_.data(), first_kept_, kept_};
    if constexpr (backend::HasOwnMemory<Backend>) {
      constexpr int count = engine::constants_of<Rule>;
      engine::update_pieces<Rule, Backend>(block, constants_.data() + std::ptrdiff_t(set) * count, run, each);
    } else if constexpr (Touched::is_sparse && requires { with.when_sparse(); }) {
      update_here(with.when_sparse(), block, each);
    } else {
      update_here(with, block, each);
    }
  }
  template <class Applied, class Each>
  void update_here(const Applied& with, const engine::updated_block<T>& block, Each each) {
    T numbers[engine::constants_of<Applied> + 1];
    engine::find_constants(with, step_ + 1, numbers);
    engine::update_pieces<Applied, Backend>(block, numbers, nullptr, each);
  }

  backend::memory_for<T, Backend> states_, constants_;  // constants_: if the backend has its own memory
  std::ptrdiff_t first_kept_ = 0, kept_ = size;  // elements with states
  mutable backend::last_stream<Backend> stream_;
  long step_ = 0, group_changes_ = 0;
  const group_passes* groups_ = nullptr;  // not a unique_ptr: a trainer does not include <memory>
};

}  // namespace TENON_INSTRUCTION_SET

template <class Optimizer>
void engine::update_run<Optimizer>::apply(Optimizer& by, typename Optimizer::scalar* weights,
                                          const typename Optimizer::scalar* gradients,
                                          const typename Optimizer::touched_type& touched,
                                          [[maybe_unused]] const backend::run_numbers* numbers,
                                          std::ptrdiff_t from, std::ptrdiff_t end) {
  if (by.groups_ != nullptr) by.groups_->update(by, weights, gradients, touched, numbers, from, end);
  else by.update_pieces(by.rule, 0, weights, gradients, numbers, [&](auto f) { touched.each(from, end, f); });
}

}  // namespace tenon::inline v0_1
