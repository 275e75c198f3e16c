// Groups of parameters, by patterns of their names, with their own rate, weight decay or limit, or frozen.
//   learner.groups({{"embedded.*", {.learning_rate = 1e-4}},
//                   {"*.bias*",    {.weight_decay = 0}},
//                   {"states.*",   {.frozen = true}}});
#pragma once

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/diagnostics/number_text.hpp"
#include "tenon/meta/pattern.hpp"

#include <charconv>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace tenon::inline v0_1 {

namespace engine {
// A number that may be given or not. A std::optional would cost compile time in every program.
struct optional_number {
  double value = 0;
  bool is_given = false;

  constexpr optional_number() = default;
  constexpr optional_number(double number) : value(number), is_given(true) {}
  constexpr double value_or(double other) const { return is_given ? value : other; }
  constexpr bool operator==(const optional_number&) const = default;
};
}  // namespace engine

namespace detail {
// The options of a group. They apply to every parameter that matches; if two groups that match set the
// same number, the later one counts.
struct group_options {
  engine::optional_number learning_rate{};  // replaces the rule's; a schedule does not change it
  engine::optional_number rate_factor{};    // multiplies the learning rate, the rule's or the group's
  engine::optional_number weight_decay{};   // replaces the rule's
  bool frozen = false;                      // not learned: neither the parameter nor its states change
  double max_norm =
      0;  // the gradients of all matching parameters together are clipped to this norm; 0: not at all
};
}  // namespace detail
namespace optimizers {
// `pattern` is a name of parameters<G>::table; each * in it matches any characters, or none.
struct parameter_group {
  std::string pattern{};
  tenon::detail::group_options options{};
};
}  // namespace optimizers

namespace engine {

// How an optimiser applies groups. A template, so that a program without groups does not compile it.
template <class T>
struct group_plan {
  struct range {  // of the block
    std::ptrdiff_t from = 0, count = 0;
  };
  using range_list = std::vector<range>;
  // A parameter's place in the block. Tied parameters share one place.
  struct span {
    characters name;
    std::ptrdiff_t from = 0, end = 0;
  };
  using spans = std::vector<span>;
  // The ranges that are updated with the same numbers, or clipped to one norm.
  struct group {
    tenon::detail::group_options options{};
    range_list ranges{};
  };
  std::vector<group> updated{}, clipped{};
  range_list learned{};       // all that is not frozen
  std::string description{};  // equal for equal groups: "'*.bias' weight_decay 0; "

  // Calls f(ranges, most) for each group with a limit of its norm, then for all that is learned if max_norm is above 0.
  template <class F>
  void each_limit(double max_norm, F f) const {
    for (const group& one : clipped)
      if (one.options.max_norm > 0) f(one.ranges, one.options.max_norm);
    if (max_norm > 0) f(learned, max_norm);
  }

  // Throws input_error for a pattern without a match, for a number out of range, and for one
  // that the rule does not have.
  group_plan(const optimizers::parameter_group* groups, std::size_t count, std::vector<span> all,
             characters rule, bool has_rate, bool has_decay) {
    for (std::size_t g = 0; g < count; ++g) {
      check_numbers(groups[g], rule, has_rate, has_decay);
      check_pattern(groups[g], all);
      clipped.push_back({.options = groups[g].options});
      describe(groups[g]);
    }
    sort(all);
    for (std::size_t k = 0; k < all.size();) {
      group mine;
      std::string matched(count, ' ');
      const span& p = all[k];
      for (; k < all.size() && all[k].from == p.from; ++k)
        for (std::size_t g = 0; g < count; ++g)
          if (ir::matches(groups[g].pattern, all[k].name)) matched[g] = '*';
      for (std::size_t g = 0; g < count; ++g)
        if (matched[g] == '*') take(mine.options, groups[g].options);
      if (mine.options.frozen) continue;
      add(learned, p);
      for (std::size_t g = 0; g < count; ++g)
        if (matched[g] == '*') add(clipped[g].ranges, p);
      std::size_t same = 0;
      while (same < updated.size() && !are_same(updated[same].options, mine.options)) ++same;
      if (same == updated.size()) updated.push_back(mine);
      add(updated[same].ranges, p);
    }
  }

 private:
  void describe(const optimizers::parameter_group& described) {
    const tenon::detail::group_options& o = described.options;
    description += "'" + described.pattern + "'";
    const auto number = [&](const char* what, const optional_number& n) {
      if (n.is_given) description += std::string(" ") + what + " " + text_of(n.value);
    };
    number("learning_rate", o.learning_rate);
    number("rate_factor", o.rate_factor);
    number("weight_decay", o.weight_decay);
    if (o.frozen) description += " frozen";
    if (o.max_norm > 0) number("max_norm", o.max_norm);
    description += "; ";
  }
  // As few digits as distinguish it from every other number.
  static std::string text_of(double value) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
  }
  static void take(tenon::detail::group_options& all, const tenon::detail::group_options& o) {
    if (o.learning_rate.is_given) all.learning_rate = o.learning_rate;
    if (o.rate_factor.is_given) all.rate_factor = o.rate_factor;
    if (o.weight_decay.is_given) all.weight_decay = o.weight_decay;
    all.frozen = all.frozen || o.frozen;
  }
  static bool are_same(const tenon::detail::group_options& a, const tenon::detail::group_options& b) {
    return a.learning_rate == b.learning_rate && a.rate_factor == b.rate_factor &&
           a.weight_decay == b.weight_decay;
  }
  static void add(range_list& ranges, const span& p) {
    if (!ranges.empty() && ranges.back().from + ranges.back().count == p.from)
      ranges.back().count += p.end - p.from;
    else ranges.push_back({p.from, p.end - p.from});
  }
  // Sorts by the place in the block.
  static void sort(std::vector<span>& all) {
    for (std::size_t k = 1; k < all.size(); ++k)
      for (std::size_t j = k; j > 0 && all[j].from < all[j - 1].from; --j) {
        const span moved = all[j];
        all[j] = all[j - 1];
        all[j - 1] = moved;
      }
  }
  static void check_numbers(const optimizers::parameter_group& group, characters rule, bool has_rate,
                            bool has_decay) {
    const tenon::detail::group_options& o = group.options;
    const auto check = [&](const char* what, double value) {
      if (!(value >= 0) || std::isinf(value))
        throw input_error("groups: '" + tenon::detail::shortened_name(group.pattern) + "': expected a " +
                          what + " of at least 0, got " + tenon::detail::fixed(value));
    };
    check("learning_rate", o.learning_rate.value_or(0));
    check("rate_factor", o.rate_factor.value_or(0));
    check("weight_decay", o.weight_decay.value_or(0));
    check("max_norm", o.max_norm);
    const auto lacks = [&](const char* number) {
      throw input_error("groups: '" + tenon::detail::shortened_name(group.pattern) + "': update rule '" +
                        std::string(rule) + "' has no " + number);
    };
    if (!has_rate && (o.learning_rate.is_given || o.rate_factor.is_given)) lacks("learning_rate");
    if (!has_decay && o.weight_decay.is_given) lacks("weight_decay");
  }
  static void check_pattern(const optimizers::parameter_group& group, const std::vector<span>& all) {
    characters nearest = "";
    std::size_t least = static_cast<std::size_t>(-1);
    for (const span& p : all) {
      if (ir::matches(group.pattern, p.name)) return;
      if (const std::size_t d = distance_of(group.pattern, p.name); d < least) {
        least = d;
        nearest = p.name;
      }
    }
    throw input_error("groups: no parameter matches '" + tenon::detail::shortened_name(group.pattern) +
                      "'; the nearest is '" + std::string(nearest) + "'");
  }
  // How many characters differ, where a * costs nothing (after Levenshtein 1966).
  struct cost {
    std::size_t changes = 0;
  };
  static std::size_t distance_of(characters pattern, characters name) {
    const auto less = [](std::size_t a, std::size_t b) { return a < b ? a : b; };
    std::vector<cost> row;
    for (std::size_t n = 0; n <= name.size(); ++n) row.push_back({n});
    for (char c : pattern) {
      std::size_t diagonal = row[0].changes;
      row[0].changes += c != '*';
      for (std::size_t n = 1; n < row.size(); ++n) {
        const std::size_t changed = diagonal + (name[n - 1] != c), shorter = row[n - 1].changes;
        diagonal = row[n].changes;
        row[n].changes = c == '*' ? less(diagonal, shorter) : less(changed, less(diagonal, shorter) + 1);
      }
    }
    return row.back().changes;
  }
};

}  // namespace engine
}  // namespace tenon::inline v0_1
