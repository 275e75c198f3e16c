// The models as a user of PyTorch's C++ library would write them: matrices with the same input are merged, computations that need no state
// run for all words at once, and attention is the fused one if a query has many keys. Parameters are Tenon's initial ones, by name.
#pragma once

#include "language/values.hpp"

#define STRIP_ERROR_MESSAGES  // messages as literals: its packages before 2.7 have strings of the older binary interface
#include <torch/torch.h>

#include <cmath>
#include <map>
#include <string>

namespace bench {

namespace functional = torch::nn::functional;
using torch::Tensor;

// Tokens [rows, longest], padded with 0; targets are padded with -1, which is no class.
inline Tensor padded(const sentences& all, long behind = 0) {
  std::vector<Tensor> rows;
  for (const auto& one : all) rows.push_back(torch::tensor(std::vector<long>(one.begin(), one.end())));
  return torch::nn::utils::rnn::pad_sequence(rows, true, double(behind));
}
// The mask of words: [rows, longest].
inline Tensor present(const sentences& all, long longest) {
  std::vector<long> lengths;
  for (const auto& one : all) lengths.push_back(long(one.size()));
  return torch::arange(longest).unsqueeze(0) < torch::tensor(lengths).unsqueeze(1);
}

class parameters_by_name {
  std::map<std::string, Tensor> given_, learned_;

 public:
  explicit parameters_by_name(const language_work& w) {
    for (const named_value& v : first_values(w))
      given_[v.name] = torch::from_blob(const_cast<float*>(v.values.data()), v.sizes).clone();
  }
  bool has(const std::string& name) const { return given_.count(name) > 0; }
  // Several of Tenon's parameters, concatenated and learned as one.
  Tensor operator()(const std::vector<std::string>& names, long axis = 0) {
    Tensor& all = learned_[names.front()];
    if (!all.defined()) {
      std::vector<Tensor> parts;
      for (const auto& name : names) parts.push_back(given_.at(name));
      all = torch::cat(parts, axis).requires_grad_(true);
    }
    return all;
  }
  Tensor operator()(const std::string& name) { return (*this)(std::vector<std::string>{name}); }
  std::vector<Tensor> learned() const {
    std::vector<Tensor> all;
    for (const auto& [name, value] : learned_) all.push_back(value);
    return all;
  }
};

// Bahdanau et al. 2015. The first axis is time; the states that attention reads are [rows, time, 2 H].
class torch_bahdanau {
  struct gates {
    Tensor w, u, u_new, b;
    gates(parameters_by_name& p, const std::string& before, const std::string& behind)
        : w(p(named(before, behind, "W_z", "W_r", "W_n"))),
          u(p(std::vector{before + "U_z" + behind, before + "U_r" + behind})),
          u_new(p(before + "U_n" + behind)),
          b(p(named(before, behind, "b_z", "b_r", "b_n"))) {}
    static std::vector<std::string> named(const std::string& before, const std::string& behind, const char* z,
                                          const char* r, const char* n) {
      return {before + z + behind, before + r + behind, before + n + behind};
    }
    Tensor inputs(const Tensor& x) const { return functional::linear(x, w, b); }
    // One step from W x + b, plus anything else already added to it.
    Tensor step(const Tensor& given, const Tensor& h) const {
      const long size = h.size(1);
      const auto zr = torch::sigmoid(given.narrow(1, 0, 2 * size) + functional::linear(h, u)).chunk(2, 1);
      const Tensor n = torch::tanh(given.narrow(1, 2 * size, size) + functional::linear(zr[1] * h, u_new));
      return torch::lerp(h, n, zr[0]);
    }
  };
  parameters_by_name& p;
  long h;
  Tensor read = p("read.0.weight"), before = p("before.0.weight");
  gates forward_{p, "states.", "_l0"}, reverse_{p, "states.", "_l0_reverse"}, decoder_{p, "decoder.", "_l0"};
  Tensor v_gates = p(gates::named("decoder.", "_l0", "V_z", "V_r", "V_n"));
  Tensor w_a = p("decoder.W_a_l0"), u_a = p("decoder.U_a_l0"), v_a = p("decoder.v_l0");
  Tensor w_s = p("first.W_s"), b_s = p("first.b_s");
  Tensor w_o = p({"deep.W_o", "deep.V_o"}, 1), b_o = p("deep.b_o");
  Tensor logits_ = p("logits.1.weight"), logits_bias = p("logits.1.bias");

