// The bodies of onnx_recurrences.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace tenon::inline v0_1::detail::onnx {

TENON_INLINE int recurrences::layered_state(const edge_view& v) {
  const bool fits = v.dims.size() == 3 && v.dims[0].empty() && is_whole(v) && v.dims[2] == v.features;
  const std::string path = edge(v.edge).path;
  const std::size_t end = path.find('.');
  if (!fits || (end == std::string::npos && edge(v.edge).node >= 0)) return -1;
  if (end == std::string::npos) return v.edge;
  if (path.substr(end) != ".final") return v.edge;
  onnx_network_edge made = edge(v.edge);
  made.path = path.substr(0, end) + ".h_n";
  made_.edges.push_back(made);
  wholes_.push_back(v);
  return static_cast<int>(made_.edges.size()) - 1;
}

TENON_INLINE void recurrences::check_weights(const onnx_read_node& n, const recurrent_weights& w) const {
  const onnx_array &W = w.W, &R = w.R;
  if (W.shape.size() != 3 || R.shape.size() != 3)
    refuse(n, "expected matrices [directions, gates, features]");
  const std::int64_t directions = W.shape[0], rows = w.gates() * R.shape[2];
  const bool fits_together = (directions == 1 || directions == 2) && W.shape[1] == rows &&
                             R.shape[0] == directions && R.shape[1] == rows && w.in() > 0 && w.hidden() > 0 &&
                             (!w.B || w.B->size() == 2 * directions * rows);
  if (!fits_together) refuse(n, "its matrices W and R and its biases B do not fit each other");
}

// Columns of nodes that read `x`, with the initial states that are not 0.
TENON_INLINE std::vector<int> recurrences::with_starts(const onnx_read_node& n, int x,
                                                       const std::vector<std::size_t>& states) {
  std::vector<int> sources{x};
  for (const std::size_t k : states) {
    if (!has_input(n, k) || input(n, k).kind == value_kind::zeros) continue;
    if (is_constant(n, k) && constant(n, k).numbers == std::vector<double>(constant(n, k).numbers.size(), 0))
      continue;
    const edge_view start = columns(n, k);
    const bool is_input = is_whole(start) && start.dims.size() == 3 && axis_table::only(start.dims[0]) >= 0 &&
                          axes_.is(start.dims[0][0], axis_kind::layers);
    const int layered = is_input ? start.edge : layered_state(start);
    if (layered < 0)
      refuse(n, "an initial state that is neither an input of layers nor a last state, but " + said(start));
    sources.push_back(layered);
  }
  if (sources.size() > 1 && sources.size() < states.size() + 1) refuse(n, "one initial state of two");
  return sources;
}

