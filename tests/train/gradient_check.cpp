// The public gradient checker: it accepts right gradients, and names wrong ones.
#include "tenon/train/gradient_check.hpp"

#include "support/decimal_comma.hpp"
#include "tenon/nn/nn.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <sstream>
#include <string>

namespace tenon::test {
using namespace nn;

// A simple recurrent network whose bias "lost" has a value but, by decree, no gradient.
struct cell_with_lost_gradient : equations::symbols {
  static constexpr auto step(auto x, auto h) {
    return next(tanh(W<>(x) + U<>(h) + b<> + stop_gradient(b<"lost">)));
  }
};

TEST_CASE_TEMPLATE("the library's cells pass", C, cells::lstm, cells::gru, cells::gru_cho, cells::rnn_tanh,
                   cells::rnn_sigmoid, cells::rnn_relu) {
  const reports::gradients report = check_cell_gradients<C>(seed{3});
  INFO(report);
  CHECK(report);
  CHECK(report.share_beyond() == 0);
  using G = graph<"cell", input<"x", features<4>, steps<5>>, node<"states", recurrent<C, hidden<3>>, "x">,
                  output<"states">>;
  constexpr int given = (5 + 3 + 1) * 4 + 4 * 3 * ir::state_count<C>;  // x, and the initial states
  CHECK(report.entries == parameters<G>::count() + given);
}

TEST_CASE("a wrong derivative is found, counted and named") {
  const reports::gradients report = check_cell_gradients<cell_with_lost_gradient>(seed{3});
  CHECK(!report);
  CHECK(report.beyond == 3);
  CHECK(report.entries == 4 * 3 + 3 * 3 + 2 * 3 + 9 * 4 + 4 * 3);
  CHECK(report.share_beyond() == doctest::Approx(3.0 / 75).epsilon(1e-12));
  CHECK(report.worst.starts_with("checked_cell.b_lost_l0["));
  CHECK(report.analytic == 0);
  CHECK(std::abs(report.numeric) > 1e-3);
  std::ostringstream text;
  text << report;
  const decimal_comma comma;
  std::ostringstream with_comma;
  with_comma << report;
  CHECK(with_comma.str() == text.str());
  CHECK(text.str().starts_with("3 of 75 entries beyond tolerance; worst: checked_cell.b_lost_l0["));
}

// A cell without its derivative by x, and one without its derivative by the state.
struct deaf_cell : equations::symbols {
  static constexpr auto step(auto x, auto h) { return next(tanh(W<>(x) + U<>(h) + sum(stop_gradient(x)))); }
};
struct forgetful_cell : equations::symbols {
  static constexpr auto step(auto x, auto h) { return next(tanh(W<>(x) + b<> + stop_gradient(h))); }
};

TEST_CASE("derivatives by x and by the initial states are compared") {
  const reports::gradients deaf = check_cell_gradients<deaf_cell>(seed{3});
  CHECK(!deaf);
  CHECK(deaf.beyond >= 9 * 4);
  const reports::gradients forgetful = check_cell_gradients<forgetful_cell>(seed{3});
  CHECK(!forgetful);
  const std::string named[]{deaf.worst, forgetful.worst};
  for (const std::string& worst : named) CHECK(worst.find(".weight") == std::string::npos);
  // A sequence without a step gives its initial state back: 3 of the 12 entries agree.
  CHECK(forgetful.beyond >= 9);
}

// A cell whose second state is read only by its own next value, and has lost its derivative.
template <bool Loses>
struct counting_cell : equations::symbols {
  static constexpr auto step(auto x, auto h, auto c) {
    const auto grows = W<"c">(x) + U<"c">(c);
    if constexpr (Loses) return next(tanh(W<>(x) + U<>(h)), tanh(stop_gradient(grows)));
    else return next(tanh(W<>(x) + U<>(h)), tanh(grows));
  }
};
TEST_CASE("a state that no output reads is compared, too") {
  const reports::gradients kept = check_cell_gradients<counting_cell<false>>(seed{3});
  INFO(kept);
  CHECK(kept);
  const reports::gradients lost = check_cell_gradients<counting_cell<true>>(seed{3});
  CHECK(!lost);
  CHECK(lost.entries == kept.entries);
  CHECK(lost.beyond >= 4 * 3 + 3 * 3);  // all of W_c and U_c at least
}
TEST_CASE("where all agree no entry is the worst") {
  const reports::gradients report = check_cell_gradients<cells::rnn_tanh>(seed{3});
  CHECK(report.worst.empty());
  std::ostringstream text;
  text << report;
  CHECK(text.str() == "all " + std::to_string(report.entries) + " entries agree");
}

// --- any graph ---------------------------------------------------------------------------------------------
using bag = graph<"bag", input<"token", token<4>>, node<"embedded", embedding<4, 5, padding_idx<1>>, "token">,
                  node<"logits", linear<3>, "embedded">, output<"logits">>;
void feed_bag(auto& session) {
  const int tokens[]{0, 1, 3, 0}, targets[]{2, 0, 1, 1};
  set_input<"token">(session, tokens);
  set_input<"target">(session, targets);
}
reports::gradients check_bag(int per_parameter, const reports::gradient_tolerance& tolerance = {}) {
  return check_gradients<bag, losses::cross_entropy<"logits">, 4>([](auto& s) { feed_bag(s); }, seed{1},
                                                                  per_parameter, tolerance);
}

TEST_CASE("the padding row of an embedding has no gradient to check") {
  const reports::gradients report = check_bag(0);
  INFO(report);
  CHECK(report);
  CHECK(report.entries == 3 * 5 + 15 + 3);
}

TEST_CASE("no more entries of a parameter than asked are checked") {
  CHECK(check_bag(1).entries == 3);
  CHECK(check_bag(4).entries ==
        3 + 4 + 3);  // table rows 0, 1 (skipped), 2, 3: every fifth entry; every fourth of 15
  CHECK(check_bag(100).entries == check_bag(0).entries);
}

TEST_CASE("the tolerance decides") {
  const reports::gradients strict = check_bag(0, {.absolute = 0, .relative = 0});
  CHECK(strict.beyond > 0);
  CHECK(strict.beyond <= strict.entries);
  CHECK(std::abs(strict.analytic - strict.numeric) < 1e-8);
}

// The root at 0 is infinitely steep, relu is flat: infinity times 0.
struct edge_of_root : equations::symbols {
  static constexpr auto at(auto x) { return x * vector<"fine"> + sqrt(relu(vector<"w"> - 100) * x); }
};
using broken = graph<"broken", input<"x", features<2>>, node<"logits", edge_of_root, "x">, output<"logits">>;

TEST_CASE("an entry that is no number is beyond, and the worst") {
  const auto feed = [](auto& session) {
    const double x[]{1, 2};
    const int target[]{0};
    set_input<"x">(session, x);
    set_input<"target">(session, target);
  };
  const reports::gradients report =
      check_gradients<broken, losses::cross_entropy<"logits">, 1>(feed, seed{1});
  INFO(report);
  CHECK(!report);
  CHECK(report.beyond == 2);
  CHECK(report.entries == 4);
  CHECK(report.worst == "logits.w[0]");
  CHECK(std::isnan(report.analytic));
}

TEST_CASE("nothing compared is not a success") { CHECK(!reports::gradients{}); }

}  // namespace tenon::test
