// declarations_of: which names a header declares in which namespace, read from its text. It knows only the C++ that the headers of
// include/tenon/ use at namespace scope. Extend the self tests beside it together with it.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace declarations {

/// Names by their namespace, "tenon::metric"; inline namespaces are those around them.
using names = std::map<std::string, std::set<std::string>>;

namespace detail {

using tokens = std::vector<std::string>;

inline bool is_word(std::string_view t) {
  return !t.empty() && (std::isalpha(static_cast<unsigned char>(t[0])) || t[0] == '_');
}

/// The text without comments, literals and preprocessor lines; only the first branch of #if .. #else.
inline std::string code_of(std::string_view text) {
  std::string code;
  const auto ends = [&](std::size_t at, std::string_view what) {
    const std::size_t found = text.find(what, at);
    return found == std::string_view::npos ? text.size() : found + what.size();
  };
  for (std::size_t k = 0; k < text.size();) {
    if (text.substr(k).starts_with("//")) {
      k = ends(k, "\n");
      code += '\n';
    } else if (text.substr(k).starts_with("/*")) k = ends(k + 2, "*/");
    else if (text[k] == '"' ||
             (text[k] == '\'' && (code.empty() || !std::isalnum(static_cast<unsigned char>(code.back()))))) {
      const char quote = text[k];
      for (++k; k < text.size() && text[k] != quote; ++k) k += text[k] == '\\';
      ++k;
      code += '0';
    } else code += text[k++];
  }
  std::string kept;
  std::vector<bool> skipping;  // for each #if that is open: whether its first branch is over
  bool directive_goes_on = false;
  for (std::size_t k = 0; k < code.size();) {
    const std::size_t end = std::min(code.find('\n', k), code.size());
    const std::string_view line = std::string_view(code).substr(k, end - k);
    const std::size_t first = line.find_first_not_of(" \t");
    const bool directive = directive_goes_on || (first != std::string_view::npos && line[first] == '#');
    if (directive) {
      if (!directive_goes_on) {
        const std::size_t at = line.find_first_not_of(" \t", first + 1);
        const std::string_view word = at == std::string_view::npos ? "" : line.substr(at);
        if (word.starts_with("if")) skipping.push_back(false);
        else if (word.starts_with("el") && !skipping.empty()) skipping.back() = true;
        else if (word.starts_with("endif") && !skipping.empty()) skipping.pop_back();
      }
      directive_goes_on = line.ends_with('\\');
    } else if (std::find(skipping.begin(), skipping.end(), true) == skipping.end()) {
      kept.append(line);
    }
    kept += '\n';
    k = end + 1;
  }
  return kept;
}

inline tokens tokens_of(std::string_view text) {
  const std::string code = code_of(text);
  tokens all;
  for (std::size_t k = 0; k < code.size();) {
    const auto c = static_cast<unsigned char>(code[k]);
    std::size_t end = k + 1;
    if (std::isspace(c)) {
      k = end;
      continue;
    }
    if (std::isalnum(c) || c == '_')
      while (end < code.size() && (std::isalnum(static_cast<unsigned char>(code[end])) || code[end] == '_'))
        ++end;
    else if (code.compare(k, 2, "::") == 0 || code.compare(k, 2, "->") == 0 ||
             code.compare(k, 2, "==") == 0 || code.compare(k, 2, "!=") == 0 ||
             code.compare(k, 2, "&&") == 0 || code.compare(k, 2, "||") == 0)
      end = k + 2;
    all.push_back(code.substr(k, end - k));
    k = end;
  }
  return all;
}

struct reader {
  tokens t;
  std::size_t at = 0;
  std::vector<std::string> spaces{};  // for each open brace of a namespace, its full name
  names found{};

  bool done() const { return at >= t.size(); }
  std::string_view peek(std::size_t ahead = 0) const {
    return at + ahead < t.size() ? t[at + ahead] : std::string_view();
  }
  bool take(std::string_view word) {
    if (peek() != word) return false;
    ++at;
    return true;
  }

  /// Skips a bracket and its contents. Angle brackets may contain other brackets; angles within those do not count.
  void skip_brackets() {
    const std::string_view open = peek(), close = open == "("   ? ")"
                                                  : open == "[" ? "]"
                                                  : open == "{" ? "}"
                                                                : ">";
    for (++at; !done() && peek() != close;) {
      const std::string_view next = peek();
      if (next == "(" || next == "[" || next == "{" || (open == "<" && next == "<")) skip_brackets();
      else ++at;
    }
    ++at;
  }

  void skip_to_end() {
    while (!done() && peek() != ";") {
      if (peek() == "(" || peek() == "{" || peek() == "[") skip_brackets();
      else ++at;
    }
    take(";");
  }

