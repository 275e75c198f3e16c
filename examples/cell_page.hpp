// A page that colours a text by the state of one unit, and a ranking of the units that follow a pattern of the text: its quotation
// marks, its indentation, the place in a line (Karpathy, Johnson and Fei-Fei 2016). The page is one self-contained HTML file.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace cell_page {

// Numbers between -1 and 1: for each character of a text, in order, the states of all units.
struct states {
  int units = 0;
  std::vector<float> values{};  // [characters, units]

  float operator()(std::size_t character, int unit) const {
    return values[character * static_cast<std::size_t>(units) + static_cast<std::size_t>(unit)];
  }
};

// A pattern of the text: its value after each character.
struct pattern {
  std::string name;
  std::vector<double> values{};
};
// Does a quotation mark open? It does at the start of the text, behind a blank and behind a bracket.
inline bool opens(const std::vector<std::string>& characters, std::size_t mark) {
  if (mark == 0) return true;
  const std::string& before = characters[mark - 1];
  return before == " " || before == "\t" || before == "\n" || before == "(" || before == "[";
}
// A text may begin inside quotation marks: then its first mark does not open.
inline bool begins_quoted(const std::vector<std::string>& characters) {
  const auto first = std::find(characters.begin(), characters.end(), "\"");
  return first != characters.end() && !opens(characters, static_cast<std::size_t>(first - characters.begin()));
}
inline std::vector<pattern> patterns_of(const std::vector<std::string>& characters) {
  std::vector<pattern> all{{"inside quotation marks"}, {"place in the line"}, {"indentation"},
                           {"place in the word"},      {"in capitals"},       {"first line of a paragraph"}};
  bool is_quoted = begins_quoted(characters), is_leading = true, is_first = true;
  int place = 0, indentation = 0, letters = 0;
  for (std::size_t n = 0; n < characters.size(); ++n) {
    const std::string& c = characters[n];
    if (c == "\n") {
      is_first = place == 0;  // the line that ends is empty
      is_leading = true;
      place = 0;
      indentation = 0;
    } else {
      is_leading = is_leading && (c == " " || c == "\t");
      ++place;
      indentation += is_leading;
    }
    if (c == "\"") is_quoted = opens(characters, n);
    const bool is_capital = c >= "A" && c <= "Z",
               is_letter = is_capital || (c >= "a" && c <= "z") || c.size() > 1;
    letters = is_letter ? letters + 1 : 0;
    const double now[]{double(is_quoted), double(place),      double(indentation),
                       double(letters),   double(is_capital), double(is_first)};
    for (std::size_t k = 0; k < all.size(); ++k) all[k].values.push_back(now[k]);
  }
  return all;
}

// Pearson's correlation of a unit with a pattern; 0 where one of them is constant.
inline double correlation(const states& s, int unit, const pattern& p) {
  const double n = static_cast<double>(p.values.size());
  double x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  for (std::size_t k = 0; k < p.values.size(); ++k) {
    const double a = static_cast<double>(s(k, unit)), b = p.values[k];
    x += a;
    y += b;
    xx += a * a;
    yy += b * b;
    xy += a * b;
  }
  const double spread = (xx - x * x / n) * (yy - y * y / n);
  return spread > 1e-12 ? (xy - x * y / n) / std::sqrt(spread) : 0;
}

struct ranking {
  std::string pattern;
  std::vector<std::pair<int, double>> best{};  // units with their correlations, the strongest first
};
// For each pattern in the text, the units that correlate most strongly with it, positively or negatively.
inline std::vector<ranking> rank_units(const states& s, const std::vector<std::string>& characters,
                                       int count = 5) {
  std::vector<ranking> all;
  for (const pattern& p : patterns_of(characters)) {
    ranking r{p.name};
    for (int unit = 0; unit < s.units; ++unit) r.best.emplace_back(unit, correlation(s, unit, p));
    const auto some = std::min<std::ptrdiff_t>(count, s.units);
    std::partial_sort(r.best.begin(), r.best.begin() + some, r.best.end(), [](const auto& a, const auto& b) {
      const double x = std::abs(a.second), y = std::abs(b.second);
      return x != y ? x > y : a.first < b.first;
    });
    r.best.resize(static_cast<std::size_t>(some));
    if (!r.best.empty() && r.best[0].second != 0) all.push_back(std::move(r));
  }
  return all;
}

