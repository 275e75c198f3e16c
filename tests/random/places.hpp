// Windows of sequences and grids, and what reduces them to a row. Each function returns whether there was something to add it to.
#pragma once

#include "drawing.hpp"

namespace random_networks::offers {

// How many windows there are along so many places.
struct windows_along {
  int width = 1, stride = 1, dilation = 1, padding = 0;
  int span() const { return dilation * (width - 1) + 1; }
  bool is_one_each() const { return stride == 1 && 2 * padding == span() - 1; }
  int over(int places) const {
    const int room = places + 2 * padding - span();
    return room < 0 ? 0 : room / stride + 1;
  }
};

inline bool windows(drawing& d) {
  const auto x = d.pick(is_sequence);
  if (!x) return false;
  enum { convolution, neighbours, pool };
  const int kind = d.random.below(3);
  windows_along w{2 + d.random.below(2)};
  texts options;
  value y = *x;
  if (d.streams || d.random.chance(35)) {  // a window at each step
    if (!d.streams && w.width % 2 == 0) return false;
    options.push_back(d.streams ? "is_causal" : "same_padding");
    if (kind == pool) options.push_back("stride<1>");
  } else {
    if (kind == pool) w.stride = w.width;
    if (d.random.chance(40)) options.push_back("stride<" + number(w.stride = 1 + d.random.below(3)) + ">");
    if (d.random.chance(30)) options.push_back("dilation<" + number(w.dilation = 2) + ">");
    if (d.random.chance(30)) options.push_back("padding<" + number(w.padding = 1) + ">");
    y.bound = w.over(x->bound);
    if (y.bound == 0) return false;
    y.axis = "windows " + number(d.nodes());
    const bool are_first = d.windowed.insert(x->axis).second;
    if (are_first && has_name(*x) && !w.is_one_each() && d.random.chance(40)) {
      y.axis = d.new_axis_name();
      options.push_back("named_axis<" + quoted(y.axis) + ">");
    }
  }
  const int size = d.prime();
  if (kind == convolution) {
    if (d.random.chance(20)) options.push_back("no_bias");
    add_options_of_parameters(d, options, "weight", 10);
    d.add("conv1d", {number(size), number(w.width)}, options, {x->name}, with_size(y, size));
  } else if (kind == neighbours) {
    d.add("unfold", {number(w.width)}, options, {x->name}, with_size(y, w.width * x->size));
  } else {
    d.add(d.random.chance(50) ? "max_pool1d" : "avg_pool1d", {number(w.width)}, options, {x->name}, y);
  }
  return true;
}
inline bool places(drawing& d) {
  const auto x = d.pick(is_grid);
  if (!x) return false;
  if (d.random.chance(25)) {
    d.add("flatten", {}, {}, {x->name}, as_row(x->bound * x->width * x->size));
    return true;
  }
  enum { convolution, neighbours, pool };
  const int kind = d.random.below(3);
  windows_along down{1 + d.random.below(3)}, across{1 + d.random.below(3)};
  texts options;
  value y = *x;
  if (down.width % 2 == 1 && across.width % 2 == 1 && d.random.chance(30)) {
    options.push_back("same_padding");
    if (kind == pool) options.push_back("stride<1>");
  } else {
    if (kind == pool) {
      down.stride = down.width;
      across.stride = across.width;
    }
    if (d.random.chance(30)) {
      down.stride = 1 + d.random.below(2);
      across.stride = 1 + d.random.below(3);
      options.push_back("stride<" + number(down.stride) + ", " + number(across.stride) + ">");
    }
    if (d.random.chance(30)) {
      down.dilation = across.dilation = 2;
      options.push_back("dilation<2>");
    }
    if (down.width > 1 && across.width > 1 && d.random.chance(40)) {
      down.padding = across.padding = 1;
      options.push_back("padding<1>");
    }
    y.bound = down.over(x->bound);
    y.width = across.over(x->width);
    if (y.bound * y.width == 0) return false;
    y.axis = "places " + number(d.nodes());
  }
  const texts sizes{number(down.width), number(across.width)};
  const int size = d.prime();
  if (kind == convolution) {
    if (d.random.chance(20)) options.push_back("no_bias");
    add_options_of_parameters(d, options, "weight", 10);
    d.add("conv2d", {number(size), sizes[0], sizes[1]}, options, {x->name}, with_size(y, size));
  } else if (kind == neighbours) {
    d.add("unfold2d", sizes, options, {x->name}, with_size(y, down.width * across.width * x->size));
  } else {
    d.add(d.random.chance(50) ? "max_pool2d" : "avg_pool2d", sizes, options, {x->name}, y);
  }
  return true;
}
inline bool pooling(drawing& d) {
  const auto x = d.pick([](const value& v) { return is_sequence(v) || is_grid(v); });
  if (!x) return false;
  const texts layers{"sum_over", "mean_over", "max_over", "attention_over", "first_over", "last_over"};
  const string layer =
      layers[static_cast<std::size_t>(d.random.below(is_grid(*x) ? 4 : static_cast<int>(layers.size())))];
  texts arguments{quoted(has_name(*x) && d.random.chance(50) ? x->axis : "")};
  if (layer == "attention_over") arguments = {number(d.prime())};
  const value y = d.add(layer, arguments, {}, {x->name}, as_row(x->size, true));
  if (layer == "attention_over" && is_sequence(*x)) d.add_result(y, "weights", with_size(*x, 1));
  return true;
}

}  // namespace random_networks::offers
