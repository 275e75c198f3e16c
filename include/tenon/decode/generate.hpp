// generate and greedy: a stream continues a start token or a prompt, one token after the other; each token is drawn
// from its scores, or is the most likely one.
//
//   streaming<writer> pen(theta);
//   auto write = generate<"text">(pen, {.max_steps = 200, .choice = {.temperature = 0.8}});
//   write(std::vector{7, 4, 11});          // starts anew: reads the prompt, then writes 200 tokens
//   write.text()                           // the tokens written in row 0
//   write.more();                          // continues
//
// "text" is the input that reads the written tokens; the scores of the next token are the output "logits", or
// generator<"text", "scores">. Several rows are written at once: as many as the inputs without steps have, such as an
// encoder's sentences, or as there are prompts. A third name is an output whose rows are kept for each token, such as
// attention weights: write.kept(row), [tokens, D].
#pragma once

#include "tenon/diagnostics/wrong_call.hpp"

#include "tenon/decode/choose.hpp"
#include "tenon/decode/step_function.hpp"
#include "tenon/diagnostics/number_text.hpp"

namespace tenon::inline v0_1 {

namespace decoding {

// How a generator writes.
struct generate_options {
  int start = -1;  // the token before all others; -1: none, then a prompt is needed
  int end =
      -1;  // the token that ends a row, and is not a part of its text; -1: none, every row has max_steps tokens
  int max_steps = 0;  // steps of a row, at most: each writes a token, and the end token takes one of them
  sampling choice{};  // temperature, top_k, top_p
  // The share of tokens that are drawn; the others are the most likely ones. Below 1 a text is mostly the most likely
  // one, and still differs each time.
  double draws = 1;
  seed random{
      1};  // the same seed writes the same texts, call after call; each row has its own random numbers
  detail::any_adjustment adjust{};  // called before each choice: decoding::next_token
};
#define TENON_MEMBERS_OF_GENERATE_OPTIONS \
  ".start, .end, .max_steps, .choice (" TENON_MEMBERS_OF_SAMPLING "), .draws, .random, .adjust"

}  // namespace decoding

namespace detail {

template <ir::text Way, class Live, ir::text Input, ir::text Scores = "logits", ir::text Kept = "">
class generator_of {
  using steps = step_function<Live, Way, Input, Scores, Kept>;
  using T = typename steps::T;
  static constexpr int B = steps::batch;

 public:
  generator_of(Live& live, const decoding::generate_options& options)
      : options_(options), steps_(live, options.max_steps), room_(steps::vocabulary) {
    const std::string name = steps::way;
    if (options.start != -1) steps::check_token("start", options.start, steps::range);
    if (options.end != -1) steps::check_token("end", options.end, steps::vocabulary);
    if (!(options.draws >= 0 && options.draws <= 1))
      throw input_error(name + ": expected a share of draws from 0 to 1, got " +
                        tenon::detail::fixed(options.draws));
    if (!(options.choice.temperature > 0) || std::isinf(options.choice.temperature))
      throw input_error(name + ": expected a finite temperature above 0, got " +
                        tenon::detail::fixed(options.choice.temperature));
    check_sampling(name.c_str(), options.choice);
    tokens_.resize(static_cast<std::size_t>(options.max_steps) * B);
    streams_.assign(B, backend::random_stream(0, 0));
  }

