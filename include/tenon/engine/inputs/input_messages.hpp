// input_messages: the error messages for a wrong input, or a wrong column of data. Each mistake has one function for
// all networks: a program has checks for each input of each session, and these share the code of the messages.
#pragma once

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/meta/text.hpp"

#include <cstddef>
#include <initializer_list>
#include <string>

namespace tenon::engine {

using tenon::detail::message_of, tenon::detail::message_part;

// A place in an input: its row, and its step unless that is -1.
struct input_place {
  int row, step = -1;
};

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_input(characters path,
                                                                std::initializer_list<message_part> what) {
  throw input_error(message_of({"input '", path, "': "}) + message_of(what));
}
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_input(characters path, input_place at,
                                                                std::initializer_list<message_part> what) {
  std::string place = message_of({"row ", at.row});
  if (at.step >= 0) place += message_of({", step ", at.step});
  refuse_input(path, {place, ": ", message_of(what)});
}
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_rows(characters path, std::size_t got, int most) {
  if (got == 0) refuse_input(path, {"the batch is empty"});
  refuse_input(path, {"at most ", most, " rows fit into batch<", most, ">, got ", got});
}
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_length(characters path, int row,
                                                                 message_part length, long most) {
  if (length.is_negative()) refuse_input(path, {row}, {"length ", length, " is negative"});
  refuse_input(path, {row}, {"length ", length, " is beyond the bound of ", most, " steps"});
}
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_numbers(characters path, input_place at,
                                                                  std::size_t got, int expected) {
  refuse_input(path, at, {"expected ", expected, " numbers, got ", got});
}

// What a token must be below: `range`, which is the number of rows of `table` if that has a name.
struct token_range {
  int range;
  characters table;
  bool may_be_left_out;  // by -1
};
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_token(characters path, input_place at,
                                                                message_part token,
                                                                const token_range& bound) {
  if (bound.table.size() > 0)
    refuse_input(path, at,
                 {"token ", token, " is outside table '", bound.table, "' of ", bound.range, " rows"});
  refuse_input(path, at, {"token ", token, " is outside the range of ", bound.range});
}

// A place in a column of data, or in one long text, whose rows are positions.
struct column_place {
  characters column;
  int row, step = -1;
  bool is_text = false;
};
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_column(const column_place& at,
                                                                 std::initializer_list<message_part> what) {
  std::string message = message_of(
      {at.is_text ? "input '" : "column '", at.column, at.is_text ? "', position " : "', row ", at.row});
  if (at.step >= 0) message += message_of({", step ", at.step});
  throw input_error(message + ": " + message_of(what));
}
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_steps(const column_place& at, message_part steps,
                                                                long bound) {
  if (steps.is_negative()) refuse_column(at, {steps, " steps, expected 0 to ", bound});
  refuse_column(
      at, {steps, " steps, expected at most ", bound, "; write steps<", steps, ">, or cut the sequence"});
}
// The same if the longest row has more steps than this one.
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_steps(const column_place& at, message_part steps,
                                                                long bound, long longest) {
  refuse_column(at, {steps, " steps, expected at most ", bound, ", and the longest row has ", longest,
                     "; write steps<", longest, ">, or cut the sequences"});
}
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_numbers(const column_place& at, long got,
                                                                  int expected) {
  refuse_column(at, {got, got == 1 ? " number" : " numbers", ", expected ", expected,
                     at.column == characters("target") ? "; a target is as wide as its output"
                                                       : "; mend the rows, or the features<> of the input"});
}
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_token(const column_place& at, message_part token,
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

}  // namespace tenon::engine
