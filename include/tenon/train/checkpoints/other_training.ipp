// The bodies of other_training.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/meta/inline.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <vector>

namespace tenon::inline v0_1::engine {

namespace identity {
inline std::vector<std::string_view> items_of(std::string_view list) {
  std::vector<std::string_view> all;
  while (!list.empty()) {
    const std::size_t size = std::min({list.find("; "), list.find('\n'), list.size()});
    all.push_back(list.substr(0, size));
    list.remove_prefix(std::min(list.size(), size + (list.substr(size).starts_with("; ") ? 2 : 1)));
  }
  return all;
}
// How many of one list are not in the other.
inline std::size_t count_missing(const std::vector<std::string_view>& some,
                                 const std::vector<std::string_view>& others) {
  const std::set<std::string_view> known(others.begin(), others.end());
  return static_cast<std::size_t>(
      std::count_if(some.begin(), some.end(), [&](std::string_view one) { return !known.contains(one); }));
}
// A text in quotes; of a long one the part at `place`.
inline std::string quoted(std::string_view text, std::size_t place) {
  constexpr std::size_t most = 160, before = 40;
  const std::size_t first = text.size() > most && place > before ? place - before : 0;
  return "'" + std::string(first > 0 ? "..." : "") + tenon::detail::shortened(text.substr(first), most) + "'";
}
}  // namespace identity

TENON_INLINE std::string other_training(std::string_view key, std::string_view theirs,
                                        std::string_view ours) {
  using tenon::detail::message_of;
  const std::vector<std::string_view> a = identity::items_of(theirs), b = identity::items_of(ours);
  const auto differing = [](const auto& x, const auto& y) {
    return static_cast<std::size_t>(std::mismatch(x.begin(), x.end(), y.begin(), y.end()).first - x.begin());
  };
  if (a.size() <= 1 && b.size() <= 1) {
    const std::size_t place = differing(theirs, ours);
    return message_of({"its ", key, " is ", identity::quoted(theirs, place), ", here it is ",
                       identity::quoted(ours, place)});
  }
  const std::size_t k = differing(a, b),
                    all = std::max(identity::count_missing(a, b), identity::count_missing(b, a));
  const auto item = [&](const std::vector<std::string_view>& of, const std::vector<std::string_view>& other) {
    return k < of.size() ? identity::quoted(of[k], k < other.size() ? differing(of[k], other[k]) : 0)
                         : "nothing";
  };
  return message_of({"of its ", key, " the first that differs is ", item(a, b), ", here it is ", item(b, a),
                     all > 1 ? ", and " : "", all > 1 ? std::to_string(all - 1) : "",
                     all > 1 ? " more differ" : ""});
}

}  // namespace tenon::inline v0_1::engine