// The rows of gates of one direction, in another order.
TENON_INLINE onnx_array gates_in_order(const onnx_array& from, const std::vector<std::int64_t>& order,
                                       std::int64_t first, std::int64_t hidden, std::int64_t width) {
  const std::int64_t size = hidden * std::max<std::int64_t>(width, 1), rows = std::ssize(order) * hidden;
  onnx_array made{width > 0 ? std::vector<std::int64_t>{rows, width} : std::vector<std::int64_t>{rows}};
  for (const std::int64_t gate : order) {
    const auto at = from.numbers.begin() + first + gate * size;
    made.numbers.insert(made.numbers.end(), at, at + size);
  }
  return made;
}
TENON_INLINE int recurrences::add_layer(const onnx_read_node& n, const recurrent_weights& w,
                                        const std::vector<int>& sources) {
  const std::int64_t hidden = w.hidden(), gates = w.gates(), in = w.in();
  const std::string size = std::to_string(hidden);
  const std::string options = std::string(w.directions() == 2 ? ", bidirectional" : "") +
                              (w.B || w.resets_state ? ">" : ", no_bias>");
  const std::string cell = w.resets_state              ? "recurrent<cells::gru_cho, hidden<" + size + ">"
                           : w.type == "LSTM"          ? "lstm<" + size
                           : w.type == "GRU"           ? "gru<" + size
                           : w.activation == "Relu"    ? "recurrent<cells::rnn_relu, hidden<" + size + ">"
                           : w.activation == "Sigmoid" ? "recurrent<cells::rnn_sigmoid, hidden<" + size + ">"
                                                       : "rnn<" + size;
  const int e = add_node(n, cell + options, sources, edge(sources[0]).axes, w.directions() * hidden);
  auto& parameters = node_of(e).parameters;
  // The gates of ONNX in PyTorch's order: i f g o of i o f c, r z n of z r h.
  const std::vector<std::int64_t> order = w.type == "LSTM"  ? std::vector<std::int64_t>{0, 2, 3, 1}
                                          : w.type == "GRU" ? std::vector<std::int64_t>{1, 0, 2}
                                                            : std::vector<std::int64_t>{0};
  for (std::int64_t d = 0; d < w.directions(); ++d) {
    const std::string suffix = d == 1 ? "_l0_reverse" : "_l0";
    const std::int64_t rows = d * gates * hidden;
    if (w.resets_state) {  // Cho's z is 1 - z here, and its biases are one
      for (std::int64_t gate = 0; gate < 3; ++gate) {
        const std::string name = std::string("_") + "zrn"[gate] + suffix;
        const double sign = gate == 0 ? -1 : 1;
        onnx_array W = gates_in_order(w.W, {gate}, rows * in, hidden, in),
                   U = gates_in_order(w.R, {gate}, rows * hidden, hidden, hidden),
                   b{{hidden}, std::vector<double>(static_cast<std::size_t>(hidden), 0)};
        if (w.B)
          for (const std::int64_t half : {2 * rows, 2 * rows + gates * hidden}) {
            const onnx_array more = gates_in_order(*w.B, {gate}, half, hidden, 0);
            for (std::size_t k = 0; k < more.numbers.size(); ++k) b.numbers[k] += more.numbers[k];
          }
        for (onnx_array* const p : {&W, &U, &b})
          for (double& number : p->numbers) number *= sign;
        parameters.emplace_back("W" + name, W);
        parameters.emplace_back("U" + name, U);
        parameters.emplace_back("b" + name, b);
      }
      continue;
    }
    parameters.emplace_back("weight_ih" + suffix, gates_in_order(w.W, order, rows * in, hidden, in));
    parameters.emplace_back("weight_hh" + suffix, gates_in_order(w.R, order, rows * hidden, hidden, hidden));
    if (!w.B) continue;
    parameters.emplace_back("bias_ih" + suffix, gates_in_order(*w.B, order, 2 * rows, hidden, 0));
    parameters.emplace_back("bias_hh" + suffix,
                            gates_in_order(*w.B, order, 2 * rows + gates * hidden, hidden, 0));
  }
  return e;
}
// [steps, batch, features]?
TENON_INLINE bool recurrences::is_sequence(const edge_view& x) const {
  return x.dims.size() == 3 && axis_table::only(x.dims[0]) >= 0 && axes_.is(x.dims[0][0], axis_kind::steps) &&
         axis_table::only(x.dims[1]) >= 0 && axes_.is(x.dims[1][0], axis_kind::batch) &&
         x.dims[2] == x.features;
}

