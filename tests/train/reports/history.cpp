// The history that fit returns: as a table, as CSV, as a drawing, in a file.
#include "tenon/train/reports/history.hpp"

#include "support/decimal_comma.hpp"
#include "support/drawing.hpp"
#include "support/plain_number.hpp"
#include "support/temporary_file.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <sstream>
#include <utility>

namespace tenon::test {

using cells = std::vector<std::string>;

std::vector<cells> split_lines(const std::string& text, char between) {
  std::vector<cells> all;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    all.emplace_back();
    std::istringstream parts(line);
    for (std::string cell; std::getline(parts, cell, between);) all.back().push_back(cell);
  }
  return all;
}
// Three epochs; with a validation the second is the best.
reports::history three_epochs(bool validated) {
  reports::history h;
  if (validated) h.metric_names = {"accuracy", "macro F1"};
  const double losses[]{2.5, 1.25, 0.625}, validation[]{2.75, 1.5, 2};
  for (int k = 0; k < 3; ++k) {
    reports::epoch e{.epoch = k + 1, .loss = losses[k], .learning_rate = 0.001 / (k + 1), .seconds = 0.5 * k};
    if (validated) {
      e.validation_loss = validation[k];
      e.metrics = {0.25 * k, 0.125 * k};
    }
    h.epochs.push_back(e);
  }
  h.best_epoch = validated ? 2 : 3;
  return h;
}

TEST_CASE("CSV has a line of titles and one for each epoch, which read back as the numbers") {
  const reports::history h = three_epochs(true);
  const auto lines = split_lines(h.csv(), ',');
  REQUIRE(lines.size() == 4);
  CHECK(lines[0] ==
        cells{"epoch", "loss", "validation_loss", "accuracy", "macro F1", "learning_rate", "seconds"});
  for (std::size_t k = 0; k < 3; ++k) {
    const reports::epoch& e = h.epochs[k];
    const double expected[]{double(e.epoch), e.loss,          e.validation_loss, e.metrics[0],
                            e.metrics[1],    e.learning_rate, e.seconds};
    REQUIRE(lines[k + 1].size() == 7);
    for (std::size_t c = 0; c < 7; ++c)
      CHECK(plain_number(lines[k + 1][c]) == doctest::Approx(expected[c]).epsilon(1e-3));
  }
  CHECK(lines[2] == cells{"2", "1.25", "1.5", "0.25", "0.125", "0.0005", "0.5"});
}
TEST_CASE("table and drawing are the same in every locale") {
  const reports::history h = three_epochs(true);
  const std::string csv = h.csv(), svg = h.svg();
  const decimal_comma comma;
  CHECK(h.csv() == csv);
  CHECK(h.svg() == svg);
}
TEST_CASE("a name of a metric with commas is quoted in CSV") {
  reports::history h = three_epochs(true);
  h.metric_names = {"at 1, 2 m", "the \"best\""};
  CHECK(h.csv().starts_with(
      "epoch,loss,validation_loss,\"at 1, 2 m\",\"the \"\"best\"\"\",learning_rate,seconds\n1,2.5,"));
  CHECK(h.table().find("at 1, 2 m") != std::string::npos);
}
TEST_CASE("without a validation there is no column for one") {
  CHECK(split_lines(three_epochs(false).csv(), ',')[0] == cells{"epoch", "loss", "learning_rate", "seconds"});
  CHECK(split_lines(three_epochs(false).csv(), ',')[3] == cells{"3", "0.625", "0.0003333", "1"});
  CHECK(reports::history{}.csv() == "epoch,loss,learning_rate,seconds\n");
}
TEST_CASE("a table says what CSV says, in columns of one width") {
  const reports::history h = three_epochs(true);
  const auto rows = split_lines(h.csv(), ',');
  std::istringstream lines(h.table());
  std::size_t k = 0;
  for (std::string line; std::getline(lines, line); ++k) {
    CHECK(line.size() == 7 * 15 + 6 * 2);
    for (std::size_t c = 0; c < 7; ++c) {
      const std::string cell = line.substr(c * 17, 15);
      CHECK(cell.substr(cell.find_first_not_of(' ')) == rows[k][c]);
    }
  }
  CHECK(k == 4);
}
TEST_CASE("and as wide as the longest name of a metric") {
  reports::history h = three_epochs(true);
  h.metric_names = {"sequence accuracy", "accuracy of tags"};
  std::istringstream lines(h.table());
  for (std::string line; std::getline(lines, line);) CHECK(line.size() == 7 * 17 + 6 * 2);
}
TEST_CASE("last and best are epochs; there may be none") {
  const reports::history h = three_epochs(true);
  CHECK(h.last().epoch == 3);
  CHECK(h.best().epoch == 2);
  CHECK(h.is_validated());
  CHECK(!three_epochs(false).is_validated());
  CHECK(!reports::history{}.is_validated());
  CHECK_THROWS_WITH_AS((void)reports::history{}.last(), "history: no epoch has run", input_error);
  CHECK_THROWS_WITH_AS((void)reports::history{}.best(), "history: no epoch is the best", input_error);
}

