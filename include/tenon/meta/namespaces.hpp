// The namespaces of the library.
//
//   tenon              what a user writes
//   tenon::io, schedules, decoding, cells, concepts, ..   families of that: docs/reference/names.md
//   tenon::equations   the letters of equations: W<"z">(x), b<"z">
//   tenon::ir          networks and equations as values: the compiler, and what a layer's `build` talks to
//   tenon::engine      plans, sessions, and what runs them
//   tenon::backend     kernels
//
// A user opens `tenon` beside `std`: a common word must not be in it, nor a directive that brings one.
#pragma once

namespace tenon {

namespace ir {}
namespace engine {
using namespace ir;
}
namespace backend {
using namespace ir;
}
namespace detail {
using namespace ir;
}

}  // namespace tenon
