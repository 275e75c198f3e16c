// beam_search: the most likely outputs of a stream, found by following several at once (Sutskever et
// al. 2014, Bahdanau et al. 2015).
//
//   streaming<translator, batch<20 * 5>> decoder(theta);
//   auto translate = beam_search<"word">(decoder, {.width = 5, .start = 1, .end = 2, .max_steps = 50});
//   set_input<"source">(decoder, sentences);                 // up to 20, each once
//   translate();
//   translate.best(sentence).tokens
//
// For each sentence the search follows `width` outputs, which are rows of the stream: rows = sentences x width. Each
// step continues all of them by every token, and keeps the most likely. An output that the end token continues is
// done and frees its place. Outputs that are done are ranked by their score, log p(y) normalised by its length; equal
// ones are in the order of their tokens. The search ends when no followed output can become better than the best that
// are done. Names as for generate. translate(prompt) searches for what follows the prompt.
#pragma once

#include "tenon/diagnostics/diagnose.hpp"
#include "tenon/diagnostics/wrong_call.hpp"

#include "tenon/decode/hypothesis.hpp"
#include "tenon/decode/step_function.hpp"
#include "tenon/diagnostics/number_text.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace tenon::inline v0_1 {

namespace detail {

// An output that is done, or was cut: its last token was chosen at `step`, in row `row` of the stream.
struct finished_output {
  int step = 0, row = 0, last = 0;
  double log_probability = 0, score = 0;
  bool has_ended = false;

  bool is_better_than(const finished_output& other) const {
    return has_ended != other.has_ended ? has_ended : score > other.score;
  }
};
// Row `row` continued by `token`.
struct continuation {
  double log_probability = 0;
  int row = 0, token = 0;
};

template <class Live, ir::text Input, ir::text Scores = "logits", ir::text Kept = "">
class beam_searcher {
  using steps = step_function<Live, "beam_search", Input, Scores, Kept>;
  using T = typename steps::T;
  static constexpr int B = steps::batch;

 public:
  beam_searcher(Live& live, const decoding::beam_search_options& options)
      : o(checked(options)), steps_(live, options.max_steps) {
    const std::size_t all = static_cast<std::size_t>(o.max_steps) * B;
    sentences_most_ = B / o.width;
    const auto sentences = static_cast<std::size_t>(sentences_most_);
    parents_.resize(all);
    chosen_.resize(all);
    texts_.resize(all);
    if constexpr (steps::keeps) kept_texts_.resize(all * steps::kept_size);
    finished_.resize(sentences * static_cast<std::size_t>(o.width));
    finished_count_.resize(sentences);
    live_count_.resize(sentences);
    candidates_.resize(static_cast<std::size_t>(o.width));
    written_.resize(static_cast<std::size_t>(o.max_steps));
    for (int length = 1; length <= o.max_steps; ++length) {
      const double divisor = o.normalization(length);
      if (!(divisor > 0) || std::isinf(divisor))
        throw input_error(message_of({steps::way, ": .normalization of an output of ", length,
                                      " tokens: expected a finite number above 0, got "}) +
                          fixed(divisor));
      divisors_.push_back(divisor);
    }
  }

  // Searches the outputs for the inputs that were set. There are as many sentences as these have rows; one if the only
  // input is the one that is written. The stream starts anew. Throws input_error if sentences x width rows do not fit.
  void operator()() {
    search(
        steps_.rows(), [](int) { return 0; }, [](int, int) { return 0; });
  }
  // The same after a prompt, which follows the start token and is no part of the outputs: a range of tokens, or a range of
  // such ranges, one for each sentence. Throws input_error if a token is outside the vocabulary, or if there are not as
  // many prompts as the inputs that were set have rows.
  template <engine::Row Prompt>
  requires std::integral<element_of<Prompt>>
  void operator()(const Prompt& prompt) {
    steps::check_prompt(prompt, 0);
    check_prompts(1);
    search(
        1, [&](int) { return static_cast<int>(std::size(prompt)); },
        [&](int, int t) { return static_cast<int>(std::data(prompt)[t]); });
  }
  template <engine::Ragged Prompts>
  void operator()(const Prompts& prompts) {
    for (int s = 0; const auto& prompt : prompts) steps::check_prompt(prompt, s++);
    check_prompts(std::size(prompts));
    const auto row = [&](int s) -> const auto& { return *std::next(std::begin(prompts), s); };
    search(
        static_cast<int>(std::size(prompts)), [&](int s) { return static_cast<int>(std::size(row(s))); },
        [&](int s, int t) { return static_cast<int>(*std::next(std::begin(row(s)), t)); });
  }
  TENON_CALL(TENON_BRACES_OF_PROMPT, void)
  operator()(in_braces, ...) TENON_SAID(TENON_BRACES_OF_PROMPT);

