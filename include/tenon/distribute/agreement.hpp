// agreement: the things in which all ranks must be alike, such as the rows of their data and the bits of their parameters.
#pragma once

#include "tenon/distribute/any_communicator.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::inline v0_1::distribute {

class agreement {
 public:
  void add(const char* name, double number) { same_.push_back({name, number, true}); }
  // One that is larger than a number; only a hash of it is compared.
  void add_bytes(const char* name, const void* bytes, std::size_t count);
  void add_text(const char* name, std::string_view text) { add_bytes(name, text.data(), text.size()); }
  // Throws input_error on all ranks if not all have the same. It names the first one and rank that differ.
  void check(const any_communicator& world, const std::string& where) const;

 private:
  struct thing {
    const char* name;
    double value;
    bool is_number;
  };
  std::vector<thing> same_;
};

}  // namespace tenon::inline v0_1::distribute

#ifndef TENON_COMPILED
#  include "tenon/distribute/agreement.ipp"
#endif
