// on_first_rank: what one of several ranks does for all, such as writing a file. The others wait until it is done, and fail as it does.
#pragma once

#include "tenon/distribute/gather_all.hpp"
#include "tenon/io/file.hpp"
#include "tenon/train/trainer/training_error.hpp"

#include <string>
#include <vector>

namespace tenon::inline v0_1::engine {

// Calls act() on the first rank. If that throws a data_error or a training_error, all ranks throw it.
template <class Act>
void on_first_rank(const distribute::any_communicator& world, Act act) {
  if (world.size() == 1) return act();
  std::vector<char> said;  // of which error, and what
  if (world.rank() == 0) {
    const auto keep = [&](char kind, const char* what) {
      const std::string text = kind + std::string(what);
      said.assign(text.begin(), text.end());
    };
    try {
      act();
    } catch (const data_error& error) { keep('d', error.what()); } catch (const training_error& error) {
      keep('t', error.what());
    }
  }
  said = distribute::gather_all(world, said);
  if (said.empty()) return;
  const std::string what(said.begin() + 1, said.end());
  if (said[0] == 't') throw training_error(what);
  throw data_error(what);
}

}  // namespace tenon::inline v0_1::engine
