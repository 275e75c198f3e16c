// What a network is drawn with: random numbers, sizes that no other part has, and the values that a next part may read.
#pragma once

#include "network.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <utility>

namespace random_networks {

class random_numbers {  // splitmix64: Steele, Lea and Flood 2014
 public:
  explicit random_numbers(std::uint64_t seed) : state_(mixed(seed + golden)) {}
  int below(int n) { return static_cast<int>(mixed(state_ += golden) % static_cast<std::uint64_t>(n)); }
  bool chance(int percent) { return below(100) < percent; }
  template <class T>
  const T& one_of(const std::vector<T>& all) {
    return all[static_cast<std::size_t>(below(static_cast<int>(all.size())))];
  }
  template <class T>
  void shuffle(std::vector<T>& all) {
    for (std::size_t k = all.size(); k > 1; --k)
      std::swap(all[k - 1], all[static_cast<std::size_t>(below(static_cast<int>(k)))]);
  }

 private:
  static constexpr std::uint64_t golden = 0x9e3779b97f4a7c15u;
  static std::uint64_t mixed(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  std::uint64_t
      state_;  // of a seed that is not mixed, the next seed would draw the same numbers one place later
};

struct value {
  string name;
  enum kind { row, sequence, grid } shape = row;
  int size = 0;  // of tokens: how many there are
  bool is_token = false;
  string axis;               // of a sequence
  int bound = 0, width = 0;  // steps; lines and places of a grid
  bool is_final = false;     // of a recurrence: known after all of its steps
  int layers = 1;            // of states: layers times directions

  bool goes_along(const value& other) const {
    return shape == other.shape && axis == other.axis && bound == other.bound && width == other.width &&
           layers == other.layers;
  }
  string as_input() const {
    const string holds = "features<" + to_string(size) + ">";
    if (shape == sequence)
      return axis.size() == 1 ? holds + ", steps<" + to_string(bound) + ", \"" + axis + "\">" : "";
    if (shape == grid)
      return holds + ", grid<" + to_string(bound) + ", " + to_string(width) + ", \"" + axis + "\">";
    return layers > 1 ? "layers<" + to_string(layers) + ">, " + holds : holds;
  }
};
inline bool is_numbers(const value& v) { return !v.is_token && v.layers == 1; }
inline bool is_row(const value& v) { return v.shape == value::row && is_numbers(v); }
inline bool is_early_row(const value& v) { return is_row(v) && !v.is_final; }
inline bool is_sequence(const value& v) { return v.shape == value::sequence && is_numbers(v); }
inline bool is_grid(const value& v) { return v.shape == value::grid && is_numbers(v); }
inline bool has_name(const value& v) { return v.axis.size() == 1; }  // an axis whose name is known
inline bool is_named_sequence(const value& v) { return is_sequence(v) && has_name(v); }
inline value with_size(value v, int size) {
  v.size = size;
  v.is_token = false;
  return v;
}
inline value as_row(int size, bool is_final = false) {
  value v;
  v.size = size;
  v.is_final = is_final;
  return v;
}

struct linear_map {  // whose parameters another one of the same sizes may share
  string name;
  int from = 0, to = 0;
};
struct recurrence {  // whose last states another one of the same sizes may start from
  string name, layer, cell;
  int states = 1, size = 0, gives = 0, layers = 1, directions = 1;
};

class drawing {
 public:
  explicit drawing(std::uint64_t seed) : random(seed) {
    net.title = "network " + to_string(seed);
    random.shuffle(primes_);
    streams = random.chance(30);
    if (streams) net.parts.push_back({"stream", "", "", {}, {}, {}, ""});
  }
  network net;
  random_numbers random;
  bool streams = false;  // each step depends on itself and earlier ones only
  std::vector<value> values;
  std::vector<linear_map> maps, towers;
  std::vector<recurrence> recurrences;
  std::set<string> windowed;  // axes over which there are windows

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
  // A sequence along a new axis, of this many features or tokens.
  value new_sequence(int size) {
    const string name(1, static_cast<char>('a' + axes_++));
    return {"", value::sequence, size, false, name, bound()};
  }
  bool has_room_for_axis() const { return axes_ < 5 && !bounds_.empty(); }
  string new_axis_name() { return string(1, static_cast<char>('A' + named_++)); }
  value add_input(value v) {
    v.name = "x" + to_string(++inputs_);
    texts options;
    if (v.shape == value::sequence) options = {"steps<" + to_string(v.bound) + ", \"" + v.axis + "\">"};
    if (v.shape == value::grid)
      options = {"grid<" + to_string(v.bound) + ", " + to_string(v.width) + ", \"" + v.axis + "\">"};
    if (v.layers > 1) options = {"layers<" + to_string(v.layers) + ">"};
    net.parts.push_back({"input",
                         v.name,
                         (v.is_token ? "token<" : "features<") + to_string(v.size) + ">",
                         {},
                         options,
                         {},
                         ""});
    values.push_back(v);
    return v;
  }

