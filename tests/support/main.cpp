// The main function of every test program. TENON_TEST_LOCALE names a locale whose numbers, letters and order C's functions then have from
// the start. (Not C++'s streams, which tests use for what they expect: support/decimal_comma.hpp is for those.)
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <clocale>
#include <cstdio>
#include <cstdlib>

int main(int count, char** given) {
  if (const char* const name = std::getenv("TENON_TEST_LOCALE"))
    for (const int category : {LC_NUMERIC, LC_CTYPE, LC_COLLATE, LC_TIME})
      if (std::setlocale(category, name) == nullptr) {
        std::fprintf(stderr, "there is no locale '%s'\n", name);
        return 1;
      }
  return doctest::Context(count, given).run();
}
