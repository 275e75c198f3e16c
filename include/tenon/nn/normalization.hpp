// layer_norm: at each position the features minus their mean, divided by their deviation, times a learned gain, plus a
// learned bias (Ba et al. 2016). Parameters: weight and bias [In], which start at 1 and 0; epsilon 1e-5, as in PyTorch.
// Inside a cell or an equation write normalize(x), and add a gain and a bias if it needs them.
#pragma once

#include "tenon/graph/builder.hpp"

namespace tenon::inline v0_1::nn {

struct layer_norm : equations::symbols {
  static constexpr init::start starts[]{{"weight", {ir::initial::constant, 1}},
                                        {"bias", {ir::initial::constant, 0}}};
  static constexpr auto at(auto x) { return normalize(x) * vector<"weight"> + vector<"bias">; }
};

}  // namespace tenon::inline v0_1::nn
