// Decoders of papers, made of the library's layers and of equations, against loops in double: run at once, and as streams step by step.
// With lengths of both sequences that differ. Their gradients: engine/laws_decoders; against PyTorch: engine/golden_decoders.
#include "engine/decoders.hpp"

#include "support/machines.hpp"
#include "support/sample.hpp"
#include "tenon/engine/session/streaming.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tenon::test {

namespace {

using numbers = std::vector<double>;
using sequence = std::vector<numbers>;

// The parameters of a graph by their names.
struct learned {
  struct matrix {
    std::size_t columns = 1;
    numbers entries;
  };
  std::map<std::string, matrix> by_name;

  explicit learned(const auto& theta) {
    theta.for_each([&](std::string_view path, const auto& v) {
      by_name[std::string(path)] = {v.dimension() > 1 ? v.shape(1) : 1,
                                    numbers(v.data(), v.data() + v.size())};
    });
  }
  numbers times(const std::string& name, const numbers& x) const {
    const matrix& m = by_name.at(name);
    REQUIRE(m.columns == x.size());
    numbers y(m.entries.size() / x.size());
    for (std::size_t i = 0; i < y.size(); ++i)
      for (std::size_t j = 0; j < x.size(); ++j) y[i] += m.entries[i * x.size() + j] * x[j];
    return y;
  }
  numbers row(const std::string& table, int k) const {
    const matrix& m = by_name.at(table);
    const auto from = m.entries.begin() + k * static_cast<std::ptrdiff_t>(m.columns);
    return {from, from + static_cast<std::ptrdiff_t>(m.columns)};
  }
  const numbers& vector(const std::string& name) const { return by_name.at(name).entries; }
};
double product(const numbers& a, const numbers& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}
numbers sum_of(std::initializer_list<numbers> terms) {
  numbers sum(terms.begin()->size());
  for (const numbers& term : terms)
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += term[k];
  return sum;
}
numbers joined(numbers a, const numbers& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}
// h' = tanh(W x + b + U h + b')
numbers rnn_step(const learned& p, const std::string& node, const numbers& x, const numbers& h) {
  numbers next = sum_of({p.times(node + ".weight_ih_l0", x), p.vector(node + ".bias_ih_l0"),
                         p.times(node + ".weight_hh_l0", h), p.vector(node + ".bias_hh_l0")});
  for (double& v : next) v = std::tanh(v);
  return next;
}
numbers linear_map(const learned& p, const std::string& node, const numbers& x) {
  return sum_of({p.times(node + ".weight", x), p.vector(node + ".bias")});
}
// sum_j exp(score_j) factor_j h_j / sum_j exp(score_j) over the places that count; zeros if there is none.
numbers attend(
    const sequence& h, const std::function<double(std::size_t)>& score,
    const std::function<double(std::size_t)>& factor = [](std::size_t) { return 1.0; },
    const std::function<bool(std::size_t)>& counts = [](std::size_t) { return true; }) {
  numbers found(memory_features);
  double all = 0;
  for (std::size_t j = 0; j < h.size(); ++j)
    if (counts(j)) all += std::exp(score(j));
  for (std::size_t j = 0; j < h.size(); ++j)
    for (std::size_t k = 0; k < found.size(); ++k)
      if (counts(j)) found[k] += std::exp(score(j)) / all * factor(j) * h[j][k];
  return found;
}

// The scores of each step of one row, from the words before and the memory.
using loop = std::function<sequence(const learned&, const std::vector<int>&, const sequence&)>;

template <class M, class G>
void check_decoder(const loop& expected) {
  using T = typename M::scalar;
  constexpr int rows = 4;
  const std::vector<int> targets{4, 2, 0, 3}, sources{5, 3, 2, 0};
  random_numbers random(11);
  typename M::template parameters<G> theta(zeros{});
  for (int k = 0; k < theta.block_size; ++k) theta.data()[k] = static_cast<T>(0.8 * random());
  const learned p(std::as_const(theta));

  std::vector<std::vector<int>> words(rows);
  std::vector<std::vector<std::array<T, memory_features>>> memory(rows);
  for (std::size_t r = 0; r < rows; ++r) {
    for (int t = 0; t < targets[r]; ++t) words[r].push_back(random.below(known_words));
    for (int s = 0; s < sources[r]; ++s) {
      auto& frame = memory[r].emplace_back();
      for (T& x : frame) x = static_cast<T>(random());
    }
  }
  typename M::template inference<G, batch<rows>> run(theta);
  const auto scores = run(memory, words);
  streaming<G, on<typename M::backend>, scalar_type<T>> live(theta);
  const double allowed = std::is_same_v<T, double> ? 1e-12 : 2e-6;
  for (std::size_t r = 0; r < rows; ++r) {
    CAPTURE(r);
    sequence frames;
    for (const auto& frame : memory[r]) frames.emplace_back(frame.begin(), frame.end());
    const sequence right = expected(p, words[r], frames);
    REQUIRE(right.size() == words[r].size());
    set_input<"memory">(live, std::array{memory[r]});
    live.reset();
    for (std::size_t t = 0; t < right.size(); ++t) {
      CAPTURE(t);
      const auto one = live.step(std::vector{words[r][t]});
      for (std::size_t k = 0; k < right[t].size(); ++k) {
        CHECK(std::abs(double(scores(r, t, k)) - right[t][k]) < allowed);
        CHECK(std::abs(double(one(0, k)) - right[t][k]) < allowed);
      }
    }
  }
}

}  // namespace

