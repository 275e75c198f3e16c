// A checkpoint as a file: blocks of numbers, the counts and memories of a training, and what it must agree with.
#pragma once

#include "tenon/diagnostics/number_text.hpp"
#include "tenon/io/safetensors.hpp"
#include "tenon/train/checkpoints/on_first_rank.hpp"
#include "tenon/train/checkpoints/other_training.hpp"
#include "tenon/train/trainer/trainer.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tenon::inline v0_1::engine {

// What a checkpoint holds.
struct checkpoint_state {
  struct block {  // of the program's memory
    std::string name;
    void* data;
    std::size_t count;
    io::dtype type;
    bool may_be_infinite = false;  // as an average of squares may be
  };
  std::map<std::string, std::string> identity{};  // what must be the same: graph, rule, ..
  std::vector<block> blocks{};
  std::map<std::string, std::vector<double>> numbers{};
  std::shared_ptr<void> copy{};  // of the optimiser's states, if these are in a device's memory
};

template <class T>
bool are_numbers(const T* x, std::size_t count, bool may_be_infinite) {
  return std::all_of(x, x + count, [&](T number) {
    return std::isfinite(number) || (may_be_infinite && std::isinf(number));
  });
}
inline bool are_right(const checkpoint_state::block& b) {
  return b.type == io::dtype::float32
             ? are_numbers(static_cast<const float*>(b.data), b.count, b.may_be_infinite)
             : are_numbers(static_cast<const double*>(b.data), b.count, b.may_be_infinite);
}

// Throws training_error, and leaves the file unchanged, if a block has a number that is not finite;
// data_error if the file cannot be written.
inline void write_checkpoint(const std::string& path, const checkpoint_state& state) {
  std::vector<io::named_tensor> tensors;
  for (const checkpoint_state::block& b : state.blocks) {
    if (!are_right(b))
      throw training_error(path + ": not written: '" + b.name + "' has a number that is not finite");
    tensors.push_back({b.name, b.type, {b.count}, b.data});
  }
  for (const auto& [name, values] : state.numbers)
    tensors.push_back({"training." + name, io::dtype::float64, {values.size()}, values.data()});
  io::write_safetensors(path, tensors, state.identity);
}

// An open checkpoint that fits: nothing is changed before all of it is known to be right.
class open_checkpoint {
 public:
  // Throws data_error for a file that is no checkpoint, is malformed, or belongs to another training. Of several ranks the first reads it,
  // and the others get its bytes.
  open_checkpoint(const std::string& path, const std::map<std::string, std::string>& identity,
                  const distribute::any_communicator& world = {})
      : file_(opened(path, world, sent_)) {
    if (!file_.metadata().contains("checkpoint"))
      tenon::detail::throw_data_error(path, {"is not a checkpoint of a training"});
    for (const auto& [key, ours] : identity) {
      const auto theirs = file_.metadata().find(key);
      const std::string found = theirs == file_.metadata().end() ? "" : theirs->second;
      if (found != ours)
        tenon::detail::throw_data_error(
            path, {"is a checkpoint of another training: ", other_training(key, found, ours),
                   "; give another path, or remove the file"});
    }
  }
  std::vector<double> numbers(const std::string& name) const {
    const io::named_tensor& tensor = checked("training." + name, io::dtype::float64);
    std::vector<double> values(tensor.size());
    read_numbers(tensor, 0, values.size(), values.data());
    return values;
  }
  // Exactly `count` numbers.
  std::vector<double> numbers(const std::string& name, std::size_t count) const {
    std::vector<double> values = numbers(name);
    if (values.size() != count)
      tenon::detail::throw_data_error(
          file_.path(), {"tensor 'training.", name, "' has ", values.size(), " numbers, expected ", count});
    return values;
  }
  // The same; none may be NaN or infinite.
  std::vector<double> finite_numbers(const std::string& name, std::size_t count) const {
    std::vector<double> values = numbers(name, count);
    for (std::size_t k = 0; k < count; ++k)
      require(std::isfinite(values[k]), name, values, k, "a finite number");
    return values;
  }
  // The whole numbers that a double has, of those that a long has.
  static constexpr long most_counted =
      static_cast<long>(std::min(1LL << 53, static_cast<long long>(std::numeric_limits<long>::max())));
  // The k-th number as a count: a whole number up to `most`. Only counts are converted to integers.
  long count_in(const std::string& name, const std::vector<double>& values, std::size_t k,
                long most = most_counted) const {
    const bool is_count =
        values[k] >= 0 && values[k] <= static_cast<double>(most) && values[k] == std::floor(values[k]);
    require(is_count, name, values, k, "a whole number from 0 to " + std::to_string(most));
    return static_cast<long>(values[k]);
  }
  void require(bool is_right, const std::string& name, const std::vector<double>& values, std::size_t k,
               const std::string& expected) const {
    if (is_right) return;
    tenon::detail::throw_data_error(
        file_.path(), {"tensor 'training.", name, "' has ", tenon::detail::general(values[k], 9),
                       " at place ", k, ", expected ", expected});
  }
  const std::string& path() const { return file_.path(); }
  void check(const checkpoint_state::block& b) const {
    const io::named_tensor& tensor = checked(b.name, b.type);
    if (tensor.size() != b.count)
      tenon::detail::throw_data_error(
          file_.path(), {"tensor '", b.name, "' has ", tensor.size(), " numbers, expected ", b.count});
    std::vector<double> some(4096);
    for (std::size_t k = 0; k < b.count; k += some.size()) {
      const std::size_t count = std::min(some.size(), b.count - k);
      read_numbers(tensor, k, count, some.data());
      if (!are_numbers(some.data(), count, b.may_be_infinite))
        tenon::detail::throw_data_error(file_.path(),
                                        {"tensor '", b.name, "' has a number that is not finite"});
    }
  }
  void read(const checkpoint_state::block& b) const {
    if (b.count > 0) std::memcpy(b.data, file_.at(b.name).data, b.count * tenon::detail::size_of(b.type));
  }

 private:
  const io::named_tensor& checked(const std::string& name, io::dtype type) const {
    const io::named_tensor& tensor = file_.at(name);
    if (tensor.type != type)
      tenon::detail::throw_data_error(
          file_.path(), {"tensor '", name, "' has numbers of type ", tenon::detail::name_of(tensor.type),
                         ", expected ", tenon::detail::name_of(type)});
    return tensor;
  }
  static io::safetensors_file opened(const std::string& path, const distribute::any_communicator& world,
                                     std::vector<std::byte>& sent) {
    if (world.size() == 1) return io::safetensors_file(path);
    on_first_rank(world, [&] {
      const io::safetensors_file whole(path);
      sent.assign(whole.bytes().begin(), whole.bytes().end());
    });
    sent = distribute::gather_all(world, sent);
    return io::safetensors_file(path, sent);
  }
  std::vector<std::byte> sent_{};
  io::safetensors_file file_;
};

}  // namespace tenon::inline v0_1::engine
