// forced_decoding: the probability that a stream assigns to a given output.
//
//   auto judge = forced_decoding<"word">(decoder, {.start = 1, .max_steps = 50});
//   judge(outputs);                      // a range of token sequences, one for each row
//   judge.log_probability(row)           // sum_t log p(y_t | y_1 .. y_(t-1))
//
// To count the end of an output, give the end token too. Names as for generate.
#pragma once

#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/decode/step_function.hpp"

namespace tenon::inline v0_1 {

namespace decoding {

struct forced_decoding_options {
  int start = -1;     // the token before all others
  int max_steps = 0;  // tokens of an output, at most
};
#define TENON_MEMBERS_OF_FORCED_DECODING_OPTIONS ".start, .max_steps"

}  // namespace decoding

namespace detail {

template <class Live, ir::text Input, ir::text Scores = "logits", ir::text Kept = "">
class forced_decoder {
  using steps = step_function<Live, "forced_decoding", Input, Scores, Kept>;
  using T = typename steps::T;
  static constexpr int B = steps::batch;

 public:
  forced_decoder(Live& live, const decoding::forced_decoding_options& options)
      : options_(options), steps_(live, options.max_steps) {
    if (options.start == -1)
      throw_input_error({steps::way, ": no start token is given; say .start = the token in front of all"});
    steps::check_token("start", options.start, steps::range);
    log_probabilities_.resize(static_cast<std::size_t>(options.max_steps) * B);
  }

  template <engine::Ragged Outputs>
  void operator()(const Outputs& outputs) {
    const auto count = std::size(outputs);
    if (count == 0 || count > static_cast<std::size_t>(B))
      throw_input_error(
          {steps::way, ": expected from 1 to ", B, " outputs, as batch<", B, "> has rows, got ", count});
    int r = 0, longest = 0;
    for (const auto& output : outputs) {
      const std::size_t length = std::size(output);
      if (std::cmp_greater(length, options_.max_steps))
        throw_input_error(
            {steps::way, ": row ", r, " has ", length, " tokens, and max_steps is ", options_.max_steps});
      for (auto token : output)
        if (std::cmp_less(token, 0) || std::cmp_greater_equal(token, int(steps::vocabulary)))
          throw_input_error({steps::way, ": row ", r, ": token ", token, " is outside the vocabulary of ",
                             int(steps::vocabulary)});
      longest = static_cast<int>(length) > longest ? static_cast<int>(length) : longest;
      length_[r++] = static_cast<int>(length);
    }
    const int rows = r;
    rows_ = 0;  // if a step throws, there is nothing to read
    steps_.live().reset();
    const auto token = [&](int row, int t) {
      return static_cast<int>(*std::next(std::begin(*std::next(std::begin(outputs), row)), t));
    };
    for (int first = 0; first < longest; first += steps::block) {
      for (int row = 0; row < rows; ++row) some_[row] = std::clamp(length_[row] - first, 0, steps::block);
      steps_.read(some_, rows,
                  [&](int row, int t) { return first + t > 0 ? token(row, first + t - 1) : options_.start; });
      for (int t = 0; t < steps::block && first + t < longest; ++t)
        for (int row = 0; row < rows; ++row)
          if (t < some_[row]) {
            const double p = log_probabilities_[place(row, first + t)] =
                steps_.log_probability(row, token(row, first + t), t);
            if (std::isnan(p))
              throw_input_error({steps::way, ": the scores of row ", row, " are not numbers"});
            steps_.keep_row(first + t, row, t);
          }
    }
    rows_ = rows;
  }

  int rows() const { return rows_; }
  double log_probability(int row = 0) const {
    double sum = 0;
    for (double p : log_probabilities(row)) sum += p;
    return sum;
  }
  // The log probability of each token.
  std::span<const double> log_probabilities(int row = 0) const {
    check_row(row);
    return {log_probabilities_.data() + place(row, 0), static_cast<std::size_t>(length_[row])};
  }
  view<const T> kept(int row = 0) const requires steps::keeps {
    check_row(row);
    return {steps_.kept_row(0, row), {length_[row], steps::kept_size}, {B * steps::kept_size, 1}};
  }

 private:
  void check_row(int row) const {
    if (row < 0 || row >= rows_)
      throw_input_error({steps::way, ": row ", row, " is outside the ", rows_, " rows of the last outputs"});
  }
  std::size_t place(int row, int t) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(options_.max_steps) +
           static_cast<std::size_t>(t);
  }

  decoding::forced_decoding_options options_;
  steps steps_;
  std::vector<double> log_probabilities_;
  int rows_ = 0;
  int length_[B]{}, some_[B]{};
};

}  // namespace detail

// The stream must be bound to its parameters and outlive it. Throws input_error for options that do not fit. A
// call throws it for outputs that are longer than max_steps or hold a token outside the vocabulary, and for scores
// that are NaN; it allocates nothing.
template <ir::text Input, ir::text Scores = "logits", ir::text Kept = "", class Live>
auto forced_decoding(Live& live, const decoding::forced_decoding_options& options) {
  using unfit = detail::unfit_step_function<Live, "forced_decoding", Input, Scores, Kept>;
  if constexpr (unfit::wrong) detail::say<detail::error_in<unfit>>();
  return detail::decoder_of<detail::forced_decoder, unfit, Input, Scores, Kept>(live, options);
}
#define TENON_SENTENCE                                                              \
  "forced_decoding takes a stream and options by their names in this order, as in " \
  "forced_decoding<'token'>(stream, {.start = 1, .max_steps "                       \
  "= 20}): " TENON_MEMBERS_OF_FORCED_DECODING_OPTIONS
template <ir::text Input = "", ir::text Scores = "logits", ir::text Kept = "",
          TENON_SAYS_AND(TENON_SENTENCE) class Live>
requires(Input.view().size() > 0 || requires { typename Live::plan; })  // not a function of the user's own
    detail::refused_decoder forced_decoding(const volatile Live&, ...)
TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE

}  // namespace tenon::inline v0_1
