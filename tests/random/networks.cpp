// Draws networks of every layer, option, joint and loss, and writes them as C++ programs. It knows which sizes fit, and nothing else of the library.
//
//   networks draw SEED            a network, a part on each line
//   networks checks NETWORK..     a test that checks these networks: support/check_network.hpp; a network is a seed or a file
//   networks devices NETWORK..    a test that checks them on Thrust's device and on the CUDA backend in the emulation
//   networks smaller FILE K       the network with its K-th part left out or simpler; the exit status is 1 if there is no such part
//   networks wrong NETWORK SEED   a program with one mistake, and its correction, for tests/must_not_compile/check
//
// All sizes of a network are different primes, or products of them, so that no exchange of two can stay unseen.
#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using std::string;
using std::to_string;
using texts = std::vector<string>;

// --- a network, as text ------------------------------------------------------------------------------------------------------------

struct part {
  string kind;   // axis, input, node, tied, output, loss, stream
  string name;   // of an axis its bound too: "a 5"
  string layer;  // of a node: the template; of an input what it holds, "token<7>" or "features<3>"
  texts arguments, options, sources;
  string as_input;  // of a node: what an input in its place holds; empty if there is no such input
  auto operator<=>(const part&) const = default;
};
struct network {
  string title;
  std::vector<part> parts;
  const part* find(const string& name) const {
    for (const part& p : parts)
      if ((p.kind == "node" || p.kind == "input") && p.name == name) return &p;
    return nullptr;
  }
  bool has(const string& kind) const {
    return std::any_of(parts.begin(), parts.end(), [&](const part& p) { return p.kind == kind; });
  }
};

string joined(const texts& all, const string& between) {
  string result;
  for (const string& one : all) result += (result.empty() ? "" : between) + one;
  return result;
}
texts split(const string& text, char at) {
  texts all;
  std::istringstream words(text);
  for (string one; std::getline(words, one, at);)
    if (!one.empty()) all.push_back(one);
  return all;
}
string text_of(const network& net) {
  string result = "network|" + net.title + "\n";
  for (const part& p : net.parts)
    result += p.kind + "|" + p.name + "|" + p.layer + "|" + joined(p.arguments, ";") + "|" +
              joined(p.options, ";") + "|" + joined(p.sources, " ") + "|" + p.as_input + "|\n";
  return result;
}
network read(const string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("networks: cannot read " + path);
  network net;
  for (string line; std::getline(file, line);) {
    texts fields{""};
    for (const char c : line)
      if (c == '|') fields.emplace_back();
      else fields.back() += c;
    fields.resize(8);
    if (fields[0] == "network") net.title = fields[1];
    else
      net.parts.push_back({fields[0], fields[1], fields[2], split(fields[3], ';'), split(fields[4], ';'),
                           split(fields[5], ' '), fields[6]});
  }
  return net;
}

// --- drawing ------------------------------------------------------------------------------------------------------------------------

class random_numbers {  // splitmix64: Steele, Lea and Flood 2014
 public:
  explicit random_numbers(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 1) {}
  int below(int n) {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<int>((z ^ (z >> 31)) % static_cast<std::uint64_t>(n));
  }
  bool chance(int percent) { return below(100) < percent; }
  template <class T>
  const T& one_of(const std::vector<T>& all) {
    return all[static_cast<std::size_t>(below(static_cast<int>(all.size())))];
  }

 private:
  std::uint64_t state_;
};

struct value {
  string name;
  enum kind { row, sequence, grid } shape = row;
  int size = 0;  // of tokens: how many there are
  bool is_token = false;
  string axis;               // of a sequence
  int bound = 0, width = 0;  // steps; lines and places of a grid
  bool is_final = false;     // of a recurrence: known after all of its steps

  bool goes_along(const value& other) const {
    return shape == other.shape && axis == other.axis && bound == other.bound && width == other.width;
  }
  string as_input() const {
    const string holds = "features<" + to_string(size) + ">";
    if (shape == sequence)
      return axis.size() == 1 ? holds + ", steps<" + to_string(bound) + ", \"" + axis + "\">" : "";
    if (shape == grid)
      return holds + ", grid<" + to_string(bound) + ", " + to_string(width) + ", \"" + axis + "\">";
    return holds;
  }
};
struct linear_map {
  string name;
  int from = 0, to = 0;
};

class drawing {
 public:
  explicit drawing(std::uint64_t seed) : random(seed) {
    net.title = "network " + to_string(seed);
    const std::vector<int> small{3, 5, 7, 2}, others{2, 3, 5, 7, 11, 13, 17, 19, 23, 29};
    bounds_ = small;
    primes_ = others;
    for (std::size_t k = primes_.size(); k > 1; --k)
      std::swap(primes_[k - 1], primes_[static_cast<std::size_t>(random.below(static_cast<int>(k)))]);
    streams = random.chance(30);
    if (streams) net.parts.push_back({"stream", "", "", {}, {}, {}, ""});
  }
  network net;
  random_numbers random;
  bool streams = false;  // each step depends on itself and earlier ones only
  std::vector<value> values;
  std::vector<linear_map> maps;

