// Networks as C++ programs: tests that check them, and programs with one mistake.
#pragma once

#include "drawing.hpp"

#include <cctype>
#include <iostream>

namespace random_networks {

inline string type_of(const part& p) {
  texts all = p.arguments;
  all.insert(all.end(), p.options.begin(), p.options.end());
  if (all == texts{"\"\""}) return p.layer + "<>";
  return all.empty() ? p.layer : p.layer + "<" + joined(all, ", ") + ">";
}
inline string graph_of(const network& net) {
  string text = "graph<" + quoted(net.title);
  const auto line = [&](const string& what) { text += ",\n    " + what; };
  for (const part& p : net.parts)
    if (p.kind == "input")
      line("input<" + quoted(p.name) + ", " + p.layer +
           (p.options.empty() ? "" : ", " + joined(p.options, ", ")) + ">");
  for (const part& p : net.parts)
    if (p.kind == "node") {
      string sources;
      for (const string& s : p.sources) sources += ", " + quoted(s);
      line("node<" + quoted(p.name) + ", " + type_of(p) + sources + ">");
    }
  for (const part& p : net.parts) {
    if (p.kind == "output") line("output<" + quoted(p.name) + ">");
    if (p.kind == "tied")
      line("tied<" + quoted(p.sources[0] + p.layer) + ", " + quoted(p.sources[1] + p.layer) + ">");
  }
  return text + ">";
}
inline string begin_of_program(const string& includes) {
  return includes +
         "#include \"support/random_parts.hpp\"\n\nnamespace tenon::test {\nusing namespace nn;\n\n";
}
inline const string end_of_program = "}  // namespace tenon::test\n";

inline void write_tests(const std::vector<network>& all, bool on_devices) {
  const string check = on_devices ? "check_network_on_devices" : "check_network";
  std::cout << "// Written by tests/random/networks.\n"
            << begin_of_program("#include \"support/" + check + ".hpp\"\n");
  for (const network& net : all) {
    string name = net.title, loss = "void", rule = "void";
    for (char& c : name)
      if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    for (const part& p : net.parts) {
      if (p.kind == "loss") loss = p.layer;
      if (p.kind == "training") rule = p.layer;
    }
    texts given{name, loss};
    if (!on_devices) given.insert(given.end(), {net.has("stream") ? "true" : "false", rule});
    std::cout << "using " << name << " = " << graph_of(net) << ";\nTEST_CASE(" << quoted(net.title) << ") { "
              << check << "<" << joined(given, ", ") << ">(); }\n\n";
  }
  std::cout << end_of_program;
}

// A mistake that a user could make, and what its error must name.
struct mistake {
  network made;
  string named;
};
inline std::vector<mistake> mistakes(const network& net) {
  std::vector<mistake> all;
  for (std::size_t k = 0; k < net.parts.size(); ++k) {
    const part& p = net.parts[k];
    const auto with = [&](auto change, const string& named) {
      mistake m{net, named};
      change(m.made.parts[k]);
      all.push_back(m);
    };
    const auto without = [](part& q, const string& option) {
      std::erase_if(q.options, [&](const string& o) { return o.starts_with(option); });
    };
    if (p.kind == "output") with([](part& q) { q.name += "z"; }, p.name + "z");
    if (p.kind == "tied" && p.layer == ".weight")
      with([](part& q) { q.sources[1] += "z"; }, p.sources[1] + "z");
    if (p.kind != "node") continue;
    for (std::size_t s = 0; s < p.sources.size(); ++s)
      with([&](part& q) { q.sources[s] += "z"; }, p.sources[s] + "z");
    if (!p.sources.empty() && p.layer != "concatenate") with([](part& q) { q.sources.clear(); }, p.name);
    if (p.layer == "linear") {
      with(
          [&](part& q) {
            without(q, "features");
            q.options.push_back("features<1009>");
          },
          p.name);
      with([](part& q) { q.arguments = {"0"}; }, p.name);
    }
    if (p.layer == "embedding") with([](part& q) { q.arguments[0] = "1"; }, p.name);
    if (p.layer == "lstm" || p.layer == "gru" || p.layer == "rnn")
      with(
          [&](part& q) {
            without(q, "layers");
            without(q, "dropout");
            q.options.push_back("layers<0>");
          },
          p.name);
    if (p.layer == "conv1d" || p.layer == "unfold") with([](part& q) { q.arguments.back() = "0"; }, p.name);
    if (p.layer == "multi_head") with([](part& q) { q.arguments[1] = "97"; }, p.name);
    if (p.layer == "adaptive_softmax") with([](part& q) { q.arguments.back() = "0"; }, p.name);
    if (p.layer == "chain" || p.layer == "residual")
      with([](part& q) { q.arguments.push_back("linear<0>"); }, p.name);
  }
  return all;
}
inline void write_mistake(const network& net, std::uint64_t seed) {
  const mistake m = random_numbers(seed).one_of(mistakes(net));
  std::cout << "// Written by tests/random/networks.\n// expect: " << m.named << "\n"
            << begin_of_program("#include <tenon/tenon.hpp>\n")
            << "#ifdef MISTAKE\nusing drawn = " << graph_of(m.made)
            << ";\n#else\nusing drawn = " << graph_of(net) << ";\n#endif\nstatic_assert(check<drawn>());\n\n"
            << end_of_program;
}

}  // namespace random_networks