// A text as a JavaScript string; `<` is escaped, since it could end the script.
inline std::string quoted(const std::string& text) {
  std::string all = "\"";
  for (const char c : text) {
    char code[8];
    if (static_cast<unsigned char>(c) < 32 || c == '"' || c == '\\' || c == '<' || c == 127) {
      std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
      all += code;
    } else {
      all += c;
    }
  }
  return all + "\"";
}

// The page contains the states of the first `shown` characters, each as two hexadecimal digits.
inline std::string page(const std::string& title, const std::vector<std::string>& characters, const states& s,
                        const std::vector<ranking>& rankings, std::size_t shown) {
  shown = std::min(shown, characters.size());
  std::string text = "[", numbers, table;
  for (std::size_t k = 0; k < shown; ++k) text += (k > 0 ? "," : "") + quoted(characters[k]);
  text += "]";
  for (int unit = 0; unit < s.units; ++unit)
    for (std::size_t k = 0; k < shown; ++k) {
      char digits[4];
      std::snprintf(digits, sizeof digits, "%02x",
                    static_cast<unsigned>(std::lround(127.5 + 127.5 * static_cast<double>(s(k, unit)))));
      numbers += digits;
    }
  for (const ranking& r : rankings) {
    table += "<tr><th>" + r.pattern + "</th>";
    for (const auto& [unit, c] : r.best) {
      char cell[120];
      std::snprintf(cell, sizeof cell, "<td><button onclick=\"show(%d)\">%d</button> %+.2f</td>", unit, unit,
                    c);
      table += cell;
    }
    table += "</tr>\n";
  }
  const std::string first = std::to_string(rankings.empty() ? 0 : rankings[0].best[0].first);
  return R"html(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>)html" +
         title + R"html(</title>
<style>
body { font: 15px sans-serif; margin: 2em; max-width: 60em }
th { text-align: left; font-weight: normal; padding-right: 1em }
td { padding-right: 1em }
pre { font: 14px/1.5 monospace; white-space: pre-wrap }
</style></head><body>
<h1>)html" +
         title + R"html(</h1>
<p>Behind each character, the state tanh(c) of one unit: <span style="background: rgba(220,60,40,.8)">+1</span>
<span style="background: rgba(40,90,220,.8)">-1</span>, white 0. Units that follow a pattern of the text, with their correlation:</p>
<table>
)html" + table +
         R"html(</table>
<p>Unit <input id="unit" type="number" min="0" max=")html" +
         std::to_string(s.units - 1) + R"html(" oninput="show(+this.value)"></p>
<pre id="text"></pre>
<script>
const text = )html" +
         text + R"html(, units = )html" + std::to_string(s.units) + R"html(;
const states = ")html" +
         numbers + R"html(";
const pre = document.getElementById("text"), box = document.getElementById("unit");
for (const c of text) {
  const mark = document.createElement("span");
  mark.textContent = c === "\n" ? "\u00b6\n" : c;
  pre.appendChild(mark);
}
function show(unit) {
  if (!(unit >= 0 && unit < units)) return;
  box.value = unit;
  for (let k = 0; k < text.length; ++k) {
    const at = 2 * (unit * text.length + k), value = parseInt(states.slice(at, at + 2), 16) / 127.5 - 1;
    pre.children[k].style.background = `rgba(${value > 0 ? "220,60,40" : "40,90,220"},${(0.8 * Math.abs(value)).toFixed(3)})`;
    pre.children[k].title = value.toFixed(2);
  }
}
show()html" +
         first + R"html();
</script></body></html>
)html";
}

}  // namespace cell_page