  int prime() {
    while (!primes_.empty()) {
      const int p = primes_.back();
      primes_.pop_back();
      if (used_.insert(p).second) return p;
    }
    for (int p = 31;; p += 2) {
      bool is_prime = true;
      for (int k = 3; k * k <= p; k += 2) is_prime = is_prime && p % k != 0;
      if (is_prime && used_.insert(p).second) return p;
    }
  }
  int bound() {
    const int b = bounds_.front();
    bounds_.erase(bounds_.begin());
    used_.insert(b);
    return b;
  }
  void add_axis(const string& name) { axes_.emplace_back(name, bound()); }
  void add_input(value v) {
    v.name = "x" + to_string(++inputs_);
    const string what =
        v.is_token ? "token<" + to_string(v.size) + ">" : "features<" + to_string(v.size) + ">";
    texts options;
    if (v.shape == value::sequence) options = {"steps<" + to_string(v.bound) + ", \"" + v.axis + "\">"};
    if (v.shape == value::grid)
      options = {"grid<" + to_string(v.bound) + ", " + to_string(v.width) + ", \"" + v.axis + "\">"};
    net.parts.push_back({"input", v.name, what, {}, options, {}, ""});
    values.push_back(v);
  }
  // A sequence, a row or a grid of this many features, or of tokens.
  value along(int axis, int size) const {
    return {"",
            value::sequence,
            size,
            false,
            axes_[static_cast<std::size_t>(axis)].first,
            axes_[static_cast<std::size_t>(axis)].second};
  }
  int axes() const { return static_cast<int>(axes_.size()); }

  // A value that fits, a late one rather than an early one.
  template <class F>
  const value* pick(F fits) {
    std::vector<int> all;
    for (std::size_t k = 0; k < values.size(); ++k)
      if (fits(values[k])) all.push_back(static_cast<int>(k));
    if (all.empty()) return nullptr;
    const int n = static_cast<int>(all.size()), at = std::max(random.below(n), random.below(n));
    return &values[static_cast<std::size_t>(all[static_cast<std::size_t>(at)])];
  }
  // A node; `result` says what it gives, but for its name.
  value add(const string& layer, texts arguments, texts options, texts sources, value result) {
    result.name = "n" + to_string(++nodes_);
    for (std::size_t k = options.size(); k > 1; --k)
      std::swap(options[k - 1], options[static_cast<std::size_t>(random.below(static_cast<int>(k)))]);
    net.parts.push_back({"node", result.name, layer, std::move(arguments), std::move(options),
                         std::move(sources), result.as_input()});
    values.push_back(result);
    return result;
  }
  int nodes() const { return nodes_; }

 private:
  std::vector<int> bounds_, primes_;
  std::set<int> used_;
  std::vector<std::pair<string, int>> axes_;
  int inputs_ = 0, nodes_ = 0;
};

bool is_numbers(const value& v) { return !v.is_token; }
bool is_row(const value& v) { return v.shape == value::row && !v.is_token; }
bool is_sequence(const value& v) { return v.shape == value::sequence && !v.is_token; }
bool is_grid(const value& v) { return v.shape == value::grid && !v.is_token; }
bool has_name(const value& v) { return v.axis.size() == 1; }  // an axis of an input, whose name is known
value with_size(value v, int size) {
  v.size = size;
  v.is_token = false;
  return v;
}
value as_row(int size) {
  value v;
  v.size = size;
  return v;
}
string number(int n) { return to_string(n); }
string quoted(const string& text) { return "\"" + text + "\""; }

value linear(drawing& d, const value& from, int size) {
  texts options;
  if (d.random.chance(20)) options.push_back("no_bias");
  if (d.random.chance(20)) options.push_back("features<" + number(from.size) + ">");
  if (d.random.chance(10)) options.push_back("frozen");
  const bool may_be_tied = options.empty();
  const value made = d.add("linear", {number(size)}, options, {from.name}, with_size(from, size));
  if (may_be_tied) d.maps.push_back({made.name, from.size, size});
  return made;
}
// A value of this size that goes along another one, made if there is none.
value beside(drawing& d, const value& other, int size) {
  const value* found = d.pick([&](const value& v) {
    return is_numbers(v) && v.goes_along(other) && v.size == size && v.name != other.name &&
           d.random.chance(60);
  });
  if (found) return *found;
  const value* from = d.pick([&](const value& v) { return is_numbers(v) && v.goes_along(other); });
  return linear(d, *from, size);
}

