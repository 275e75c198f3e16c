// unfold<Width>: along the steps of a sequence, the neighbours in each window side by side, [time, D] to [windows, Width * D],
// the first neighbour first. unfold2d<Height, Width>: over a grid, [height, width, D] to [.., .., Height * Width * D], line after
// line. Outside the sequence or the grid, and past a sequence's end, are zeros. Options, with one number for both
// dimensions or one for each: stride<S> (a window at every S-th place), dilation<N> (neighbours N places apart),
// padding<P> (P empty places on each side), same_padding (a window around each place; the stride is 1), is_causal (the
// last neighbour of a window is its place), named_axis<"name"> (of the axis that the windows make).
// A sequence of length L has floor((L + 2 P - N (Width - 1) - 1) / S) + 1 windows, as in PyTorch; none if that is less
// than one, or if L is 0. Unless it is given a name, the axis is named after their number, "time/2" or "time-2"; with a
// window for each step, it is the source's own axis.
// flatten: all places of a grid in one row.
#pragma once

#include "tenon/graph/builder.hpp"
#include "tenon/nn/options.hpp"

namespace tenon::inline v0_1 {

namespace nn {

template <int Vertical, int Horizontal = Vertical>
struct stride {
  static constexpr void set(auto& options) requires requires { options.over.vertical.stride; }
  {
    options.over.vertical.stride = Vertical;
    options.over.horizontal.stride = Horizontal;
  }
};
template <int Vertical, int Horizontal = Vertical>
struct dilation {
  static constexpr void set(auto& options) requires requires { options.over.vertical.dilation; }
  {
    options.over.vertical.dilation = Vertical;
    options.over.horizontal.dilation = Horizontal;
  }
};
template <int Vertical, int Horizontal = Vertical>
struct padding {
  static constexpr void set(auto& options) requires requires { options.over.vertical.before; }
  {
    options.over.vertical.before = options.over.vertical.behind = Vertical;
    options.over.horizontal.before = options.over.horizontal.behind = Horizontal;
    options.is_padded = true;
  }
};
struct same_padding {
  static constexpr void set(auto& options) requires requires { options.keeps_places; }
  { options.keeps_places = true; }
};

// What the axis of the windows is called.
template <ir::text Name>
struct named_axis {
  static constexpr void set(auto& options) requires requires { options.made_axis; }
  { options.made_axis = Name.view(); }
};

}  // namespace nn

namespace detail {

// The values of a window layer's options.
struct window_options {
  static constexpr const char* all =
      "stride<n>, dilation<n>, padding<n>, same_padding, is_causal, named_axis<\"name\">";
  ir::windows over{};
  ir::label made_axis{};  // empty: named after the number of windows
  ir::name unknown{}, repeated{};
  bool is_of_grid, is_padded = false, keeps_places = false, is_causal = false;

  constexpr window_options(bool of_grid, int height, int width) : is_of_grid(of_grid) {
    over.vertical.size = height;
    over.horizontal.size = width;
  }
  // Called when all options have been set.
  constexpr void pad() {
    if (!is_of_grid) over.vertical = {};
    over.vertical = padded(over.vertical);
    over.horizontal = padded(over.horizontal);
  }

