// Tables, linear maps, equations, and what joins values: chains, sums, nested graphs. Each function returns whether there was something to add it to.
#pragma once

#include "drawing.hpp"

namespace random_networks::offers {

inline void add_embedding(drawing& d, const value& token) {
  texts options;
  const int kind = d.random.below(10);
  if (kind < 3) options.push_back("padding_idx<" + number(d.random.below(token.size)) + ">");
  if (kind == 3) options.push_back("scale_grad_by_freq");
  if (kind == 4) options.push_back("sparse");
  if (kind == 5) add_options_of_parameters(d, options, "weight", 70);
  const int size = d.prime();
  const value table =
      d.add("embedding", {number(token.size), number(size)}, options, {token.name}, with_size(token, size));
  if (options.empty()) d.maps.push_back({table.name, size, token.size});  // a linear map may have this table
}
inline bool embedding(drawing& d) {
  const auto token = d.pick([](const value& v) { return v.is_token; });
  if (token) add_embedding(d, *token);
  return token.has_value();
}
inline bool linear(drawing& d) {
  const auto x = d.pick(is_numbers);
  if (x) add_linear(d, *x, d.prime());
  return x.has_value();
}
inline bool tied(drawing& d) {  // a second map of the same sizes, with one table for both
  if (d.maps.empty()) return false;
  const linear_map other = d.random.one_of(d.maps);
  const auto x = d.pick([&](const value& v) { return is_numbers(v) && v.size == other.from; });
  if (!x) return false;
  const value made = d.add("linear", {number(other.to)}, {}, {x->name}, with_size(*x, other.to));
  d.net.parts.push_back({"tied", "", ".weight", {}, {}, {other.name, made.name}, ""});
  return true;
}
inline bool elementwise(drawing& d) {
  const auto x = d.pick(is_numbers);
  if (!x) return false;
  texts layers{"activation::tanh",
               "activation::sigmoid",
               "activation::relu",
               "activation::gelu",
               "activation::softplus",
               "activation::softmax",
               "activation::log_softmax",
               "layer_norm",
               "swish",
               "dropout<0.25>",
               "thinned"};
  if (is_sequence(*x)) layers.push_back("variational_dropout<0.2>");
  d.add(d.random.one_of(layers), {}, {}, {x->name}, *x);
  return true;
}
inline bool adaptive_softmax(drawing& d) {
  const auto x = d.pick([](const value& v) { return is_numbers(v) && v.size >= 4; });
  if (!x) return false;
  const int classes = 5 + d.prime();
  texts sizes{number(classes), number(1 + d.random.below(2))};
  if (x->size >= 16) sizes.push_back(number(3 + d.random.below(2)));
  d.add("adaptive_softmax", sizes, {}, {x->name}, with_size(*x, classes));
  return true;
}
inline bool chain(drawing& d) {
  const auto x = d.pick(is_numbers);
  if (!x) return false;
  const bool is_residual = d.random.chance(50);
  texts parts;
  int size = x->size;
  for (int k = 1 + d.random.below(3); k > 0; --k) {
    const int kind = d.random.below(is_sequence(*x) ? 7 : 5);
    if (kind < 2 || kind > 4) size = d.prime();
    parts.push_back(kind < 2    ? "linear<" + number(size) + ">"
                    : kind == 2 ? d.random.one_of(texts{"activation::tanh", "activation::gelu", "swish"})
                    : kind == 3 ? "layer_norm"
                    : kind == 4 ? "dropout<0.1>"
                    : kind == 5 ? "gru<" + number(size) + ">"
                                : "lstm<" + number(size) + (d.random.chance(30) ? ", layers<2>>" : ">"));
  }
  if (is_residual && size != x->size) parts.push_back("linear<" + number(size = x->size) + ">");
  if (!is_residual) parts.push_back("linear<" + number(size = d.prime()) + ", no_bias>");
  const string name = is_residual ? "residual" : "chain";
  texts options;
  const bool has_vectors = std::find(parts.begin(), parts.end(), "layer_norm") != parts.end();
  add_options_of_parameters(d, options, "*weight*", parts.back().starts_with("linear") ? 30 : 0,
                            has_vectors ? matching::vectors : matching::matrices);
  if (options.empty()) d.add(name, parts, {}, {x->name}, with_size(*x, size));
  else
    d.add("with_options", {name + "<" + joined(parts, ", ") + ">"}, options, {x->name}, with_size(*x, size));
  return true;
}
inline bool tower(drawing& d) {  // a graph in a node, and perhaps a second one with the same parameters
  if (!d.towers.empty() && d.random.chance(50)) {
    const linear_map other = d.random.one_of(d.towers);
    const auto row = d.pick(is_early_row);
    if (!row) return false;
    const value x = row->size == other.from ? *row : add_linear(d, *row, other.from);
    const value made = d.add("tower", {number(other.from), number(other.to)}, {}, {x.name}, as_row(other.to));
    d.net.parts.push_back({"tied", "", ".*", {}, {}, {other.name, made.name}, ""});
    return true;
  }
  const auto x = d.pick([](const value& v) { return is_row(v) || is_named_sequence(v); });
  if (!x) return false;
  const int size = d.prime();
  texts sizes{number(x->size), number(size)};
  if (is_row(*x)) {
    const value made = d.add("tower", sizes, {}, {x->name}, with_size(*x, size));
    d.towers.push_back({made.name, x->size, size});
  } else {
    sizes.insert(sizes.end(), {number(x->bound), quoted(x->axis)});
    d.add("tower_of_steps", sizes, {}, {x->name}, with_size(*x, size));
  }
  return true;
}
inline bool sum_of_two(drawing& d) {
  const auto a = d.pick(is_numbers);
  if (!a) return false;
  const value b = beside(d, *a, a->size);
  d.add("add", {}, {}, {a->name, b.name}, *a);
  return true;
}
inline bool side_by_side(drawing& d) {
  const auto a = d.pick([](const value& v) { return is_numbers(v) && !is_grid(v); });
  if (!a) return false;
  texts sources{a->name};
  int size = a->size;
  for (int more = d.random.chance(30) ? 2 : 1; more > 0; --more) {
    const auto b = d.pick([&](const value& v) {
      return is_numbers(v) &&
             (v.goes_along(*a) || (is_row(v) && is_sequence(*a) && !(d.streams && v.is_final))) &&
             std::find(sources.begin(), sources.end(), v.name) == sources.end();
    });
    if (!b) break;
    sources.push_back(b->name);
    size += b->size;
  }
  if (sources.size() == 1) return false;
  d.add("concatenate", {}, {}, sources, with_size(*a, size));
  return true;
}
// Equations of one's own, of random_parts.hpp.
inline bool equation(drawing& d) {
  const auto x = d.pick(is_named_sequence);
  if (!x) return false;
  const string axis = quoted(x->axis);
  const auto row = d.pick(is_early_row);
  const auto other = d.pick([&](const value& v) { return is_named_sequence(v) && v.axis != x->axis; });
  switch (d.random.below(d.streams ? 4 : 11)) {
    case 0:
      d.add("delayed", {axis, number(1 + d.random.below(2))}, {}, {x->name}, *x);
      break;
    case 1:
      d.add("placed", {axis}, {}, {x->name}, *x);
      break;
    case 2: {
      if (!row) return false;
      const int size = d.prime();
      d.add("bilinear", {number(size)}, {}, {x->name, row->name}, with_size(*x, size));
      break;
    }
    case 3:
      d.add("earlier_steps", {axis}, {}, {x->name}, *x);
      break;
    case 4:
      d.add("backwards", {axis}, {}, {x->name}, *x);
      break;
    case 5:
      d.add("gated_by_its_mean", {axis}, {}, {x->name}, *x);
      break;
    case 6: {
      if (!other) return false;
      const int size = d.prime();
      d.add("found", {quoted(other->axis), number(size)}, {}, {x->name, other->name},
            with_size(*x, x->size + other->size));
      break;
    }
    case 7: {
      if (!other) return false;
      const int size = 3 * d.prime();
      const value a = add_linear(d, *x, size), b = add_linear(d, *other, size);
      d.add("found_by_thirds", {quoted(other->axis)}, {}, {a.name, b.name}, a);
      break;
    }
    case 8: {
      const int size = d.prime();
      d.add("neighbours", {axis, number(size)}, {}, {x->name}, with_size(*x, size));
      break;
    }
    case 9:
      d.add("ends", {axis}, {}, {x->name}, as_row(2 * x->size, true));
      break;
    default:
      d.add("smooth_maximum", {axis}, {}, {x->name}, as_row(x->size, true));
  }
  return true;
}

}  // namespace random_networks::offers
