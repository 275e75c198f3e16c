// The backends that are linked into the program: each has its own file, which registers it.
#pragma once

#include <string>
#include <vector>

struct backend_of_program {
  std::string name;
  double (*learned)(int epochs);  // the accuracy on sequences that it was not trained on
};
inline std::vector<backend_of_program>& backends() {
  static std::vector<backend_of_program> all;
  return all;
}
struct added_backend {
  added_backend(const char* name, double (*learned)(int)) { backends().push_back({name, learned}); }
};