  // Starts anew from the start token.
  void operator()() {
    begin(steps_.rows(), [](int) { return 0; });
    write([](int, int) { return 0; });
  }
  // Starts anew: reads a prompt, then writes. For one row the prompt is a range of tokens, for several a range of such
  // ranges. Throws input_error, and changes nothing, if a token is outside the vocabulary.
  template <engine::Row Prompt>
  requires std::integral<element_of<Prompt>>
  void operator()(const Prompt& prompt) {
    steps::check_prompt(prompt, 0);
    const auto count = static_cast<int>(std::size(prompt));
    begin(1, [&](int) { return count; });
    write([&](int, int t) { return static_cast<int>(std::data(prompt)[t]); });
  }
  template <engine::Ragged Prompts>
  void operator()(const Prompts& prompts) {
    const auto count = std::size(prompts);
    if (count == 0 || count > static_cast<std::size_t>(B))
      throw_input_error(
          {steps::way, ": expected from 1 to ", B, " prompts, as batch<", B, "> has rows, got ", count});
    for (int r = 0; const auto& prompt : prompts) steps::check_prompt(prompt, r++);
    const auto row = [&](int r) -> const auto& { return *std::next(std::begin(prompts), r); };
    begin(static_cast<int>(count), [&](int r) { return static_cast<int>(std::size(row(r))); });
    write([&](int r, int t) { return static_cast<int>(*std::next(std::begin(row(r)), t)); });
  }
  TENON_CALL(TENON_BRACES_OF_PROMPT, void)
  operator()(in_braces, ...) TENON_SAID(TENON_BRACES_OF_PROMPT);
  // Continues the text; text() is then the new part only. A row that has ended remains ended.
  void more() {
    if (!has_begun_) throw_input_error({steps::way, ": there is no text to continue yet; begin one"});
    for (int r = 0; r < rows_; ++r) {
      last_[r] = next_[r];
      forced_[r] = 1;
      written_[r] = 0;
    }
    run([&](int r, int) { return last_[r]; });
  }

  int rows() const { return rows_; }
  // What the row wrote in the last call, without the prompt and the end token.
  std::span<const int> text(int row = 0) const {
    check_row(row);
    return {tokens_.data() + static_cast<std::ptrdiff_t>(row) * options_.max_steps,
            static_cast<std::size_t>(written_[row])};
  }
  bool has_ended(int row = 0) const {
    check_row(row);
    return ended_[row];
  }
  // The rows of the kept output at the steps at which the tokens of text(row) were chosen.
  view<const T> kept(int row = 0) const requires steps::keeps {
    check_row(row);
    return {steps_.kept_row(0, row), {written_[row], steps::kept_size}, {B * steps::kept_size, 1}};
  }

 private:
  friend decoder_access;
  static constexpr int most_rows() { return B; }
  void check_row(int row) const {
    if (row < 0 || row >= rows_)
      throw_input_error({steps::way, ": row ", row, " is outside the ", rows_, " rows of the last text"});
  }
  template <class Length>
  void begin(int rows, Length length) {
    const bool has_start = options_.start >= 0;
    for (int r = 0; r < rows; ++r)
      if (!has_start && length(r) == 0)
        throw_input_error(
            {steps::way, ": row ", r, " has neither a start token nor a prompt; say .start = its number"});
    rows_ = rows;
    has_begun_ = false;
    for (int r = 0; r < rows; ++r) {
      forced_[r] = has_start + length(r);
      written_[r] = 0;
      ended_[r] = false;
      streams_[static_cast<std::size_t>(r)] =
          backend::random_stream(options_.random.value, (calls_ << 20) + static_cast<std::uint64_t>(r));
    }
    ++calls_;
    steps_.live().reset();
  }
  template <class Prompt>
  void write(Prompt prompt) {
    const int before = options_.start >= 0;
    run([&](int r, int t) { return t < before ? options_.start : prompt(r, t - before); });
  }
  // Reads the first tokens of each row, forced(row, 0), .., forced_[row] of them, then writes.
  template <class Forced>
  void run(Forced forced) {
    for (int r = 0; r < rows_; ++r) {
      next_[r] = forced(r, forced_[r] - 1);
      continues_[r] = is_done(r) ? 0 : forced_[r] - 1;
    }
    steps_.read_all(continues_, rows_, forced);
    while (!all_done()) {
      for (int r = 0; r < rows_; ++r) continues_[r] = !is_done(r);
      steps_.read(continues_, rows_, [&](int r, int) { return next_[r]; });
      for (int r = 0; r < rows_; ++r)
        if (!is_done(r)) choose(r);
    }
    has_begun_ = true;
  }
  bool is_done(int r) const { return ended_[r] || written_[r] == options_.max_steps; }
  bool all_done() const {
    for (int r = 0; r < rows_; ++r)
      if (!is_done(r)) return false;
    return true;
  }
  void choose(int r) {
    if (!options_.adjust) return choose_from(steps_.scores(r), r);
    const std::vector<double>& adjusted = steps_.adjusted(r, r, text(r), options_.adjust);
    choose_from(view<const double>(adjusted.data(), {adjusted.size()}), r);
  }
  template <class Score>
  void choose_from(const view<const Score>& scores, int r) {
    if (is_without_choice(scores)) steps::refuse_dead_end("row", r, written_[r]);
    backend::random_stream& random = streams_[static_cast<std::size_t>(r)];
    const bool draws = options_.draws == 1 || (options_.draws > 0 && random.uniform() < options_.draws);
    const int token = draws ? sample("sample", scores, random, options_.choice, room_) : argmax(scores);
    if (token == options_.end) return void(ended_[r] = true);
    steps_.keep_row(written_[r], r);
    tokens_[static_cast<std::size_t>(r) * static_cast<std::size_t>(options_.max_steps) +
            static_cast<std::size_t>(written_[r]++)] = next_[r] = token;
  }

