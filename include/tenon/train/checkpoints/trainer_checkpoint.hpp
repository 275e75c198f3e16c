// save_checkpoint(trainer, path), load_checkpoint(trainer, path): saves a trainer of your own training loop in a
// safetensors file, and continues with the bits of a training that was never stopped. With fit: checkpoint.hpp.
#pragma once

// Included first, because compilers print each file on the include path to where errors are reported.
#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/parameters/parameter_entry.hpp"
#include "tenon/train/checkpoints/checkpoint_file.hpp"
#include "tenon/train/checkpoints/on_first_rank.hpp"
#include "tenon/train/checkpoints/saved_rule.hpp"
#include "tenon/train/optimizers/update_pass.hpp"
#include "tenon/train/trainer/trainer.hpp"
#include "tenon/train/trainer/world_of.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tenon::inline v0_1 {

namespace engine {

// A trainer's private state, as that of a checkpoint.
struct checkpoint_access {
  template <class G, class Objective, class Rule, class... Options>
  static void describe(trainer<G, Objective, Rule, Options...>& t, checkpoint_state& state) {
    using type = trainer<G, Objective, Rule, Options...>;
    std::string shapes;
    for (const auto& p : tenon::detail::entries_of<G>())
      shapes += std::string(p.path) + " " + tenon::detail::shape_text(p.shape()) + "; ";
    state.identity = {
        {"checkpoint", "1"},
        {"graph", std::string(ir::title_of<G>())},
        {"parameters", shapes},
        {"update rule", std::string(ir::type_name<Rule>().view())},
        {"groups", t.optimizer_.groups_ ? t.optimizer_.groups_->description() : ""},
        {"type of numbers", std::string(tenon::detail::name_of(io::dtype_of<typename type::T>))},
        {"batch", std::to_string(type::B)},
        {"shards", std::to_string(shards_of<typename type::session_type>())},
        {"accumulate", std::to_string(t.accumulate)},
        {"seed of dropout", std::to_string(t.seed_.value)}};
  }
  template <class Trainer>
  static void add_blocks(Trainer& t, bool has_average, checkpoint_state& state) {
    using T = typename Trainer::T;
    const auto add = [&](const char* name, void* data, std::size_t count, bool may_be_infinite = false) {
      state.blocks.push_back({name, data, count, io::dtype_of<T>, may_be_infinite});
    };
    add("parameters", t.theta_.data(), std::remove_reference_t<decltype(t.theta_)>::block_size);
    if constexpr (backend::HasOwnMemory<typename Trainer::plan::backend>) {
      const auto copy = std::make_shared<engine::memory<T>>(t.optimizer_.state().states);
      add("optimizer", copy->data(), copy->size(), true);
      state.copy = copy;
    } else if (auto* const states = states_of_all(t, state)) {
      add("optimizer", states->data(), states->size(), true);
    } else {
      add("optimizer", t.optimizer_.states_.data(), t.optimizer_.states_.size(), true);
    }
    if (has_average) add("average", t.average_.data(), t.average_.size());
  }
  // With several ranks, each keeps the states of its slices. This is memory for those of all, [states, elements], kept by `state`;
  // null with one rank.
  template <class Trainer>
  static auto states_of_all([[maybe_unused]] Trainer& t, [[maybe_unused]] checkpoint_state& state) {
    using block = engine::memory<typename Trainer::T>;
    block* all = nullptr;
    if constexpr (CutsStates<Trainer>)
      if (t.session_.group().ranks() > 1) {
        const auto made = std::make_shared<block>(states_in(t) * elements_of(t));
        state.copy = made;
        all = made.get();
      }
    return all;
  }
  template <class Trainer>
  static std::size_t states_in(const Trainer&) {
    return static_cast<std::size_t>(Trainer::optimizer_type::states);
  }
  template <class Trainer>
  static std::size_t elements_of(const Trainer&) {
    return static_cast<std::size_t>(Trainer::learned_size);
  }
  // Copies the states of this rank's slices to or from those of all.
  template <class Trainer, class Copy>
  static void each_state_of_rank(Trainer& t, checkpoint_state& state, Copy copy) {
    using block = engine::memory<typename Trainer::T>;
    const std::ptrdiff_t from = t.session_.first_element(), count = t.session_.end_element() - from;
    for (std::size_t s = 0; s < states_in(t); ++s)
      copy(t.optimizer_.states_.data() + static_cast<std::ptrdiff_t>(s) * count,
           static_cast<block*>(state.copy.get())->data() + s * elements_of(t), from, count);
  }
  template <class Trainer>
  static void save(Trainer& t, checkpoint_state& state) {
    if (t.pending() > 0)
      throw input_error("checkpoint: gradients are being accumulated; call update() first");
    describe(t, state);
    check_rule(t);
    state.numbers["steps"] = {static_cast<double>(t.optimizer_.step_), static_cast<double>(t.batches_),
                              t.average_.size() > 0 ? 1.0 : 0.0};
    state.numbers["rule"] = saved_rule<typename Trainer::optimizer_type>::numbers(t.optimizer_.rule);
    add_blocks(t, t.average_.size() > 0, state);
    if constexpr (CutsStates<Trainer>)
      if (t.session_.group().ranks() > 1)
        each_state_of_rank(t, state,
                           [&](const auto* own, auto* all, std::ptrdiff_t from, std::ptrdiff_t count) {
                             std::copy_n(own, count, all + from);
                             t.session_.gather_slices(all);
                           });
  }
  // Throws input_error for a rule that could be saved but not loaded.
  template <class Trainer>
  static void check_rule(const Trainer& t) {
    saved_rule<typename Trainer::optimizer_type>::check(t.optimizer());
  }
  // Prepares what is read: nothing of the trainer changes before apply().
  template <class Trainer>
  struct loading {
    checkpoint_state state{};
    long steps = 0, batches = 0;
    std::vector<double> rule{};
    engine::parameter_block<typename Trainer::T> average{};