 private:
  constexpr ir::windows_along padded(ir::windows_along w) const {
    const int empty = w.span() - 1;
    if (keeps_places) {
      w.before = empty / 2;
      w.behind = empty - empty / 2;
    }
    if (is_causal) w.before = empty;
    return w;
  }
};

template <class... Given, class Options>
constexpr Options windows_of(Options options) {
  options = read_options<Given...>(options);
  options.pad();
  return options;
}

// "time/2", "(time+1)/2", "time-2": how many windows there are.
constexpr ir::label count_of_windows(const ir::label& places, const ir::windows_along& w) {
  const int surplus = w.surplus();
  ir::label count;
  if (w.stride > 1 && (surplus != 0 || places.view().find("+") != ir::characters::npos ||
                       places.view().find("-") != ir::characters::npos))
    count.append("(");
  count.append(places);
  if (surplus > 0) count.append("+");
  if (surplus != 0) count.append(surplus);
  if (w.stride > 1) count.append(count.view().starts_with("(") ? ")/" : "/").append(w.stride);
  return count;
}
// The axis of windows over another: that axis itself if there is a window for each place; otherwise a new one, which
// equally many windows over the same axis share.
constexpr int axis_of_windows(builder& b, int from, const ir::windows& w, const ir::label& name) {
  if (w.is_one_each()) return from;
  for (int a = 0; a < b.net.axes.size; ++a)
    if (const ir::time_axis& other = b.net.axes[a]; other.from == from)
      if (other.is_grid() ? other.grid == ir::count_windows(w, b.net.axes[from].grid)
                          : other.made.counts_as(w)) {
        if (name.empty() || name == other.name) return a;
        return b.fail({.rule = ir::sentence("the axis '")
                                   .append(name.view())
                                   .append("' of the windows is called '")
                                   .append(other.name.view())
                                   .append("' already, by another node"),
                       .fix = "write the named_axis<\"name\"> in the first node with these windows"});
      }
  const ir::time_axis& axis = b.net.axes[from];
  ir::time_axis made{.name = count_of_windows(axis.name, w.horizontal), .from = from, .made = w};
  if (axis.is_grid()) {
    if (!w.vertical.counts_as(w.horizontal))
      made.name = ir::label(count_of_windows(axis.name, w.vertical)).append(" x ").append(made.name);
    made.grid = ir::count_windows(w, axis.grid);
  }
  if (!name.empty()) made.name = name;
  for (const ir::time_axis& other : b.net.axes)
    if (other.name == made.name)
      return b.fail({.rule = ir::sentence("the windows are called '")
                                 .append(made.name.view())
                                 .append("', and another axis is, too"),
                     .fix = "put the input of that axis below this node, or name its axis otherwise"});
  made.bound = axis.is_grid() ? made.grid.places() : w.horizontal.count(axis.bound);
  return b.add_axis(made);
}

constexpr bool is_window(const ir::windows_along& w) { return w.size > 0 && w.stride > 0 && w.dilation > 0; }
constexpr int least_places(const ir::windows_along& w) { return w.span() - w.before - w.behind; }
// Can these windows run over that edge? The error names `layer`.
template <class Options>
constexpr bool accept_windows(builder& b, const edges& in, const Options& options, const char* layer) {
  const bool is_of_grid = options.is_of_grid;
  if (!b.require_inputs(in, 1, 1, layer, "concat several sources first")) return false;
  const auto refuse = [&](const ir::problem& p) {
    b.fail(p);
    return false;
  };
  const auto fail = [&](const ir::sentence& rule, const ir::sentence& fix) {
    return refuse({.rule = rule, .fix = fix});
  };
  if (!accept_options(b, options, layer)) return false;
  if (options.is_padded + options.keeps_places + options.is_causal > 1)
    return fail(ir::sentence(layer).append(" is padded in two ways"),
                "keep one of padding<n>, same_padding and is_causal");
  const ir::windows_along &v = options.over.vertical, &h = options.over.horizontal;
  if (!is_window(v) || !is_window(h))
    return fail(ir::sentence(layer).append(" needs positive sizes, strides and dilations"),
                "write positive numbers: windows of 3 places, stride<2>, dilation<2>");
  if (options.keeps_places && (v.stride > 1 || h.stride > 1))
    return fail(ir::sentence(layer)
                    .append(" has same_padding, a window around each place, and a stride of ")
                    .append(v.stride > 1 ? v.stride : h.stride),
                "write stride<1>, or padding<n> in place of same_padding");
  if (v.before < 0 || h.before < 0)
    return fail(ir::sentence(layer).append(" needs a padding of at least 0"), "leave padding<0> out");
  if (v.before >= v.span() || h.before >= h.span())
    return fail(ir::sentence(layer).append(" has windows that lie outside altogether"),
                ir::sentence("write a padding below ").append(v.before >= v.span() ? v.span() : h.span()));
  if (!options.made_axis.empty() && options.over.is_one_each())
    return fail(ir::sentence(layer).append(" has a window for each place, so it makes no axis to name"),
                "leave named_axis out: the axis is that of the source");
  if (!b.require_numbers(in[0], layer) || !b.require_sequence(in[0], layer)) return false;
  const ir::time_axis& axis = b.net.axes[b[in[0]].axis];
  if (axis.is_grid() != is_of_grid)
    return refuse({.rule = is_of_grid ? ir::sentence(layer).append(" goes over a grid, got a sequence")
                                      : ir::sentence(layer).append(" goes along a sequence, got a grid"),
                   .source = b[in[0]].path,
                   .fix = is_of_grid ? "give the input a grid<height, width>"
                                     : "write height and width of the windows"});
  const ir::extents places = is_of_grid ? axis.grid : ir::extents{1, axis.bound};
  const bool is_too_high = v.count(places.height) == 0;
  if (is_too_high || h.count(places.width) == 0)
    return refuse({.rule = ir::sentence(layer).append(": no window fits: it needs"),
                   .axis = "places",
                   .expected = is_too_high ? least_places(v) : least_places(h),
                   .got = is_too_high ? places.height : places.width,
                   .source = b[in[0]].path,
                   .fix = "write smaller windows, or a padding<n>"});
  return true;
}
// Adds windows over edge e: for each window a row with the features of all neighbours.
constexpr int add_windows(builder& b, int e, const window_options& options, double outside = 0) {
  const ir::windows& over = options.over;
  const int axis = axis_of_windows(b, b[e].axis, over, options.made_axis);
  const int out = b.add_edge({.size = b[e].size * over.size(), .axis = axis});
  b.add_operation(
      {.kind = ir::operation_kind::windows, .in = {e}, .out = {out}, .over = over, .outside = outside});
  return out;
}

template <bool OfGrid, int Height, int Width, class... Options>
struct unfolded {
  static constexpr int build(builder& b, const edges& in) {
    constexpr auto options = windows_of<Options...>(window_options{OfGrid, Height, Width});
    return accept_windows(b, in, options, OfGrid ? "unfold2d" : "unfold") ? add_windows(b, in[0], options)
                                                                          : -1;
  }
};

}  // namespace detail

namespace nn {

template <int Width, class... Options>
struct unfold : detail::unfolded<false, 1, Width, Options...> {};
template <int Height, int Width, class... Options>
struct unfold2d : detail::unfolded<true, Height, Width, Options...> {};

// All places of a grid, line after line, in one row: [height, width, D] to [height * width * D].
struct flatten {
  static constexpr int build(builder& b, const edges& in) {
    if (!b.require_inputs(in, 1, 1, "flatten", "concat several sources first") ||
        !b.require_numbers(in[0], "flatten") || !b.require_sequence(in[0], "flatten"))
      return -1;
    const ir::edge& x = b[in[0]];
    const ir::extents grid = b.net.axes[x.axis].grid;
    if (grid.height == 0)
      return b.fail(
          {.rule = "flatten expects a grid of a fixed size, got a sequence",
           .source = x.path,
           .fix = "reduce the time axis: mean_over<\"time\">, attention, or a recurrent layer's '.final'"});
    const ir::windows all{.vertical = {.size = grid.height}, .horizontal = {.size = grid.width}};
    const int out = b.add_edge({.size = x.size * grid.places()});
    b.add_operation({.kind = ir::operation_kind::windows, .in = in, .out = {out}, .over = all});
    return out;
  }
};

}  // namespace nn

}  // namespace tenon::inline v0_1