 public:
  struct source_states {
    Tensor states, keys, present;  // [rows, S, 2 H], [rows, S, H]; [rows, S], undefined if no word is padding
    Tensor first;                  // [rows, H]
  };
  torch_bahdanau(parameters_by_name& from, long hidden) : p(from), h(hidden) {}

  source_states encode(const Tensor& source, const Tensor& there) const {
    const long rows = source.size(0), steps = source.size(1);
    const Tensor x = functional::embedding(source.t(), read), mask = there.t().unsqueeze(2);  // [S, rows, ..]
    const bool all = there.all().item<bool>();
    std::vector<Tensor> states(static_cast<std::size_t>(steps)), back = states;
    const auto go = [&](const gates& cell, std::vector<Tensor>& to, bool backwards) {
      const Tensor inputs = cell.inputs(x);
      Tensor s = torch::zeros({rows, h});
      for (long k = 0; k < steps; ++k) {
        const long t = backwards ? steps - 1 - k : k;
        const Tensor next = cell.step(inputs[t], s);
        s = all ? next : torch::where(mask[t], next, s);
        to[static_cast<std::size_t>(t)] = s;
      }
    };
    go(forward_, states, false);
    go(reverse_, back, true);
    const Tensor both = torch::cat({torch::stack(states, 1), torch::stack(back, 1)}, 2);
    return {both, functional::linear(both, u_a), all ? Tensor() : there,
            torch::tanh(functional::linear(back[0], w_s, b_s))};
  }
  Tensor context(const source_states& from, const Tensor& s) const {
    const Tensor e =
        functional::linear(torch::tanh(functional::linear(s, w_a).unsqueeze(1) + from.keys), v_a).squeeze(2);
    const Tensor weights =
        torch::softmax(from.present.defined() ? e.masked_fill(~from.present, -INFINITY) : e, 1);
    return from.states.size(0) == 1 ? torch::matmul(weights, from.states[0])  // one sentence, many rows
                                    : torch::bmm(weights.unsqueeze(1), from.states).squeeze(1);
  }
  Tensor scores(const Tensor& s, const Tensor& c, const Tensor& y) const {
    const auto halves = functional::linear(torch::cat({s, c, y}, -1), w_o, b_o).chunk(2, -1);
    return functional::linear(torch::maximum(halves[0], halves[1]), logits_, logits_bias);
  }
  // One step: the scores of the next word, and the next state.
  std::pair<Tensor, Tensor> step(const source_states& from, const Tensor& word, const Tensor& s) const {
    const Tensor y = functional::embedding(word, before), c = context(from, s);
    return {scores(s, c, y), decoder_.step(decoder_.inputs(y) + functional::linear(c, v_gates), s)};
  }
  Tensor forward(const Tensor& source, const Tensor& there, const Tensor& word) const {
    const source_states from = encode(source, there);
    const Tensor y = functional::embedding(word.t(), before), inputs = decoder_.inputs(y);
    Tensor s = from.first;
    std::vector<Tensor> states, contexts;
    for (long t = 0; t < word.size(1); ++t) {
      const Tensor c = context(from, s);
      states.push_back(s);
      contexts.push_back(c);
      s = decoder_.step(inputs[t] + functional::linear(c, v_gates), s);
    }
    return scores(torch::stack(states), torch::stack(contexts), y).transpose(0, 1);
  }
};

// Vaswani et al. 2017, normalised before each part; the table of the target's words is also the matrix of its scores.
class torch_transformer {
  parameters_by_name& p;
  long d, heads = 4;
  Tensor positions;  // [longest, D]

