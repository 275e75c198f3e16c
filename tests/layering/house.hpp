// The layering rules and a checker for them: which folder of include/tenon/ may include which other folders and
// libraries; where the bodies of functions are that tenon::compiled has; how long a header may be; in which namespace it declares; and which words are no longer written.
#pragma once

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace house {

/// Headers by their path below include/tenon/, with their text.
using headers = std::map<std::string, std::string>;

/// A room is a folder; a room within a room is a separate room.
struct room {
  std::string_view name;
  int floor;
  std::vector<std::string_view> may_include;
};

/// Two columns of folders build on program/, the set of instructions: equation, lowering, graph, nn (the meaning of a network) and tensor,
/// backend (what a machine can do). They join in parameters/ and engine/. A special backend may fall back to the reference, CUDA's to Thrust's.
/// Where a folder has rooms, its own files are a room, too.
inline const std::vector<room>& rooms() {
  static const std::vector<room> all = [] {
    using names = std::vector<std::string_view>;
    const auto plus = [](names some, const names& more) {
      some.insert(some.end(), more.begin(), more.end());
      return some;
    };
    const names ground = {"meta", "diagnostics", "program"};
    const names machine = {"meta", "program", "tensor"};
    const names special = plus(machine, {"backend", "backend/reference"});
    const names network = plus(ground, {"equation", "lowering"});
    std::vector<room> result = {
        {"meta", 0, {}},
        {"diagnostics", 1, {"meta"}},
        {"system", 1, {"meta"}},
        {"distribute", 2, {"meta", "diagnostics", "system"}},
        {"program", 1, {"meta"}},
        {"equation", 2, ground},
        {"lowering", 3, plus(ground, {"equation"})},
        {"graph", 4, network},
        {"nn", 5, plus(network, {"graph"})},
        {"tensor", 2, {"meta", "system"}},
        {"backend", 4, machine},
        {"backend/reference", 4, plus(machine, {"backend"})},
        {"backend/cpu", 4, special},
        {"backend/thrust", 4, special},
        {"backend/emulation", 4, plus(special, {"backend/thrust"})},
        {"backend/cuda", 4, plus(special, {"backend/thrust", "backend/emulation"})},
        {"parameters", 6, plus(network, {"graph", "tensor", "backend"})},
    };
    names below;
    for (const room& r : result) below.push_back(r.name);
    // A plan, a run and its inputs use operands and tags: they name no machine. The classes that users use choose one.
    names engine = below;
    std::erase_if(engine, [](std::string_view name) { return name.starts_with("backend/"); });
    int floor = 7;
    for (std::string_view part : {"engine/plan", "engine/run", "engine/inputs", "engine/refusals"}) {
      result.push_back({part, floor++, engine});
      below.push_back(part);
      engine.push_back(part);
    }
    for (std::string_view part :
         {"engine/session", "engine/rows", "io"}) {  // files contain parameters and training data
      result.push_back({part, floor++, below});
      below.push_back(part);
    }
    for (std::string_view top : {"decode", "data", "train"}) result.push_back({top, floor, below});
    for (std::string_view part : {"train/schedules", "train/reports", "train/metrics", "train/optimizers"})
      result.push_back({part, floor, below});
    for (std::string_view part : {"train/schedules", "train/reports", "train/metrics", "train/optimizers"})
      below.push_back(part);
    for (std::string_view part : {"train/trainer", "train/loop", "train/checkpoints"}) {
      result.push_back({part, ++floor, below});
      below.push_back(part);
    }
    return result;
  }();
  return all;
}

/// A library, recognised by the beginning of its headers' names, and the rooms that may include it.
struct fence {
  std::string_view prefix;
  std::vector<std::string_view> rooms;
};

inline const std::vector<fence>& fences() {
  static const std::vector<fence> all = {
      {"boost/", {"meta"}},
      {"xtensor/", {"tensor", "io"}},
      {"xtl/", {"tensor", "io"}},
      {"xsimd/", {"backend/cpu"}},
      {"thrust/", {"backend/thrust", "backend/cuda"}},
      {"cub/", {"backend/thrust", "backend/cuda"}},
      {"cuda", {"backend/thrust", "backend/cuda"}},
      {"cublas", {"backend/cuda"}},
      {"cooperative_groups", {"backend/cuda"}},
      {"cblas.h", {"backend/cpu"}},
      {"zlib.h", {"io"}},
      {"mpi.h", {"distribute"}},
      {"nccl.h", {"distribute"}},
      {"unistd.h", {"system"}},
      {"fcntl.h", {"system"}},
      {"sys/", {"system"}},
      {"locale.h", {"system"}},
      {"xlocale.h", {"system"}},
      {"windows.h", {"system"}},
      {"direct.h", {"system"}},
      {"io.h", {"system"}},
      {"process.h", {"system"}},
      {"a_newer_compiler_for_tenon", {"meta"}},  // does not exist: an old compiler stops at it
  };
  return all;
}

/// A word that was given up, and the one that is written for it. A last `::` stands for the word as a scope, a first `.` for a member
/// that is no function; a last `_` for all names that begin so.
struct retired {
  std::string_view word, instead;
};

inline const std::vector<retired>& retired_words() {
  static const std::vector<retired> all = {
      {"op::", "opcode"},
      {"op_traits", "opcode_traits"},
      {"op_table", "opcode_table"},
      {"work", "operation_kind"},
      {".what", "kind"},
      {"kind_of", "traits_of"},
      {"contract", "matmul"},
      {"contract_transposed", "matmul_transposed"},
      {"pattern::", "kernel_kind"},
      {"pattern_of", "kernel_kind_of"},
      {"patterns_of", "kernels_of"},
      {"pattern_names", "kernel_names"},
      {"has_pattern", "has_kernel"},
      {"known_patterns", "known_kernels"},
      {"find_pattern", "find_kernel"},
      {"binding", "operand"},
      {"as_operand", "operand"},
      {"facts", "signature or traits"},
      {"operation_facts", "operation_signature"},
      {"find_facts", "find_signature"},
      {"facts_of", "signatures_of"},
      {"row_facts", "row_traits"},
      {"device_facts", "device_versions"},
      {"counted", "valid_targets, or what is counted"},
      {"fail_if", "accept"},
      {"given", "what is given: values, source, rows"},
      {"mistake_in_", "unfit_"},
      {"mistake_of_", "unfit_"},
      {"misspelt_", "unfit_name_of_"},
      {"unknown_input", "unfit_name_of_input"},
      {"unknown_output", "unfit_name_of_output"},
      {"unknown_state", "unfit_name_of_state"},
      {"unknown_parameter", "unfit_name_of_parameter"},
      {"unknown_option", "unfit_name_of_option"},
      {"wrong_parameters", "unfit_bound_parameters"},
      {"wrong_run", "unfit_run"},
      {"wrong_backward", "unfit_backward"},
      {"wrong_step", "unfit_step"},
      {"wrong_numbers", "unfit_width"},
      {"no_session", "unfit_session"},
      {"no_stream", "unfit_stream"},
      {"no_column", "unfit_column"},
      {"no_decoder", "unfit_decoder"},
      {"no_rule_of", "unfit_rule_of_trainer"},
  };
  return all;
}

/// A header with more lines of code usually has a second subject; with more than most_lines it always has one.
inline constexpr int many_lines = 300, most_lines = 400;

/// Lines of code: not blank, no comment of its own, no include.
inline int code_lines(const std::string& text) {
  int count = 0;
  bool in_comment = false;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string::npos) continue;
    const std::string_view rest = std::string_view(line).substr(first);
    if (in_comment || rest.starts_with("/*")) {
      in_comment = rest.find("*/") == std::string_view::npos;
      continue;
    }
    if (!rest.starts_with("//") && !rest.starts_with("#include")) ++count;
  }
  return count;
}

