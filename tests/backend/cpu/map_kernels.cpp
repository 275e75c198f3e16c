// Every primitive, and the kernels of real equations, on the CPU backend against the reference in double.
#include "support/map_kernels.hpp"

#include "support/check_map.hpp"
#include <tenon/backend/cpu/map.hpp>

using namespace tenon::test;

TEST_CASE_TEMPLATE("every primitive", T, float, double) { check_map<all_primitives<21>, T>(2, 3, 4); }

TEST_CASE_TEMPLATE("the kernels of an LSTM and of a softmax", T, float, double) {
  const auto check = [](auto kernel) {
    check_map<decltype(kernel), T>(3, 5, 0);
    check_map<decltype(kernel), T>(2, 1, 1);
  };
  for_each_map<lstm_step<10>::forward>(check);
  for_each_map<lstm_step<10>::backward>(check);
  for_each_map<softmax_step<9>::forward>(check);
  for_each_map<softmax_step<9>::backward>(check);
}