// What can be added to a network. Each returns whether there was something to add it to.
namespace offers {

bool embedding(drawing& d) {
  const value* from = d.pick([](const value& v) { return v.is_token; });
  if (!from) return false;
  texts options;
  if (d.random.chance(40)) options.push_back("padding_idx<" + number(d.random.below(from->size)) + ">");
  const value v = *from;
  const int size = d.prime();
  d.add("embedding", {number(v.size), number(size)}, options, {v.name}, with_size(v, size));
  return true;
}
bool linear(drawing& d) {
  const value* from = d.pick(is_numbers);
  if (!from) return false;
  const value v = *from;
  ::linear(d, v, d.prime());
  return true;
}
bool tied(drawing& d) {  // a second map of the same sizes, with one table for both
  if (d.maps.empty()) return false;
  const linear_map other = d.random.one_of(d.maps);
  const value* from = d.pick([&](const value& v) { return is_numbers(v) && v.size == other.from; });
  if (!from) return false;
  const value v = *from, made = d.add("linear", {number(other.to)}, {}, {v.name}, with_size(v, other.to));
  d.net.parts.push_back({"tied", "", "", {}, {}, {other.name, made.name}, ""});
  return true;
}
bool elementwise(drawing& d) {
  const value* from = d.pick(is_numbers);
  if (!from) return false;
  const value v = *from;
  const texts layers{"activation::tanh",
                     "activation::sigmoid",
                     "activation::relu",
                     "activation::gelu",
                     "activation::softplus",
                     "activation::softmax",
                     "activation::log_softmax",
                     "layer_norm",
                     "swish",
                     "dropout<0.25>"};
  d.add(d.random.one_of(layers), {}, {}, {v.name}, v);
  return true;
}
bool chain(drawing& d) {
  const value* from = d.pick(is_numbers);
  if (!from) return false;
  const value v = *from;
  const int size = d.prime();
  if (d.random.chance(50))
    d.add("residual", {"linear<" + number(size) + ">", "activation::gelu", "linear<" + number(v.size) + ">"},
          {}, {v.name}, v);
  else
    d.add("chain", {"linear<" + number(size) + ">", "activation::tanh", "dropout<0.1>"}, {}, {v.name},
          with_size(v, size));
  return true;
}
bool tower(drawing& d) {  // a graph in a node
  const value* from = d.pick(is_row);
  if (!from) return false;
  const value v = *from;
  const int size = d.prime();
  d.add("tower", {number(v.size), number(size)}, {}, {v.name}, as_row(size));
  return true;
}

bool recurrent(drawing& d) {
  const value* from = d.pick(is_sequence);
  if (!from) return false;
  const value x = *from;
  struct kind {
    string layer, cell;
    int states;
  };
  const std::vector<kind> kinds{{"rnn", "", 1},
                                {"lstm", "", 2},
                                {"gru", "", 1},
                                {"lstm", "", 2},
                                {"gru", "", 1},
                                {"recurrent", "cells::rnn_sigmoid", 1},
                                {"recurrent", "cells::rnn_relu", 1},
                                {"recurrent", "cells::gru_cho", 1},
                                {"recurrent", "cells::lstm_f", 2},
                                {"recurrent", "cells::lstm_i", 2},
                                {"recurrent", "cells::lstm_o", 2},
                                {"recurrent", "cells::lstm_b", 2},
                                {"recurrent", "cells::mut1", 1},
                                {"recurrent", "cells::mut2", 1},
                                {"recurrent", "cells::mut3", 1},
                                {"recurrent", "cells::peephole_lstm", 2},
                                {"recurrent", "crossed_cell", 2},
                                {"recurrent", "emitting_cell", 1}};
  const kind k = d.random.one_of(kinds);
  const int size = d.prime(), layers = d.random.chance(25) ? 2 : 1,
            directions = !d.streams && d.random.chance(30) ? 2 : 1;
  const bool emits = k.cell == "emitting_cell";
  texts options;
  int gives = size;
  if (layers > 1) options.push_back("layers<2>");
  if (directions > 1) options.push_back("bidirectional");
  if (layers > 1 && d.random.chance(30)) options.push_back("dropout<0.3>");
  if (d.random.chance(15)) options.push_back("no_bias");
  if (d.random.chance(15)) options.push_back("zoneout<0.1>");
  if (!emits && d.random.chance(15)) options.push_back("variational_dropout<0.2>");
  const bool has_bias = std::find(options.begin(), options.end(), "no_bias") == options.end();
  if (k.layer == "lstm" && has_bias && d.random.chance(20)) options.push_back("forget_bias<1>");
  const bool is_projected = k.layer == "lstm" && size > 3 && d.random.chance(25);
  if (is_projected) {
    gives = 2 + d.random.below(size - 2);
    options.push_back("proj_size<" + number(gives) + ">");
  }
  texts sources{x.name};
  if (d.random.chance(35))  // initial states, learned or computed
    for (int s = 0; s < k.states; ++s) {
      const int wide = s == 0 ? gives : size;
      const value* row = layers * directions == 1
                             ? d.pick([](const value& v) { return is_row(v) && !v.is_final; })
                             : nullptr;
      if (row && d.random.chance(60)) {
        const value source = *row;
        sources.push_back(::linear(d, source, wide).name);
      } else {
        texts of_layers;
        if (layers * directions > 1) of_layers.push_back("layers<" + number(layers * directions) + ">");
        sources.push_back(d.add("learned_vector", {number(wide)}, of_layers, {}, as_row(wide)).name);
        if (layers * directions > 1) d.values.pop_back();  // [layers, H]: for this layer only
      }
    }
  texts arguments{number(size)};
  if (k.layer == "recurrent") { arguments = {k.cell, "hidden<" + number(size) + ">"}; }
  const value y = d.add(k.layer, arguments, options, sources, with_size(x, (emits ? 3 : gives) * directions));
  if (!emits) {
    value last = as_row(gives * directions);
    last.name = y.name + ".final";
    last.is_final = true;
    if (!d.streams) d.values.push_back(last);
  }
  return true;
}
bool seeing(drawing& d) {  // each step sees a sequence of another axis
  const value* x = d.pick([](const value& v) { return is_sequence(v) && has_name(v); });
  if (!x) return false;
  const value y = *x;
  const value* memory =
      d.pick([&](const value& v) { return is_sequence(v) && has_name(v) && v.axis != y.axis; });
  if (!memory) return false;
  const value m = *memory;
  const int size = d.prime();
  d.add("recurrent", {"attending_cell<" + quoted(m.axis) + ">", "hidden<" + number(size) + ">"}, {},
        {y.name, m.name}, with_size(y, size));
  return true;
}
bool step(drawing& d) {  // one step of a cell
  const value* from = d.pick([](const value& v) { return is_row(v) && !v.is_final; });
  if (!from) return false;
  const value x = *from;
  const int size = d.prime();
  const bool two = d.random.chance(50);
  texts sources{x.name, beside(d, x, size).name};
  if (two) sources.push_back(beside(d, x, size).name);
  d.add("cell_step", {two ? "cells::lstm" : "cells::gru", "hidden<" + number(size) + ">"}, {}, sources,
        as_row(size));
  return true;
}

bool attention(drawing& d) {
  const value* memory = d.pick(is_sequence);
  if (!memory) return false;
  const value h = *memory;
  const value* query = d.pick([&](const value& v) {
    return (is_row(v) || (is_sequence(v) && v.axis != h.axis)) && v.name != h.name;
  });
  if (!query) return false;
  value q = *query;
  const int inner = d.prime();
  texts scores{"score::multiplicative", "score::additive<" + number(inner) + ">",
               "score::scaled_dot<" + number(inner) + ">", "score::dot"};
  const string score = d.random.one_of(scores);
  if (score == "score::dot" && q.size != h.size) q = ::linear(d, q, h.size);
  d.add("attention", {score}, {}, {q.name, h.name}, with_size(q, h.size));
  return true;
}
bool heads(drawing& d) {
  const value* from = d.pick(is_sequence);
  if (!from) return false;
  const value q = *from;
  const value* memory = d.pick([&](const value& v) { return is_sequence(v) && v.axis != q.axis; });
  const int count = d.random.chance(50) ? 2 : 3, size = count * d.prime();
  texts sources{q.name}, options;
  if (memory && d.random.chance(40)) sources.push_back(memory->name);
  else if (d.streams || d.random.chance(30)) options.push_back("is_causal");
  d.add("multi_head", {number(size), number(count)}, options, sources, with_size(q, size));
  return true;
}
bool transformer(drawing& d) {
  const value* from = d.pick(is_sequence);
  if (!from) return false;
  const value source = *from;
  const int count = 2, size = count * d.prime(), inner = d.prime();
  const value x = ::linear(d, source, size);
  const value* memory = d.pick([&](const value& v) { return is_sequence(v) && v.axis != x.axis; });
  texts options;
  if (d.random.chance(40)) options.push_back("norm_first");
  if (d.random.chance(30)) options.push_back("activation::gelu");
  if (d.random.chance(30)) options.push_back("dropout<0.1>");
  if (memory && d.random.chance(50)) {
    const string m = memory->name;
    d.add("transformer_decoder", {number(size), number(count), number(inner)}, options, {x.name, m}, x);
  } else {
    if (d.streams || d.random.chance(30)) options.push_back("is_causal");
    d.add("transformer_encoder", {number(size), number(count), number(inner)}, options, {x.name}, x);
  }
  return true;
}
bool positions(drawing& d) {
  const value* from = d.pick(is_sequence);
  if (!from) return false;
  const value x = *from;
  if (x.size % 2 == 0 && d.random.chance(70))
    d.add("sinusoidal_positions", {number(x.size)}, {}, {x.name}, x);
  else d.add("learned_positions", {number(x.bound + d.random.below(3))}, {}, {x.name}, x);
  return true;
}

// Windows of a sequence: each kind of windows is an axis of its own, but for one window at each step.
bool windows(drawing& d) {
  const value* from = d.pick(is_sequence);
  if (!from) return false;
  const value x = *from;
  const int width = 2 + d.random.below(2);
  int stride = 1, dilation = 1, padding = 0;
  texts options;
  const int kind = d.random.below(3);
  value y = x;
  const bool is_pool = kind == 2;
  if (d.streams) {
    options.push_back("is_causal");
    if (is_pool) options.push_back("stride<1>");
  } else if (d.random.chance(35)) {
    if (width % 2 == 0) return false;
    options.push_back("same_padding");
    if (is_pool) options.push_back("stride<1>");
  } else {
    stride = is_pool ? width : 1;
    if (d.random.chance(40)) {
      stride = 1 + d.random.below(3);
      options.push_back("stride<" + number(stride) + ">");
    }
    if (d.random.chance(30)) {
      dilation = 2;
      options.push_back("dilation<2>");
    }
    if (d.random.chance(30)) {
      padding = 1;
      options.push_back("padding<1>");
    }
    const int span = dilation * (width - 1) + 1;
    if (x.bound + 2 * padding < span) return false;
    y.bound = (x.bound + 2 * padding - span) / stride + 1;
    y.axis = "windows " + number(d.nodes());
  }
  const int size = d.prime();
  if (kind == 0) {
    if (d.random.chance(20)) options.push_back("no_bias");
    d.add("conv1d", {number(size), number(width)}, options, {x.name}, with_size(y, size));
  } else if (kind == 1) {
    d.add("unfold", {number(width)}, options, {x.name}, with_size(y, width * x.size));
  } else {
    d.add(d.random.chance(50) ? "max_pool1d" : "avg_pool1d", {number(width)}, options, {x.name}, y);
  }
  return true;
}
bool places(drawing& d) {
  const value* from = d.pick(is_grid);
  if (!from) return false;
  const value x = *from;
  if (d.random.chance(30)) {
    d.add("flatten", {}, {}, {x.name}, as_row(x.bound * x.width * x.size));
    return true;
  }
  const int high = 1 + d.random.below(2), wide = 1 + d.random.below(3);
  if (x.bound < high || x.width < wide) return false;
  value y = x;
  y.axis = "places " + number(d.nodes());
  texts options;
  const int kind = d.random.below(3);
  if (kind == 2) {
    y.bound = x.bound / high;
    y.width = x.width / wide;
    d.add(d.random.chance(50) ? "max_pool2d" : "avg_pool2d", {number(high), number(wide)}, options, {x.name},
          y);
    return true;
  }
  int padding = 0;
  if (high > 1 && wide > 1 && d.random.chance(40)) {
    padding = 1;
    options.push_back("padding<1>");
  }
  y.bound = x.bound + 2 * padding - high + 1;
  y.width = x.width + 2 * padding - wide + 1;
  const int size = d.prime();
  if (kind == 0)
    d.add("conv2d", {number(size), number(high), number(wide)}, options, {x.name}, with_size(y, size));
  else d.add("unfold2d", {number(high), number(wide)}, options, {x.name}, with_size(y, high * wide * x.size));
  return true;
}
bool pooling(drawing& d) {
  const value* from = d.pick([](const value& v) { return is_sequence(v) || is_grid(v); });
  if (!from) return false;
  const value x = *from;
  const texts layers{"sum_over", "mean_over", "max_over", "first_over", "last_over", "attention_over"};
  const string layer =
      is_grid(x) ? layers[static_cast<std::size_t>(d.random.below(3))] : d.random.one_of(layers);
  value y = as_row(x.size);
  y.is_final = true;
  texts arguments{"\"\""};
  if (layer == "attention_over") arguments = {number(d.prime())};
  d.add(layer, arguments, {}, {x.name}, y);
  return true;
}
bool sum_of_two(drawing& d) {
  const value* from = d.pick(is_numbers);
  if (!from) return false;
  const value a = *from;
  const value b = beside(d, a, a.size);
  d.add("add", {}, {}, {a.name, b.name}, a);
  return true;
}
bool side_by_side(drawing& d) {
  const value* from = d.pick([](const value& v) { return is_numbers(v) && !is_grid(v); });
  if (!from) return false;
  const value a = *from;
  const value* other = d.pick([&](const value& v) {
    return is_numbers(v) &&
           (v.goes_along(a) || (is_row(v) && is_sequence(a) && !(d.streams && v.is_final))) &&
           v.name != a.name;
  });
  if (!other) return false;
  const value b = *other;
  d.add("concatenate", {}, {}, {a.name, b.name}, with_size(a, a.size + b.size));
  return true;
}
// Equations of one's own, of random_parts.hpp.
bool equation(drawing& d) {
  const value* from = d.pick([](const value& v) { return is_sequence(v) && has_name(v); });
  if (!from) return false;
  const value x = *from;
  const string axis = quoted(x.axis);
  const value* row = d.pick([](const value& v) { return is_row(v) && !v.is_final; });
  const value* other =
      d.pick([&](const value& v) { return is_sequence(v) && has_name(v) && v.axis != x.axis; });
  const int kind = d.random.below(d.streams ? 3 : 7);
  if (kind == 0) {
    d.add("delayed", {axis, number(1 + d.random.below(2))}, {}, {x.name}, x);
  } else if (kind == 1 && row) {
    const int size = d.prime();
    const string r = row->name;
    d.add("bilinear", {number(size)}, {}, {x.name, r}, with_size(x, size));
  } else if (kind <= 2) {
    d.add("earlier_steps", {axis}, {}, {x.name}, x);
  } else if (kind == 3) {
    d.add("backwards", {axis}, {}, {x.name}, x);
  } else if (kind == 4) {
    d.add("gated_by_its_mean", {axis}, {}, {x.name}, x);
  } else if (kind == 5 && other) {
    const int size = d.prime();
    const value m = *other;
    d.add("found", {quoted(m.axis), number(size)}, {}, {x.name, m.name}, with_size(x, x.size + m.size));
  } else {
    value y = as_row(x.size);
    y.is_final = true;
    d.add("smooth_maximum", {axis}, {}, {x.name}, y);
  }
  return true;
}

}  // namespace offers

