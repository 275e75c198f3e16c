// The parts of an input: token<10>, features<8>, steps<20>, grid<28, 28>, layers<2>. Some of them are also options of
// layers and sessions.
#pragma once

#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/graph/builder.hpp"
#include "tenon/meta/type_name.hpp"

namespace tenon::inline v0_1 {

template <auto Count>
struct token {  // whole numbers in 0 .. Range-1
  static constexpr int Range = ir::size_from<Count>;
  static constexpr void describe(builder& b, ir::edge& e) {
    if (!b.require_int(Range)) return;
    if (Range <= 0)
      b.fail({.rule = ir::sentence("token<").append(Range).append("> has no tokens"),
              .fix = "write the size of the vocabulary"});
    e.range = Range;
  }
};
template <auto Count, auto... More>
struct features {  // rows of numbers
  static constexpr int Size = ir::size_from<Count>;
  static constexpr void set(auto& options) requires(sizeof...(More) == 0 && requires { options.features; }) {
    options.features = Size;
  }
  static constexpr void describe(builder& b, ir::edge& e) {
    if (!b.require_int(Size)) return;
    if (sizeof...(More) > 0)
      b.fail({.rule = "features<n> is the width of one row, and has one size",
              .fix = "write an image as grid<height, width>, features<1>; a sequence as steps<bound>, "
                     "features<n>"});
    if (Size <= 0)
      b.fail({.rule = ir::sentence("features<").append(Size).append("> has no features"),
              .fix = "write the width of a row"});
    e.size = Size;
  }
};
template <int Bound, ir::text Label = "time">
struct steps {  // a sequence of at most Bound steps; inputs with one label share their lengths
  static constexpr ir::label name = Label;
  static constexpr int bound = Bound;
  static constexpr void set(auto& options) requires requires { options.steps; }
  {
    options.steps = Bound;
    options.axis = Label;
  }
  static constexpr void describe(builder& b, ir::edge& e) {
    if (Bound <= 0)
      b.fail({.rule = ir::sentence("steps<").append(Bound).append("> has no steps"),
              .fix = "write the length of the longest sequence"});
    if (ir::detail::is_no_name(Label.view()))
      b.fail({.rule = ir::sentence("a time axis has ").append(Label.view()).append(" for its name"),
              .fix = "write the name in double quotes: steps<20, \"time\">"});
    if (Label.view().size() > ir::label::capacity)
      b.fail({.rule = ir::sentence("the name of an axis has more than ")
                          .append(ir::label::capacity)
                          .append(" letters: '")
                          .append(Label.view())
                          .append("'"),
              .fix = "shorten it"});
    e.axis = b.time_axis_of(Label, Bound);
  }
};
template <int Height, int Width, ir::text Label = "grid">
struct grid {  // an image: Height lines of Width places, each a row of features
  static constexpr ir::extents extents{Height, Width};
  static constexpr void describe(builder& b, ir::edge& e) {
    if (Height <= 0 || Width <= 0)
      b.fail({.rule = "grid<height, width> needs positive sizes", .fix = "grid<28, 28>"});
    else if (Height > ir::size_argument::largest / Width)
      b.fail(
          {.rule =
               ir::sentence("grid<height, width> has more places than ").append(ir::size_argument::largest),
           .fix = "write smaller sizes"});
    else e.axis = b.time_axis_of(Label, Height * Width, extents);
  }
};
template <int Count>
// input: a leading axis of layers (times directions), [Count, batch, features]; recurrent: stacked layers
struct layers {
  static constexpr void set(auto& options) requires requires { options.layers; }
  { options.layers = Count; }
  static constexpr void describe(builder& b, ir::edge& e) {
    if (Count <= 0)
      b.fail({.rule = ir::sentence("layers<").append(Count).append("> has no layers"),
              .fix = "write layers times directions"});
    e.layers = Count;
  }
};

namespace detail {
template <class Part>
constexpr void describe_input(builder& b, edge& e) {
  if constexpr (requires { Part::describe(b, e); }) Part::describe(b, e);
  else
    b.fail({.rule = sentence("'").append(ir::type_name<Part>().view()).append("' is not a part of an input"),
            .fix = "its parts: token<range> or features<size>, steps<bound> or grid<height, width>, "
                   "layers<count>"});
}
}  // namespace detail

}  // namespace tenon::inline v0_1
