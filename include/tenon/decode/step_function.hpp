// step_function: a stream that writes a sequence, token by token: a token goes in, the scores of the next come out. It
// is the common base of all decoders, with the errors of a stream that cannot be one.
#pragma once

#include "tenon/decode/choose.hpp"
#include "tenon/decode/next_token.hpp"
#include "tenon/engine/session/session.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#define TENON_BRACES_OF_PROMPT                                                                           \
  "a prompt is a range of tokens, or for several rows a range of such ranges: write std::vector{7, 4}; " \
  "of a text, words.encode(words_of(text))"

namespace tenon::inline v0_1::detail {

// Is there an error to report? Not for a graph that already has one.
template <class Live>
inline constexpr bool is_whole_graph = false;
template <class Live>
requires requires { typename Live::plan; }
inline constexpr bool is_whole_graph<Live> = engine::is_laid_out<typename Live::plan>;

template <class Live, ir::text Way, ir::text Input, ir::text Scores, ir::text Kept>
struct unfit_step_function {
  static constexpr ir::problem wrong = [] {
    using ir::sentence;
    const sentence way = Way.view();
    if constexpr (!engine::Stream<Live>) {
      return ir::problem{.rule = sentence(way).append(" takes a stream"),
                         .fix = "write streaming<graph, batch<rows>>, bound to its parameters"};
    } else if constexpr (std::is_const_v<Live>) {
      return engine::const_session<Live>::wrong;
    } else {
      using live_plan = typename Live::plan;
      constexpr const auto& net = live_plan::net;
      constexpr int in = engine::input_edge<live_plan>(Input), out = engine::output_edge<live_plan>(Scores);
      if (!is_whole_graph<Live>) return ir::problem{};
      if (in < 0) return engine::unfit_name_of_input<live_plan, Input>::wrong;
      if (out < 0) return engine::unfit_name_of_output<live_plan, Scores>::wrong;
      const auto fail = [&](const sentence& rule, const sentence& fix) {
        return ir::problem{.rule = sentence(way).append(": ").append(rule.view()), .fix = fix};
      };
      const sentence input = sentence("input '").append(Input.view()).append("'");
      if (!net.edges[in].is_token())
        return fail(sentence(input.view()).append(" takes numbers, and tokens are written"),
                    "name an input token<n>");
      if (!live_plan::is_stepped_edge(in))
        return fail(sentence(input.view()).append(" is given once, whole"),
                    "name the input that the steps go along");
      for (int e : net.inputs)
        if (e != in && live_plan::is_stepped_edge(e))
          return fail(sentence("input '").append(net.edges[e].path.view()).append("' has steps, too"),
                      "only one input can be written");
      if (live_plan::is_whole_edge(out) || net.edges[out].layers > 1)
        return fail(sentence("output '").append(Scores.view()).append("' has no row of scores at each step"),
                    "name the scores of the next token");
      if (net.edges[out].size > net.edges[in].range)
        return ir::problem{.rule = sentence(way)
                                       .append(": each choice becomes the next token, and ")
                                       .append(input.view())
                                       .append(" takes"),
                           .axis = "tokens",
                           .expected = net.edges[out].size,
                           .got = net.edges[in].range,
                           .fix = "one vocabulary for what is read and written"};
      if constexpr (Kept.view().size() > 0) {
        constexpr int kept = engine::output_edge<live_plan>(Kept);
        if (kept < 0) return engine::unfit_name_of_output<live_plan, Kept>::wrong;
        if (live_plan::is_whole_edge(kept) || net.edges[kept].layers > 1)
          return fail(sentence("output '").append(Kept.view()).append("' has no row of its own at each step"),
                      "name an output that has");
      }
      return ir::problem{};
    }
  }();
};

// Replaces a decoder that cannot be made, so that no second error follows the first.
struct refused_decoder {
  void operator()(const auto&...) const {}
  void more() const {}
  int rows() const { return 0; }
  int sentences() const { return 0; }
  int found(int = 0) const { return 0; }
  bool has_ended(int = 0) const { return false; }
  double log_probability(int = 0) const { return 0; }
  std::span<const double> log_probabilities(int = 0) const { return {}; }
  std::span<const int> text(int = 0) const { return {}; }
  view<const float> kept(int = 0) const { return {}; }
  auto best(int = 0) const { return *this; }
  auto nth(int, int) const { return *this; }
};
// For predict: the stream of a decoder, and how many rows of inputs it can have at once.
struct decoder_access {
  template <class Decoder>
  static auto& stream(const Decoder& d) {
    return d.steps_.live();
  }
  template <class Decoder>
  static int most_rows(const Decoder& d) {
    return d.most_rows();
  }
};
// The stream, as decoders use it.
template <class Live, ir::text Way, ir::text Input, ir::text Scores, ir::text Kept>
class step_function {
 public:
  using plan = typename Live::plan;
  using T = typename plan::scalar;
  static constexpr int input = engine::input_edge<plan>(Input),
                       scores_edge = engine::output_edge<plan>(Scores);
  static constexpr int input_axis = plan::net.edges[input].axis;
  static constexpr int vocabulary = plan::net.edges[scores_edge].size, range = plan::net.edges[input].range;
  static constexpr bool keeps = Kept.view().size() > 0;
  static constexpr int kept_size = [] {
    if constexpr (keeps) return int(plan::net.edges[engine::output_edge<plan>(Kept)].size);
    else return 0;
  }();
  static constexpr int batch = plan::batch;
  static constexpr characters way = ir::literal<Way>;

