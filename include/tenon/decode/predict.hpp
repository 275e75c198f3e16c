// predict: the tokens that a decoder writes for each row of a data set, batch after batch.
//   auto write = greedy<"word">(stream, {.start = 1, .end = 2, .max_steps = 50});
//   std::vector<std::vector<int>> texts = predict(write, data);
//   std::vector<double> scores = predict(search, data, [](const auto& search, int row) { return search.best(row).score; });
#pragma once

// Included first, because compilers print each file on the include path to where errors are reported.
#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/decode/beam_search.hpp"
#include "tenon/decode/forced_decoding.hpp"
#include "tenon/decode/generate.hpp"
#include "tenon/diagnostics/wrong_call.hpp"
#include "tenon/engine/rows/row_data.hpp"
#include "tenon/engine/session/access.hpp"

#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

namespace tenon::inline v0_1 {

namespace detail {

// --- which decoder it is -----------------------------------------------------------------------------------
struct unfit_decoder {
  static constexpr bool is_decoder = false, writes = false, was_refused = false;
};
struct some_decoder {
  static constexpr bool is_decoder = true, writes = true, was_refused = false;
};
template <class>
struct decoder_traits : unfit_decoder {};
template <class S, ir::text Way, ir::text Input, ir::text Scores, ir::text Kept>
struct decoder_traits<generator_of<Way, S, Input, Scores, Kept>> : some_decoder {
  using stream = S;
  static constexpr characters input = ir::literal<Input>;
};
template <class S, ir::text Input, ir::text Scores, ir::text Kept>
struct decoder_traits<beam_searcher<S, Input, Scores, Kept>> : some_decoder {
  using stream = S;
  static constexpr characters input = ir::literal<Input>;
};
template <class S, ir::text Input, ir::text Scores, ir::text Kept>
struct decoder_traits<forced_decoder<S, Input, Scores, Kept>> : some_decoder {
  static constexpr bool writes = false;
};
template <>
struct decoder_traits<refused_decoder> : some_decoder {  // already reported
  static constexpr bool was_refused = true;
};
template <class D>
concept Decoder = decoder_traits<std::remove_cvref_t<D>>::is_decoder;

// Used if no function is given: copies the tokens of a row; for a beam search those of the best output.
struct all_tokens {
  template <class D>
  std::vector<int> operator()(const D& write, int row) const {
    std::span<const int> tokens;
    if constexpr (requires { write.best(row); }) tokens = write.best(row).tokens;
    else tokens = write.text(row);
    return {tokens.begin(), tokens.end()};
  }
};
template <class D, class F>
struct made_of_written {
  using type = void;
  static constexpr bool is_called = false;
};
template <class D, class F>
requires std::invocable<F&, const D&, int>
struct made_of_written<D, F> {
  using type = std::remove_cvref_t<std::invoke_result_t<F&, const D&, int>>;
  static constexpr bool is_called = true;
};

// --- the stream as data sets see it ------------------------------------------------------------------------
// Only its inputs without steps: a column for any other input has no input here, like one for a target.
template <class Plan>
struct plan_of_rows : Plan {
  static constexpr auto net = [] {
    auto all = Plan::net;
    all.inputs = {};
    for (int e : Plan::net.inputs)
      if (!Plan::is_stepped_edge(e)) all.inputs.add(e);
    return all;
  }();
};
template <class Stream>
class inputs_of_rows {
 public:
  using plan = plan_of_rows<typename Stream::plan>;
  explicit inputs_of_rows(Stream& live) : live_(live) {}