// A loss of one output. Logits come from a linear map, which gives them no bounds.
string loss_of(drawing& d, const value& from, int number_of_loss) {
  const string target = quoted("t" + number(number_of_loss));
  const int classes = d.prime(), kind = d.random.below(8);
  value y = linear(d, from, classes);
  if (kind == 0) y = d.add("activation::log_softmax", {}, {}, {y.name}, y);
  const string of = "<" + quoted(y.name) + ", " + target;
  texts options;
  if (d.random.chance(30)) options.push_back("losses::label_smoothing<0.1>");
  if (d.random.chance(30)) options.push_back("losses::ignored<1>");
  if (d.random.chance(20)) {
    texts weights;
    for (int k = 0; k < classes; ++k) weights.push_back(number(1 + d.random.below(4)));
    options.push_back("losses::class_weights<" + joined(weights, ", ") + ">");
  }
  d.net.parts.push_back({"output", y.name, "", {}, {}, {}, ""});
  switch (kind) {
    case 0:
      return "losses::nll" + of + ">";
    case 1:
      return "losses::mse" + of + ">";
    case 2:
      return "losses::l1" + of + ">";
    case 3:
      return "losses::huber" + of + ", 0.5>";
    case 4:
      return "losses::bce_with_logits" + of + ">";
    case 5:
      return "losses::multi_margin" + of + ">";
    default:
      return "losses::cross_entropy" + of + (options.empty() ? "" : ", " + joined(options, ", ")) + ">";
  }
}