  // max_steps: how many steps are kept.
  step_function(Live& live, int max_steps) : live_(live) {
    if (max_steps < 1) throw_input_error({way, ": expected at least one step, max_steps, got ", max_steps});
    if (plan::most_steps > 0 && max_steps > plan::most_steps)
      throw_input_error({way, ": max_steps is ", max_steps, ", and the axis '",
                         engine::input_checks<plan>::template axis_name<input_axis>(), "' has a bound of ",
                         int(plan::most_steps)});
    kept_.resize(static_cast<std::size_t>(max_steps) * batch * kept_size);
    gradient_.resize(static_cast<std::size_t>(vocabulary));
    adjusted_.resize(static_cast<std::size_t>(vocabulary));
    largest_.resize(static_cast<std::size_t>((vocabulary + scores_in_block - 1) / scores_in_block));
  }

  Live& live() const { return live_; }
  static void check_token(const char* which, int token, int most) {
    if (token < 0 || token >= most)
      throw_input_error({way, ": the ", which, " token ", token, " is outside the vocabulary of ", most});
  }
  // Reports the token's place in a prompt as an input would; checks before the token becomes an int.
  template <class Prompt>
  static void check_prompt(const Prompt& prompt, int row) {
    int t = 0;
    for (element_of<Prompt> token : prompt)
      engine::input_checks<plan>::template check_token<input>(token, row, t++);
  }
  [[noreturn]] static void refuse_dead_end(const char* what, int number, int step) {
    throw_input_error(
        {way, ": ", what, " ", number, ", step ", step,
         ": all scores are minus infinity, so no token may follow; give one a finite score, such "
         "as the end token"});
  }
  // How many rows the inputs without steps have; 1 if there are none.
  int rows() const {
    const int rows = engine::state_access::rows_that_stay(live_);
    return rows > 0 ? rows : 1;
  }
  void step(std::span<const int> tokens) { live_.step(tokens); }
  // Takes counts[r] steps of row r, at most `block`: token(r, t). A row with none keeps its states.
  static constexpr int block = plan::block;
  template <class Token>
  void read(const int* counts, int rows, Token token) {
    for (int r = 0; r < rows; ++r)
      for (int t = 0; t < counts[r]; ++t) read_[t * batch + r] = token(r, t);
    engine::state_access::step(live_, {read_, counts, rows});
  }
  // The same for any numbers of steps, whose scores are not needed.
  template <class Token>
  void read_all(const int* counts, int rows, Token token) {
    const int most = *std::max_element(counts, counts + rows);
    for (int first = 0; first < most; first += block) {
      int some[batch];
      for (int r = 0; r < rows; ++r) some[r] = std::clamp(counts[r] - first, 0, block);
      read(some, rows, [&](int r, int t) { return token(r, first + t); });
    }
  }
  // Keeps a row of the named output, at step t of the last read, for the token that the row writes at `step`.
  void keep_row([[maybe_unused]] int step, [[maybe_unused]] int row, [[maybe_unused]] int t = 0) {
    if constexpr (keeps) {
      constexpr int edge = engine::output_edge<plan>(Kept);
      const view<const T> from = engine::state_access::output_of_step<edge>(live_, row, t);
      for (int k = 0; k < kept_size; ++k) kept_row(step, row)[k] = from(k);
    }
  }
  T* kept_row(int step, int row) { return kept_.data() + place_of_kept(step, row); }
  const T* kept_row(int step, int row) const { return kept_.data() + place_of_kept(step, row); }
  view<const T> scores(int row, int t = 0) const {
    return engine::state_access::output_of_step<scores_edge>(live_, row, t);
  }
  // The log probabilities of a row as the program leaves them.
  const std::vector<double>& adjusted(int row, int row_of_program, std::span<const int> written,
                                      const any_adjustment& adjust) {
    const double all = log_sum_of_exponentials(row);
    const view<const T> x = scores(row);
    for (std::size_t k = 0; k < adjusted_.size(); ++k) adjusted_[k] = static_cast<double>(x(k)) - all;
    adjust({row_of_program, written, adjusted_});
    for (std::size_t k = 0; k < adjusted_.size(); ++k)
      if (!(adjusted_[k] < std::numeric_limits<double>::infinity()))
        throw input_error(message_of({way, ": .adjust left token ", k, " of row ", row_of_program, ", step ",
                                      written.size(), " a log probability of "}) +
                          fixed(adjusted_[k]));
    return adjusted_;
  }
  // log p(token) of a row is its score minus this.
  double log_sum_of_exponentials(int row) {
    const view<const T> x = scores(row);
    int best = 0, end = vocabulary;
    if constexpr (has_blocks) {
      find_largest(x.data_handle());
      const auto highest = std::max_element(largest_.begin(), largest_.end());
      best = static_cast<int>(highest - largest_.begin()) * scores_in_block;
      end = std::min(best + scores_in_block, vocabulary);
    }
    for (int k = best + 1; k < end; ++k)
      if (x(k) > x(best)) best = k;
    const double top = x(best), loss = loss_of(x, best);
    if (!std::isfinite(top) || !std::isfinite(loss))
      throw_input_error(
          {way, ": the scores of row ", row,
           is_without_choice(x) ? " are all minus infinity, so no token may follow" : " are not numbers"});
    return top + loss;
  }
  double log_probability(int row, int token, int t = 0) { return -loss_of(scores(row, t), token); }
  // The first token from this one on that may have before + score > least, in the row of the last
  // log_sum_of_exponentials; the vocabulary's size if there is none. It skips whole blocks: most have none.
  int next_above(int token, double before, double least) const {
    if constexpr (has_blocks)
      while (token < vocabulary && token % scores_in_block == 0 &&
             !(before + static_cast<double>(largest_[static_cast<std::size_t>(token / scores_in_block)]) >
               least))
        token += scores_in_block;
    return std::min(token, vocabulary);
  }

