// Sessions run a graph: inference, differentiation (for training and gradient checks) and
// streaming. Each owns a workspace of constant size, allocated once. A session belongs to one thread; its
// parameters may be shared.
#pragma once

// First, because compilers print each file on the include path to the one where errors appear.
#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/engine/session/differentiation.hpp"
#include "tenon/engine/session/inference.hpp"
#include "tenon/engine/session/states_by_name.hpp"
#include "tenon/engine/session/streaming.hpp"
