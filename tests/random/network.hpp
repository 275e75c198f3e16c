// A network as text: a part on each line, its fields between bars.
#pragma once

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace random_networks {

using std::string;
using std::to_string;
using texts = std::vector<string>;

struct part {
  string kind;  // axis, input, node, tied, output, loss, training, stream
  string name;  // of an axis its bound too: "a 5"
  string
      layer;  // of a node: the template; of an input what it holds, "token<7>" or "features<3>"; of tied parts which parameters
  texts arguments, options, sources;
  string as_input;  // of a node: what an input in its place holds; empty if there is no such input
};
struct network {
  string title;
  std::vector<part> parts;
  bool has(const string& kind) const {
    return std::any_of(parts.begin(), parts.end(), [&](const part& p) { return p.kind == kind; });
  }
};

inline string joined(const texts& all, const string& between) {
  string result;
  for (const string& one : all) result += (result.empty() ? "" : between) + one;
  return result;
}
inline texts split(const string& text, char at) {
  texts all;
  std::istringstream words(text);
  for (string one; std::getline(words, one, at);)
    if (!one.empty()) all.push_back(one);
  return all;
}
inline string number(int n) { return to_string(n); }
inline string quoted(const string& text) { return "\"" + text + "\""; }
// The node of a source: n1 of n1.final.
inline string node_of(const string& source) { return source.substr(0, source.find('.')); }

inline string text_of(const network& net) {
  string result = "network|" + net.title + "\n";
  for (const part& p : net.parts)
    result += p.kind + "|" + p.name + "|" + p.layer + "|" + joined(p.arguments, ";") + "|" +
              joined(p.options, ";") + "|" + joined(p.sources, " ") + "|" + p.as_input + "|\n";
  return result;
}
inline network read(const string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("networks: cannot read " + path);
  network net;
  for (string line; std::getline(file, line);) {
    texts fields{""};
    for (const char c : line)
      if (c == '|') fields.emplace_back();
      else fields.back() += c;
    fields.resize(8);
    if (fields[0] == "network") net.title = fields[1];
    else
      net.parts.push_back({fields[0], fields[1], fields[2], split(fields[3], ';'), split(fields[4], ';'),
                           split(fields[5], ' '), fields[6]});
  }
  return net;
}

}  // namespace random_networks
