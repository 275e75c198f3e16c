// The results of a search, in the order in which they came. A file keeps them, so that a search that was interrupted continues; it is replaced
// as a whole after each result.
#pragma once

#include <tenon/data.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace architecture_search {

class results {
 public:
  // An empty path keeps no file. Throws data_error for a file that is not one of results.
  explicit results(std::string path) : path_(std::move(path)) {
    if (path_.empty() || !std::filesystem::exists(path_)) return;
    for (const tenon::io::table_row& row : tenon::io::read_table(path_, 3, {.has_header = true}))
      keep(row.field("training"), row.number<double>("result"), row.number<double>("seconds"));
  }
  std::optional<double> find(const std::string& key) const {
    for (std::size_t k = 0; k < keys_.size(); ++k)
      if (keys_[k] == key) return results_[k];
    return std::nullopt;
  }
  void add(const std::string& key, double result, double seconds) {
    keep(key, result, seconds);
    if (!path_.empty()) tenon::io::write_table(path_, {"training", "result", "seconds"}, keys_, results_, seconds_);
  }

 private:
  void keep(const std::string& key, double result, double seconds) {
    keys_.push_back(key);
    results_.push_back(result);
    seconds_.push_back(seconds);
  }

  std::string path_;
  std::vector<std::string> keys_;
  std::vector<double> results_, seconds_;
};

}  // namespace architecture_search