network drawn(std::uint64_t seed) {
  drawing d(seed);
  const bool has_grid = !d.streams && d.random.chance(20);
  const int axes = d.streams ? 1 : 1 + d.random.below(has_grid ? 2 : 3);
  const texts names{"a", "b", "c"};
  for (int k = 0; k < axes; ++k) d.add_axis(names[static_cast<std::size_t>(k)]);
  for (int k = 0; k < axes; ++k) {
    value v = d.along(k, d.prime());
    v.is_token = d.random.chance(40);
    d.add_input(v);
  }
  if (d.random.chance(50)) {
    value v = as_row(d.prime());
    v.is_token = d.random.chance(25);
    d.add_input(v);
  }
  if (has_grid) d.add_input({"", value::grid, d.prime(), false, "g", d.bound(), d.prime()});
  // Every token is looked up once: it has no other use.
  const int inputs = static_cast<int>(d.values.size());
  for (int k = 0; k < inputs; ++k)
    if (d.values[static_cast<std::size_t>(k)].is_token) {
      const value v = d.values[static_cast<std::size_t>(k)];
      texts options;
      if (d.random.chance(30)) options.push_back("padding_idx<" + number(d.random.below(v.size)) + ">");
      const int size = d.prime();
      d.add("embedding", {number(v.size), number(size)}, options, {v.name}, with_size(v, size));
    }
  struct offer {
    int weight;
    bool (*make)(drawing&);
    bool streams;
  };
  const std::vector<offer> all{
      {8, offers::recurrent, true},   {3, offers::linear, true},     {1, offers::tied, true},
      {3, offers::elementwise, true}, {2, offers::chain, true},      {1, offers::tower, true},
      {1, offers::embedding, true},   {2, offers::seeing, false},    {1, offers::step, true},
      {3, offers::attention, false},  {2, offers::heads, true},      {2, offers::transformer, true},
      {2, offers::positions, true},   {3, offers::windows, true},    {4, offers::places, false},
      {2, offers::pooling, false},    {2, offers::sum_of_two, true}, {2, offers::side_by_side, true},
      {3, offers::equation, true}};
  int weights = 0;
  for (const offer& o : all) weights += o.weight;
  const int depth = 2 + d.random.below(10) + d.nodes();
  for (int tries = 0; d.nodes() < depth && tries < 200; ++tries) {
    int at = d.random.below(weights);
    for (const offer& o : all) {
      at -= o.weight;
      if (at >= 0) continue;
      if (o.streams || !d.streams) o.make(d);
      break;
    }
  }
  if (!d.streams && d.random.chance(35)) {
    texts losses;
    const int count = d.random.chance(30) ? 2 : 1;
    for (int k = 0; k < count; ++k) {
      const value* from = d.pick([](const value& v) { return is_row(v) || is_sequence(v); });
      if (!from) break;
      const value v = *from;
      losses.push_back(loss_of(d, v, k));
    }
    if (losses.size() == 1) d.net.parts.push_back({"loss", "", losses[0], {}, {}, {}, ""});
    if (losses.size() == 2)
      d.net.parts.push_back({"loss",
                             "",
                             "losses::sum_of<" + losses[0] + ", losses::scaled<0.25, " + losses[1] + ">>",
                             {},
                             {},
                             {},
                             ""});
  }
  // What nobody reads is an output; of an input, what a linear map makes of it.
  std::set<string> read_by_others;
  for (const part& p : d.net.parts) {
    if (p.kind != "tied")
      for (const string& source : p.sources) read_by_others.insert(source.substr(0, source.find('.')));
    if (p.kind == "output") read_by_others.insert(p.name);
  }
  const std::vector<value> made = d.values;
  for (const value& v : made) {
    if (read_by_others.contains(v.name) || v.name.find('.') != string::npos) continue;
    const string name = v.name.front() == 'x' ? linear(d, v, d.prime()).name : v.name;
    d.net.parts.push_back({"output", name, "", {}, {}, {}, ""});
  }
  return d.net;
}