TEST_CASE_TEMPLATE("attention by the last word's embedding", M, oracle, processor) {
  check_decoder<M, by_last_word>([](const learned& p, const std::vector<int>& words, const sequence& memory) {
    sequence scores;
    numbers s(state_features);
    for (const int word : words) {
      const numbers e = p.row("before.weight", word);
      s = rnn_step(p, "decoder",
                   joined(e, attend(memory, [&](std::size_t j) { return product(e, memory[j]); })), s);
      scores.push_back(linear_map(p, "logits", s));
    }
    return scores;
  });
}
TEST_CASE_TEMPLATE("one context that each step and each score sees", M, oracle, processor) {
  check_decoder<M, of_one_context>(
      [](const learned& p, const std::vector<int>& words, const sequence& memory) {
        numbers c(state_features);
        for (const numbers& frame : memory) c = rnn_step(p, "encoder", frame, c);
        sequence scores;
        numbers s = c;
        for (const int word : words) {
          const numbers e = p.row("before.weight", word);
          s = rnn_step(p, "decoder", joined(e, c), s);
          scores.push_back(linear_map(p, "logits", joined(joined(s, e), c)));
        }
        return scores;
      });
}
TEST_CASE_TEMPLATE("the table of the words is that of the scores", M, oracle, processor) {
  check_decoder<M, of_one_table>([](const learned& p, const std::vector<int>& words, const sequence& memory) {
    numbers s(state_features);
    for (const numbers& frame : memory) s = rnn_step(p, "encoder", frame, s);
    sequence scores;
    for (const int word : words) {
      s = rnn_step(p, "decoder", p.row("before.weight", word), s);
      numbers& all = scores.emplace_back();
      for (int w = 0; w < known_words; ++w) all.push_back(product(p.row("before.weight", w), s));
    }
    return scores;
  });
}
TEST_CASE_TEMPLATE("local attention around the step itself", M, oracle, processor) {
  check_decoder<M, local<local_monotonic>>([](const learned& p, const std::vector<int>& words,
                                              const sequence& memory) {
    sequence scores;
    numbers s(state_features);
    for (std::size_t t = 0; t < words.size(); ++t) {
      s = rnn_step(p, "decoder", p.row("before.weight", words[t]), s);
      const auto score = [&](std::size_t j) { return product(s, p.times("context.W_a", memory[j])); };
      const auto counts = [&](std::size_t j) { return std::abs(double(j) - double(t)) <= 1; };
      scores.push_back(linear_map(p, "logits",
                                  joined(s, attend(
                                                memory, score, [](std::size_t) { return 1.0; }, counts))));
    }
    return scores;
  });
}
TEST_CASE_TEMPLATE("local attention around a place that is predicted", M, oracle, processor) {
  check_decoder<M, local<local_predictive>>(
      [](const learned& p, const std::vector<int>& words, const sequence& memory) {
        sequence scores;
        numbers s(state_features);
        for (const int word : words) {
          s = rnn_step(p, "decoder", p.row("before.weight", word), s);
          numbers inner = p.times("context.W_p", s);
          for (double& v : inner) v = std::tanh(v);
          const double place = double(memory.size()) / (1 + std::exp(-p.times("context.v", inner)[0]));
          const auto score = [&](std::size_t j) { return product(s, p.times("context.W_a", memory[j])); };
          const auto near = [&](std::size_t j) {
            return std::exp(-std::pow(double(j) - place, 2) / (2 * 0.75 * 0.75));
          };
          const auto counts = [&](std::size_t j) { return std::abs(double(j) - place) <= 1.5; };
          scores.push_back(linear_map(p, "logits", joined(s, attend(memory, score, near, counts))));
        }
        return scores;
      });
}

}  // namespace tenon::test
