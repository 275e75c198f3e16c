// Options that several layers take.
#pragma once

namespace tenon {

struct no_bias {};
// What comes later is not seen.
struct is_causal {};

}  // namespace tenon
