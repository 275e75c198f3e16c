// onnx_interpreter: reads an ONNX file and computes its outputs, operator by operator, in double, by the definitions of
// https://onnx.ai/onnx/operators. It shares nothing with what writes the file.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::test::onnx {

/// Numbers of any type; whole numbers divide as such.
struct array {
  std::vector<long> shape{};
  std::vector<double> data{};
  bool is_whole = false;

  long size() const { return std::accumulate(shape.begin(), shape.end(), 1L, std::multiplies<long>()); }
  long rank() const { return static_cast<long>(shape.size()); }
  double& at(long k) { return data[static_cast<std::size_t>(k)]; }
  double at(long k) const { return data[static_cast<std::size_t>(k)]; }
  long extent(long axis) const { return shape[static_cast<std::size_t>(axis < 0 ? axis + rank() : axis)]; }
};
inline array zeros_of(std::vector<long> shape, bool is_whole = false) {
  array y{std::move(shape), {}, is_whole};
  y.data.resize(static_cast<std::size_t>(y.size()));
  return y;
}

// --- the file --------------------------------------------------------------------------------------------------

/// The fields of a message of protocol buffers, by number: numbers, and bytes.
struct message {
  std::multimap<int, std::uint64_t> numbers{};
  std::multimap<int, std::string_view> bytes{};

  explicit message(std::string_view from) {
    const auto variable = [&] {
      std::uint64_t number = 0;
      for (int shift = 0;; shift += 7) {
        const auto byte = static_cast<unsigned char>(from.at(0));
        from.remove_prefix(1);
        number |= std::uint64_t(byte & 127u) << shift;
        if (byte < 128) return number;
      }
    };
    while (!from.empty()) {
      const std::uint64_t key = variable();
      const int field = static_cast<int>(key >> 3);
      if ((key & 7u) == 0) {
        numbers.emplace(field, variable());
      } else if ((key & 7u) == 2) {
        const std::uint64_t size = variable();
        bytes.emplace(field, from.substr(0, size));
        from.remove_prefix(size);
      } else {
        throw std::runtime_error("a wire type that Tenon does not write");
      }
    }
  }
  std::string text(int field) const {
    const auto found = bytes.find(field);
    return found == bytes.end() ? std::string() : std::string(found->second);
  }
  std::vector<std::string> texts(int field) const {
    std::vector<std::string> all;
    for (auto [k, end] = bytes.equal_range(field); k != end; ++k) all.emplace_back(k->second);
    return all;
  }
  std::vector<message> messages(int field) const {
    std::vector<message> all;
    for (auto [k, end] = bytes.equal_range(field); k != end; ++k) all.emplace_back(k->second);
    return all;
  }
  std::vector<long> whole(int field) const {
    std::vector<long> all;
    for (auto [k, end] = numbers.equal_range(field); k != end; ++k)
      all.push_back(static_cast<long>(k->second));
    return all;
  }
};

inline array tensor_of(const message& m) {
  array y{m.whole(1), {}, m.whole(2).at(0) == 7};
  const std::string bytes = m.text(9);
  const auto read = [&]<class T>(T) {
    for (std::size_t k = 0; k < bytes.size(); k += sizeof(T)) {
      T number;
      std::memcpy(&number, bytes.data() + k, sizeof number);
      y.data.push_back(static_cast<double>(number));
    }
  };
  const long type = m.whole(2).at(0);
  if (type == 1) read(float());
  else if (type == 7) read(std::int64_t());
  else if (type == 11) read(double());
  else throw std::runtime_error("a type that Tenon does not write");
  if (y.size() != static_cast<long>(y.data.size())) throw std::runtime_error("a tensor of another size");
  return y;
}

// --- operators -------------------------------------------------------------------------------------------------

