// variational_dropout: the same zeros at every step of a row, as a layer, in an equation, and on the operands of a cell's products.
#include "tenon/nn/variational_dropout.hpp"

#include "nn/cell/loop.hpp"
#include "support/laws.hpp"

#include <set>

namespace tenon::test {
using namespace nn;

constexpr int D = 50, T = 6, B = 4;

template <class Layer>
using over_steps = graph<"over steps", input<"x", features<D>, steps<T>>, node<"y", Layer, "x">, output<"y">>;

// The output for an input of ones, row after row; it is the same at each step of a row.
template <class G>
std::vector<std::vector<float>> zeros_of_rows(std::uint64_t step) {
  differentiation<G, void, batch<B>> run;
  const parameters<G> theta(zeros{});
  run.randomness(seed{5}, step);
  const std::vector<float> ones(B * T * D, 1.0f);
  set_input<"x">(run, as_sequences(ones, B, T, D));
  run.forward(theta);
  std::vector<std::vector<float>> rows;
  for (int r = 0; r < B; ++r) {
    rows.emplace_back();
    for (int j = 0; j < D; ++j) {
      rows.back().push_back(get<"y">(run)(r, 0, j));
      for (int t = 1; t < T; ++t) CHECK(get<"y">(run)(r, t, j) == rows.back().back());
    }
  }
  return rows;
}
TEST_CASE("as a layer: zeros of each row's own, the same at all its steps") {
  std::set<std::vector<float>> different;
  int zeros = 0;
  for (std::uint64_t step : {0u, 1u})
    for (const auto& y : zeros_of_rows<over_steps<variational_dropout<0.25>>>(step)) {
      different.insert(y);
      for (float v : y) {
        const bool is_right = v == 0 || v == 1 / 0.75f;
        CHECK(is_right);
        zeros += v == 0;
      }
    }
  CHECK(different.size() == 2 * B);
  CHECK(std::abs(zeros / (2.0 * B * D) - 0.25) < 0.07);
}
struct in_an_equation {
  static constexpr auto at(auto x) { return variational_dropout<0.5>(x) + 0 * x; }
};
TEST_CASE("in an equation, and of a row without steps") {
  for (const auto& y : zeros_of_rows<over_steps<in_an_equation>>(0))
    CHECK(std::set(y.begin(), y.end()).size() == 2);
  using G = single<variational_dropout<0.5>, D>;
  differentiation<G, void, batch<1>> run;
  set_input<"x">(run, std::vector<float>(D, 1.0f));
  run.forward(parameters<G>(zeros{}));
  int none = 0;
  for (int j = 0; j < D; ++j) none += get<"y">(run)(0, j) == 0;
  CHECK(none > 10);
  CHECK(none < 40);
}

// A cell that shows the operands of its products: x and the state, both times the same matrix 1, side by side.
struct showing : equations::symbols {
  static constexpr auto step(auto x, auto h) {
    const auto of_x = W<"first", D>(x), again = W<"second", D>(x), of_h = U<"", D>(h);
    return next(h * 0 + 1).emitting(concat(of_x, again, of_h));
  }
};
using shown = over_steps<recurrent<showing, hidden<D>, variational_dropout<0.25, 0.5>>>;

TEST_CASE("as an option: of x and of the states, for all gates and steps; the states themselves are whole") {
  parameters<shown> theta(zeros{});
  for (int j = 0; j < D; ++j)
    get<"y.W_first_l0">(theta)(j, j) = get<"y.W_second_l0">(theta)(j, j) = get<"y.U_l0">(theta)(j, j) = 1;
  differentiation<shown, void, batch<B>> run;
  run.randomness(seed{5}, 0);
  const std::vector<float> ones(B * T * D, 1.0f);
  set_input<"x">(run, as_sequences(ones, B, T, D));
  run.forward(theta);
  const auto y = get<"y">(run);
  int of_x = 0, of_h = 0;
  bool is_same_for_both_gates = true, is_same_at_all_steps = true, has_one_mask_for_both = true;
  for (int r = 0; r < B; ++r)
    for (int j = 0; j < D; ++j) {
      of_x += y(r, 1, j) == 0;
      of_h += y(r, 1, 2 * D + j) == 0;
      has_one_mask_for_both = has_one_mask_for_both && (y(r, 1, j) == 0) == (y(r, 1, 2 * D + j) == 0);
      for (int t = 1; t < T; ++t) {  // the state is 1 from the second step on
        is_same_for_both_gates = is_same_for_both_gates && y(r, t, j) == y(r, t, D + j);
        is_same_at_all_steps =
            is_same_at_all_steps && y(r, t, j) == y(r, 1, j) && y(r, t, 2 * D + j) == y(r, 1, 2 * D + j);
      }
    }
  CHECK(is_same_for_both_gates);
  CHECK(is_same_at_all_steps);
  CHECK_FALSE(has_one_mask_for_both);
  CHECK(std::abs(of_x / double(B * D) - 0.25) < 0.1);
  CHECK(std::abs(of_h / double(B * D) - 0.5) < 0.1);
}
TEST_CASE("in inference nothing is dropped") {
  using G = over_steps<gru<4, variational_dropout<0.5>>>;
  using H = over_steps<gru<4>>;
  const parameters<G> theta(seed{2});
  const parameters<H> same(seed{2});
  std::vector<float> x(T * D);
  random_numbers random(3);
  for (float& v : x) v = static_cast<float>(random());
  inference<G, batch<1>> run(theta);
  inference<H, batch<1>> other(same);
  set_input<"x">(run, as_sequences(x, 1, T, D));
  set_input<"x">(other, as_sequences(x, 1, T, D));
  run.run();
  other.run();
  for (int j = 0; j < 4; ++j)
    CHECK(get<"y">(run)(0, T - 1, j) == doctest::Approx(get<"y">(other)(0, T - 1, j)));
}
TEST_CASE("the laws") {
  check_laws<over_time<lstm<3, variational_dropout<0.3, 0.2>, bidirectional>, 4>>();
  check_laws<over_time<recurrent<cells::mut1, hidden<3>, variational_dropout<0.3>, zoneout<0.2>>, 2>>();
}
// A state of one unit, from which the size of a gate cannot be inferred: the state, and the gate times the state.
struct of_one_unit : equations::symbols {
  static constexpr auto step(auto x, auto h) {
    const auto gate = W<"gate">(x);
    return next(h * 0 + 1).emitting(concat(U<"whole", 1>(h), U<"gated", 1>(gate * h)));
  }
};
TEST_CASE("of one hidden unit, too, gated or not, the same zeros") {
  using G = over_steps<recurrent<of_one_unit, hidden<1>, variational_dropout<0.0, 0.5>>>;
  parameters<G> theta(zeros{});
  get<"y.W_gate_l0">(theta)(0, 0) = get<"y.U_whole_l0">(theta)(0, 0) = get<"y.U_gated_l0">(theta)(0, 0) = 1;
  differentiation<G, void, batch<B>> run;
  run.randomness(seed{5}, 0);
  const std::vector<float> ones(B * T * D, 1.0f);
  set_input<"x">(run, as_sequences(ones, B, T, D));
  run.forward(theta);
  const auto y = get<"y">(run);
  int dropped = 0;
  for (int r = 0; r < B; ++r) {
    dropped += y(r, 1, 0) == 0;
    for (int t = 1; t < T; ++t) CHECK((y(r, t, 0) == y(r, 1, 0) && y(r, t, 1) == y(r, t, 0)));
  }
  CHECK((dropped > 0 && dropped < B));
  check_laws<over_time<recurrent<cells::gru_cho, hidden<1>, variational_dropout<0.3>>, 2>>();
  static_assert(fits<over_steps<recurrent<cells::mut1, hidden<1>, variational_dropout<0.3>>>> &&
                fits<over_steps<recurrent<cells::mut2, hidden<1>, variational_dropout<0.3>>>> &&
                fits<over_steps<recurrent<cells::mut3, hidden<1>, variational_dropout<0.3>>>>);
}
TEST_CASE("bad rates") {
  static_assert(fits<over_steps<gru<5, variational_dropout<0.5, 0.0>>>> &&
                fits<over_steps<variational_dropout<0.0>>>);
  static_assert(!fits<over_steps<gru<5, variational_dropout<1>>>> &&
                !fits<over_steps<variational_dropout<1>>>);
}
namespace {
// Products with states of nine widths.
struct of_many_widths : equations::symbols {
  template <int Width>
  static constexpr auto name = [] {
    char letter[] = "a";
    letter[0] = static_cast<char>('a' + Width);
    return ir::text(letter);
  }();
  template <int... Width>
  static constexpr auto all(auto h, std::integer_sequence<int, Width...>) {
    return (... + V<name<Width>, 9>(slice<0, 1 + Width>(h)));
  }
  static constexpr auto step(auto x, auto h) {
    return next(tanh(W<>(x) + all(h, std::make_integer_sequence<int, 9>{})));
  }
};
}  // namespace
TEST_CASE("matrices of many widths lose features of their own") {
  static_assert(fits<over_steps<recurrent<of_many_widths, hidden<9>, variational_dropout<0.2>>>>);
}

}  // namespace tenon::test