TENON_INLINE void recurrences::add_recurrence(const onnx_read_node& n) {
  edge_view x = columns(n, 0);
  recurrent_weights w{.type = n.type, .W = constant(n, 1), .R = constant(n, 2)};
  if (has_input(n, 3)) w.B = constant(n, 3);
  check_weights(n, w);
  const bool is_lstm = n.type == "LSTM";
  const auto text = [&](const char* name) {
    const auto found = n.attributes.find(name);
    return found == n.attributes.end() ? std::string() : found->second.text;
  };
  if (attribute(n, "layout", 0) != 0) refuse(n, "layout 1");
  if (n.attributes.contains("clip") || attribute(n, "input_forget", 0) != 0 || has_input(n, 7))
    refuse(n, "clip, input_forget and peepholes are not understood");
  w.resets_state = n.type == "GRU" && attribute(n, "linear_before_reset", 0) != 1;
  if (!is_sequence(x)) refuse(n, "expected [steps, batch, features], got " + said(x));
  if (axes_.columns_of(x) != w.in())
    refuse(n, "expected " + std::to_string(w.in()) + " features, got " + std::to_string(axes_.columns_of(x)));
  if (const auto found = n.attributes.find("activations"); found != n.attributes.end()) {
    const std::vector<std::string>& f = found->second.texts;
    const std::vector<std::string> usual = is_lstm ? std::vector<std::string>{"Sigmoid", "Tanh", "Tanh"}
                                           : n.type == "GRU" ? std::vector<std::string>{"Sigmoid", "Tanh"}
                                                             : std::vector<std::string>{"Tanh"};
    for (std::size_t k = 0; k < f.size(); ++k) {
      if (f[k] == usual[k % usual.size()]) continue;
      if (n.type != "RNN" || f[k] != f[0] || (f[k] != "Relu" && f[k] != "Sigmoid"))
        refuse(n, "the activation " + f[k]);
      w.activation = f[k];
    }
  }
  if (!has_input(n, 4)) needs_whole_rows(n);
  else if (!is_lengths(input(n, 4)) || input(n, 4).is_sorted != (x.dims[1][0] == sorted_batch_))
    refuse(n, "lengths that are no input, or in another order than its rows");
  if (has_input(n, 4)) pair_lengths(n, x.dims[0][0], input(n, 4).columns.edge);
  const bool is_backward = text("direction") == "reverse";
  if (is_backward) x = reversed(n, x, 0);
  const int e = add_layer(
      n, w,
      with_starts(n, edge_of(n, x), is_lstm ? std::vector<std::size_t>{5, 6} : std::vector<std::size_t>{5}));
  // Y [steps, directions, batch, features], Y_h and Y_c [directions, batch, features].
  const int unit = axes_.add(axis_kind::features, w.hidden());
  std::vector<int> run, all{unit};
  if (w.directions() == 2) {
    run = {axes_.add(axis_kind::features, 2)};
    all = {run[0], unit};
  }
  const edge_view y{e, 0, all, {x.dims[0], run, x.dims[1], {unit}}};
  set_columns(n, is_backward ? reversed(n, y, 0) : y);
  for (std::size_t k = 1; k < n.outputs.size(); ++k) {
    edge_view last = last_of(e, k == 1 ? "final" : "c_n");
    last.features = all;
    last.dims = {run, x.dims[1], {unit}};
    wholes_.back() = last;
    set_columns(n, last, k);
  }
}

// --- steps in reverse -----------------------------------------------------------------------------------------

constexpr const char* backward = "backward";  // the layer

