// The namespaces of the library.
//
//   tenon              what a user writes
//   tenon::nn          layers and their options; nn::activation, nn::score, nn::cells
//   tenon::io, schedules, decoding, concepts, ..   groups of these names: docs/reference/names.md
//   tenon::equations   symbols, the base of a cell: its members are the letters W<"z">(x), b<"z">
//   tenon::ir          networks and equations as values: the compiler, and the interface of a layer's `build`
//   tenon::engine      plans, sessions, and what runs them
//   tenon::backend     kernels
//
// Users open `tenon` and `std` together: `tenon` must not contain a common word, nor a using directive that brings one.
#pragma once

namespace tenon::inline v0_1 {

namespace ir {}
namespace nn {}
namespace engine {
using namespace ir;
}
namespace backend {
using namespace ir;
}
namespace detail {
using namespace ir;
}

}  // namespace tenon::inline v0_1
