// TENON_INLINE: what a function is whose body is in an .ipp file. `inline`, and its header includes the file; nothing where
// TENON_COMPILED is defined: then one object has the bodies, compiled.cpp, which tenon::compiled is made of.
#pragma once

#ifdef TENON_COMPILED
#  define TENON_INLINE
#else
#  define TENON_INLINE inline
#endif
