// limit_classes<"logits.bias">(theta, 72): of the classes for which the type has room, only so many exist; the program learns
// their number when it runs.
#pragma once

// Included first, because compilers print each file on the include path to where errors are reported.
#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/parameters/parameters.hpp"

#include <concepts>
#include <utility>

namespace tenon::inline v0_1 {

namespace engine {
template <class G, text Name>
struct unfit_bias {
  static constexpr problem wrong = [] {
    const int p = network_of<G>.find_parameter(Name);
    if (p < 0 || network_of<G>.parameters[p].columns == 0) return problem{};
    return problem{.rule = sentence("limit_classes writes to the bias of the scores, and '")
                               .append(Name.view())
                               .append("' is a matrix"),
                   .fix = "name the vector: logits.bias"};
  }();
};
}  // namespace engine

// Gives the classes from the `classes`-th on a bias of -10000. Their probability is then exactly 0, so they are absent from the
// loss, from metrics and from argmax; they have no gradient and stay as they are, also in files. Call it once the block
// is initialised. Throws input_error if there is no class, room for fewer, or an earlier limit that is lower.
template <ir::text Name, class G, class T>
void limit_classes(parameters<G, T>& theta, std::integral auto classes) {
  if (!tenon::detail::say<tenon::detail::error_in<engine::unfit_bias<G, Name>>>()) return;
  const view<T> bias = get<Name>(theta);
  if (std::cmp_less(classes, 1) || std::cmp_greater(classes, bias.size()))
    tenon::detail::throw_input_error({"limit_classes: expected from 1 to ", bias.size(), " classes, as '",
                                      ir::characters(Name.view()), "' has, got ", classes});
  const auto n = static_cast<std::size_t>(classes);
  if (bias(n - 1) < T(-5000))
    tenon::detail::throw_input_error({"limit_classes: '", ir::characters(Name.view()),
                                      "' has been limited to fewer than ", classes, " classes"});
  for (std::size_t k = n; k < bias.size(); ++k) bias(k) = T(-10000);
}

}  // namespace tenon::inline v0_1
