// All networks that lack one thing of a network, to find what it fails of.
#pragma once

#include "network.hpp"

#include <set>

namespace random_networks {

// Without the parts that nothing reads.
inline network pruned(network net) {
  for (bool again = true; again;) {
    std::set<string> needed;
    for (const part& p : net.parts) {
      if (p.kind == "output") needed.insert(node_of(p.name));
      if (p.kind != "tied")
        for (const string& source : p.sources) needed.insert(node_of(source));
    }
    again = std::erase_if(net.parts, [&](const part& p) {
              if (p.kind == "node" || p.kind == "input") return !needed.contains(p.name);
              if (p.kind == "tied") return !needed.contains(p.sources[0]) || !needed.contains(p.sources[1]);
              return false;
            }) > 0;
  }
  return net;
}

inline std::vector<network> smaller(const network& net) {
  std::vector<network> all;
  const auto any = [&](auto holds) { return std::any_of(net.parts.begin(), net.parts.end(), holds); };
  const auto outputs =
      std::count_if(net.parts.begin(), net.parts.end(), [](const part& p) { return p.kind == "output"; });
  const auto without = [&](std::size_t k) {
    network less = net;
    less.parts.erase(less.parts.begin() + static_cast<std::ptrdiff_t>(k));
    return less;
  };
  for (std::size_t k = 0; k < net.parts.size(); ++k) {
    const part& p = net.parts[k];
    if (p.kind == "output" && outputs > 1 && !net.has("loss")) all.push_back(pruned(without(k)));
    if (p.kind == "tied" || p.kind == "stream" || p.kind == "training") all.push_back(without(k));
    if (p.kind == "loss") {
      network less = without(k);
      std::erase_if(less.parts, [](const part& other) { return other.kind == "training"; });
      all.push_back(less);
    }
    if (p.kind != "node" || p.as_input.empty()) continue;
    const bool has_more_results = any([&](const part& other) {
      const auto is_one = [&](const string& s) { return s.starts_with(p.name + "."); };
      return is_one(other.name) || std::any_of(other.sources.begin(), other.sources.end(), is_one);
    });
    const bool is_output =
        any([&](const part& other) { return other.kind == "output" && other.name == p.name; });
    if (has_more_results || is_output) continue;
    network less = net;  // with an input in its place
    less.parts[k] = {"input", p.name, p.as_input, {}, {}, {}, ""};
    std::erase_if(less.parts, [&](const part& other) {
      return other.kind == "tied" && (other.sources[0] == p.name || other.sources[1] == p.name);
    });
    all.push_back(pruned(less));
  }
  for (std::size_t k = 0; k < net.parts.size(); ++k)
    for (std::size_t o = 0; net.parts[k].kind == "node" && o < net.parts[k].options.size(); ++o) {
      network less = net;
      texts& options = less.parts[k].options;
      options.erase(options.begin() + static_cast<std::ptrdiff_t>(o));
      all.push_back(less);
    }
  return all;
}

}  // namespace random_networks