  int sentences() const { return sentences_; }
  // How many outputs of a sentence there are: `best`, or fewer if fewer were found.
  int found(int sentence = 0) const {
    check_sentence(sentence);
    return std::min(o.best, finished_count_[static_cast<std::size_t>(sentence)]);
  }
  decoding::hypothesis<T> best(int sentence = 0) const { return nth(sentence, 0); }
  // The n-th best output, from 0.
  decoding::hypothesis<T> nth(int sentence, int n) const {
    if (n < 0 || n >= found(sentence))
      throw_input_error({steps::way, ": there is no output ", n, " of sentence ", sentence, "; it has ",
                         found(sentence), ", which count from 0"});
    const finished_output& f = finished_[place(sentence, n)];
    const auto length = static_cast<std::size_t>(f.step + 1);
    const std::size_t at = place(sentence, n) * static_cast<std::size_t>(o.max_steps);
    decoding::hypothesis<T> h{.tokens = {texts_.data() + at, length - f.has_ended},
                              .log_probability = f.log_probability,
                              .score = f.score,
                              .has_ended = f.has_ended};
    if constexpr (steps::keeps)
      h.kept = {
          kept_texts_.data() + at * steps::kept_size, {f.step + 1, steps::kept_size}, {steps::kept_size, 1}};
    return h;
  }

 private:
  friend decoder_access;
  void check_prompts(std::size_t count) const {
    const int rows = engine::state_access::rows_that_stay(steps_.live());
    if (rows >= 0 ? std::cmp_not_equal(count, rows) : count == 0)
      throw_input_error({steps::way, ": expected a prompt for each of the ", rows < 0 ? 1 : rows,
                         " sentences, got ", count});
  }
  template <class Length, class Prompt>
  void search(int sentences, Length length, Prompt prompt) {
    if (sentences > B / o.width)
      throw_input_error({steps::way, ": ", sentences, " sentences of a width of ", o.width, " need ",
                         std::int64_t(sentences) * o.width, " rows, and batch<", B, "> has fewer"});
    sentences_ = 0;
    Live& live = steps_.live();
    live.reset();
    const repeated_inputs repeated(live, o.width);
    const int rows = sentences * o.width;
    std::fill_n(log_probability_, rows, 0.0);
    std::fill_n(feed_, rows, o.start);
    std::fill_n(from_, rows, 0);
    // The first row of each sentence reads, and all others continue from it.
    for (int s = 0; s < sentences; ++s) {
      const int first = s * o.width, tokens = from_[first] = length(s);
      if (tokens > 0) feed_[first] = prompt(s, tokens - 1);
    }
    steps_.read_all(from_, rows, [&](int r, int t) { return t == 0 ? o.start : prompt(r / o.width, t - 1); });
    std::fill_n(finished_count_.begin(), sentences, 0);
    std::fill_n(live_count_.begin(), sentences, 1);
    for (int t = 0; t < o.max_steps; ++t) {
      steps_.step({feed_, static_cast<std::size_t>(rows)});
      for (int r = 0; r < rows && steps::keeps; ++r) steps_.keep_row(t, r);
      bool continues = false;
      for (int s = 0; s < sentences; ++s) {
        if (count(live_count_, s) > 0) choose(s, t);
        else rest(s, 0);
        continues = continues || count(live_count_, s) > 0;
      }
      if (!continues) break;
      if (t + 1 < o.max_steps) live.permute_rows(std::span<const int>(from_, static_cast<std::size_t>(rows)));
    }
    for (int s = 0; s < sentences; ++s) rank(s);
    sentences_ = sentences;
  }