/// The place in an array of the element at `index` of a larger shape, along which it is repeated.
inline long place_in(const array& x, const std::vector<long>& index) {
  long place = 0;
  for (long a = 0; a < x.rank(); ++a) {
    const long here = index[index.size() - x.shape.size() + static_cast<std::size_t>(a)];
    place = place * x.extent(a) + (x.extent(a) == 1 ? 0 : here);
  }
  return place;
}
inline std::vector<long> joint_shape(const std::vector<const array*>& all) {
  std::vector<long> shape;
  for (const array* x : all) shape.resize(std::max(shape.size(), x->shape.size()), 1);
  for (const array* x : all)
    for (std::size_t a = 0; a < x->shape.size(); ++a) {
      long& mine = shape[shape.size() - x->shape.size() + a];
      if (x->shape[a] == 1) continue;
      if (mine != 1 && mine != x->shape[a]) throw std::runtime_error("shapes that do not fit");
      mine = x->shape[a];
    }
  return shape;
}
/// Calls f(index, number) for all places of a shape, in order.
template <class F>
void each_place(const std::vector<long>& shape, F f) {
  const long size = std::accumulate(shape.begin(), shape.end(), 1L, std::multiplies<long>());
  std::vector<long> index(shape.size(), 0);
  for (long k = 0; k < size; ++k) {
    f(index, k);
    for (std::size_t a = shape.size(); a-- > 0 && ++index[a] == shape[a];) index[a] = 0;
  }
}
template <class F>
array elementwise(const std::vector<const array*>& x, F f) {
  array y = zeros_of(joint_shape(x), x.back()->is_whole);
  each_place(y.shape, [&](const std::vector<long>& index, long k) {
    double v[3]{};
    for (std::size_t n = 0; n < x.size(); ++n) v[n] = x[n]->at(place_in(*x[n], index));
    y.at(k) = f(v[0], v[1], v[2]);
  });
  return y;
}
inline array with_shape(array x, std::vector<long> shape) {
  x.shape = std::move(shape);
  if (x.size() != static_cast<long>(x.data.size())) throw std::runtime_error("a reshape to another size");
  return x;
}
/// y[index] = x[f(index)], or `outside` where f returns -1.
template <class F>
array taken(const array& x, std::vector<long> shape, F f, double outside = 0) {
  array y = zeros_of(std::move(shape), x.is_whole);
  each_place(y.shape, [&](const std::vector<long>& index, long k) {
    std::vector<long> from = f(index);
    bool inside = true;
    for (long a = 0; a < x.rank(); ++a)
      inside =
          inside && 0 <= from[static_cast<std::size_t>(a)] && from[static_cast<std::size_t>(a)] < x.extent(a);
    y.at(k) = inside ? x.at(place_in(x, from)) : outside;
  });
  return y;
}

class interpreter {
 public:
  explicit interpreter(const std::string& file)
      : file_(file), graph_(message(file_).text(7)), whole_(graph_) {
    for (const message& t : whole_.messages(5)) constants_[t.text(8)] = tensor_of(t);
  }
  std::vector<std::string> inputs() const { return names(11); }
  std::vector<std::string> outputs() const { return names(12); }
  std::size_t nodes() const { return whole_.messages(1).size(); }
  int nodes_of(const std::string& type) const {
    int count = 0;
    for (const message& n : whole_.messages(1)) count += n.text(4) == type;
    return count;
  }
  const std::map<std::string, array>& constants() const { return constants_; }
  std::map<std::string, array> run(const std::map<std::string, array>& given) const {
    std::map<std::string, array> values = constants_;
    for (const auto& [name, x] : given) values[name] = x;
    compute(whole_, values);
    std::map<std::string, array> results;
    for (const std::string& name : outputs()) results[name] = values.at(name);
    return results;
  }

 private:
  using values_type = std::map<std::string, array>;
  std::vector<std::string> names(int field) const {
    std::vector<std::string> all;
    for (const message& v : whole_.messages(field)) all.push_back(v.text(1));
    return all;
  }

  struct attributes {
    std::map<std::string, std::vector<long>> numbers{};
    std::map<std::string, std::string> graphs{}, texts{};
    std::map<std::string, std::vector<std::string>> lists{};
    explicit attributes(const message& node) {
      for (const message& a : node.messages(5)) {
        numbers[a.text(1)] = a.whole(20).at(0) == 2 ? a.whole(3) : a.whole(8);
        graphs[a.text(1)] = a.text(6);
        texts[a.text(1)] = a.text(4);
        lists[a.text(1)] = a.texts(9);
      }
    }
    long number(const std::string& name, long otherwise) const {
      const auto found = numbers.find(name);
      return found == numbers.end() ? otherwise : found->second.at(0);
    }
  };