/// A text without its comments and includes, and with empty strings.
inline std::string code_of(const std::string& text) {
  std::string code;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = std::string_view(text).substr(at);
    const bool is_include = rest.starts_with("#include") || rest.starts_with("#  include");
    if (rest.starts_with("//") || is_include) {
      at = std::min(text.find('\n', at), text.size());
    } else if (rest.starts_with("/*")) {
      at = std::min(text.find("*/", at + 2), text.size() - 2) + 2;
    } else if (rest.starts_with("'\"'")) {
      at += 3;
    } else if (rest[0] == '"') {
      for (++at; at < text.size() && text[at] != '"'; ++at) at += text[at] == '\\';
      ++at;
      code += "\"\"";
    } else {
      code += text[at++];
    }
  }
  return code;
}

/// The retired word that a code has first, or nullptr.
inline const retired* first_retired(const std::string& code) {
  const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = 0; at < code.size();) {
    if (!is_letter(code[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < code.size() && is_letter(code[end])) ++end;
    const std::string word = code.substr(at, end - at);
    const bool is_member = at > 0 && code[at - 1] == '.' && code.compare(end, 1, "(") != 0;
    const bool is_scope = code.compare(end, 2, "::") == 0;
    for (const retired& r : retired_words())
      if (word == r.word || (is_member && "." + word == r.word) || (is_scope && word + "::" == r.word) ||
          (r.word.ends_with('_') && word.starts_with(r.word)))
        return &r;
    at = end;
  }
  return nullptr;
}

namespace detail {

struct include {
  std::string from;  // path of the including header
  int line;
  std::string name;  // the text between the brackets or quotes; empty for a macro
  bool quoted;
};

inline std::vector<include> includes_of(const std::string& path, const std::string& text) {
  std::vector<include> result;
  std::istringstream lines(text);
  std::string line;
  auto skip_blanks = [](std::string_view s) {
    s.remove_prefix(std::min(s.find_first_not_of(" \t"), s.size()));
    return s;
  };
  for (int number = 1; std::getline(lines, line); ++number) {
    std::string_view rest = skip_blanks(line);
    if (!rest.starts_with('#')) continue;
    rest = skip_blanks(rest.substr(1));
    if (!rest.starts_with("include")) continue;
    rest = skip_blanks(rest.substr(7));
    std::size_t end = std::string_view::npos;
    if (rest.starts_with('<')) end = rest.find('>');
    if (rest.starts_with('"')) end = rest.find('"', 1);
    std::string name(end == std::string_view::npos ? "" : rest.substr(1, end - 1));
    result.push_back({path, number, name, rest.starts_with('"')});
  }
  return result;
}

/// The room of a header: the longest one whose folder holds it. The files directly in include/tenon/ have
/// none.
inline const room* room_of(std::string_view path) {
  const room* best = nullptr;
  for (const room& r : rooms())
    if (path.starts_with(std::string(r.name) + "/") && (!best || r.name.size() > best->name.size()))
      best = &r;
  return best;
}

inline bool known_folder(std::string_view path) {
  if (path.find('/') == std::string_view::npos) return true;
  const room* r = room_of(path);
  // backend/ and train/ are divided into rooms; a folder that is not listed there would inherit the rights of the files beside it.
  const bool is_divided = r && (r->name == "backend" || r->name == "train");
  return r && !(is_divided && path.substr(r->name.size() + 1).find('/') != std::string_view::npos);
}

inline bool is_standard(std::string_view name) {
  const bool system = name.starts_with("sys/") || name.ends_with("intrin.h");
  const bool posix = name == "fcntl.h" || name == "time.h" || name == "ucontext.h" || name == "unistd.h";
  return system || posix || name.find_first_of("/.") == std::string_view::npos;  // <vector>, <cmath>, ...
}

inline std::string where(const include& i) {
  return "include/tenon/" + i.from + ":" + std::to_string(i.line) + ": ";
}

/// The path below include/tenon/ that an include means, or nothing if it is another library's.
inline std::optional<std::string> own_target(const include& i, const headers& tree) {
  if (i.name.starts_with("tenon/")) return i.name.substr(6);
  if (!i.quoted) return std::nullopt;
  const auto sibling =
      (std::filesystem::path(i.from).parent_path() / i.name).lexically_normal().generic_string();
  return tree.contains(sibling) ? std::optional(sibling) : std::nullopt;
}

inline std::string check_arrow(const include& i, const std::string& target) {
  const room* from = room_of(i.from);
  const room* to = room_of(target);
  if (!from) return {};  // the files directly in include/tenon/ are above all rooms
  const auto listed = [&](std::string_view name) {
    return std::find(from->may_include.begin(), from->may_include.end(), name) != from->may_include.end();
  };
  if (!to && target == "version.hpp") return {};
  if (!to)
    return where(i) + std::string(from->name) + " -> " + target + ": only the user includes the umbrella";
  if (to == from || listed(to->name)) return {};
  const std::string arrow = std::string(from->name) + " (floor " + std::to_string(from->floor) + ") -> " +
                            target + " (floor " + std::to_string(to->floor) + "): ";
  if (to->floor > from->floor) return where(i) + arrow + "upward; arrows point down only";
  if (to->floor == from->floor)
    return where(i) + arrow + "sideways; neighbours on a floor do not include each other";
  return where(i) + arrow + "across; a room names the rooms that it may include";
}

inline std::string check_library(const include& i) {
  if (i.name.empty()) return where(i) + "an include must name its file, or nobody can check it";
  if (is_standard(i.name)) return {};
  const room* from = room_of(i.from);
  for (const fence& f : fences()) {
    if (!i.name.starts_with(f.prefix)) continue;
    std::string allowed;
    for (std::string_view name : f.rooms) {
      if (from && from->name == name) return {};
      allowed += (allowed.empty() ? "" : ", ") + std::string(name) + "/";
    }
    return where(i) + (from ? std::string(from->name) : "include/tenon") + " -> <" + i.name +
           ">: fence; this library is included in " + allowed + " only";
  }
  return where(i) + "<" + i.name + ">: fence; unknown library, see house::fences";
}

/// Depth-first search along the includes between files; each cycle is reported once, where it closes.
struct cycle_search {
  const std::map<std::string, std::vector<std::pair<std::string, include>>>& arrows;
  std::vector<std::string>& problems;
  std::map<std::string, int> state = {};  // 1: on the path, 2: done
  std::vector<std::string> path = {};

  void visit(const std::string& file) {
    state[file] = 1;
    path.push_back(file);
    if (auto found = arrows.find(file); found != arrows.end())
      for (const auto& [target, at] : found->second) {
        if (state[target] == 0) visit(target);
        if (state[target] != 1) continue;
        std::string text = where(at) + "cycle; ";
        for (auto step = std::find(path.begin(), path.end(), target); step != path.end(); ++step)
          text += *step + " -> ";
        problems.push_back(text + target);
      }
    path.pop_back();
    state[file] = 2;
  }
};

/// The file that has a header's bodies, an .ipp file beside it, and the end of the header, which includes them for all but tenon::compiled.
inline std::string bodies_of(std::string_view header) {
  return std::string(header.substr(0, header.rfind('.'))) + ".ipp";
}
inline std::string end_with_bodies(const std::string& bodies) {
  return "\n#ifndef TENON_COMPILED\n#  include \"tenon/" + bodies + "\"\n#endif\n";
}
constexpr std::string_view compiled = "compiled.cpp";  // the file of tenon::compiled

/// Bodies are found at two places, or a program that links tenon::compiled lacks them, or has them twice.
inline void check_bodies(const std::string& path, const headers& tree, std::vector<std::string>& problems) {
  const std::string header = path.substr(0, path.rfind('.')) + ".hpp",
                    problem = "include/tenon/" + path + ": bodies; ";
  if (!tree.contains(header))
    return problems.push_back(problem + "there is no " + header + ", which declares them");
  if (!tree.at(header).ends_with(end_with_bodies(path)))
    problems.push_back(problem + header +
                       " does not end with #ifndef TENON_COMPILED, their include and #endif");
  for (const std::string& name : {header, path})
    if (!tree.contains(std::string(compiled)) ||
        tree.at(std::string(compiled)).find("#include \"tenon/" + name + "\"\n") == std::string::npos)
      problems.push_back(problem + std::string(compiled) + " does not include " + name);
}
inline std::string check_include_of_bodies(const include& i, const std::string& target) {
  if (!target.ends_with(".ipp") || i.from == compiled || bodies_of(i.from) == target) return {};
  return where(i) + "bodies are included by their header and by " + std::string(compiled) + " only";
}

/// The inline namespace of a tree's version, "v0_1"; empty where no version.hpp says it.
inline std::string version_namespace(const headers& tree) {
  const auto header = tree.find("version.hpp");
  if (header == tree.end() || header->second.find("#define TENON_VERSION_MAJOR ") == std::string::npos)
    return {};
  const auto number = [&](std::string_view name) {
    const std::string before = "#define TENON_VERSION_" + std::string(name) + " ";
    const std::size_t first = header->second.find(before) + before.size();
    return header->second.substr(first, header->second.find('\n', first) - first);
  };
  return "v" + number("MAJOR") + "_" + number("MINOR");
}
/// All that a header declares lies in the namespace of the version.
inline void check_namespaces(const std::string& path, const std::string& code, const std::string& version,
                             std::vector<std::string>& problems) {
  const std::string opened = "\nnamespace tenon", with_version = opened + "::inline " + version;
  for (std::size_t at = code.find(opened); at != code.npos; at = code.find(opened, at + 1))
    if (code.compare(at, with_version.size(), with_version) != 0 ||
        std::string_view(" :").find(code[at + with_version.size()]) == std::string_view::npos)
      problems.push_back("include/tenon/" + path + ": version; a namespace begins with " +
                         with_version.substr(1));
}

}  // namespace detail

/// Every violation of the rules, one sentence each: file, line, include, rule.
inline std::vector<std::string> check(const headers& tree) {
  std::vector<std::string> problems;
  std::map<std::string, std::vector<std::pair<std::string, detail::include>>> arrows;
  const std::string version = detail::version_namespace(tree);
  for (const auto& [path, text] : tree) {
    if (!version.empty()) detail::check_namespaces(path, "\n" + code_of(text), version, problems);
    if (!detail::known_folder(path))
      problems.push_back("include/tenon/" + path + ":1: unknown folder; give it a floor in house::rooms");
    if (const int lines = code_lines(text); lines > most_lines)
      problems.push_back("include/tenon/" + path + ": " + std::to_string(lines) + " lines of code, at most " +
                         std::to_string(most_lines) + "; give a second subject a header of its own");
    if (const retired* word = first_retired(code_of(text)))
      problems.push_back("include/tenon/" + path + ": the word " + std::string(word->word) +
                         " is retired: " + std::string(word->instead));
    if (path.ends_with(".ipp")) detail::check_bodies(path, tree, problems);
    for (const detail::include& i : detail::includes_of(path, text)) {
      const auto target = detail::own_target(i, tree);
      std::string problem;
      if (!target) problem = detail::check_library(i);
      else if (!tree.contains(*target)) problem = detail::where(i) + "there is no include/tenon/" + *target;
      else if (problem = detail::check_include_of_bodies(i, *target); problem.empty())
        problem = detail::check_arrow(i, *target);
      if (!problem.empty()) problems.push_back(problem);
      if (target) arrows[path].emplace_back(*target, i);
    }
  }
  detail::cycle_search search{arrows, problems};
  for (const auto& [path, text] : tree)
    if (search.state[path] == 0) search.visit(path);
  return problems;
}

/// A header and all that it includes, itself or through others.
inline std::vector<std::string> reached_files(const headers& tree, const std::string& from) {
  std::vector<std::string> files{from};
  for (std::size_t k = 0; k < files.size(); ++k) {
    const std::string path = files[k];
    for (const detail::include& i : detail::includes_of(path, tree.at(path)))
      if (const auto target = detail::own_target(i, tree);
          target && tree.contains(*target) && std::find(files.begin(), files.end(), *target) == files.end())
        files.push_back(*target);
  }
  return files;
}

/// What these files include of a library: one sentence for each include.
inline std::vector<std::string> reached(const headers& tree, const std::string& from,
                                        std::string_view prefix) {
  std::vector<std::string> found;
  for (const std::string& path : reached_files(tree, from))
    for (const detail::include& i : detail::includes_of(path, tree.at(path)))
      if (!detail::own_target(i, tree) && i.name.starts_with(prefix))
        found.push_back(detail::where(i) + "<" + i.name + ">");
  return found;
}

/// Reads all files below a folder such as <source>/include/tenon.
inline headers read(const std::filesystem::path& folder) {
  headers tree;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path());
    std::ostringstream text;
    text << file.rdbuf();
    tree[entry.path().lexically_relative(folder).generic_string()] = text.str();
  }
  return tree;
}

}  // namespace house
