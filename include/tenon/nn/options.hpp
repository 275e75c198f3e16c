// Options of layers. An option is a type whose `set` names the member that it sets; the layers
// with that member accept it:
//   struct no_bias { static constexpr void set(auto& options) requires requires { options.bias; } { options.bias = false; } };
// A layer reads all its options at once: detail::read_options<Options...>(its struct of options with their
// defaults). The struct has a list of its options for an error, `static constexpr const char* all`, and
// names `unknown` and `repeated`.
#pragma once

#include "tenon/graph/initializer.hpp"
#include "tenon/graph/layer.hpp"
#include "tenon/meta/type_name.hpp"

namespace tenon::inline v0_1 {

namespace nn {

struct no_bias {
  static constexpr void set(auto& options) requires requires { options.bias; }
  { options.bias = false; }
};
// No position sees a later one.
struct is_causal {
  static constexpr void set(auto& options) requires requires { options.is_causal; }
  { options.is_causal = true; }
};

// initialized<"weight_hh*", init::orthogonal()>: the initializer of the layer's parameters whose names match; `*`
// matches any characters. It is an error if no parameter of the layer has a matching name.
template <ir::text Pattern, ir::initializer Start>
struct initialized {
  static constexpr void set(auto& options) requires requires { options.rules; }
  { options.rules.add({.pattern = ir::literal<Pattern>, .start = Start, .starts = true}); }
};
// No gradient of the layer's parameters is computed, and training leaves them unchanged.
// frozen_parameters<"weight_ih*"> does so for those whose names match.
template <ir::text Pattern>
struct frozen_parameters {
  static constexpr void set(auto& options) requires requires { options.rules; }
  { options.rules.add({.pattern = ir::literal<Pattern>, .freezes = true}); }
};
struct frozen : frozen_parameters<"*"> {};

}  // namespace nn

namespace detail {

template <class Option, class Options>
concept OptionOf = requires(Options& options) {
  Option::set(options);
};
// An option that is a type and not a number, such as an activation.
template <class Option, class Options>
concept TypeOptionOf = Options::template takes<Option>;

// How many rules of parameters the options hold.
template <class Options>
constexpr int rules_in(const Options& options) {
  if constexpr (requires { options.rules; }) return options.rules.size;
  else return 0;
}

// A layer's options with those given set, in their order. Rules of parameters may be many, any
// other kind is given once.
template <class... Given, class Options>
constexpr Options read_options(Options options) {
  [[maybe_unused]] ir::characters kinds[sizeof...(Given) + 1]{};
  [[maybe_unused]] int count = 0;
  [[maybe_unused]] const auto read = [&]<class Option>() {
    [[maybe_unused]] const int before = rules_in(options);
    if constexpr (OptionOf<Option, Options>) Option::set(options);
    else if constexpr (!TypeOptionOf<Option, Options>)
      if (options.unknown.empty()) options.unknown = ir::type_name<Option>();
    if constexpr (sizeof...(Given) > 1) {
      if (rules_in(options) != before) return;
      const ir::characters whole = ir::detail::raw_type_name<Option>();
      kinds[count] = whole.substr(0, whole.find("<"));
      for (int k = 0; k < count; ++k)
        if (kinds[k] == kinds[count]) options.repeated = ir::type_name<Option>();
      ++count;
    }
  };
  (read.template operator()<Given>(), ...);
  return options;
}
// Takes the first option off a list such as "features<in>, initialized<\"name\", start>".
constexpr ir::characters take_option(ir::characters& all) {
  std::size_t end = 0;
  for (int inside = 0; end < all.size() && (inside > 0 || all[end] != ','); ++end)
    inside += all[end] == '<' ? 1 : all[end] == '>' ? -1 : 0;
  const ir::characters first = all.substr(0, end);
  all = all.substr(end + 2 < all.size() ? end + 2 : all.size());
  return first;
}
// Is each option known, and given once? The error names `layer`, and the nearest option that it has.
template <class Options>
constexpr ir::problem unfit_options_of_layer(const Options& options, ir::characters layer) {
  const auto word = [](ir::characters option) { return ir::name(option.substr(0, option.find("<"))); };
  if (options.unknown.empty() && options.repeated.empty()) return {};
  if (options.unknown.empty())
    return {.rule = ir::sentence(layer)
                        .append(" is given '")
                        .append(word(options.repeated.view()).view())
                        .append("' twice"),
            .fix = "keep one of them"};
  const ir::name asked = word(options.unknown.view());
  ir::nearest known{asked};
  ir::problem p{
      .rule = ir::sentence(layer).append(" has no option '").append(options.unknown.view()).append("'")};
  for (ir::characters rest = Options::all; !rest.empty();) {
    const ir::characters option = take_option(rest);
    if (word(option) == asked) {
      p.fix = ir::sentence("write ").append(option);
      return p;
    }
    known.consider(word(option));
  }
  p.fix = known.suggestion(ir::characters(Options::all).empty()
                               ? "leave it out: it has none"
                               : ir::sentence("its options: ").append(Options::all));
  return p;
}
template <class Options>
constexpr bool accept_options(builder& b, const Options& options, ir::characters layer) {
  if (!b.accept(unfit_options_of_layer(options, layer))) return false;
  if constexpr (requires { options.rules; }) b.add_rules(options.rules);
  return b.ok();
}
// Options of a layer, a loss or an equation that has none. Each still accepts a list of options, to refuse it in words.
struct no_options {
  static constexpr const char* all = "";
  ir::name unknown{}, repeated{};
};
template <class... Given>
constexpr ir::problem unfit_no_options([[maybe_unused]] ir::characters layer) {
  if constexpr (sizeof...(Given) == 0) return {};
  else return unfit_options_of_layer(read_options<Given...>(no_options{}), layer);
}

// If a part is a graph, its nodes keep their names in summaries.
template <class Part>
struct named_nodes {};
template <class Part>
requires requires { Part::title; }
struct named_nodes<Part> {
  static constexpr ir::characters title = Part::title;
  template <class F>
  static constexpr void name_layers(const ir::name& scope, F& f) {
    Part::name_layers(scope, f);
  }
};
struct options_of_parameters {
  static constexpr const char* all = "initialized<\"name\", start>, frozen, frozen_parameters<\"name\">";
  ir::parameter_rules rules{};
  ir::name unknown{}, repeated{};
};

}  // namespace detail

namespace nn {

// A layer, an equation or a graph that takes no options of its own, with options for its parameters:
// with_options<chain<linear<64>, my_norm>, initialized<"*weight", init::kaiming_normal()>>, with_options<encoder, frozen>.
template <class Part, class... Options>
struct with_options : detail::named_nodes<Part> {
  static constexpr int build(builder& b, const edges& in) {
    constexpr auto options = detail::read_options<Options...>(detail::options_of_parameters{});
    return detail::accept_options(b, options, "with_options") ? ir::build<Part>(b, in) : -1;
  }
};

}  // namespace nn

}  // namespace tenon::inline v0_1