  static void compute(const message& graph, values_type& values) {
    for (const message& n : graph.messages(1)) {
      const std::string type = n.text(4);
      std::vector<const array*> x;
      for (const std::string& name : n.texts(1)) {
        if (name.empty()) {  // an input that is left out
          x.push_back(nullptr);
          continue;
        }
        const auto found = values.find(name);
        if (found == values.end())
          throw std::runtime_error(n.text(3) + " reads '" + name + "' before it is there");
        x.push_back(&found->second);
      }
      const std::vector<std::string> out = n.texts(2);
      if (type == "Scan") scan(n, x, out, values);
      else if (type == "LSTM" || type == "GRU" || type == "RNN")
        recurrence(type, x, out, attributes(n), values);
      else values[out.at(0)] = one(type, x, attributes(n));
    }
  }
  /// As in the definition, with its default axes 0: states, then what is scanned, forward or backward.
  static void scan(const message& n, const std::vector<const array*>& x, const std::vector<std::string>& out,
                   values_type& values) {
    const attributes with(n);
    const message body(with.graphs.at("body"));
    const auto scanned = static_cast<std::size_t>(with.number("num_scan_inputs", 0)),
               states = x.size() - scanned;
    std::vector<std::string> in, made;
    for (const message& v : body.messages(11)) in.push_back(v.text(1));
    for (const message& v : body.messages(12)) made.push_back(v.text(1));
    const long steps = x.at(states)->extent(0);
    values_type inside = values;
    for (std::size_t s = 0; s < states; ++s) inside[in[s]] = *x[s];
    std::vector<array> all(made.size() - states);
    for (long step = 0; step < steps; ++step) {
      const auto place = [&](const char* directions, std::size_t k) {
        const auto found = with.numbers.find(directions);
        return found != with.numbers.end() && found->second.at(k) == 1 ? steps - 1 - step : step;
      };
      for (std::size_t k = 0; k < scanned; ++k) {
        const array& from = *x[states + k];
        array part{{from.shape.begin() + 1, from.shape.end()}, {}, from.is_whole};
        const long size = part.size(), first = place("scan_input_directions", k) * size;
        part.data.assign(from.data.begin() + first, from.data.begin() + first + size);
        inside[in[states + k]] = part;
      }
      compute(body, inside);
      std::vector<array> next;
      for (std::size_t s = 0; s < states; ++s) next.push_back(inside.at(made[s]));
      for (std::size_t k = 0; k < all.size(); ++k) {
        const array& part = inside.at(made[states + k]);
        if (step == 0) {
          all[k] = part;
          all[k].shape.insert(all[k].shape.begin(), steps);
          all[k].data.resize(static_cast<std::size_t>(all[k].size()));
        }
        std::copy(part.data.begin(), part.data.end(),
                  all[k].data.begin() + place("scan_output_directions", k) * part.size());
      }
      for (std::size_t s = 0; s < states; ++s) inside[in[s]] = next[s];
    }
    for (std::size_t s = 0; s < states; ++s) values[out[s]] = inside.at(in[s]);
    for (std::size_t k = 0; k < all.size(); ++k) values[out[states + k]] = all[k];
  }

