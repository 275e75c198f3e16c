// The library's version, the only place that holds it: the build system reads it from here.
#pragma once

#define TENON_VERSION_MAJOR 0
#define TENON_VERSION_MINOR 1
#define TENON_VERSION_PATCH 0

/// One number that grows with each release: 0.1.0 is 100.
#define TENON_VERSION (TENON_VERSION_MAJOR * 10000 + TENON_VERSION_MINOR * 100 + TENON_VERSION_PATCH)
