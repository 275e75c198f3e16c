#include "model.hpp"

TENON_COMPILE_SESSION(lookup_session);
