// TENON_INLINE: what a function is whose body is in an .ipp file. `inline`, and its header includes the file; nothing where
// TENON_COMPILED is defined: then one object has the bodies, compiled.cpp, which tenon::compiled is made of.
//   [[gnu::noinline]] TENON_INLINE void refuse(std::string_view what) { .. }
// Other attributes are at the declaration; this one is not, because g++ 12 warns of an inline body after it.
#pragma once

#ifdef TENON_COMPILED
#  define TENON_INLINE
#else
#  define TENON_INLINE inline
#endif