  decoding::generate_options options_;
  steps steps_;
  room_to_choose room_;
  std::vector<int> tokens_;
  std::vector<backend::random_stream> streams_;
  std::uint64_t calls_ = 0;
  int rows_ = 0;
  bool has_begun_ = false;
  // By row: the number of tokens read first, the number written, the last one read, the next one to read.
  int forced_[B]{}, written_[B]{}, last_[B]{}, next_[B]{}, continues_[B]{};
  bool ended_[B]{};
};

template <class Live, ir::text Input, ir::text Scores, ir::text Kept>
using generator = generator_of<"generate", Live, Input, Scores, Kept>;
template <class Live, ir::text Input, ir::text Scores, ir::text Kept>
using greedy_generator = generator_of<"greedy", Live, Input, Scores, Kept>;

}  // namespace detail

// The stream must be bound to its parameters and outlive it. Throws input_error for options that do not fit: a token
// outside the vocabulary, no max_steps, a temperature that is not above 0. A call throws input_error, which names row
// and step, if all scores are minus infinity: no token may follow. It allocates nothing.
template <ir::text Input, ir::text Scores = "logits", ir::text Kept = "", class Live>
auto generate(Live& live, const decoding::generate_options& options) {
  using unfit = detail::unfit_step_function<Live, "generate", Input, Scores, Kept>;
  if constexpr (unfit::wrong) detail::say<detail::error_in<unfit>>();
  return detail::decoder_of<detail::generator, unfit, Input, Scores, Kept>(live, options);
}
// The same without drawing: the most likely token at each step.
template <ir::text Input, ir::text Scores = "logits", ir::text Kept = "", class Live>
auto greedy(Live& live, decoding::generate_options options) {
  options.draws = 0;
  using unfit = detail::unfit_step_function<Live, "greedy", Input, Scores, Kept>;
  if constexpr (unfit::wrong) detail::say<detail::error_in<unfit>>();
  return detail::decoder_of<detail::greedy_generator, unfit, Input, Scores, Kept>(live, options);
}
#define TENON_SENTENCE                                                                 \
  "generate and greedy take a stream and options by their names in this order, as in " \
  "greedy<'token'>(stream, {.start = 1, .max_steps = 20}): " TENON_MEMBERS_OF_GENERATE_OPTIONS
template <ir::text Input = "", ir::text Scores = "logits", ir::text Kept = "",
          TENON_SAYS_AND(TENON_SENTENCE) class Live>
requires(Input.view().size() > 0 || requires { typename Live::plan; })  // not a function of the user's own
    detail::refused_decoder generate(const volatile Live&, ...)
TENON_REFUSED(TENON_SENTENCE);
template <ir::text Input = "", ir::text Scores = "logits", ir::text Kept = "",
          TENON_SAYS_AND(TENON_SENTENCE) class Live>
requires(Input.view().size() > 0 || requires { typename Live::plan; })  // not a function of the user's own
    detail::refused_decoder greedy(const volatile Live&, ...)
TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE

}  // namespace tenon::inline v0_1