 private:
  static constexpr int scores_in_block = 64;
  static constexpr bool has_blocks = vocabulary > 4 * scores_in_block;

  static std::size_t place_of_kept(int step, int row) {
    return (static_cast<std::size_t>(step) * batch + static_cast<std::size_t>(row)) * kept_size;
  }
  // The largest score of each block, in parallel strands that compilers keep in vector registers.
  void find_largest(const T* x) {
    constexpr int strands = 16;
    for (std::size_t b = 0; b < largest_.size(); ++b, x += scores_in_block) {
      const int count = std::min(scores_in_block, vocabulary - static_cast<int>(b) * scores_in_block);
      T most[strands];
      std::fill_n(most, strands, -std::numeric_limits<T>::infinity());
      int k = 0;
      for (; k + strands <= count; k += strands)
        for (int j = 0; j < strands; ++j) most[j] = x[k + j] > most[j] ? x[k + j] : most[j];
      for (; k < count; ++k) most[0] = std::max(most[0], x[k]);
      for (int half = strands / 2; half > 0; half /= 2)
        for (int j = 0; j < half; ++j) most[j] = std::max(most[j], most[j + half]);
      largest_[b] = most[0];
    }
  }
  double loss_of(const view<const T>& x, int token) {
    using processor = typename plan::backend;
    return sum_cross_entropy<vocabulary>(processor{}, 1, x.data_handle(), std::ptrdiff_t(vocabulary), &token,
                                         T(1), gradient_.data());
  }

  Live& live_;
  int read_[block * batch]{};
  std::vector<T> kept_, gradient_, largest_;  // largest_: of the scores of each block
  std::vector<double> adjusted_;
};

// The decoder of a stream, or its replacement if the stream was refused. The caller reports why: one call
// deeper would make the error longer.
template <template <class, ir::text, ir::text, ir::text> class Decoder, class Unfit, ir::text Input,
          ir::text Scores, ir::text Kept, class Live, class Options>
auto decoder_of(Live& live, const Options& options) {
  if constexpr (Unfit::wrong || !is_whole_graph<Live>) return refused_decoder{};
  else return Decoder<Live, Input, Scores, Kept>(live, options);
}

}  // namespace tenon::inline v0_1::detail