    loading(Trainer& t, const open_checkpoint& file) {
      const std::vector<double> counts = file.numbers("steps", 3);
      steps = file.count_in("steps", counts, 0);
      batches = file.count_in("steps", counts, 1);
      rule = saved_rule<typename Trainer::optimizer_type>::read(file, t.optimizer_.rule);
      check_next_step(t.optimizer_.rule, file);
      add_blocks(t, false, state);
      if (file.count_in("steps", counts, 2, 1) != 0) {
        average = engine::parameter_block<typename Trainer::T>(
            std::remove_reference_t<decltype(t.theta_)>::block_size, {});
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
            static_cast<const engine::memory<typename Trainer::T>*>(state.copy.get())->data(),
            t.optimizer_.states_.data(), t.optimizer_.states_.size());
      }
      if constexpr (CutsStates<Trainer>)
        if (t.session_.group().ranks() > 1)
          each_state_of_rank(t, state,
                             [](auto* own, const auto* all, std::ptrdiff_t from, std::ptrdiff_t count) {
                               std::copy_n(all + from, count, own);
                             });
      t.average_ = std::move(average);
      t.optimizer_.step_ = steps;
      t.batches_ = batches;
      t.pending_ = 0;
      t.theta_.data();  // marks it as changed, so that weights are packed again
      saved_rule<typename Trainer::optimizer_type>::restore(t.optimizer_.rule, rule);
    }

   private:
    // Throws data_error for numbers that the next step would refuse.
    template <class Rule>
    void check_next_step(Rule next, const open_checkpoint& file) const {
      saved_rule<Rule>::restore(next, rule);
      typename Trainer::T numbers[constants_of<Rule> + 1];
      try {
        find_constants(next, steps + 1, numbers);
      } catch (const input_error& wrong) {
        tenon::detail::throw_data_error(file.path(), {"tensor 'training.rule': ", wrong.what()});
      }
    }
  };

 private:
  template <class Session>
  static constexpr int shards_of() {
    if constexpr (requires { Session::part_rows; }) return Session::B / Session::part_rows;
    else return 1;
  }
};

}  // namespace engine

namespace io {

// Call these between updates; with several ranks on all of them, of which the first writes and reads the file, for all. Saving throws
// input_error while gradients are being accumulated, or if a number of the rule is not finite, and data_error for a file that cannot be
// written; loading throws data_error for a file that is malformed, or of another graph or rule, and changes nothing then.
template <class G, class Objective, class Rule, class... Options>
void save_checkpoint(trainer<G, Objective, Rule, Options...>& trainer, const std::string& path) {
  if constexpr (engine::unfit_to_save<Rule>::wrong) {
    tenon::detail::say<tenon::detail::error_in<engine::unfit_to_save<Rule>>>();
  } else {
    engine::checkpoint_state state;
    engine::checkpoint_access::save(trainer, state);
    engine::on_first_rank(engine::world_of(trainer), [&] { engine::write_checkpoint(path, state); });
  }
}
template <class G, class Objective, class Rule, class... Options>
void load_checkpoint(trainer<G, Objective, Rule, Options...>& trainer, const std::string& path) {
  if constexpr (engine::unfit_to_save<Rule>::wrong) {
    tenon::detail::say<tenon::detail::error_in<engine::unfit_to_save<Rule>>>();
  } else {
    engine::checkpoint_state expected;
    engine::checkpoint_access::describe(trainer, expected);
    const engine::open_checkpoint file(path, expected.identity, engine::world_of(trainer));
    engine::checkpoint_access::loading<tenon::trainer<G, Objective, Rule, Options...>> found(trainer, file);
    found.apply(trainer, file);
  }
}

}  // namespace io

}  // namespace tenon::inline v0_1
