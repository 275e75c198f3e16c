// The lengths of axes: from a given input, from counted windows, of axes that no input gives, and disagreements.
#include "tenon/engine/inputs/axis_lengths.hpp"

#include "tenon/engine/session/inference.hpp"
#include "tenon/nn/nn.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace tenon::test {
using namespace nn;

using two_sources = graph<"two_sources", input<"a", features<2>, steps<7>>, input<"b", features<2>, steps<7>>,
                          node<"s", add, "a", "b">, node<"y", conv1d<3, 3, stride<2>>, "s">, output<"y">>;
using plan = engine::plan_of<two_sources, void, engine::purpose::inference, batch<3>>;
using lengths = engine::axis_lengths<plan>;

constexpr int a = plan::net.inputs[0], b = plan::net.inputs[1];
constexpr int time_of_input = plan::net.edges[a].axis,
              time_of_windows = plan::net.edges[plan::net.outputs[0]].axis;
static_assert(time_of_input != time_of_windows && lengths::axes == 2);
struct all_inputs {
  constexpr bool operator()(int) const { return true; }
};
std::vector<int> numbers_of(const int* first) { return {first, first + lengths::B}; }

template <int E>
void give(lengths& all, const std::vector<int>& rows) {
  all.begin<E>();
  for (int r = 0; r < static_cast<int>(rows.size()); ++r) all.set<E>(r, rows[static_cast<std::size_t>(r)]);
}

TEST_CASE("lengths are those that were given, and of windows as many as there are") {
  lengths all;
  give<a>(all, {7, 2, 5});
  give<b>(all, {7, 2, 5});
  CHECK(numbers_of(all.of_axes()[time_of_input]) == std::vector<int>{0, 0, 0});  // not yet known
  all.settle(all_inputs{}, 3);
  CHECK(numbers_of(all.of_axes()[time_of_input]) == std::vector<int>{7, 2, 5});
  CHECK(numbers_of(all.of_axes()[time_of_windows]) == std::vector<int>{3, 0, 2});
  CHECK(all.steps()[time_of_input] == 7);
  CHECK(all.full_steps()[time_of_input] == 2);
  CHECK(all.steps()[time_of_windows] == 3);
  CHECK(all.full_steps()[time_of_windows] == 0);
}
TEST_CASE("fewer rows than before: those that are left out have no steps") {
  lengths all;
  give<a>(all, {4, 6, 3});
  give<b>(all, {4, 6, 3});
  all.settle(all_inputs{}, 3);
  give<a>(all, {5});
  give<b>(all, {5});
  all.settle(all_inputs{}, 1);
  CHECK(numbers_of(all.of_axes()[time_of_input]) == std::vector<int>{5, 0, 0});
  CHECK(numbers_of(all.of_axes()[time_of_windows]) == std::vector<int>{2, 0, 0});
}
TEST_CASE("inputs that disagree change nothing") {
  lengths all;
  give<a>(all, {7, 2});
  give<b>(all, {7, 2});
  all.settle(all_inputs{}, 2);
  give<b>(all, {7, 3});
  CHECK_THROWS_WITH_AS(all.settle(all_inputs{}, 2),
                       "input 'b': row 1 has length 3, in input 'a' on the same time axis it has length 2",
                       input_error);
  CHECK(numbers_of(all.of_axes()[time_of_input]) == std::vector<int>{7, 2, 0});
  CHECK(numbers_of(all.of_axes()[time_of_windows]) == std::vector<int>{3, 0, 0});
}

}  // namespace tenon::test
