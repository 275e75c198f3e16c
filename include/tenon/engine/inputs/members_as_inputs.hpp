// members_as_inputs: the inputs of a call as the members of a struct, by their names. Sessions ask here; which types are such
// structs, data/struct_rows.hpp knows. Without that header there are none.
#pragma once

namespace tenon::inline v0_1::engine {

// A specialisation has `exist = true`, set(session, structs), which sets each input, and with_steps<Plan>(structs, f), which
// calls f with a value for each input that a step takes.
template <class... Given>
struct members_as_inputs {
  static constexpr bool exist = false;
};

}  // namespace tenon::inline v0_1::engine