 private:
  friend engine::access;
  template <int E, class... Given>
  void give(const Given&... values) {
    engine::access::set_input<E>(live_, values...);
  }
  Stream& live_;
};

// Types that refer to the memory of a decoder.
template <class>
inline constexpr bool looks_at_decoder = false;
template <class T, std::size_t N>
inline constexpr bool looks_at_decoder<std::span<T, N>> = true;
template <class T, int Rank>
inline constexpr bool looks_at_decoder<view<T, Rank>> = true;
template <class T>
inline constexpr bool looks_at_decoder<decoding::hypothesis<T>> = true;

// --- what can be wrong with a call -------------------------------------------------------------------------
// Given: the type including its const.
template <class Given, class Data, class F>
struct unfit_writing {
  static constexpr ir::problem wrong = [] {
    using ir::problem;
    using ir::sentence;
    using writer = std::remove_const_t<Given>;
    using traits = decoder_traits<writer>;
    if constexpr (traits::was_refused) {
      return problem{};
    } else if constexpr (!traits::writes) {
      return problem{.rule = "forced_decoding writes nothing: it judges an output that is given",
                     .fix = "predict what greedy, generate or beam_search writes"};
    } else if constexpr (std::is_const_v<Given>) {
      return problem{.rule = "the decoder is const, and writing changes it",
                     .fix = "pass one that is not const"};
    } else if constexpr (inputs_of_rows<typename traits::stream>::plan::net.inputs.empty()) {
      return problem{.rule = sentence("the stream has no input but '")
                                 .append(traits::input)
                                 .append("', which it writes itself: a row of data has no effect"),
                     .fix = "begin with prompts, write(prompts)"};
    } else if constexpr (!engine::RowsFor<Data, inputs_of_rows<typename traits::stream>>) {
      return problem{
          .rule = sentence("'").append(ir::type_name<Data>().view()).append("' is not a data set"),
          .fix = "write data_set(column<\"x\">(..)), or a type with size() and set_inputs(session, rows)"};
    } else if constexpr (engine::unfit_part<Data, inputs_of_rows<typename traits::stream>>::wrong) {
      return engine::unfit_part<Data, inputs_of_rows<typename traits::stream>>::wrong;
    } else if constexpr (!made_of_written<writer, F>::is_called) {
      return problem{
          .rule = "the argument after the data cannot be called with the decoder, which is const, and a row",
          .fix = "write [](const auto& write, int row) { return ..; }"};
    } else {
      using made = typename made_of_written<writer, F>::type;
      if constexpr (std::same_as<made, void>)
        return problem{.rule = "the function of a row returns nothing",
                       .fix = "return what is to be kept of each row"};
      else if constexpr (looks_at_decoder<made>)
        return problem{.rule = "the function of a row returns a view of what the next batch replaces",
                       .fix = "return a copy, std::vector<int>(text.begin(), text.end())"};
      else return problem{};
    }
  }();
};

}  // namespace detail

// The tokens that a decoder writes for each row of a data set, in the order of the rows, without start and end token;
// for a beam search those of the best output. With f it is the result of f(write, row), where `row` is the decoder's
// row: write.text(row), write.best(row). It writes as many rows at once as its stream has; a beam of width w a w-th of
// them. Columns fill the inputs without steps; further columns, such as one for the input that is written, are ignored.
// Throws input_error as the decoder and set_input do. Rows are checked before the first step, as by fit; rows that a
// function makes are checked when they are made.
template <detail::Decoder Writer, class Data, class F = detail::all_tokens>
requires(!detail::Refused<detail::unfit_writing<std::remove_reference_t<Writer>, Data, F>>)  //
    auto predict(Writer&& write, const Data& data, [[maybe_unused]] F f = {}) {
  using writer = std::remove_cvref_t<Writer>;
  if constexpr (detail::decoder_traits<writer>::was_refused) {
    return std::vector<std::vector<int>>{};
  } else {
    using stream = typename detail::decoder_traits<writer>::stream;
    std::vector<typename detail::made_of_written<writer, F>::type> all;
    detail::inputs_of_rows<stream> inputs(detail::decoder_access::stream(write));
    engine::check_all<detail::inputs_of_rows<stream>>(data);
    all.reserve(static_cast<std::size_t>(data.size()));
    const auto write_batch = [&] {
      write();
      int rows = 0;
      if constexpr (requires { write.sentences(); }) rows = write.sentences();
      else rows = write.rows();
      for (int r = 0; r < rows; ++r) all.push_back(f(static_cast<const writer&>(write), r));
    };
    engine::for_each_batch_of(data, inputs, write_batch, detail::decoder_access::most_rows(write));
    return all;
  }
}
template <detail::Decoder Writer, class Data, class F = detail::all_tokens>
requires(detail::Refused<detail::unfit_writing<std::remove_reference_t<Writer>, Data, F>>)  //
    detail::refused<detail::why<detail::unfit_writing<std::remove_reference_t<Writer>, Data, F>>> predict(
        Writer&&, const Data&,
        F = {} TENON_SAYS_WHY(detail::unfit_writing<std::remove_reference_t<Writer>, Data, F>));
#define TENON_SENTENCE                                                                                 \
  "predict takes what greedy, generate or beam_search has returned, data, and maybe a function of it " \
  "and a row, as in predict(write, data, [](const auto& write, int row) { return write.has_ended(row); })"
template <TENON_SAYS_AND(TENON_SENTENCE) detail::Decoder Writer>
void predict(const volatile Writer&, ...) TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE

}  // namespace tenon::inline v0_1