  /// Skips `requires a::A<x> && (b) && requires(..) {..}` before a declaration.
  void skip_constraint() {
    do {
      take("!");
      if (take("requires")) {
        if (peek() == "(") skip_brackets();
        skip_brackets();
      } else if (peek() == "(") {
        skip_brackets();
      } else {
        take("::");
        while (is_word(peek())) {
          ++at;
          if (peek() == "<") skip_brackets();
          if (!take("::")) break;
        }
      }
    } while (take("&&") || take("||"));
  }

  void add(std::string_view name) {
    if (!spaces.empty() && !spaces.back().empty()) found[spaces.back()].emplace(name);
  }

  void read_namespace(bool is_inline) {
    std::string whole = spaces.empty() ? "" : spaces.back();
    while (!done() && peek() != "{" && peek() != "=") {
      if (take("inline")) is_inline = true;
      else if (take("::")) continue;
      else {
        const std::string name(peek());
        ++at;
        if (peek() == "=") {
          add(name);
          return skip_to_end();
        }
        if (!is_inline) whole += (whole.empty() ? "" : "::") + name;
        is_inline = false;
      }
    }
    take("{");
    spaces.push_back(whole);
  }

  enum class kind { type, function, variable };

  /// Skips the rest of a declaration whose first name is known: to its `;`, or over its body. Variables: `a = 1, b = 2`.
  void finish(kind what) {
    while (!done() && peek() != ";") {
      if (peek() == "{") {
        skip_brackets();
        if (what == kind::function) return void(take(";"));
      } else if (peek() == "(" || peek() == "[") {
        skip_brackets();
      } else if (what == kind::function && take("requires")) {
        skip_constraint();
      } else {
        if (what == kind::variable && peek() == "," && is_word(peek(1)) && (peek(2) == "=" || peek(2) == "{"))
          add(peek(1));
        ++at;
      }
    }
    take(";");
  }

  void read_type() {
    take("class");
    take("struct");  // enum class
    while (peek() == "[" || take("alignas")) skip_brackets();
    const std::string name(peek());
    ++at;
    bool is_new = is_word(name);
    if (peek() == "<") {
      skip_brackets();
      is_new = false;
    }                                    // a specialisation
    if (peek() == "::") is_new = false;  // a member's definition
    if (is_new) add(name);
    finish(kind::type);
  }

  /// Reads a function or a variable: its name is the last word before the first `(`, `=`, `{`, `[` or `;`.
  void read_function_or_variable() {
    std::string name;
    bool is_new = false, is_variable = false;
    while (!done()) {
      const std::string_view next = peek();
      if (next == "operator") return finish(kind::function);  // operators are found by their arguments
      if (next == "(" || next == ";" || next == "{" || next == "=" || next == "[") {
        if (next == "[" && name.empty()) {
          skip_brackets();  // an attribute
          continue;
        }
        is_variable = next == "=" || next == "{" || next == "[";
        break;
      }
      if (next == "<") {
        skip_brackets();
        is_new = false;
      } else if (next == "decltype" || next == "explicit" || next == "alignas" || next == "noexcept" ||
                 next == "__attribute__" ||
                 next.starts_with("TENON_")) {  // a macro expands to a type, or an attribute
        ++at;
        if (peek() == "(") skip_brackets();
      } else if (is_word(next)) {
        is_new = at == 0 || t[at - 1] != "::";
        name = next;
        ++at;
      } else ++at;
    }
    if (is_new) add(name);
    finish(is_variable ? kind::variable : kind::function);
  }

  void read_declaration() {
    bool is_template = false;
    while (peek() == "template" && peek(1) == "<") {
      ++at;
      is_template = true;
      skip_brackets();
      if (take("requires")) skip_constraint();
    }
    if (!is_template && (peek() == "template" || peek() == "extern" || peek() == "static_assert"))
      return skip_to_end();
    if (take("concept")) {
      add(peek());
      return skip_to_end();
    }
    if (take("using")) {
      if (take("namespace")) return skip_to_end();
      std::string last;
      for (; !done() && peek() != ";" && peek() != "="; ++at)
        if (is_word(peek())) last = peek();
      add(last);
      return skip_to_end();
    }
    if (take("class") || take("struct") || take("enum") || take("union")) return read_type();
    read_function_or_variable();
  }

  names read() {
    while (!done()) {
      if (take(";")) continue;
      if (take("}")) {
        if (!spaces.empty()) spaces.pop_back();
      } else if (peek() == "inline" && peek(1) == "namespace") {
        at += 2;
        read_namespace(true);
      } else if (take("namespace")) {
        read_namespace(false);
      } else {
        read_declaration();
      }
    }
    return found;
  }
};

}  // namespace detail

inline names declarations_of(std::string_view text) { return detail::reader{detail::tokens_of(text)}.read(); }

}  // namespace declarations
