// page_to_program <page.md> <program.cpp>: writes the program that consists of the page's C++ blocks.
#include "pages/snippets.hpp"

#include <cstdio>
#include <exception>
#include <fstream>
#include <sstream>

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::ifstream page(argv[1]);
  std::ostringstream text;
  text << page.rdbuf();
  if (!page) {
    std::fprintf(stderr, "cannot read %s\n", argv[1]);
    return 1;
  }
  try {
    std::ofstream(argv[2]) << pages::program(argv[1], text.str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
