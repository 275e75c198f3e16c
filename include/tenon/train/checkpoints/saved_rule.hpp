// saved_rule: an update rule as the numbers of a checkpoint. A rule that consists of doubles, as all of the library's
// do, is saved as these. Any other is saved as its bytes or, if those are not enough, by two members, like a schedule:
// std::vector<double> state() const and restore(numbers).
#pragma once

#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/meta/type_name.hpp"
#include "tenon/train/checkpoints/checkpoint_file.hpp"

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

namespace tenon::inline v0_1::engine {

template <class Rule>
concept SaysItsState = requires(Rule& rule, const Rule& read, const std::vector<double>& numbers) {
  std::vector<double>(read.state());
  rule.restore(numbers);
};
template <class Rule>
struct unfit_to_save {
  static constexpr problem wrong = [] {
    if (SaysItsState<Rule> || std::is_trivially_copyable_v<Rule>) return problem{};
    return problem{.rule = sentence("update rule '")
                               .append(type_name<Rule>().view())
                               .append("' cannot be saved, as it holds more than its bytes"),
                   .fix = "give it std::vector<double> state() const and restore(numbers)"};
  }();
};

// Converts to double and to no other type.
struct only_a_double {
  template <std::same_as<double> T>
  operator T() const;
};
template <class Rule, std::size_t... I>
constexpr bool are_all_doubles(std::index_sequence<I...>) {
  return requires { Rule{(static_cast<void>(I), only_a_double{})...}; }
  || requires { Rule{{}, (static_cast<void>(I), only_a_double{})...}; };  // after an empty base
}

template <class Rule>
struct saved_rule {
  static constexpr std::size_t doubles = sizeof(Rule) / sizeof(double);
  static constexpr bool is_of_doubles = [] {
    if constexpr (std::is_empty_v<Rule> || SaysItsState<Rule> || !std::is_trivially_copyable_v<Rule> ||
                  sizeof(Rule) != doubles * sizeof(double))
      return false;
    else return are_all_doubles<Rule>(std::make_index_sequence<doubles>());
  }();
  static constexpr std::size_t count = std::is_empty_v<Rule> ? 0 : is_of_doubles ? doubles : sizeof(Rule);

  static std::vector<double> numbers(const Rule& rule) {
    if constexpr (SaysItsState<Rule>) {
      return rule.state();
    } else {
      std::vector<double> all(count);
      if constexpr (is_of_doubles) std::memcpy(all.data(), &rule, sizeof rule);
      else
        for (std::size_t k = 0; k < count; ++k) all[k] = reinterpret_cast<const unsigned char*>(&rule)[k];
      return all;
    }
  }
  // Loading refuses a number that is not finite, so it must not be saved.
  static void check(const Rule& rule) {
    if constexpr (is_of_doubles || SaysItsState<Rule>)
      for (const double x : numbers(rule))
        if (!std::isfinite(x))
          tenon::detail::throw_input_error(
              {"checkpoint: update rule '", type_name<Rule>().view(),
               "' has a number that is not finite, so training could not continue from the file"});
  }
  static std::vector<double> read(const open_checkpoint& file, const Rule& rule) {
    if constexpr (SaysItsState<Rule>) return file.finite_numbers("rule", rule.state().size());
    else if constexpr (is_of_doubles) return file.finite_numbers("rule", count);
    else {
      const std::vector<double> bytes = file.numbers("rule", count);
      for (std::size_t k = 0; k < count; ++k) file.count_in("rule", bytes, k, 255);
      return bytes;
    }
  }
  static void restore(Rule& rule, const std::vector<double>& all) {
    if constexpr (SaysItsState<Rule>) rule.restore(all);
    else if constexpr (is_of_doubles) std::memcpy(static_cast<void*>(&rule), all.data(), sizeof rule);
    else
      for (std::size_t k = 0; k < count; ++k)
        reinterpret_cast<unsigned char*>(&rule)[k] = static_cast<unsigned char>(all[k]);
  }
};

}  // namespace tenon::inline v0_1::engine