  /// As in the definitions: gates i o f c of LSTM, z r h of GRU, whose reset gate is behind the product.
  static void recurrence(const std::string& type, const std::vector<const array*>& x,
                         const std::vector<std::string>& out, const attributes& with, values_type& values) {
    const array &input = *x.at(0), &W = *x.at(1), &R = *x.at(2);
    const auto given = [&](std::size_t k) { return k < x.size() ? x[k] : nullptr; };
    const long steps = input.extent(0), batch = input.extent(1), D = input.extent(2), H = R.extent(2),
               directions = W.extent(0), gates = W.extent(1) / H;
    if (H != with.number("hidden_size", 0)) throw std::runtime_error("another hidden_size");
    if (type == "GRU" && with.number("linear_before_reset", 0) != 1) throw std::runtime_error("another GRU");
    const std::string direction = with.texts.at("direction");
    if ((directions == 2) != (direction == "bidirectional")) throw std::runtime_error("another direction");
    array y = zeros_of({steps, directions, batch, H}), h = zeros_of({directions, batch, H}), c = h;
    if (given(5) != nullptr) h.data = x[5]->data;
    if (given(6) != nullptr) c.data = x[6]->data;
    const auto logistic = [](double a) { return 1 / (1 + std::exp(-a)); };
    for (long d = 0; d < directions; ++d)
      for (long b = 0; b < batch; ++b) {
        const long length = given(4) == nullptr ? steps : static_cast<long>(x[4]->at(b));
        for (long n = 0; n < length; ++n) {
          const long t = d == 1 || direction == "reverse" ? length - 1 - n : n;
          double* const state = &h.at((d * batch + b) * H);
          double* const cell = &c.at((d * batch + b) * H);
          const auto sum = [&](long gate, long u, bool of_state) {
            const long row = (d * gates + gate) * H + u;
            double total = given(3) == nullptr ? 0 : x[3]->at((2 * d + of_state) * gates * H + gate * H + u);
            if (of_state)
              for (long k = 0; k < H; ++k) total += R.at(row * H + k) * state[k];
            else
              for (long k = 0; k < D; ++k) total += W.at(row * D + k) * input.at((t * batch + b) * D + k);
            return total;
          };
          const auto both = [&](long gate, long u) { return sum(gate, u, false) + sum(gate, u, true); };
          std::vector<double> next;
          for (long u = 0; u < H; ++u) {
            if (type == "LSTM") {
              cell[u] = logistic(both(2, u)) * cell[u] + logistic(both(0, u)) * std::tanh(both(3, u));
              next.push_back(logistic(both(1, u)) * std::tanh(cell[u]));
            } else if (type == "GRU") {
              const double z = logistic(both(0, u)), r = logistic(both(1, u));
              next.push_back((1 - z) * std::tanh(sum(2, u, false) + r * sum(2, u, true)) + z * state[u]);
            } else {
              const std::string f = with.lists.at("activations").at(static_cast<std::size_t>(d));
              const double a = both(0, u);
              next.push_back(f == "Tanh" ? std::tanh(a) : f == "Relu" ? std::max(a, 0.0) : logistic(a));
            }
          }
          std::copy(next.begin(), next.end(), state);
          std::copy(next.begin(), next.end(), &y.at(((t * directions + d) * batch + b) * H));
        }
      }
    values[out.at(0)] = y;
    if (out.size() > 1) values[out[1]] = h;
    if (out.size() > 2) values[out[2]] = c;
  }

  /// Calls f(index of y, index of x or {}, number of the place) for all places of windows over x [batch, features, places..].
  template <class F>
  static void windows(const array& x, const std::vector<long>& shape, const attributes& with, F f) {
    const std::vector<long>& kernel = with.numbers.at("kernel_shape");
    const std::vector<long>&strides = with.numbers.at("strides"), &pads = with.numbers.at("pads");
    const auto dilations = with.numbers.find("dilations");
    each_place(shape, [&](const std::vector<long>& index, long) {
      each_place(kernel, [&](const std::vector<long>& place, long number) {
        std::vector<long> from = index;
        bool inside = true;
        for (std::size_t a = 0; a < place.size(); ++a) {
          const long dilation = dilations == with.numbers.end() ? 1 : dilations->second[a];
          from[2 + a] = index[2 + a] * strides[a] - pads[a] + place[a] * dilation;
          inside = inside && 0 <= from[2 + a] && from[2 + a] < x.shape[2 + a];
        }
        f(index, inside ? from : std::vector<long>{}, number);
      });
    });
  }
  static std::vector<long> shape_of_windows(const array& x, const attributes& with) {
    std::vector<long> shape = x.shape;
    for (std::size_t a = 2; a < shape.size(); ++a) {
      const auto of = [&](const char* name, std::size_t k) {
        const auto found = with.numbers.find(name);
        return found == with.numbers.end() ? 1 : found->second.at(k);
      };
      const long span = of("dilations", a - 2) * (of("kernel_shape", a - 2) - 1) + 1;
      shape[a] = (shape[a] + of("pads", a - 2) + of("pads", a - 2 + shape.size() - 2) - span) /
                     of("strides", a - 2) +
                 1;
    }
    return shape;
  }