TENON_INLINE edge_view recurrences::reversed(const onnx_read_node& n, const edge_view& x,
                                             std::size_t dimension) {
  if (axis_table::only(x.dims.at(dimension)) < 0 || !axes_.is(x.dims[dimension][0], axis_kind::steps))
    refuse(n, "reverses another dimension than steps of " + said(x));
  const int e = add_node(n, backward, {edge_of(n, x)}, edge(x.edge).axes, axes_.columns_of(x));
  node_of(e).equation =
      "struct backward {\n  static constexpr auto at(auto x) { return reversed(x, along(x)); }\n};\n";
  return in_place_of(x, e);
}
TENON_INLINE bool recurrences::add_reversed(const onnx_read_node& n) {
  const auto is_steps = [&](const edge_view& x, std::int64_t axis) {
    return axis >= 0 && axis < std::ssize(x.dims) &&
           axis_table::only(x.dims[static_cast<std::size_t>(axis)]) >= 0;
  };
  if (n.type == "Slice") {
    if (!has_input(n, 4) || input(n, 0).kind != value_kind::columns ||
        numbers(n, 4) != std::vector<std::int64_t>{-1})
      return false;
    const edge_view x = columns(n, 0);
    std::int64_t axis = numbers(n, 3).at(0);
    if (axis < 0) axis += std::ssize(x.dims);
    const std::int64_t first = numbers(n, 1).at(0), end = numbers(n, 2).at(0);
    if (!is_steps(x, axis) || first != -1 || end > -1'000'000'000) return false;
    needs_whole_rows(n);
    set_columns(n, reversed(n, x, static_cast<std::size_t>(axis)));
    return true;
  }
  if (n.type != "ReverseSequence") return false;
  const edge_view x = columns(n, 0);
  const std::int64_t axis = attribute(n, "time_axis", 0);
  if (!is_steps(x, axis)) refuse(n, "reverses another dimension than steps of " + said(x));
  const int steps = x.dims[static_cast<std::size_t>(axis)][0];
  const value_read& lengths = input(n, 1);
  if (lengths.kind == value_kind::sizes) {  // all steps of all rows
    if (lengths.sizes.empty() || !(lengths.sizes[0] == axes_.size_of({steps})))
      refuse(n, "reverses a part of the steps");
    needs_whole_rows(n);
  } else if (is_lengths(lengths)) {
    pair_lengths(n, steps, lengths.columns.edge);
  } else {
    refuse(n, "lengths that are no input");
  }
  set_columns(n, reversed(n, x, static_cast<std::size_t>(axis)));
  return true;
}

TENON_INLINE void recurrences::join_directions() {
  const auto node_at = [&](int e) -> const onnx_layer_node* {
    return edge(e).node < 0 ? nullptr : &made_.nodes[static_cast<std::size_t>(edge(e).node)];
  };
  for (onnx_layer_node& joined : made_.nodes) {
    if (joined.layer != "concatenate" || joined.sources.size() != 2) continue;
    const auto is_last = [&](int e) { return edge(e).path.find(".final") != std::string::npos; };
    const onnx_layer_node *ahead = node_at(joined.sources[0]), *behind = node_at(joined.sources[1]);
    const bool are_last = is_last(joined.sources[0]) && is_last(joined.sources[1]);
    if (ahead == nullptr || behind == nullptr) continue;
    if (!are_last) {  // of the steps, which are turned back
      if (behind->layer != backward) continue;
      const int turned = behind->sources[0];
      if (node_at(turned) == nullptr || edge(turned).path != node_at(turned)->name) continue;
      behind = node_at(turned);
    }
    const bool fits = ahead->is_recurrence() && ahead->layer == behind->layer && ahead->sources.size() == 1 &&
                      behind->sources.size() == 1 && node_at(behind->sources[0]) != nullptr &&
                      node_at(behind->sources[0])->layer == backward &&
                      node_at(behind->sources[0])->sources == ahead->sources &&
                      ahead->layer.find("bidirectional") == std::string::npos;
    if (!fits) continue;
    const std::size_t options = ahead->layer.find(", no_bias>");
    const std::size_t end = options == std::string::npos ? ahead->layer.size() - 1 : options;
    std::string layer = ahead->layer;
    layer.insert(end, ", bidirectional");
    std::vector<std::pair<std::string, onnx_array>> parameters = ahead->parameters;
    for (const auto& [name, numbers] : behind->parameters)
      parameters.emplace_back(name + "_reverse", numbers);
    const std::vector<int> sources = ahead->sources;
    joined.layer = layer;
    joined.parameters = parameters;
    joined.sources = sources;
    if (are_last)
      for (onnx_network_edge& e : made_.edges)
        if (e.path == joined.name) e.path += ".final";
  }
}

// --- loops ----------------------------------------------------------------------------------------------------

// The node of a body that reads the step of a sequence.
TENON_INLINE const onnx_read_node& recurrences::reader_of_steps(const onnx_read_node& n,
                                                                const onnx_read_graph& body) const {
  const onnx_read_node* found = nullptr;
  for (const onnx_read_node& of_body : body.nodes) {
    if (of_body.type != "Gather" || of_body.inputs.size() != 2) continue;
    const value_kind kind = value_of(of_body.inputs[0]).kind;
    if (kind != value_kind::columns && kind != value_kind::term) continue;
    if (found != nullptr && (found->inputs != of_body.inputs)) refuse(n, "its step reads two sequences");
    found = &of_body;
  }
  if (found == nullptr) refuse(n, "its step reads no sequence");
  return *found;
}
// Sets what a step begins with, other numbers for each feature of its state; the place of the state among what the loop carries.
TENON_INLINE std::size_t recurrences::begin_step(const onnx_read_node& n, const onnx_read_graph& body,
                                                 step_function& step) const {
  for (const onnx_read_node& of_body : body.nodes)
    for (const std::string& name : of_body.inputs)
      if (const value_read& v = value_of(name);
          v.kind == value_kind::constant || (v.kind == value_kind::sizes && v.constant.is_whole))
        step.set(name, v.constant);
  std::optional<std::size_t> state;
  for (std::size_t k = 0; k + 2 < n.inputs.size(); ++k) {
    const onnx_read_value& v = body.inputs[2 + k];
    const value_read& first = input(n, 2 + k);
    if (first.kind == value_kind::constant && body.outputs[1 + k].name == v.name) {
      step.set(v.name, first.constant);
    } else if (!is_counter(first)) {
      if (state) refuse(n, "carries two states");
      if (v.shape.size() != 2 || v.shape[1].number < 1 || v.shape[1].number > 1 << 20)
        refuse(n, "a state whose features are not known: '" + v.name + "'");
      step_value h{{1, v.shape[1].number}};
      for (std::int64_t i = 0; i < h.shape[1]; ++i)
        h.numbers.push_back(-0.9 * std::sin(1.7 * static_cast<double>(i) + 12.3));
      h.sees_state = true;
      step.set(v.name, h);
      state = k;
    }
  }
  if (!state) refuse(n, "carries no state");
  return *state;
}
TENON_INLINE bool recurrences::is_counter(const value_read& first) {
  return first.kind == value_kind::sizes && !first.is_list && first.sizes.size() == 1 &&
         first.sizes[0].is_number();
}
// Runs the first steps and the last: does each read the sequence's next, and does the loop go on?
TENON_INLINE void recurrences::run_steps(const onnx_read_node& n, const onnx_read_graph& body,
                                         const std::string& index, std::int64_t steps,
                                         step_function& step) const {
  for (const std::int64_t count : {steps - 1, std::int64_t(0), std::int64_t(1), std::int64_t(2)}) {
    if (count >= steps) continue;
    const auto number = [](std::int64_t k) { return step_value{{}, {static_cast<double>(k)}}; };
    const auto is = [&](const std::string& name, std::int64_t k) {
      return step[name].numbers == number(k).numbers;
    };
    step.set(body.inputs[0].name, number(count));
    step.set(body.inputs[1].name, number(1));
    for (std::size_t k = 2; k < n.inputs.size(); ++k)
      if (is_counter(input(n, k)))
        step.set(body.inputs[k].name, number(added(input(n, k).sizes[0].number, count)));
    step.run();
    for (std::size_t k = 2; k < n.inputs.size(); ++k)
      if (is_counter(input(n, k)) &&
          !is(body.outputs[k - 1].name, added(input(n, k).sizes[0].number, count + 1)))
        refuse(n, "'" + body.inputs[k].name + "' does not count its steps");
    if (!is(index, count)) refuse(n, "does not read a step after the other, from the first on");
    if (count + 1 < steps && !is(body.outputs[0].name, 1)) refuse(n, "ends before the last step");
  }
}
TENON_INLINE void recurrences::add_loop(const onnx_read_node& n) {
  const auto found = n.attributes.find("body");
  if (found == n.attributes.end() || found->second.graph == nullptr) refuse(n, "has no body");
  const onnx_read_graph& body = *found->second.graph;
  const std::size_t carried = n.inputs.size() < 2 ? 0 : n.inputs.size() - 2;
  if (body.inputs.size() != carried + 2 || body.outputs.size() != n.outputs.size() + 1 ||
      n.outputs.size() < carried)
    refuse(n, "its body has other inputs or outputs than the loop");
  const onnx_read_node& reader = reader_of_steps(n, body);
  const edge_view x = columns(reader, 0);
  if (!is_sequence(x) || axes_.columns_of(x) > 1 << 20)
    refuse(n, "expected a step of [steps, batch, features], got one of " + said(x));
  const symbolic_size steps = axes_.size_of(x.dims[0]);
  if (has_input(n, 0) && input(n, 0).sizes != std::vector<symbolic_size>{steps})
    refuse(n, "runs another number of times than " + said(x) + " has steps");
  if (!steps.is_number()) refuse(n, "over a number of steps that the file does not have");
  needs_whole_rows(n);
  step_value row{{1, axes_.columns_of(x)}};
  for (std::int64_t k = 0; k < row.shape[1]; ++k)
    row.numbers.push_back(std::sin(1.7 * static_cast<double>(k) + 0.4));
  step_function step(body, {reader.inputs[0]}, row);
  const std::size_t state = begin_step(n, body, step);
  run_steps(n, body, reader.inputs[1], steps.number, step);
  const std::string& after = body.outputs[1 + state].name;
  const std::optional<recurrent_weights> w = step.cell(body.inputs[2 + state].name, after);
  if (!w) refuse(n, "its step is neither that of a GRU nor that of an RNN");
  check_weights(n, *w);
  const int e = add_layer(n, *w, with_starts(n, edge_of(n, x), {2 + state}));
  for (std::size_t k = 0; k < n.outputs.size(); ++k) {
    const std::string& made = body.outputs[1 + k].name;
    if (k == state) {
      set_columns(n, last_of(e, "final"), k);
    } else if (k < carried) {
      if (input(n, 2 + k).kind == value_kind::constant) set(n, input(n, 2 + k), k);
    } else if (step[made].numbers == step[after].numbers) {
      edge_view y = in_place_of(x, e);
      y.features = y.dims[2] = whole_of(e).features;
      set_columns(n, y, k);
    } else {
      refuse(n, "collects something else than its state: '" + made + "'");
    }
  }
}

}  // namespace tenon::inline v0_1::detail::onnx
