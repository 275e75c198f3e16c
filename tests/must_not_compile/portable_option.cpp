// An option for equal bits that is given as 0: that would be no way to turn it off.
// expect: TENON_PORTABLE, TENON_BATCH_INVARIANT and TENON_COMPILER_VECTORS are options without a value, -DTENON_PORTABLE: they are on, or not defined.
#ifdef MISTAKE
#  define TENON_PORTABLE 0
#endif
#include <tenon/backend/instruction_set.hpp>
