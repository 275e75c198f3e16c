// page <head> < lines: prints the file <head> unchanged, then a table for each section.
#include "page.hpp"

#include <fstream>
#include <iostream>

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "page <head>: expected one file\n";
    return 2;
  }
  std::cout << std::ifstream(arguments[1]).rdbuf();
  const auto tables = bench::tables_of(std::cin);
  if (tables.empty()) {
    std::cerr << "page: nothing was measured\n";
    return 1;
  }
  for (const auto& table : tables) std::cout << "\n" << bench::markdown_of(table);
}