  Tensor affine(const Tensor& x, const std::string& name) const {
    return functional::linear(x, p(name + ".weight"), p(name + ".bias"));
  }
  Tensor normalized(const Tensor& x, const std::string& name) const {
    return torch::layer_norm(x, {d}, p(name + ".weight"), p(name + ".bias"));
  }
  Tensor words(const Tensor& of, const Tensor& table) const {
    return functional::embedding(of, table) * std::sqrt(double(d)) + positions.narrow(0, 0, of.size(1));
  }
  // [rows, time, n D] as n of [rows, heads, time, D / heads].
  std::vector<Tensor> parts(const Tensor& x, long n) const {
    return x.view({x.size(0), x.size(1), n, heads, d / heads}).permute({2, 0, 3, 1, 4}).unbind(0);
  }
  Tensor joined(const Tensor& found, const std::string& name) const {
    return affine(found.transpose(1, 2).reshape({found.size(0), found.size(2), d}), name + ".out_proj");
  }
  Tensor attend(const Tensor& x, const std::string& name, const c10::optional<Tensor>& mask,
                bool causal) const {
    const auto qkv = parts(functional::linear(x, p(name + ".in_proj_weight"), p(name + ".in_proj_bias")), 3);
    return joined(torch::scaled_dot_product_attention(qkv[0], qkv[1], qkv[2], mask, 0, causal), name);
  }
  Tensor attend_to(const Tensor& x, const Tensor& memory, const std::string& name, const Tensor& mask) const {
    const Tensor w = p(name + ".in_proj_weight"), b = p(name + ".in_proj_bias");
    const auto q = parts(functional::linear(x, w.narrow(0, 0, d), b.narrow(0, 0, d)), 1);
    const auto kv = parts(functional::linear(memory, w.narrow(0, d, 2 * d), b.narrow(0, d, 2 * d)), 2);
    return joined(torch::scaled_dot_product_attention(q[0], kv[0], kv[1], mask), name);
  }
  Tensor feed(const Tensor& x, const std::string& name) const {
    return affine(torch::relu(affine(x, name + ".linear1")), name + ".linear2");
  }

 public:
  torch_transformer(parameters_by_name& from, long features, long longest) : p(from), d(features) {
    const Tensor angle = torch::arange(longest).unsqueeze(1) *
                         torch::exp(torch::arange(d / 2) * (-2 * std::log(10000.) / double(d)));
    positions = torch::cat({torch::sin(angle), torch::cos(angle)}, 1);
  }
  Tensor forward(const Tensor& source, const Tensor& there, const Tensor& word) const {
    const Tensor mask = there.unsqueeze(1).unsqueeze(1);  // [rows, 1, 1, S]
    Tensor memory = words(source, p("read.0.weight"));
    for (const char* name : {"memory.0", "memory.1", "memory.2"}) {
      const std::string block = name;
      memory = memory + attend(normalized(memory, block + ".norm1"), block + ".self_attn", mask, false);
      memory = memory + feed(normalized(memory, block + ".norm2"), block);
    }
    memory = normalized(memory, "memory.3");
    const Tensor table = p(p.has("before.0.weight") ? "before.0.weight" : "logits.weight");
    Tensor x = words(word, table);
    for (const char* name : {"first", "second", "third"}) {
      const std::string block = name;
      x = x + attend(normalized(x, block + ".norm1"), block + ".self_attn", c10::nullopt, true);
      x = x + attend_to(normalized(x, block + ".norm2"), memory, block + ".multihead_attn", mask);
      x = x + feed(normalized(x, block + ".norm3"), block);
    }
    return functional::linear(normalized(x, "found"), table, p("logits.bias"));
  }
};

}  // namespace bench
