// The bodies of agreement.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/diagnostics/number_text.hpp"
#include "tenon/distribute/gather_all.hpp"
#include "tenon/meta/inline.hpp"

#include <cstdint>

namespace tenon::inline v0_1::distribute {

// FNV-1a, of which a double holds 53 bits.
TENON_INLINE void agreement::add_bytes(const char* name, const void* bytes, std::size_t count) {
  std::uint64_t hash = 14695981039346656037u;
  for (std::size_t k = 0; k < count; ++k)
    hash = (hash ^ static_cast<const unsigned char*>(bytes)[k]) * 1099511628211u;
  same_.push_back({name, static_cast<double>(hash >> 11), false});
}
TENON_INLINE void agreement::check(const any_communicator& world, const std::string& where) const {
  if (world.size() == 1) return;
  std::vector<double> mine;
  for (const thing& f : same_) mine.push_back(f.value);
  const std::vector<std::size_t> counts = gather_all(world, std::vector<std::size_t>{mine.size()});
  for (const std::size_t count : counts)
    if (count != counts[0]) throw input_error(where + ": the ranks run different programs");
  const std::vector<double> all = gather_all(world, mine);
  const std::size_t ranks = static_cast<std::size_t>(world.size());
  for (std::size_t f = 0; f < mine.size(); ++f)
    for (std::size_t r = 1; r < ranks; ++r) {
      const double first = all[f], other = all[r * mine.size() + f];
      if (first == other || (first != first && other != other)) continue;
      const std::string rank = "rank " + std::to_string(r);
      throw input_error(where + ": all ranks must have the same " + same_[f].name + "; " +
                        (same_[f].is_number ? "rank 0 has " + tenon::detail::general(first, 9) + ", " + rank +
                                                  " has " + tenon::detail::general(other, 9)
                                            : "that of " + rank + " is not that of rank 0"));
    }
}

}  // namespace tenon::inline v0_1::distribute