  int most_rows() const { return sentences_most_; }
  static decoding::beam_search_options checked(const decoding::beam_search_options& options) {
    if (options.start == -1)
      throw_input_error({steps::way, ": no start token is given; say .start = the token in front of all"});
    steps::check_token("start", options.start, steps::range);
    if (options.end != -1) steps::check_token("end", options.end, steps::vocabulary);
    if (options.width < 1)
      throw_input_error({steps::way, ": expected a width of at least 1, got ", options.width});
    if (options.width > steps::vocabulary)
      throw_input_error({steps::way, ": a width of ", options.width, " is more than the vocabulary of ",
                         int(steps::vocabulary)});
    if (options.width > B)
      throw_input_error({steps::way, ": a width of ", options.width, " does not fit into batch<", B, ">"});
    if (options.best < 1 || options.best > options.width)
      throw_input_error(
          {steps::way, ": expected from 1 to ", options.width, " best outputs, got ", options.best});
    if (!(options.normalization.alpha >= 0) || std::isinf(options.normalization.alpha))
      throw input_error(std::string(steps::way) + ": expected a normalisation's alpha of at least 0, got " +
                        tenon::detail::fixed(options.normalization.alpha));
    return options;
  }
  // While the search lasts, inputs that do not change with the steps have a row for each row of the beam.
  struct repeated_inputs {
    Live& live;
    int width;
    repeated_inputs(Live& of, int times) : live(of), width(times) {
      engine::state_access::repeat_rows(live, width);
    }
    ~repeated_inputs() { engine::state_access::unite_rows(live, width); }
    repeated_inputs(const repeated_inputs&) = delete;
    repeated_inputs& operator=(const repeated_inputs&) = delete;
  };

  void check_sentence(int sentence) const {
    if (sentence < 0 || sentence >= sentences_)
      throw_input_error(
          {steps::way, ": sentence ", sentence, " is outside the ", sentences_, " of the last search"});
  }
  static int& count(std::vector<int>& of, int sentence) { return of[static_cast<std::size_t>(sentence)]; }
  std::size_t place(int sentence, int n) const {
    return static_cast<std::size_t>(sentence) * static_cast<std::size_t>(o.width) +
           static_cast<std::size_t>(n);
  }
  static std::size_t node(int t, int row) {
    return static_cast<std::size_t>(t) * B + static_cast<std::size_t>(row);
  }
  double score_of(double log_probability, int length) const {
    return log_probability / divisors_[static_cast<std::size_t>(length - 1)];
  }

  // Rows of a sentence from the n-th on are unused.
  void rest(int s, int n) {
    const int first = s * o.width;
    std::fill(from_ + first + n, from_ + first + o.width, first);
    std::fill(feed_ + first + n, feed_ + first + o.width, o.start);
  }
  // Chooses the most likely continuations of sentence s at step t.
  void choose(int s, int t) {
    const int first = s * o.width, places = o.width - count(finished_count_, s);
    const int found = find_candidates(s, t, places);
    if (found + count(finished_count_, s) == 0) steps::refuse_dead_end("sentence", s, t);
    int followed = 0;
    for (int n = 0; n < found; ++n) {
      const continuation& c = candidates_[static_cast<std::size_t>(n)];
      const bool ends = c.token == o.end;
      if (ends || t + 1 == o.max_steps) {
        finished_[place(s, count(finished_count_, s)++)] = {
            t, c.row, c.token, c.log_probability, score_of(c.log_probability, t + 1), ends};
        continue;
      }
      const int row = first + followed++;
      next_log_probability_[row] = c.log_probability;
      from_[row] = c.row;
      feed_[row] = c.token;
      parents_[node(t, row)] = c.row;
      chosen_[node(t, row)] = c.token;
    }
    rest(s, followed);
    std::copy_n(next_log_probability_ + first, followed, log_probability_ + first);
    count(live_count_, s) = can_improve(s, followed) ? followed : 0;
  }
  // Writes the best continuations into candidates_, the most likely first; returns how many there are.
  int find_candidates(int s, int t, int most) {
    int found = 0;
    const auto least = [&] {  // tokens more likely than this are candidates
      return found == most ? candidates_[static_cast<std::size_t>(most - 1)].log_probability
                           : -std::numeric_limits<double>::infinity();
    };
    const auto offer = [&](int row, int token, double p) {
      if (!(p > least())) return;
      int at = found < most ? found++ : most - 1;
      for (; at > 0 && p > candidates_[static_cast<std::size_t>(at - 1)].log_probability; --at)
        candidates_[static_cast<std::size_t>(at)] = candidates_[static_cast<std::size_t>(at - 1)];
      candidates_[static_cast<std::size_t>(at)] = {p, row, token};
    };
    const int first = s * o.width;
    for (int row = first; row < first + count(live_count_, s); ++row) {
      if (o.adjust) {
        const std::vector<double>& log_p = steps_.adjusted(row, s, written(t, row), o.adjust);
        for (int token = 0; token < steps::vocabulary; ++token)
          offer(row, token, log_probability_[row] + log_p[static_cast<std::size_t>(token)]);
        continue;
      }
      const double before = log_probability_[row] - steps_.log_sum_of_exponentials(row);
      const view<const T> x = steps_.scores(row);
      for (int token = 0; (token = steps_.next_above(token, before, least())) < steps::vocabulary; ++token)
        offer(row, token, before + static_cast<double>(x(token)));
    }
    return found;
  }
  // The tokens of a row that step t continues.
  std::span<const int> written(int t, int row) {
    for (int k = t - 1; k >= 0; --k) {
      written_[static_cast<std::size_t>(k)] = chosen_[node(k, row)];
      row = parents_[node(k, row)];
    }
    return {written_.data(), static_cast<std::size_t>(t)};
  }
  // Can a followed output become better than the best that are done? Its probability only falls, unless the program
  // adds to it, and no divisor is larger than the largest.
  bool can_improve(int s, int followed) const {
    if (followed == 0) return false;
    if (o.adjust) return true;
    int better = 0;
    const double most = log_probability_[s * o.width] / *std::max_element(divisors_.begin(), divisors_.end());
    for (int n = 0; n < finished_count_[static_cast<std::size_t>(s)]; ++n)
      better += finished_[place(s, n)].score >= most;
    return better < o.best;
  }
  // Sorts the outputs that are done, and writes the tokens of the best.
  void rank(int s) {
    finished_output* const all = finished_.data() + place(s, 0);
    const int done = count(finished_count_, s);
    for (int n = 1; n < done; ++n)  // stable, and without extra memory
      for (int k = n; k > 0 && all[k].is_better_than(all[k - 1]); --k) std::swap(all[k], all[k - 1]);
    for (int n = 0; n < std::min(done, o.best); ++n) {
      const std::size_t at = place(s, n) * static_cast<std::size_t>(o.max_steps);
      int row = all[n].row, token = all[n].last;
      for (int t = all[n].step; t >= 0; --t) {
        texts_[at + static_cast<std::size_t>(t)] = token;
        if constexpr (steps::keeps)
          std::copy_n(steps_.kept_row(t, row), steps::kept_size,
                      kept_texts_.data() + (at + static_cast<std::size_t>(t)) * steps::kept_size);
        if (t > 0) {
          token = chosen_[node(t - 1, row)];
          row = parents_[node(t - 1, row)];
        }
      }
    }
  }

