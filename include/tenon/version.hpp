// The library's version, the only place that holds it: the build system reads it from here.
//
// All names lie in an inline namespace of this version, tenon::v0_1, so that objects of two versions do not share a name: one that calls the
// other with a type of the library does not link, and one that does not may lie beside it. docs/decisions/0047-a-namespace-of-the-version.md
#pragma once

#define TENON_VERSION_MAJOR 0
#define TENON_VERSION_MINOR 1
#define TENON_VERSION_PATCH 0

/// One number that grows with each release: 0.1.0 is 100.
#define TENON_VERSION (TENON_VERSION_MAJOR * 10000 + TENON_VERSION_MINOR * 100 + TENON_VERSION_PATCH)