  static array one(const std::string& type, const std::vector<const array*>& x, const attributes& with) {
    static const std::map<std::string, double (*)(double, double, double)> functions{
        {"Neg", [](double a, double, double) { return -a; }},
        {"Add", [](double a, double b, double) { return a + b; }},
        {"Sub", [](double a, double b, double) { return a - b; }},
        {"Mul", [](double a, double b, double) { return a * b; }},
        {"Max", [](double a, double b, double) { return std::max(a, b); }},
        {"Min", [](double a, double b, double) { return std::min(a, b); }},
        {"Less", [](double a, double b, double) { return double(a < b); }},
        {"LessOrEqual", [](double a, double b, double) { return double(a <= b); }},
        {"Greater", [](double a, double b, double) { return double(a > b); }},
        {"Equal", [](double a, double b, double) { return double(a == b); }},
        {"Where", [](double a, double b, double c) { return a != 0 ? b : c; }},
        {"Exp", [](double a, double, double) { return std::exp(a); }},
        {"Log", [](double a, double, double) { return std::log(a); }},
        {"Sqrt", [](double a, double, double) { return std::sqrt(a); }},
        {"Abs", [](double a, double, double) { return std::abs(a); }},
        {"Sign", [](double a, double, double) { return double(a > 0) - double(a < 0); }},
        {"Sin", [](double a, double, double) { return std::sin(a); }},
        {"Cos", [](double a, double, double) { return std::cos(a); }},
        {"Sigmoid", [](double a, double, double) { return 1 / (1 + std::exp(-a)); }},
        {"Tanh", [](double a, double, double) { return std::tanh(a); }},
        {"Relu", [](double a, double, double) { return std::max(a, 0.0); }},
        {"Softplus", [](double a, double, double) { return std::log1p(std::exp(a)); }},
        {"Erf", [](double a, double, double) { return std::erf(a); }},
        {"Identity", [](double a, double, double) { return a; }},
    };
    if (const auto f = functions.find(type); f != functions.end()) return elementwise(x, f->second);
    if (type == "Div")
      return elementwise(x, [whole = x[0]->is_whole](double a, double b, double) {
        return whole ? std::trunc(a / b) : a / b;
      });
    const array& a = *x.at(0);
    const auto list = [&](std::size_t k) {
      std::vector<long> all;
      for (const double v : x.at(k)->data) all.push_back(static_cast<long>(v));
      return all;
    };
    const auto of = [](long axis, long rank) { return axis < 0 ? axis + rank : axis; };
    if (type == "Cast") {
      array y = a;
      y.is_whole = with.number("to", 1) == 7 || with.number("to", 1) == 6;
      return y;
    }
    if (type == "Shape") {
      array y{{with.number("end", a.rank()) - with.number("start", 0)}, {}, true};
      for (long k = with.number("start", 0); k < with.number("end", a.rank()); ++k)
        y.data.push_back(double(a.extent(k)));
      return y;
    }
    if (type == "Range") {
      array y{{std::max(0L, static_cast<long>(x[1]->at(0) - a.at(0)))}, {}, a.is_whole};
      for (long k = 0; k < y.size(); ++k) y.data.push_back(a.at(0) + double(k) * x[2]->at(0));
      return y;
    }
    if (type == "Unsqueeze" || type == "Squeeze") {
      std::vector<long> axes = list(1), shape = a.shape;
      const long rank = a.rank() + (type == "Unsqueeze" ? static_cast<long>(axes.size()) : 0);
      for (long& k : axes) k = of(k, rank);
      std::sort(axes.begin(), axes.end());
      if (type == "Unsqueeze")
        for (const long k : axes) shape.insert(shape.begin() + k, 1);
      else
        for (std::size_t k = axes.size(); k-- > 0;) {
          if (a.extent(axes[k]) != 1) throw std::runtime_error("an axis of several is squeezed");
          shape.erase(shape.begin() + axes[k]);
        }
      return with_shape(a, shape);
    }
    if (type == "Reshape") {
      std::vector<long> shape = list(1);
      long known = 1;
      for (std::size_t k = 0; k < shape.size(); ++k) {
        if (shape[k] == 0) shape[k] = a.shape.at(k);
        known *= shape[k] > 0 ? shape[k] : 1;
      }
      for (long& k : shape)
        if (k < 0) k = known > 0 ? a.size() / known : 0;
      return with_shape(a, shape);
    }
    if (type == "Transpose") {
      const std::vector<long>& order = with.numbers.at("perm");
      std::vector<long> shape;
      for (const long k : order) shape.push_back(a.extent(k));
      return taken(a, shape, [&](const std::vector<long>& index) {
        std::vector<long> from(index.size());
        for (std::size_t k = 0; k < index.size(); ++k) from[static_cast<std::size_t>(order[k])] = index[k];
        return from;
      });
    }
    if (type == "Expand") {
      array like = zeros_of(list(1));
      return taken(a, joint_shape({&a, &like}), [&](const std::vector<long>& index) {
        std::vector<long> from(index.end() - a.rank(), index.end());
        for (long k = 0; k < a.rank(); ++k)
          if (a.extent(k) == 1) from[static_cast<std::size_t>(k)] = 0;
        return from;
      });
    }
    if (type == "Slice") {
      const std::vector<long> first = list(1), end = list(2), axes = list(3);
      const std::vector<long> by = x.size() > 4 ? list(4) : std::vector<long>(axes.size(), 1);
      std::vector<long> shape = a.shape;
      for (std::size_t k = 0; k < axes.size(); ++k) {
        const long axis = of(axes[k], a.rank()), last = std::min(end[k], a.extent(axis));
        shape[static_cast<std::size_t>(axis)] = std::max(0L, (last - first[k] + by[k] - 1) / by[k]);
      }
      return taken(a, shape, [&](std::vector<long> index) {
        for (std::size_t k = 0; k < axes.size(); ++k) {
          long& here = index[static_cast<std::size_t>(of(axes[k], a.rank()))];
          here = first[k] + here * by[k];
        }
        return index;
      });
    }
    if (type == "Pad") {
      const std::vector<long> pads = list(1);
      std::vector<long> shape = a.shape;
      for (std::size_t k = 0; k < shape.size(); ++k) shape[k] += pads[k] + pads[k + shape.size()];
      return taken(
          a, shape,
          [&](std::vector<long> index) {
            for (std::size_t k = 0; k < index.size(); ++k) index[k] -= pads[k];
            return index;
          },
          x.at(2)->at(0));
    }
    if (type == "Concat") {
      const auto axis = static_cast<std::size_t>(of(with.number("axis", 0), a.rank()));
      std::vector<long> shape = a.shape;
      shape[axis] = 0;
      for (const array* part : x) shape[axis] += part->shape.at(axis);
      array y = zeros_of(shape, a.is_whole);
      each_place(shape, [&](std::vector<long> index, long k) {
        std::size_t part = 0;
        for (; index[axis] >= x[part]->shape[axis]; ++part) index[axis] -= x[part]->shape[axis];
        y.at(k) = x[part]->at(place_in(*x[part], index));
      });
      return y;
    }
    if (type == "Gather") {  // along axis 0
      std::vector<long> shape = x.at(1)->shape;
      shape.insert(shape.end(), a.shape.begin() + 1, a.shape.end());
      return taken(a, shape, [&](const std::vector<long>& index) {
        const auto rank = static_cast<std::size_t>(x[1]->rank());
        std::vector<long> from{
            static_cast<long>(x[1]->at(place_in(*x[1], {index.begin(), index.begin() + x[1]->rank()})))};
        from.insert(from.end(), index.begin() + static_cast<long>(rank), index.end());
        return from;
      });
    }
    if (type == "MatMul") {  // of the last two axes; those before are repeated
      const array& b = *x.at(1);
      const array whole = zeros_of({b.shape.begin(), b.shape.end() - 2});
      const long depth = a.extent(-1);
      if (depth != b.extent(-2)) throw std::runtime_error("matrices that do not fit");
      array outer = zeros_of({a.shape.begin(), a.shape.end() - 2});
      std::vector<long> shape = joint_shape({&outer, &whole});
      shape.push_back(a.extent(-2));
      shape.push_back(b.extent(-1));
      array y = zeros_of(shape);
      each_place(shape, [&](const std::vector<long>& index, long k) {
        std::vector<long> left = index, right = index;
        for (long d = 0; d < depth; ++d) {
          left.back() = d;
          right[right.size() - 2] = d;
          y.at(k) += a.at(place_in(a, left)) * b.at(place_in(b, right));
        }
      });
      return y;
    }
    if (type == "Gemm") {
      const array &b = *x.at(1), &c = *x.at(2);
      if (with.number("transB", 0) != 1) throw std::runtime_error("another Gemm");
      array y = zeros_of({a.extent(0), b.extent(0)});
      each_place(y.shape, [&](const std::vector<long>& index, long k) {
        y.at(k) = c.at(index[1]);
        for (long d = 0; d < a.extent(1); ++d)
          y.at(k) += a.at(index[0] * a.extent(1) + d) * b.at(index[1] * a.extent(1) + d);
      });
      return y;
    }
    if (type == "Conv") {
      const array& w = *x.at(1);
      std::vector<long> shape = shape_of_windows(a, with);
      shape[1] = w.extent(0);
      array y = zeros_of(shape);
      const long places = w.size() / w.extent(0) / w.extent(1);
      windows(a, shape, with, [&](const std::vector<long>& index, std::vector<long> from, long number) {
        double& sum = y.at(place_in(y, index));
        if (number == 0 && x.size() > 2) sum += x[2]->at(index[1]);
        for (long feature = 0; feature < a.extent(1) && !from.empty(); ++feature) {
          from[1] = feature;
          sum += a.at(place_in(a, from)) * w.at((index[1] * a.extent(1) + feature) * places + number);
        }
      });
      return y;
    }
    if (type == "MaxPool" || type == "AveragePool") {
      const bool is_mean = type == "AveragePool";
      if (is_mean && with.number("count_include_pad", 0) != 1) throw std::runtime_error("another mean");
      array y = zeros_of(shape_of_windows(a, with));
      if (!is_mean) std::fill(y.data.begin(), y.data.end(), -INFINITY);
      double places = 1;
      for (const long size : with.numbers.at("kernel_shape")) places *= double(size);
      windows(a, y.shape, with, [&](const std::vector<long>& index, const std::vector<long>& from, long) {
        double& mine = y.at(place_in(y, index));
        if (from.empty()) return;
        const double there = a.at(place_in(a, from));
        mine = is_mean ? mine + there / places : std::max(mine, there);
      });
      return y;
    }
    if (type == "LayerNormalization") {  // over the last axis, with the default epsilon
      array y = a;
      const long size = a.extent(-1);
      for (long first = 0; first < a.size(); first += size) {
        double mean = 0, variance = 0;
        for (long k = 0; k < size; ++k) mean += a.at(first + k) / double(size);
        for (long k = 0; k < size; ++k) variance += std::pow(a.at(first + k) - mean, 2) / double(size);
        for (long k = 0; k < size; ++k)
          y.at(first + k) =
              (a.at(first + k) - mean) / std::sqrt(variance + 1e-5) * x.at(1)->at(k) + x.at(2)->at(k);
      }
      return y;
    }
    if (type == "Gelu") {
      array y = a;
      for (double& number : y.data) number *= 0.5 * (1 + std::erf(number / std::sqrt(2.0)));
      return y;
    }
    if (type == "LogSoftmax") {
      array y = one("Softmax", x, with);
      for (double& number : y.data) number = std::log(number);
      return y;
    }
    if (type == "ReduceSum" || type == "ReduceMax" || type == "Softmax") {
      const long axis = of(type == "Softmax" ? with.number("axis", -1)
                           : x.size() > 1    ? list(1).at(0)
                                             : with.numbers.at("axes").at(0),
                           a.rank());
      std::vector<long> shape = a.shape;
      shape[static_cast<std::size_t>(axis)] = 1;
      array sums = zeros_of(shape), highest = zeros_of(shape);
      std::fill(highest.data.begin(), highest.data.end(), -INFINITY);
      each_place(a.shape, [&](const std::vector<long>& index, long k) {
        double& top = highest.at(place_in(highest, index));
        top = std::max(top, a.at(k));
      });
      if (type == "ReduceMax") return highest;
      const bool is_softmax = type == "Softmax";
      const auto term = [&](const std::vector<long>& index, long k) {
        return is_softmax ? std::exp(a.at(k) - highest.at(place_in(highest, index))) : a.at(k);
      };
      each_place(a.shape, [&](const std::vector<long>& index, long k) {
        sums.at(place_in(sums, index)) += term(index, k);
      });
      if (!is_softmax) return sums;
      array y = zeros_of(a.shape);
      each_place(a.shape, [&](const std::vector<long>& index, long k) {
        y.at(k) = term(index, k) / sums.at(place_in(sums, index));
      });
      return y;
    }
    if (type == "ReverseSequence") {
      const auto time = static_cast<std::size_t>(with.number("time_axis", 0)),
                 batch = static_cast<std::size_t>(with.number("batch_axis", 1));
      return taken(a, a.shape, [&](std::vector<long> index) {
        const long length = static_cast<long>(x.at(1)->at(index[batch]));
        if (index[time] < length) index[time] = length - 1 - index[time];
        return index;
      });
    }
    throw std::runtime_error("no operator " + type);
  }

  std::string file_, graph_;
  message whole_;
  std::map<std::string, array> constants_{};
};

}  // namespace tenon::test::onnx
