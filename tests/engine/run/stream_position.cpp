// Every transition of a stream's position: what it carries, which states were set, its rows and its parity.
#include "tenon/engine/run/stream_position.hpp"

#include <doctest/doctest.h>

#include <initializer_list>

using tenon::engine::stream_position;

namespace {

struct stream {
  unsigned set_states[2]{7, 7};  // what is there before does not matter
  stream_position at;
  stream() { at.keep_in(set_states, 2); }
};
void check_beginning(const stream_position& at) {
  CHECK(at.starts());
  CHECK_FALSE(at.carries());
  CHECK_FALSE(at.carries(0, 0));
  CHECK_FALSE(at.is_set(0, 0));
  CHECK_FALSE(at.knows_rows());
}
void check_under_way(const stream_position& at) {
  CHECK_FALSE(at.starts());
  CHECK(at.carries());
  CHECK(at.carries(1, 1));
  CHECK_FALSE(at.is_set(1, 1));
  CHECK(at.knows_rows());
}

TEST_CASE("a stream is at the beginning, and again after reset, which keeps the parity") {
  stream s;
  check_beginning(s.at);
  s.at.reset();
  check_beginning(s.at);
  CHECK_FALSE(s.at.is_odd());
  s.at.set(0, 0);
  s.at.has_rows(3);
  s.at.reset();
  check_beginning(s.at);
  s.at.took_step();
  s.at.reset();
  check_beginning(s.at);
  CHECK(s.at.is_odd());
}
TEST_CASE("states that are set before the first step") {
  stream s;
  s.at.set(1, 2);
  CHECK(s.at.starts());
  CHECK(s.at.carries());
  CHECK(s.at.is_set(1, 2));
  CHECK(s.at.carries(1, 2));
  CHECK_FALSE(s.at.carries(1, 1));
  CHECK_FALSE(s.at.carries(0, 0));
  CHECK_FALSE(s.at.knows_rows());  // zeros fit any number
  s.at.has_rows(4);
  CHECK(s.at.knows_rows());
  CHECK(s.at.rows() == 4);
  s.at.set(0, 0);
  CHECK(s.at.is_set(0, 0));
  CHECK(s.at.is_set(1, 2));
  s.at.reset();  // forgets those from before
  s.at.set(0, 1);
  CHECK(s.at.is_set(0, 1));
  CHECK_FALSE(s.at.is_set(0, 0));
  CHECK_FALSE(s.at.is_set(1, 2));
}
TEST_CASE("a step, from each state") {
  stream s;
  for (bool is_odd : {true, false, true}) {
    s.at.took_step();
    check_under_way(s.at);
    CHECK(s.at.is_odd() == is_odd);
  }
  s.at.reset();
  s.at.set(1, 1);
  s.at.has_rows(2);
  s.at.took_step();
  check_under_way(s.at);
  CHECK(s.at.rows() == 0);  // as many as the step had
}
TEST_CASE("a state that is set under way changes only the rows") {
  stream s;
  s.at.took_step();
  s.at.set(1, 1);
  s.at.has_rows(2);
  check_under_way(s.at);
  CHECK(s.at.rows() == 2);
}
TEST_CASE("rows are moved under way, or when states were set; at the beginning there are none") {
  stream s;
  CHECK_FALSE(s.at.carries());  // permute_rows is an error
  s.at.set(1, 1);
  s.at.permuted(3);
  CHECK(s.at.is_odd());
  CHECK(s.at.rows() == 3);
  CHECK(s.at.is_set(1, 1));
  CHECK(s.at.starts());
  s.at.took_step();
  s.at.permuted(2);
  check_under_way(s.at);
  CHECK(s.at.is_odd());
  CHECK(s.at.rows() == 2);
}
TEST_CASE("a copy is where the other stream is, with a parity of its own") {
  stream from, to;
  from.at.set(1, 2);
  to.at.set(0, 0);
  to.at.took_step();
  to.at.copied(from.at, 5);
  CHECK(to.at.starts());
  CHECK(to.at.is_odd());
  CHECK(to.at.is_set(1, 2));
  CHECK_FALSE(to.at.is_set(0, 0));
  CHECK(to.at.rows() == 5);
  to.at.reset();
  from.at.took_step();
  to.at.copied(from.at, 0);
  check_under_way(to.at);
  to.at.copied(stream{}.at, 0);
  check_beginning(to.at);
}

}  // namespace