TEST_CASE(
    "the drawing has a curve for each loss, and below a chart of each metric, with the best epoch in all of "
    "them") {
  CHECK(!is_well_formed("<a><b></a></b>"));  // the check itself can fail
  const std::string both = three_epochs(true).svg(), one = three_epochs(false).svg();
  CHECK(is_well_formed(both));
  CHECK(is_well_formed(one));
  CHECK(is_well_formed(reports::history{}.svg()));
  CHECK(count(both, "<polyline") == 4);
  CHECK(count(one, "<polyline") == 1);
  CHECK(count(both, ">validation<") == 3);
  CHECK(count(one, ">validation<") == 0);
  CHECK(count(both, ">Learning curve</text>") == 1);
  CHECK(count(three_epochs(true).svg("GRU & LSTM"), ">GRU &amp; LSTM</text>") == 1);
  for (const char* axis : {">accuracy<", ">macro F1<", ">loss<"}) CHECK(count(both, axis) == 1);
  for (const char* best : {">best epoch 2: 1.5<", ">best epoch 2: 0.25<", ">best epoch 2: 0.125<"})
    CHECK(count(both, best) == 1);
  CHECK(count(one, ">best epoch 3: 0.625<") == 1);
  reports::history none = three_epochs(false);
  none.best_epoch = 0;
  CHECK(count(none.svg(), "best") == 0);
}
// A training that overfits.
TEST_CASE("a drawing is as it was looked at") {
  reports::history h;
  h.metric_names = {"accuracy", "macro F1"};
  const double validation[]{1.71, 1.32, 1.07, 0.913, 0.822, 0.787, 0.802, 0.851, 0.917, 1.013, 1.104, 1.217};
  for (int k = 0; k < 12; ++k)
    h.epochs.push_back({.epoch = k + 1,
                        .loss = 1.9 / (1 + 0.31 * k),
                        .validation_loss = validation[k],
                        .metrics = {0.97 - 0.21 * validation[k], 0.93 - 0.33 * validation[k]}});
  h.best_epoch = 6;
  CHECK(is_as_drawn("history.svg", h.svg()));
}
TEST_CASE("a curve has a point for each epoch, higher for a higher loss, on one scale") {
  const reports::history h = three_epochs(true);
  const auto training = points(h.svg(), 0), validation = points(h.svg(), 1);
  REQUIRE(training.size() == 3);
  REQUIRE(validation.size() == 3);
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(training[k].first == validation[k].first);
    // equal differences of losses are equal distances, rounded to a tenth
    const double scale = (training[2].second - training[0].second) / (2.5 - 0.625);
    CHECK(validation[k].second ==
          doctest::Approx(training[0].second + scale * (2.5 - h.epochs[k].validation_loss)).epsilon(2e-3));
  }
  CHECK(training[1].first - training[0].first == doctest::Approx(training[2].first - training[1].first));
  CHECK(training[0].second < training[1].second);  // y points down
  const auto accuracy = points(h.svg(), 2);
  CHECK(accuracy[0].second > accuracy[1].second);
  CHECK(accuracy[2].second > 300);  // below the chart of the losses
}
TEST_CASE("negative losses lie within the drawing, lower ones below") {
  reports::history h = three_epochs(false);
  h.epochs[0].loss = -1;
  h.epochs[1].loss = -2;
  h.epochs[2].loss = -4;
  const auto p = points(h.svg(), 0);
  REQUIRE(p.size() == 3);
  CHECK((p[0].second > 52 && p[0].second < p[1].second));
  CHECK(p[2].second == 270);  // of a plot from 52 to 270
}
TEST_CASE("an epoch whose loss is not a number has no point") {
  reports::history h = three_epochs(true);
  h.epochs[1].loss = std::nan("");
  CHECK(points(h.svg(), 0).size() == 2);
  CHECK(points(h.svg(), 1).size() == 3);
  CHECK(h.svg().find("nan") == std::string::npos);
}

TEST_CASE("a file is CSV or a drawing by its ending") {
  const reports::history h = three_epochs(true);
  const file_with place("the history");  // an unused name
  for (const char* ending : {".csv", ".svg"}) {
    const std::string path = place.path + ending;
    h.save(path);
    CHECK(contents(path) == (ending[1] == 'c' ? h.csv() : h.svg()));
    std::remove(path.c_str());
  }
}
TEST_CASE("another ending and a place that cannot be written are errors") {
  const reports::history h = three_epochs(true);
  const file_with place("the history");
  const std::string path = place.path + ".png", table = path + ".csv";
  CHECK_THROWS_WITH_AS(h.save(path),
                       ("history: expected a file name that ends in .csv or .svg, got '" + path +
                        "'; the table is in '" + table + "'")
                           .c_str(),
                       input_error);
  CHECK(contents(table) == h.csv());
  std::remove(table.c_str());
  CHECK_THROWS_WITH_AS(h.save("/no/such/folder/loss.csv"),
                       "/no/such/folder/loss.csv: cannot be written: No such file or directory", input_error);
  const temporary_folder folder;
  const std::string link = folder.path + "/loss.csv";
  std::filesystem::create_symlink("/dev/null", link);
  CHECK_THROWS_WITH_AS(
      h.save(link),
      (link + ": cannot be written: it is a device, to which a link leads; give the path of a file").c_str(),
      input_error);
}

}  // namespace tenon::test
