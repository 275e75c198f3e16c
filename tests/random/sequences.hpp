// Recurrent layers, attention and transformers. Each of these functions adds a node to a network, and returns whether there was something to add it to.
#pragma once

#include "drawing.hpp"

namespace random_networks::offers {

namespace detail {
// Where the states of a layer start: learned, given by an input, or computed from a row.
inline void add_initial_states(drawing& d, const recurrence& r, texts& sources) {
  const int runs = r.layers * r.directions, origin = d.random.below(3);
  for (int s = 0; s < r.states; ++s) {
    value state = as_row(s == 0 ? r.gives : r.size);
    state.layers = runs;
    const auto row = runs == 1 ? d.pick(is_early_row) : std::optional<value>{};
    if (row && origin > 0) {
      sources.push_back(add_linear(d, *row, state.size).name);
    } else if (runs > 1 && origin == 1 && !d.streams) {
      sources.push_back(d.add_input(state).name);
    } else {
      texts options;
      if (runs > 1) options.push_back("layers<" + number(runs) + ">");
      add_options_of_parameters(d, options, "weight*", 15, matching::vectors);
      sources.push_back(d.add("learned_vector", {number(state.size)}, options, {}, state).name);
    }
  }
}
inline void add_options(drawing& d, recurrence& r, texts& options) {
  const auto chance = [&](int percent, const string& option) {
    if (d.random.chance(percent)) options.push_back(option);
  };
  const bool emits = r.cell == "emitting_cell";
  if (r.layers > 1) options.push_back("layers<" + number(r.layers) + ">");
  if (r.directions > 1) options.push_back("bidirectional");
  if (r.layers > 1) chance(30, "dropout<0.3>");
  const bool has_bias = !d.random.chance(15);
  if (!has_bias) options.push_back("no_bias");
  chance(15, r.states == 2 && d.random.chance(50) ? "zoneout<0.1, 0.4>" : "zoneout<0.1>");
  if (!emits) chance(15, d.random.chance(50) ? "variational_dropout<0.2>" : "variational_dropout<0.3, 0.1>");
  if ((r.layer == "lstm" || r.cell == "cells::peephole_lstm") && has_bias) chance(20, "forget_bias<1>");
  if (r.gives != r.size) options.push_back("proj_size<" + number(r.gives) + ">");
  const bool is_as_in_torch = r.layer != "recurrent" || r.cell.starts_with("cells::rnn") ||
                              r.cell.starts_with("cells::lstm") || r.cell == "cells::peephole_lstm";
  const texts patterns = is_as_in_torch ? texts{"weight_hh*", "weight_ih*"} : texts{"U*", "W*"};
  add_options_of_parameters(d, options, d.random.one_of(patterns), 12);
}
}  // namespace detail

inline bool recurrent(drawing& d) {
  const auto x = d.pick(is_sequence);
  if (!x) return false;
  const std::vector<recurrence> kinds{{"", "rnn", ""},
                                      {"", "lstm", "", 2},
                                      {"", "gru", ""},
                                      {"", "lstm", "", 2},
                                      {"", "gru", ""},
                                      {"", "recurrent", "cells::rnn_sigmoid"},
                                      {"", "recurrent", "cells::rnn_relu"},
                                      {"", "recurrent", "cells::gru_cho"},
                                      {"", "recurrent", "cells::lstm_f", 2},
                                      {"", "recurrent", "cells::lstm_i", 2},
                                      {"", "recurrent", "cells::lstm_o", 2},
                                      {"", "recurrent", "cells::lstm_b", 2},
                                      {"", "recurrent", "cells::mut1"},
                                      {"", "recurrent", "cells::mut2"},
                                      {"", "recurrent", "cells::mut3"},
                                      {"", "recurrent", "cells::peephole_lstm", 2},
                                      {"", "recurrent", "crossed_cell", 2},
                                      {"", "recurrent", "emitting_cell"}};
  recurrence r = d.random.one_of(kinds);
  const bool continues =
      !d.recurrences.empty() && d.random.chance(25);  // from the last states of another one
  texts sources{x->name}, options;
  if (continues) {
    r = d.random.one_of(d.recurrences);
    sources.push_back(r.name + ".h_n");
    if (r.states == 2) sources.push_back(r.name + ".c_n");
  } else {
    r.size = r.gives = d.prime();
    r.layers = d.random.chance(25) ? 2 + d.random.below(2) : 1;
    r.directions = !d.streams && d.random.chance(30) ? 2 : 1;
    if (r.layer == "lstm" && r.size > 3 && d.random.chance(25)) r.gives = 2 + d.random.below(r.size - 2);
    if (d.random.chance(35)) detail::add_initial_states(d, r, sources);
  }
  detail::add_options(d, r, options);
  texts arguments{number(r.size)};
  if (r.layer == "recurrent") arguments = {r.cell, "hidden<" + number(r.size) + ">"};
  const bool emits = r.cell == "emitting_cell";
  const value y =
      d.add(r.layer, arguments, options, sources, with_size(*x, (emits ? 3 : r.gives) * r.directions));
  if (d.streams) return true;
  r.name = y.name;
  d.recurrences.push_back(r);
  if (!emits) d.add_result(y, "final", as_row(r.gives * r.directions, true));
  value h = as_row(r.gives, true), c = as_row(r.size, true);
  h.layers = c.layers = r.layers * r.directions;
  d.add_result(y, "h_n", h);
  if (r.states == 2) d.add_result(y, "c_n", c);
  return true;
}
// Each step sees a sequence of another axis, or the token of a word.
inline bool seeing(drawing& d) {
  const auto y = d.pick(is_named_sequence);
  if (!y) return false;
  const auto m = d.pick([&](const value& v) { return is_named_sequence(v) && v.axis != y->axis; });
  if (!m) return false;
  const int size = d.prime();
  d.add("recurrent", {"attending_cell<" + quoted(m->axis) + ">", "hidden<" + number(size) + ">"}, {},
        {y->name, m->name}, with_size(*y, size));
  return true;
}
inline bool reading(drawing& d) {
  const auto x = d.pick([](const value& v) { return v.is_token && v.shape == value::sequence; });
  if (!x) return false;
  const int size = d.prime();
  d.add("recurrent", {"reading_cell<" + number(x->size) + ">", "hidden<" + number(size) + ">"}, {}, {x->name},
        with_size(*x, size));
  return true;
}
inline bool writing(drawing& d) {  // a recurrence without x
  const auto start = d.pick(is_early_row);
  if (!start || !d.has_room_for_axis()) return false;
  const int size = d.prime();
  const string state = add_linear(d, *start, size).name;
  const value y = d.new_sequence(size);
  d.add("recurrent",
        {"writing_cell", "hidden<" + number(size) + ">",
         "steps<" + number(y.bound) + ", " + quoted(y.axis) + ">"},
        {}, {state}, y);
  return true;
}
inline bool step(drawing& d) {  // one step of a cell
  const auto x = d.pick(is_early_row);
  if (!x) return false;
  const int size = d.prime();
  const bool two = d.random.chance(50);
  texts sources{x->name, beside(d, *x, size).name}, options;
  if (two) sources.push_back(beside(d, *x, size).name);
  add_options_of_parameters(d, options, "weight_ih", 15);
  const value y = d.add("cell_step", {two ? "cells::lstm" : "cells::gru", "hidden<" + number(size) + ">"},
                        options, sources, as_row(size));
  if (!d.streams) d.add_result(y, two ? "c_n" : "h_n", as_row(size));
  return true;
}

inline bool attention(drawing& d) {
  const auto h = d.pick([](const value& v) { return is_sequence(v) || is_grid(v); });
  if (!h) return false;
  const auto query = d.pick([&](const value& v) {
    return (is_row(v) || (is_sequence(v) && v.axis != h->axis)) && v.name != h->name;
  });
  if (!query) return false;
  value q = *query;
  const int inner = d.prime();
  const string score =
      d.random.one_of(texts{"score::multiplicative", "score::additive<" + number(inner) + ">",
                            "score::scaled_dot<" + number(inner) + ">", "score::dot"});
  if (score == "score::dot" && q.size != h->size) q = add_linear(d, q, h->size);
  texts options;
  if (score != "score::dot" && d.random.chance(10)) options.push_back("frozen");
  const value y = d.add("attention", {score}, options, {q.name, h->name}, with_size(q, h->size));
  if (is_sequence(q) && is_sequence(*h)) d.add_result(y, "weights", with_size(q, h->bound));
  else if (!is_grid(*h)) d.add_result(y, "weights", with_size(*h, 1));
  return true;
}
inline bool heads(drawing& d) {
  const auto q = d.pick(is_sequence);
  if (!q) return false;
  const auto memory = d.pick([&](const value& v) { return is_sequence(v) && v.axis != q->axis; });
  const int count = d.random.chance(50) ? 2 : 3, size = count * d.prime();
  const bool sees_another = memory && d.random.chance(40);
  texts sources{q->name}, options;
  if (sees_another) sources.push_back(memory->name);
  else if (d.streams || d.random.chance(30)) options.push_back("is_causal");
  add_options_of_parameters(d, options, "out_proj.weight", 10);
  const value y = d.add("multi_head", {number(size), number(count)}, options, sources, with_size(*q, size));
  if (!d.streams) d.add_result(y, "weights", with_size(*q, sees_another ? memory->bound : q->bound));
  return true;
}
inline bool transformer(drawing& d) {
  const auto source = d.pick(is_sequence);
  if (!source) return false;
  const int count = 2, size = count * d.prime(), inner = d.prime();
  const value x = add_linear(d, *source, size);
  const auto memory = d.pick([&](const value& v) { return is_sequence(v) && v.axis != x.axis; });
  texts options;
  if (d.random.chance(40)) options.push_back("norm_first");
  if (d.random.chance(30)) options.push_back("activation::gelu");
  if (d.random.chance(30)) options.push_back("dropout<0.1>");
  const texts sizes{number(size), number(count), number(inner)};
  if (memory && d.random.chance(50)) {
    d.add("transformer_decoder", sizes, options, {x.name, memory->name}, x);
  } else {
    if (d.streams || d.random.chance(30)) options.push_back("is_causal");
    d.add("transformer_encoder", sizes, options, {x.name}, x);
  }
  return true;
}
inline bool positions(drawing& d) {
  const auto x = d.pick([](const value& v) { return is_sequence(v) || is_grid(v); });
  if (!x) return false;
  const int places = is_grid(*x) ? x->bound * x->width : x->bound + d.random.below(3);
  texts options;
  if (is_sequence(*x) && x->size % 2 == 0 && x->size >= 4 && d.random.chance(70)) {
    d.add("sinusoidal_positions", {number(x->size)}, {}, {x->name}, *x);
  } else {
    add_options_of_parameters(d, options, "weight", 15);
    d.add("learned_positions", {number(places)}, options, {x->name}, *x);
  }
  return true;
}

}  // namespace random_networks::offers
