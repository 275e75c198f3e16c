// Sessions run a graph: inference, differentiation (what training and gradient checks use) and
// streaming. Each owns a workspace of constant size, allocated once; a session belongs to one thread, its
// parameters may be shared.
#pragma once

// First, as compilers print each file on the way to the one where errors are said.
#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/engine/session/differentiation.hpp"
#include "tenon/engine/session/inference.hpp"
#include "tenon/engine/session/states_by_name.hpp"
#include "tenon/engine/session/streaming.hpp"
