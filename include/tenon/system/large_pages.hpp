// large_pages: memory that the processor reaches with few entries of its table of pages. A matrix of 4 MB is a thousand pages of 4 KB, more than
// a first table holds; in pages of 2 MB it is two.
#pragma once

#include <cstddef>

#if defined(__linux__)
#  include <sys/mman.h>
#endif

namespace tenon::inline v0_1::system_calls {

// A block of at least so many bytes should begin where a large page does.
inline constexpr std::size_t large_page = std::size_t(1) << 21;

// Asks the system for large pages, before anything is written to the block. It may not have them: then nothing changes.
inline void ask_for_large_pages([[maybe_unused]] void* block, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  static_cast<void>(::madvise(block, bytes, MADV_HUGEPAGE));
#endif
}

}  // namespace tenon::inline v0_1::system_calls
