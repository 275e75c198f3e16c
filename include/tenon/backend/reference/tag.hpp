// The tag of the reference backend: naive loops in the given scalar type. Every other CPU backend's tag
// derives from it, so that a pattern it does not implement falls back to these, by overload rank. The tag is in
// TENON_INSTRUCTION_SET, and so in the name of each of these loops: compilers make a multiplication and an addition one
// operation with one rounding where the processor has it.
#pragma once

#include "tenon/backend/instruction_set.hpp"

namespace tenon::backend::inline TENON_INSTRUCTION_SET {

struct reference {};

}  // namespace tenon::backend::inline TENON_INSTRUCTION_SET
