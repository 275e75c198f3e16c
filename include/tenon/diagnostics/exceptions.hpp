// Refuses -fno-exceptions by one sentence: a file that is not there ends the compilation, where #error would be followed by an error for
// each `throw`. clang's -fignore-exceptions is accepted: what would be thrown ends the program.
#pragma once

#if !defined(__cpp_exceptions)
#  include "Tenon reports wrong values and files by exceptions; compile without -fno-exceptions"
#endif
