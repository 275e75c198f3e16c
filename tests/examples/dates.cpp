// A short training of the model that writes by itself half of the time: most of the dates that it has not seen come out right.
// flags: -O2
#include "../../examples/dates.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace dates_as_numbers;

TEST_CASE("letters and symbols of a date") {
  CHECK(as_numbers({1987, 3, 3}) == "1987-03-03");
  CHECK(text_of(symbols_of("1987-03-03")) == "1987-03-03?");  // with its end
  CHECK(letters_of("3 Mar") == letters_of("3 mar"));
  CHECK_THROWS_WITH_AS(letters_of("3-3-87"),
                       "the date '3-3-87': expected letters, digits, blanks and , . /, got '-'", input_error);
  std::set<int> taken;
  const dates some = some_dates(200, seed{3}, taken), others = some_dates(200, seed{3}, taken);
  for (const std::string& one : some.answers)
    CHECK(std::find(others.answers.begin(), others.answers.end(), one) == others.answers.end());
}

TEST_CASE("unseen dates are written without a mistake") {
  using half_forced = model<true, 0.5>;
  std::set<int> taken;
  const dates unseen = some_dates(300, seed{5}, taken), known = some_dates(4000, seed{4}, taken);
  parameters<half_forced::learner> theta(seed{1});
  half_forced::training train(theta, {}, seed{2});
  train.max_norm = 1;
  const data_set rows(column<"read">(known.read), column<"before">(known.before),
                      column<"target">(known.target));
  fit(train, rows, {.epochs = 5, .shuffle = seed{3}, .schedule = schedules::cosine(5e-3), .log = nullptr});
  CHECK(share_right<half_forced>(theta, unseen, 0) > 0.8);
}
