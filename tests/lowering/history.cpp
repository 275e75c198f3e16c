// Programs that keep values for later steps: what is kept and for how long, and which programs read later steps.
#include <tenon/equation/trace.hpp>
#include <tenon/lowering/history.hpp>
#include <tenon/lowering/make_schedule.hpp>
#include <tenon/nn/multi_head.hpp>

#include <doctest/doctest.h>

using namespace tenon;
using namespace tenon::ir;

namespace {

constexpr input_axes one_axis{.varies = {domain::rows, domain::rows}, .time = "time", .time_bound = 9};
template <class Equation>
constexpr program traced_at = trace_at<Equation>(sizes{6}, one_axis).equations;
template <class Equation>
constexpr program traced_at_two = trace_at<Equation>(sizes{6, 6}, one_axis).equations;

constexpr int count(const program& p, opcode code) {
  int n = 0;
  for (const instruction& i : p.code) n += i.code == code;
  return n;
}
constexpr double kept(const program& p) {  // steps, of all histories
  double n = 0;
  for (const instruction& i : p.code) n += i.code == opcode::keep ? i.number : 0;
  return n;
}

// --- a shift reaches back a fixed number of steps, and a value that several shifts read is kept once ---
struct shifted {
  static constexpr auto at(auto x) {
    return x + shift<1, "time">(x) + shift<4, "time">(x) + shift<2, "time">(x * x);
  }
};
constexpr program looking_back = with_history(traced_at<shifted>, 9);
static_assert(looks_back(traced_at<shifted>) && !sees_all_earlier(traced_at<shifted>));
static_assert(count(looking_back, opcode::shift) == 0 && count(looking_back, opcode::earlier) == 3);
static_assert(count(looking_back, opcode::keep) == 2 && kept(looking_back) == 5 + 3);

// --- the inner axis is the kept steps: keys and values, for all steps of the axis ---
constexpr program heads = traced_at_two<tenon::detail::attending_heads<6, 2, true, true>>;
constexpr program heads_of_a_stream = with_history(heads, 9);
static_assert(looks_back(heads) && sees_all_earlier(heads) && count(heads, opcode::turn) == 2);
static_assert(count(heads_of_a_stream, opcode::turn) == 0 && count(heads_of_a_stream, opcode::keep) == 2);
static_assert(kept(heads_of_a_stream) == 2 * 9);
constexpr schedule of_heads = make_schedule(without_pairs(heads_of_a_stream), {});
constexpr bool has_histories = [] {
  int histories = 0;
  for (const buffer& b : of_heads.buffers) histories += b.kept_steps == 9 && b.width == 6 && b.inner;
  return histories == 2;
}();
static_assert(has_histories);
// A history grows at each step: nothing along its steps is computed only once, not even from their numbers.
struct by_position : equations::symbols {
  static constexpr auto at(auto x) {
    const auto keys = as_axis<"keys">(x);
    return sum<"keys">(exp(b<"decay"> * position_of<"keys">(keys)) * keys);
  }
};
constexpr program positions =
    trace_at<by_position>(sizes{6}, {.varies = {domain::rows}, .time = "time", .time_bound = 9}).equations;
constexpr bool computes_history_once = [] {
  for (const kernel& k : make_schedule(with_history(positions, 9), {}, 0, true).kernels)
    if (k.when == phase::once && has_axis(k.over, dimension::inner)) return true;
  return false;
}();
static_assert(!computes_history_once);
// Keys and values are products of only this step.
constexpr bool multiplies_one_step = [] {
  for (const kernel& k : of_heads.kernels)
    if (k.kind == kernel_kind::matmul && k.over != domain::rows) return false;
  return true;
}();
static_assert(multiplies_one_step);

// --- what a step may see ---
template <int Ahead>
struct masked {
  static constexpr auto at(auto x) {
    const auto keys = as_axis<"keys">(x);
    const auto here = position_of<"time">(x), there = position_of<"keys">(keys);
    const auto score = select(greater(there, here + Ahead), -1e30, dot(x, keys));
    return sum<"keys">(softmax<"keys">(score) * keys);
  }
};
static_assert(reads_later(traced_at<masked<0>>) < 0);
static_assert(reads_later(traced_at<masked<1>>) >= 0);  // the next step, too
static_assert(reads_later(traced_at<masked<-1>>) >=
              0);  // the first step sees nothing: its softmax is over all steps
static_assert(reads_later(heads) < 0);
static_assert(reads_later(traced_at_two<tenon::detail::attending_heads<6, 2, true, false>>) >= 0);

// Other ways to write a mask.
struct added {
  static constexpr auto at(auto x) {
    const auto keys = as_axis<"keys">(x);
    const auto distance = position_of<"time">(x) - position_of<"keys">(keys);
    const auto mask = select(greater(0, distance), -1e30, -0.5 * distance);
    const auto e = exp(tanh(dot(x, keys)) + mask);
    return sum<"keys">(e * keys) / sum<"keys">(e);
  }
};
struct multiplied {
  static constexpr auto at(auto x) {
    const auto keys = as_axis<"keys">(x);
    const auto is_later = greater(2 * position_of<"keys">(keys), 2 * position_of<"time">(x));
    return sum<"keys">((1 - is_later) * dot(x, keys) * keys) +
           max<"keys">(select(is_later, -1e30, dot(x, keys)));
  }
};
struct of_this_step {
  static constexpr auto at(auto x) {
    const auto keys = as_axis<"keys">(x);
    return sum<"keys">(equal(position_of<"keys">(keys), position_of<"time">(x)) * keys);
  }
};
struct negated {  // -s < -t instead of t < s
  static constexpr auto at(auto x) {
    const auto keys = as_axis<"keys">(x);
    const auto is_later = greater(-position_of<"time">(x), -position_of<"keys">(keys));
    return sum<"keys">((1 - is_later) * keys);
  }
};
static_assert(reads_later(traced_at<added>) < 0);
static_assert(reads_later(traced_at<negated>) < 0);
static_assert(reads_later(traced_at<multiplied>) < 0);
static_assert(reads_later(traced_at<of_this_step>) < 0);

// Later steps are not hidden by a mean, a length, scores that are only small, or a mask in the wrong direction.
struct mean_of_all {
  static constexpr auto at(auto x) { return x + mean<"keys">(as_axis<"keys">(x)); }
};
struct divided_by_all {  // hides later steps, but not how many they are
  static constexpr auto at(auto x) {
    const auto keys = as_axis<"keys">(x);
    const auto is_later = greater(position_of<"keys">(keys), position_of<"time">(x));
    return sum<"keys">((1 - is_later) * keys) / length_of<"keys">(keys);
  }
};
struct small_scores {
  static constexpr auto at(auto x) {
    const auto keys = as_axis<"keys">(x);
    const auto is_later = greater(position_of<"keys">(keys), position_of<"time">(x));
    return sum<"keys">(softmax<"keys">(select(is_later, -100, dot(x, keys))) * keys);
  }
};
struct of_later_steps {
  static constexpr auto at(auto x) {
    const auto keys = as_axis<"keys">(x);
    const auto is_later = greater(position_of<"keys">(keys), position_of<"time">(x));
    return sum<"keys">(is_later * dot(x, keys) * keys);
  }
};
struct negated_sum {
  static constexpr auto at(auto x) { return x + sum<"keys">(-as_axis<"keys">(x)); }
};
struct of_alike_steps {  // a comparison of what is not known
  static constexpr auto at(auto x) {
    const auto keys = as_axis<"keys">(x);
    return sum<"keys">(greater(dot(x, keys), 0) * keys);
  }
};
static_assert(reads_later(traced_at<mean_of_all>) >= 0);
static_assert(reads_later(traced_at<negated_sum>) >= 0);
static_assert(reads_later(traced_at<of_alike_steps>) >= 0);
static_assert(reads_later(traced_at<divided_by_all>) >= 0);
static_assert(reads_later(traced_at<small_scores>) >= 0);
static_assert(reads_later(traced_at<of_later_steps>) >= 0);

// Nothing is read behind the end of a program: here its instructions are all that is there.
constexpr bool reads_within_a_program = [] {
  constexpr auto& of = traced_at<masked<0>>;
  instruction all[of.code.size]{};
  for (int k = 0; k < of.code.size; ++k) all[k] = of.code[k];
  program_view p = of;
  p.code = {all, of.code.size};
  return reads_later(p) < 0;
}();
static_assert(reads_within_a_program);

TEST_CASE("what a stream keeps, and what it may see, are compile-time facts") {
  CHECK(kept(looking_back) == 8);
}

}  // namespace
