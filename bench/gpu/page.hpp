// Makes tables of the lines that the programs of bench/gpu write: section, row, column, number.
#pragma once

#include <algorithm>
#include <cstdio>
#include <istream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace bench {

struct page_table {
  std::string title;
  std::vector<std::string> rows, columns;  // in the order in which they came
  std::map<std::pair<std::string, std::string>, double> cells;
};

// Lines of another form are ignored.
inline std::vector<page_table> tables_of(std::istream& in) {
  std::vector<page_table> all;
  const auto add_once = [](std::vector<std::string>& list, const std::string& word) {
    if (std::find(list.begin(), list.end(), word) == list.end()) list.push_back(word);
  };
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string section, row, column, number;
    if (!std::getline(words, section, '\t') || !std::getline(words, row, '\t') ||
        !std::getline(words, column, '\t') || !std::getline(words, number, '\t'))
      continue;
    char* end = nullptr;
    const double value = std::strtod(number.c_str(), &end);
    if (end == number.c_str() || *end != '\0') continue;
    auto table =
        std::find_if(all.begin(), all.end(), [&](const page_table& t) { return t.title == section; });
    if (table == all.end()) table = all.insert(all.end(), page_table{section, {}, {}, {}});
    add_once(table->rows, row);
    add_once(table->columns, column);
    table->cells[{row, column}] = value;
  }
  return all;
}
// Microseconds with their unit, three digits.
inline std::string shown_time(double us) {
  char text[32];
  if (us >= 1e6) std::snprintf(text, sizeof text, "%.3g s", us / 1e6);
  else if (us >= 1e3) std::snprintf(text, sizeof text, "%.3g ms", us / 1e3);
  else std::snprintf(text, sizeof text, "%.3g µs", us);
  return text;
}
// The cells of other contenders also show their ratio to Tenon's time, to its captured run if there is one: above 1, Tenon is faster.
inline std::string markdown_of(const page_table& table) {
  const bool is_limit = table.title == "limits";
  std::string text = "## " + table.title + "\n\n| |";
  for (const std::string& c : table.columns) text += " " + c + " |";
  text += "\n|---|";
  for (std::size_t k = 0; k < table.columns.size(); ++k) text += "---:|";
  text += "\n";
  for (const std::string& row : table.rows) {
    text += "| " + row + " |";
    auto ours = table.cells.find({row, "Tenon, captured"});
    if (ours == table.cells.end()) ours = table.cells.find({row, "Tenon"});
    for (const std::string& column : table.columns) {
      const auto cell = table.cells.find({row, column});
      if (cell == table.cells.end()) {
        text += " |";
        continue;
      }
      char number[64];
      std::snprintf(number, sizeof number, "%.0f", cell->second);
      text += " " + (is_limit ? number : shown_time(cell->second));
      if (!is_limit && !column.starts_with("Tenon") && ours != table.cells.end()) {
        std::snprintf(number, sizeof number, " **%.2f**", cell->second / ours->second);
        text += number;
      }
      text += " |";
    }
    text += "\n";
  }
  return text;
}

}  // namespace bench
