// The bodies of input_messages.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <string>

namespace tenon::inline v0_1::engine {

[[gnu::noinline]] TENON_INLINE void refuse_input(characters path, std::initializer_list<message_part> what) {
  throw input_error(message_of({"input '", path, "': "}) + message_of(what));
}

[[gnu::noinline]] TENON_INLINE void refuse_input(characters path, input_place at,
                                                 std::initializer_list<message_part> what) {
  std::string place = message_of({"row ", at.row});
  if (at.step >= 0) place += message_of({", step ", at.step});
  refuse_input(path, {place, ": ", message_of(what)});
}

[[gnu::noinline]] TENON_INLINE void refuse_rows(characters path, std::size_t got, int most) {
  if (got == 0) refuse_input(path, {"the batch is empty"});
  refuse_input(path, {"at most ", most, " rows fit into batch<", most, ">, got ", got});
}

[[gnu::noinline]] TENON_INLINE void refuse_other_rows(characters path, int got, characters first, int rows,
                                                      characters state) {
  std::string remedy;
  if (state.size() > 0 && (state == path || state == first))
    remedy = message_of({"; an initial state of zeros serves any number of rows: set_input<\"", state,
                         "\">(session, zeros{})"});
  tenon::detail::throw_input_error(
      {"input '", path, "' has ", got, " rows, input '", first, "' has ", rows, remedy});
}

[[gnu::noinline]] TENON_INLINE void refuse_length(characters path, int row, message_part length, long most) {
  if (length.is_negative()) refuse_input(path, {row}, {"length ", length, " is negative"});
  refuse_input(path, {row}, {"length ", length, " is beyond the bound of ", most, " steps"});
}

[[gnu::noinline]] TENON_INLINE void refuse_numbers(characters path, input_place at, std::size_t got,
                                                   int expected) {
  refuse_input(path, at, {"expected ", expected, " numbers, got ", got});
}

[[gnu::noinline]] TENON_INLINE void refuse_token(characters path, input_place at, message_part token,
                                                 const token_range& bound) {
  if (bound.table.size() > 0)
    refuse_input(path, at,
                 {"token ", token, " is outside table '", bound.table, "' of ", bound.range, " rows"});
  refuse_input(path, at, {"token ", token, " is outside the range of ", bound.range});
}

[[gnu::noinline]] TENON_INLINE void refuse_column(const column_place& at,
                                                  std::initializer_list<message_part> what) {
  std::string message = message_of(
      {at.is_text ? "input '" : "column '", at.column, at.is_text ? "', position " : "', row ", at.row});
  if (at.step >= 0) message += message_of({", step ", at.step});
  throw input_error(message + ": " + message_of(what));
}

[[gnu::noinline]] TENON_INLINE void refuse_steps(const column_place& at, message_part steps, long bound) {
  if (steps.is_negative()) refuse_column(at, {steps, " steps, expected 0 to ", bound});
  refuse_column(
      at, {steps, " steps, expected at most ", bound, "; write steps<", steps, ">, or cut the sequence"});
}

[[gnu::noinline]] TENON_INLINE void refuse_steps(const column_place& at, message_part steps, long bound,
                                                 long longest) {
  refuse_column(at, {steps, " steps, expected at most ", bound, ", and the longest row has ", longest,
                     "; write steps<", longest, ">, or cut the sequences"});
}

[[gnu::noinline]] TENON_INLINE void refuse_numbers(const column_place& at, long got, int expected) {
  refuse_column(at, {got, got == 1 ? " number" : " numbers", ", expected ", expected,
                     at.column == characters("target") ? "; a target is as wide as its output"
                                                       : "; mend the rows, or the features<> of the input"});
}

[[gnu::noinline]] TENON_INLINE void refuse_token(const column_place& at, message_part token,
                                                 const token_range& bound) {
  std::string expected =
      message_of({", expected 0 to ", bound.range - 1, bound.may_be_left_out ? ", or -1 for none" : ""});
  if (bound.table.size() > 0) expected += message_of({", the rows of table '", bound.table, "'"});
  std::string remedy = "; numbers begin at 0";
  if (!token.is_below(size_argument::largest)) remedy = "; no network has so many";
  else if (!token.is_negative())
    remedy =
        bound.may_be_left_out
            ? message_of({"; the output needs ", token.next(), " features, one for each class"})
            : message_of({"; write token<", token.next(),
                          "> and as many rows, or bound the vocabulary: {.max_size = ", bound.range, "}"});
  refuse_column(at, {at.column == characters("target") ? "class " : "token ", token, expected, remedy});
}

}  // namespace tenon::inline v0_1::engine
