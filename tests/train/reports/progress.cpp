// The progress bar: what it writes if it is visible, and that it writes nothing if it is not.
#include "tenon/train/reports/progress.hpp"

#include "support/decimal_comma.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <string>
#include <thread>

namespace tenon::test {

// The text that f writes to the standard error stream.
template <class F>
std::string written(F f) {
  std::FILE* const file = std::tmpfile();
  REQUIRE(file != nullptr);
  std::fflush(stderr);
  const int kept = ::dup(STDERR_FILENO);
  ::dup2(::fileno(file), STDERR_FILENO);
  f();
  std::fflush(stderr);
  ::dup2(kept, STDERR_FILENO);
  ::close(kept);
  std::string text;
  std::rewind(file);
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) text += static_cast<char>(c);
  std::fclose(file);
  return text;
}
bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }
long count(const std::string& text, const std::string& part) {
  long n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST_CASE("the bar, durations and numbers have a point in every locale") {
  const decimal_comma comma;
  CHECK(engine::short_number(0.69314) == "0.6931");
  CHECK(engine::short_number(4.18e-5) == "4.18e-05");
  CHECK(engine::short_time(5e7) == "13888 h 53 min");
  CHECK(contains(written([] { reports::progress_bar("a", 2000, true).show(2000, 0.5, 0.025, 0); }),
                 "2000/2000  rate 0.025  loss 0.5000  0 s left"));
}
TEST_CASE("a visible bar shows label, share, count, rate and loss, and is cleared in the end") {
  const std::string text = written([] {
    reports::progress_bar bar("train 1/3", 40, true);
    bar.show(10, 0.25, 0.002);
  });
  CHECK(contains(text, "train 1/3"));
  CHECK(contains(text, "[#######.......................]"));  // 7.5 of 30 are full
  CHECK(contains(text, "10/40"));
  CHECK(contains(text, "rate 0.002  loss 0.2500"));
  CHECK(text.ends_with("\r\033[K"));
}

TEST_CASE("a small loss is shown by its digits") {
  CHECK(engine::short_number(0.69314718) == "0.6931");
  CHECK(engine::short_number(-123.5) == "-123.5000");
  CHECK(engine::short_number(0.001) == "0.0010");
  CHECK(engine::short_number(0.00099) == "9.90e-04");
  CHECK(engine::short_number(-4.178e-5) == "-4.18e-05");
  CHECK(engine::short_number(0) == "0.0000");
  CHECK(engine::short_number(std::numeric_limits<double>::infinity()) == "inf");
  const std::string text = written([] {
    reports::progress_bar bar("train", 40, true);
    bar.show(10, 4.178e-5, 0.5);
  });
  CHECK(contains(text, "rate 0.5  loss 4.18e-05  "));
}

TEST_CASE("the end is always shown") {
  const std::string text = written([] {
    reports::progress_bar bar("train", 40, true);
    bar.show(39, 2, 0.5);
    bar.show(40, 1, 0.5);
  });
  CHECK(contains(text, "40/40  rate 0.5  loss 1.0000  0 s left"));
  CHECK(contains(text, "[##############################]"));
}

TEST_CASE("it draws at most twenty times a second") {
  const auto begin = std::chrono::steady_clock::now();
  const std::string text = written([] {
    reports::progress_bar bar("train", 100000, true);
    for (long done = 1; done < 1000; ++done) bar.show(done, 1, 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    bar.show(1000, 1, 0);
  });
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  CHECK(contains(text, " 1/100000"));
  CHECK(contains(text, " 1000/100000"));
  CHECK(static_cast<double>(count(text, "/100000")) <= 1 + taken.count() / 0.05);
}

TEST_CASE("an empty total is full") {
  CHECK(contains(written([] { reports::progress_bar("none", 0, true).show(0, 0, 0); }),
                 "[##############################] 0/0"));
}

TEST_CASE("more than the total is full, less than nothing empty") {
  const std::string text = written([] {
    reports::progress_bar("train", 40, true).show(41, 1, 0.5);
    reports::progress_bar("train", 40, true).show(-1, 1, 0.5);
  });
  CHECK(contains(text, "[##############################] 41/40  rate 0.5  loss 1.0000  0 s left"));
  CHECK(contains(text, "[..............................] -1/40"));
}

TEST_CASE("what the caller knows of the time that is left is shown, and what else there is behind it") {
  const std::string text = written([] {
    reports::progress_bar("train", 40, true).show(10, 0.25, 0.002, 750, "accuracy 0.9000");
    reports::progress_bar("train", 40, true).show(10, 0.25, 0.002, 7);
  });
  CHECK(contains(text, "10/40  rate 0.002  loss 0.2500  12 min 30 s left  accuracy 0.9000\r"));
  CHECK(contains(text, "loss 0.2500  7 s left\r"));
}
TEST_CASE("a time is written in its two largest units") {
  const auto is = [](double seconds, const char* text) { CHECK(engine::short_time(seconds) == text); };
  is(0, "0 s");
  is(0.4, "0 s");
  is(0.6, "1 s");
  is(59.4, "59 s");
  is(59.6, "1 min 0 s");
  is(61, "1 min 1 s");
  is(3599.4, "59 min 59 s");
  is(3599.6, "1 h 0 min");
  is(3600 + 29, "1 h 0 min");
  is(3600 + 31, "1 h 1 min");
  is(7199, "2 h 0 min");
  is(100 * 3600 + 20 * 60, "100 h 20 min");
  is(-1, "0 s");
  is(std::nan(""), "0 s");
  is(std::numeric_limits<double>::infinity(), "277777777 h 47 min");
}

TEST_CASE("an invisible bar writes nothing, and a file is no terminal") {
  CHECK(written([] { reports::progress_bar("train", 40, false).show(40, 1, 0); }).empty());
  CHECK(written([] { reports::progress_bar("train", 40).show(40, 1, 0); }).empty());
}

}  // namespace tenon::test