// --- smaller networks ---------------------------------------------------------------------------------------------------------------

// Without the parts that nothing reads.
network pruned(network net) {
  for (bool again = true; again;) {
    again = false;
    std::set<string> needed;
    for (const part& p : net.parts) {
      if (p.kind == "output") needed.insert(p.name.substr(0, p.name.find('.')));
      if (p.kind != "tied")
        for (const string& s : p.sources) needed.insert(s.substr(0, s.find('.')));
    }
    const auto is_dead = [&](const part& p) {
      if (p.kind == "node" || p.kind == "input") return !needed.contains(p.name);
      if (p.kind == "tied") return !needed.contains(p.sources[0]) || !needed.contains(p.sources[1]);
      return false;
    };
    again = std::erase_if(net.parts, is_dead) > 0;
  }
  return net;
}
// All networks that lack one thing of this one.
std::vector<network> smaller(const network& net) {
  std::vector<network> all;
  const auto outputs =
      std::count_if(net.parts.begin(), net.parts.end(), [](const part& p) { return p.kind == "output"; });
  for (std::size_t k = 0; k < net.parts.size(); ++k) {
    const part& p = net.parts[k];
    network less = net;
    if (p.kind == "output" && outputs > 1 && !net.has("loss")) {
      less.parts.erase(less.parts.begin() + static_cast<std::ptrdiff_t>(k));
      all.push_back(pruned(less));
    }
    if (p.kind == "tied" || p.kind == "stream" || p.kind == "loss") {
      less.parts.erase(less.parts.begin() + static_cast<std::ptrdiff_t>(k));
      all.push_back(less);
    }
    const bool has_more_results = std::any_of(net.parts.begin(), net.parts.end(), [&](const part& other) {
      return std::any_of(other.sources.begin(), other.sources.end(),
                         [&](const string& s) { return s.starts_with(p.name + "."); });
    });
    const bool is_output = std::any_of(net.parts.begin(), net.parts.end(), [&](const part& other) {
      return other.kind == "output" && other.name == p.name;
    });
    if (p.kind == "node" && !p.as_input.empty() && !has_more_results && !is_output &&
        net.find(p.name)) {  // an input in its place
      less.parts[k] = {"input", p.name, p.as_input, {}, {}, {}, ""};
      std::erase_if(less.parts, [&](const part& other) {
        return other.kind == "tied" && (other.sources[0] == p.name || other.sources[1] == p.name);
      });
      all.push_back(pruned(less));
    }
  }
  for (std::size_t k = 0; k < net.parts.size(); ++k)
    for (std::size_t o = 0; net.parts[k].kind == "node" && o < net.parts[k].options.size(); ++o) {
      network less = net;
      less.parts[k].options.erase(less.parts[k].options.begin() + static_cast<std::ptrdiff_t>(o));
      all.push_back(less);
    }
  return all;
}