  // A value that fits, a late one rather than an early one.
  template <class F>
  std::optional<value> pick(F fits) {
    std::vector<int> all;
    for (std::size_t k = 0; k < values.size(); ++k)
      if (fits(values[k])) all.push_back(static_cast<int>(k));
    if (all.empty()) return {};
    const int n = static_cast<int>(all.size()), at = std::max(random.below(n), random.below(n));
    return values[static_cast<std::size_t>(all[static_cast<std::size_t>(at)])];
  }
  // A node; `result` says what it gives, but for its name.
  value add(const string& layer, texts arguments, texts options, texts sources, value result) {
    result.name = "n" + to_string(++nodes_);
    random.shuffle(options);
    net.parts.push_back({"node", result.name, layer, std::move(arguments), std::move(options),
                         std::move(sources), result.as_input()});
    values.push_back(result);
    return result;
  }
  // A second result of a node, "final".
  void add_result(const value& of, const string& name, value result) {
    result.name = of.name + "." + name;
    values.push_back(result);
  }
  int nodes() const { return nodes_; }

 private:
  std::vector<int> bounds_{3, 5, 7, 2, 11}, primes_{2, 3, 5, 7, 11, 13, 17, 19, 23, 29};
  std::set<int> used_;
  int axes_ = 0, named_ = 0, inputs_ = 0, nodes_ = 0;
};

// Now and then, how the parameters that match a pattern start, or that some of them are not learned.
enum class matching { matrices, vectors };
inline void add_options_of_parameters(drawing& d, texts& options, const string& pattern, int percent,
                                      matching what = matching::matrices) {
  texts starts{"init::uniform(-0.5, 0.5)", "init::normal(0, 0.5)", "init::truncated_normal()",
               "init::constant(0.25)"};
  if (what == matching::matrices)
    starts.insert(starts.end(), {"init::identity()", "init::orthogonal()", "init::xavier_uniform()",
                                 "init::xavier_normal()", "init::kaiming_uniform()",
                                 "init::kaiming_normal(init::fan::out)"});
  if (d.random.chance(percent))
    options.push_back("initialized<" + quoted(pattern) + ", " + d.random.one_of(starts) + ">");
  if (d.random.chance(percent / 2))
    options.push_back(d.random.chance(50) ? "frozen" : "frozen_parameters<" + quoted(pattern) + ">");
}
inline value add_linear(drawing& d, const value& from, int size) {
  texts options;
  if (d.random.chance(20)) options.push_back("no_bias");
  if (d.random.chance(20)) options.push_back("features<" + number(from.size) + ">");
  add_options_of_parameters(d, options, "weight", 10);
  const bool may_be_tied = options.empty();
  const value made = d.add("linear", {number(size)}, options, {from.name}, with_size(from, size));
  if (may_be_tied) d.maps.push_back({made.name, from.size, size});
  return made;
}
// A value of this size that goes along another one, made if there is none.
inline value beside(drawing& d, const value& other, int size) {
  const auto found = d.pick([&](const value& v) {
    return is_numbers(v) && v.goes_along(other) && v.size == size && v.name != other.name &&
           d.random.chance(60);
  });
  if (found) return *found;
  const auto from = d.pick([&](const value& v) { return is_numbers(v) && v.goes_along(other); });
  return add_linear(d, *from, size);
}

}  // namespace random_networks
