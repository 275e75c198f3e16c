// input_messages: the error messages for a wrong input, or a wrong column of data. Each mistake has one function for
// all networks: a program has checks for each input of each session, and these share the code of the messages.
#pragma once

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/meta/text.hpp"

#include <cstddef>
#include <initializer_list>

namespace tenon::inline v0_1::engine {

using tenon::detail::message_of, tenon::detail::message_part;

// A place in an input: its row, and its step unless that is -1.
struct input_place {
  int row, step = -1;
};

[[noreturn, gnu::cold]] void refuse_input(characters path, std::initializer_list<message_part> what);
[[noreturn, gnu::cold]] void refuse_input(characters path, input_place at,
                                          std::initializer_list<message_part> what);
[[noreturn, gnu::cold]] void refuse_rows(characters path, std::size_t got, int most);
// `state`: the name of an input that is an initial state, if there is one.
[[noreturn, gnu::cold]] void refuse_other_rows(characters path, int got, characters first, int rows,
                                               characters state);
[[noreturn, gnu::cold]] void refuse_length(characters path, int row, message_part length, long most);
[[noreturn, gnu::cold]] void refuse_numbers(characters path, input_place at, std::size_t got, int expected);

// What a token must be below: `range`, which is the number of rows of `table` if that has a name.
struct token_range {
  int range;
  characters table;
  bool may_be_left_out;  // by -1
};
[[noreturn, gnu::cold]] void refuse_token(characters path, input_place at, message_part token,
                                          const token_range& bound);

// A place in a column of data, or in one long text, whose rows are positions.
struct column_place {
  characters column;
  int row, step = -1;
  bool is_text = false;
};
[[noreturn, gnu::cold]] void refuse_column(const column_place& at, std::initializer_list<message_part> what);
[[noreturn, gnu::cold]] void refuse_steps(const column_place& at, message_part steps, long bound);
// The same if the longest row has more steps than this one.
[[noreturn, gnu::cold]] void refuse_steps(const column_place& at, message_part steps, long bound,
                                          long longest);
[[noreturn, gnu::cold]] void refuse_numbers(const column_place& at, long got, int expected);
[[noreturn, gnu::cold]] void refuse_token(const column_place& at, message_part token,
                                          const token_range& bound);

}  // namespace tenon::inline v0_1::engine

#ifndef TENON_COMPILED
#  include "tenon/engine/inputs/input_messages.ipp"
#endif