// --- programs -----------------------------------------------------------------------------------------------------------------------

string type_of(const part& p) {
  texts all = p.arguments;
  all.insert(all.end(), p.options.begin(), p.options.end());
  if (all == texts{"\"\""}) return p.layer + "<>";
  return all.empty() ? p.layer : p.layer + "<" + joined(all, ", ") + ">";
}
string graph_of(const network& net, const string& indent) {
  string text = "graph<" + quoted(net.title);
  const auto line = [&](const string& what) { text += ",\n" + indent + what; };
  for (const part& p : net.parts)
    if (p.kind == "input")
      line("input<" + quoted(p.name) + ", " + p.layer +
           (p.options.empty() ? "" : ", " + joined(p.options, ", ")) + ">");
  for (const part& p : net.parts)
    if (p.kind == "node") {
      string sources;
      for (const string& s : p.sources) sources += ", " + quoted(s);
      line("node<" + quoted(p.name) + ", " + type_of(p) + sources + ">");
    }
  for (const part& p : net.parts) {
    if (p.kind == "output") line("output<" + quoted(p.name) + ">");
    if (p.kind == "tied")
      line("tied<" + quoted(p.sources[0] + ".weight") + ", " + quoted(p.sources[1] + ".weight") + ">");
  }
  return text + ">";
}
string name_of(const network& net) {
  string name = net.title;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}
