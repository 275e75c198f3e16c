// The tag of the reference backend: naive loops in the given scalar type. The tag of every other CPU backend derives from it, so that
// overload resolution falls back to these loops for a kernel that the backend does not implement. The tag is in TENON_INSTRUCTION_SET,
// and so is part of the name of each of these loops: compilers contract a multiplication and an addition into one operation with one
// rounding if the processor has it.
#pragma once

#include "tenon/backend/instruction_set.hpp"

namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET {

struct reference {};

}  // namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET
