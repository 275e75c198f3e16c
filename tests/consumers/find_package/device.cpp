// tenon::thrust finds Thrust's headers.
#include <tenon/backend/thrust/system.hpp>

#include <thrust/version.h>

static_assert(THRUST_VERSION > 0);
