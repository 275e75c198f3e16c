// What the targets share: their input, as bytes and as a file, and the promises that they require.
#pragma once

#include "support/temporary_file.hpp"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

namespace tenon::fuzz {

using bytes = std::span<const std::byte>;

inline std::string_view text_of(bytes input) {
  return {reinterpret_cast<const char*>(input.data()), input.size()};
}

inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

// The path of a file in a folder that lives as long as the program: in memory where TMPDIR is /dev/shm.
inline std::string scratch(const char* name) {
  static const temporary_folder folder;
  return folder.path + "/" + name;
}
inline std::string file_of(std::string_view content) {
  const std::string path = scratch("input");
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  require(file != nullptr && std::fwrite(content.data(), 1, content.size(), file) == content.size(),
          "there is room for a file");
  std::fclose(file);
  return path;
}

// Takes the byte at the front, which chooses options; 0 at the end.
inline unsigned take_choice(bytes& input) {
  if (input.empty()) return 0;
  const auto choice = static_cast<unsigned>(input.front());
  input = input.subspan(1);
  return choice;
}

}  // namespace tenon::fuzz