void write_tests(const std::vector<network>& all, bool on_devices) {
  std::cout
      << "// Written by tests/random/networks.\n#include \""
      << (on_devices ? "support/check_network_on_devices.hpp" : "support/check_network.hpp")
      << "\"\n#include \"support/random_parts.hpp\"\n\nnamespace tenon::test {\nusing namespace nn;\n\n";
  for (const network& net : all) {
    string loss = "void";
    for (const part& p : net.parts)
      if (p.kind == "loss") loss = p.layer;
    std::cout << "using " << name_of(net) << " = " << graph_of(net, "    ") << ";\nTEST_CASE("
              << quoted(net.title) << ") { check_network" << (on_devices ? "_on_devices<" : "<")
              << name_of(net) << ", " << loss
              << (on_devices          ? ""
                  : net.has("stream") ? ", true"
                                      : ", false")
              << ">(); }\n\n";
  }
  std::cout << "}  // namespace tenon::test\n";
}

// A mistake that a user could make, and what its error must name.
struct mistake {
  network made;
  string named;
};
std::vector<mistake> mistakes(const network& net) {
  std::vector<mistake> all;
  for (std::size_t k = 0; k < net.parts.size(); ++k) {
    const part& p = net.parts[k];
    const auto with = [&](auto change, const string& named) {
      mistake m{net, named};
      change(m.made.parts[k]);
      all.push_back(m);
    };
    if (p.kind == "output") with([](part& q) { q.name += "z"; }, p.name + "z");
    if (p.kind == "tied") with([](part& q) { q.sources[1] += "z"; }, p.sources[1] + "z");
    if (p.kind != "node") continue;
    for (std::size_t s = 0; s < p.sources.size(); ++s)
      with([&](part& q) { q.sources[s] += "z"; }, p.sources[s] + "z");
    if (!p.sources.empty() && p.layer != "concatenate") with([](part& q) { q.sources.clear(); }, p.name);
    if (p.layer == "linear")
      with(
          [](part& q) {
            std::erase_if(q.options, [](const string& o) { return o.starts_with("features"); });
            q.options.push_back("features<1009>");
          },
          p.name);
    if (p.layer == "linear") with([](part& q) { q.arguments = {"0"}; }, p.name);
    if (p.layer == "embedding") with([](part& q) { q.arguments[0] = "1"; }, p.name);
    if (p.layer == "lstm" || p.layer == "gru" || p.layer == "rnn")
      with(
          [](part& q) {
            std::erase_if(q.options, [](const string& o) {
              return o.starts_with("layers") || o.starts_with("dropout");
            });
            q.options.push_back("layers<0>");
          },
          p.name);
    if (p.layer == "conv1d" || p.layer == "unfold") with([](part& q) { q.arguments.back() = "0"; }, p.name);
    if (p.layer == "multi_head") with([](part& q) { q.arguments[1] = "97"; }, p.name);
  }
  return all;
}
void write_mistake(const network& net, std::uint64_t seed) {
  const std::vector<mistake> all = mistakes(net);
  random_numbers random(seed);
  const mistake& m = all[static_cast<std::size_t>(random.below(static_cast<int>(all.size())))];
  std::cout << "// Written by tests/random/networks.\n// expect: " << m.named
            << "\n#include <tenon/tenon.hpp>\n#include \"support/random_parts.hpp\"\n\nnamespace tenon::test "
               "{\nusing namespace nn;\n\n#ifdef MISTAKE\nusing drawn = "
            << graph_of(m.made, "    ") << ";\n#else\nusing drawn = " << graph_of(net, "    ")
            << ";\n#endif\nstatic_assert(check<drawn>());\n\n}  // namespace tenon::test\n";
}

std::uint64_t as_number(const string& text) { return std::stoull(text); }
network drawn_or_read(const string& text) {
  return text.find_first_not_of("0123456789") == string::npos ? drawn(as_number(text)) : read(text);
}

}  // namespace

int main(int count, char** words) try {
  const texts given(words + 1, words + count);
  if (given.size() == 2 && given[0] == "draw") {
    std::cout << text_of(drawn(as_number(given[1])));
  } else if (given.size() >= 2 && (given[0] == "checks" || given[0] == "devices")) {
    std::vector<network> all;
    for (std::size_t k = 1; k < given.size(); ++k) all.push_back(drawn_or_read(given[k]));
    write_tests(all, given[0] == "devices");
  } else if (given.size() == 3 && given[0] == "smaller") {
    const std::vector<network> all = smaller(read(given[1]));
    const std::uint64_t k = as_number(given[2]);
    if (k >= all.size()) return 1;
    std::cout << text_of(all[k]);
  } else if (given.size() == 3 && given[0] == "wrong") {
    write_mistake(drawn_or_read(given[1]), as_number(given[2]));
  } else {
    std::cerr << "networks draw SEED | checks NETWORK.. | devices NETWORK.. | smaller FILE K | wrong NETWORK "
                 "SEED\n";
    return 2;
  }
  return 0;
} catch (const std::exception& error) {
  std::cerr << error.what() << "\n";
  return 2;
}
