// Laws of a graph on Thrust's device: it computes what the oracle does, with the same bits each time, and padding has no effect.
#pragma once

#include "backend/thrust/fenced.hpp"
#include "support/laws.hpp"

namespace tenon::test {

template <concepts::Graph G, class Machine = device<float>>
void check_device_laws(tolerance allowed = {}) {
  CAPTURE(std::string(G::title));
  constexpr int rows = 5, bound = network_of<G>.axes.size > 0 ? network_of<G>.axes[0].bound : 1;
  const int T = bound;
  const sample<G> mixed({T - 1, 0, T, 1, 2}, 1), full(std::vector<int>(rows, T), 2),
      empty(std::vector<int>(rows, 0), 3);
  trial<oracle, G, rows + 1> exact(9);  // one row of the batch stays empty
  trial<Machine, G, rows + 1> used(9);
  for (const auto* s : {&full, &empty, &mixed}) {
    INFO("lengths: ", std::string(s == &full ? "all full" : s == &empty ? "all zero" : "mixed"));
    const findings got = used(*s);
    check_near(exact(*s), got, allowed.absolute, allowed.relative);
    check_same(got, used(*s));
  }
  const findings once = used(mixed);
  check_same(once, used(mixed.padded_with({not_a_number, -7})));
}

}  // namespace tenon::test
