// The tag of the reference backend: naive loops in the given scalar type. Every other CPU backend's tag
// derives from it, so that a pattern it does not implement falls back to these, by overload rank.
#pragma once

namespace tenon::backend {

struct reference {};

}  // namespace tenon::backend
