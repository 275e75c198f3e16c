// Which layers, options, losses and joints networks have.
#pragma once

#include "drawn.hpp"

#include <cctype>
#include <iostream>
#include <map>

namespace random_networks {

// Its names but for those in quotation marks, of which a second result is one: lstm, no_bias, losses::mse, .final, .weights.
inline std::set<string> kinds_of(const network& net) {
  std::set<string> all;
  const auto add_second_result = [&](const string& name) {
    if (node_of(name) != name) all.insert(name.substr(node_of(name).size()));
  };
  const auto add_names = [&](const string& text) {
    string name;
    bool is_quoted = false;
    for (const char c : text + " ") {
      if (c == '"') is_quoted = !is_quoted;
      const bool is_part = std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == ':';
      if (!is_quoted && is_part && (!name.empty() || !std::isdigit(static_cast<unsigned char>(c)))) {
        name += c;
      } else if (!is_part) {
        if (!name.empty()) all.insert(name);
        name.clear();
      }
    }
  };
  for (const part& p : net.parts) {
    if (p.kind == "stream" || p.kind == "tied") all.insert(p.kind + p.layer);
    else add_names(p.layer);
    for (const string& argument : p.arguments) add_names(argument);
    for (const string& option : p.options) add_names(option);
    if (p.kind == "tied") continue;
    if (p.kind == "output") add_second_result(p.name);
    for (const string& source : p.sources) add_second_result(source);
  }
  return all;
}
// How many of the networks have each kind that the first thousand seeds have; the exit status is 1 if there is one that none has.
inline int write_kinds(const std::vector<network>& networks) {
  std::map<string, int> counts;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed)
    for (const string& kind : kinds_of(drawn(seed))) counts[kind];
  for (const network& net : networks)
    for (const string& kind : kinds_of(net)) ++counts[kind];
  const auto missing =
      std::count_if(counts.begin(), counts.end(), [](const auto& of) { return of.second == 0; });
  for (const auto& [kind, count] : counts) std::cout << count << " " << kind << "\n";
  std::cout << counts.size() << " kinds, " << missing << " in none of " << networks.size() << " networks\n";
  return missing == 0 ? 0 : 1;
}

}  // namespace random_networks