  decoding::beam_search_options o;
  steps steps_;
  int sentences_ = 0, sentences_most_ = 0;
  std::vector<int> parents_, chosen_;  // [step, row]: the row that it continues, and by which token
  std::vector<int> texts_;             // [sentence, n, step]
  std::vector<T> kept_texts_;
  std::vector<finished_output> finished_;  // [sentence, width]
  std::vector<int> finished_count_, live_count_;
  std::vector<continuation> candidates_;
  std::vector<double> divisors_;  // by length, from 1
  std::vector<int> written_;
  double log_probability_[B]{}, next_log_probability_[B]{};
  int from_[B]{}, feed_[B]{};
};

}  // namespace detail

// The stream must be bound to its parameters and outlive the search. Throws input_error for options that do not
// fit: no start token, one outside the vocabulary, a width beyond the rows of the stream or beyond the
// vocabulary. A call allocates nothing.
template <ir::text Input, ir::text Scores = "logits", ir::text Kept = "", class Live>
auto beam_search(Live& live, const decoding::beam_search_options& options) {
  using unfit = detail::unfit_step_function<Live, "beam_search", Input, Scores, Kept>;
  if constexpr (unfit::wrong) detail::say<detail::error_in<unfit>>();
  return detail::decoder_of<detail::beam_searcher, unfit, Input, Scores, Kept>(live, options);
}
#define TENON_SENTENCE                                                                                       \
  "beam_search takes a stream and options by their names in this order, as in beam_search<'token'>(stream, " \
  "{.width = 5, .start = "                                                                                   \
  "1, .end = 2, .max_steps = 20}): " TENON_MEMBERS_OF_BEAM_SEARCH_OPTIONS                                    \
  "; the last two are functions, the others whole numbers"
template <ir::text Input = "", ir::text Scores = "logits", ir::text Kept = "",
          TENON_SAYS_AND(TENON_SENTENCE) class Live>
requires(Input.view().size() > 0 || requires { typename Live::plan; })  // not a function of the user's own
    detail::refused_decoder beam_search(const volatile Live&, ...)
TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE

}  // namespace tenon::inline v0_1
