// io::event_file: numbers and histograms over the steps of a training, for TensorBoard. A file is a sequence of records
// (TFRecord): length as 8 bytes, its checksum, an Event as a protocol buffer, its checksum; numbers have their lowest
// byte first. A checksum is CRC-32C, rotated right by 15 bits, plus 0xa282ead8.
#pragma once

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/io/crc.hpp"
#include "tenon/io/file.hpp"
#include "tenon/io/utf8.hpp"
#include "tenon/tensor/range.hpp"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace tenon {

namespace detail {

// The bytes of a number, lowest first.
template <class N>
std::string little_endian(N number) {
  std::string bytes;
  for (std::size_t k = 0; k < sizeof number; ++k) bytes += static_cast<char>((number >> 8 * k) & 0xFF);
  return bytes;
}

inline std::string event_record(std::string_view event) {
  const auto checksum = [](std::string_view bytes) {
    return little_endian(static_cast<std::uint32_t>(std::rotr(crc32c(bytes), 15) + 0xA282EAD8));
  };
  const std::string length = little_endian(std::uint64_t{event.size()});
  return length + checksum(length) + std::string(event) + checksum(event);
}

// A message of a protocol buffer (proto3), field by field. A number that is 0 is left out, as other writers do.
class protobuf_message {
 public:
  protobuf_message& integer(int field, long value) {
    if (value != 0) {
      tag(field, 0);
      varint(static_cast<std::uint64_t>(value));
    }
    return *this;
  }
  protobuf_message& number(int field, double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    if (bits != 0) {
      tag(field, 1);
      bytes_ += little_endian(bits);
    }
    return *this;
  }
  // A field of a oneof, which is written even if it is 0.
  protobuf_message& chosen_number(int field, float value) {
    tag(field, 5);
    bytes_ += little_endian(std::bit_cast<std::uint32_t>(value));
    return *this;
  }
  protobuf_message& bytes(int field, std::string_view value) {
    tag(field, 2);
    varint(value.size());
    bytes_ += value;
    return *this;
  }
  protobuf_message& message(int field, const protobuf_message& value) { return bytes(field, value.bytes_); }
  protobuf_message& numbers(int field, const std::vector<double>& values) {
    std::string packed;
    for (const double value : values) packed += little_endian(std::bit_cast<std::uint64_t>(value));
    return values.empty() ? *this : bytes(field, packed);
  }
  const std::string& encoded() const { return bytes_; }

 private:
  void tag(int field, int wire_type) { varint(static_cast<std::uint64_t>(field << 3 | wire_type)); }
  void varint(std::uint64_t value) {
    for (; value > 0x7F; value >>= 7) bytes_ += static_cast<char>((value & 0x7F) | 0x80);
    bytes_ += static_cast<char>(value);
  }

  std::string bytes_;
};

// Counts of numbers in TensorFlow's buckets, whose limits are -1e20 .. -1e-12, 0, 1e-12 .. 1e20, each 1.1 times the one
// before, and the largest double. A bucket counts numbers below its limit and not below the one before.
class value_histogram {
 public:
  void add(double value) {
    const std::vector<double>& all = limits();
    const auto bucket =
        static_cast<std::size_t>(std::upper_bound(all.begin(), all.end(), value) - all.begin());
    ++counts_[std::min(bucket, all.size() - 1)];
    least_ = std::min(least_, value);
    most_ = std::max(most_, value);
    ++count_;
    sum_ += value;
    sum_of_squares_ += value * value;
  }
  // HistogramProto: runs of empty buckets become one.
  protobuf_message encoded() const {
    std::vector<double> ends, counts;
    for (std::size_t k = 0; k < counts_.size(); ++k) {
      if (counts_[k] == 0 && !counts.empty() && counts.back() == 0) ends.back() = limits()[k];
      else {
        ends.push_back(limits()[k]);
        counts.push_back(counts_[k]);
      }
    }
    return protobuf_message{}
        .number(1, least_)
        .number(2, most_)
        .number(3, count_)
        .number(4, sum_)
        .number(5, sum_of_squares_)
        .numbers(6, ends)
        .numbers(7, counts);
  }

 private:
  static const std::vector<double>& limits() {
    static const std::vector<double> all = [] {
      std::vector<double> up;
      for (double limit = 1e-12; limit < 1e20; limit *= 1.1) up.push_back(limit);
      up.push_back(std::numeric_limits<double>::max());
      std::vector<double> both;
      for (std::size_t k = up.size(); k-- > 0;) both.push_back(-up[k]);
      both.push_back(0);
      both.insert(both.end(), up.begin(), up.end());
      return both;
    }();
    return all;
  }

  std::vector<double> counts_ = std::vector<double>(limits().size());
  double least_ = std::numeric_limits<double>::max(), most_ = std::numeric_limits<double>::lowest();
  double count_ = 0, sum_ = 0, sum_of_squares_ = 0;
};

// Seconds since 1970.
inline double wall_time() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}
inline std::string event_of_version(double time) {
  return protobuf_message{}.number(1, time).bytes(3, "brain.Event:2").encoded();
}
// value: a Summary.Value with its tag and, in `field`, its content.
inline std::string event_of_value(double time, long step, const protobuf_message& value) {
  return protobuf_message{}
      .number(1, time)
      .integer(2, step)
      .message(5, protobuf_message{}.message(1, value))
      .encoded();
}

}  // namespace detail

namespace io {

// A new file in a folder, which is created if necessary. TensorBoard shows the files of one folder as one run, and
// several runs side by side: tensorboard --logdir runs. Each call appends one record and passes it to the system.
// Throws data_error if the folder or the file cannot be written.
class event_file {
 public:
  explicit event_file(const std::string& folder) : path_(name_in(folder)) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) detail::throw_data_error(folder, {"cannot be created: ", error.message()});
    file_.reset(std::fopen(path_.c_str(), "abx"));
    if (file_ == nullptr) fail();
    write(detail::event_of_version(detail::wall_time()));
  }

  const std::string& path() const { return path_; }

  // One number; NaN and infinities are shown as such. Tags with the same text before a slash are shown in one group:
  // "loss/train", "loss/validation". `time`: seconds since 1970.
  void scalar(std::string_view tag, double value, long step, double time = detail::wall_time()) {
    check_tag(tag);
    write(detail::event_of_value(
        time, step, detail::protobuf_message{}.bytes(1, tag).chosen_number(2, static_cast<float>(value))));
  }
  // The distribution of the numbers of a view or another range: histogram("embedded", get<"embedded.weight">(theta),
  // step). Throws input_error if there are none, or one is not finite. Both functions throw it for a tag that is not
  // UTF-8, because no reader could read such a record.
  template <detail::SizedRange Numbers>
  void histogram(std::string_view tag, const Numbers& numbers, long step, double time = detail::wall_time()) {
    check_tag(tag);
    detail::value_histogram buckets;
    long count = 0;
    for (const auto& number : numbers) {
      const auto value = static_cast<double>(number);
      if (!std::isfinite(value))
        detail::throw_input_error({"event_file: expected finite numbers in histogram '", tag, "', got ",
                                   std::isnan(value) ? "nan" : "inf", " as element ", count});
      buckets.add(value);
      ++count;
    }
    if (count == 0)
      detail::throw_input_error({"event_file: expected numbers in histogram '", tag, "', got none"});
    write(detail::event_of_value(time, step,
                                 detail::protobuf_message{}.bytes(1, tag).message(5, buckets.encoded())));
  }

 private:
  static void check_tag(std::string_view tag) {
    if (!detail::is_utf8(tag))
      detail::throw_input_error({"event_file: the tag '", tag, "' is not UTF-8, which TensorBoard asks for"});
  }
  struct closing {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  // Differs from the names of other runs, programs and machines: TensorBoard expects each file to have one writer.
  static std::string name_in(const std::string& folder) {
    static std::atomic<int> files{0};
    char host[65] = "host";
    ::gethostname(host, sizeof host - 1);
    return detail::message_of({folder, "/events.out.tfevents.", static_cast<long>(detail::wall_time()), ".",
                               host, ".", ::getpid(), ".", files++});
  }
  void write(const std::string& event) {
    if (file_ == nullptr)
      detail::throw_input_error({"event_file: what was moved to another cannot be written to"});
    const std::string record = detail::event_record(event);
    if (std::fwrite(record.data(), 1, record.size(), file_.get()) != record.size() ||
        std::fflush(file_.get()) != 0)
      fail();
  }
  [[noreturn]] void fail() const {
    detail::throw_data_error(path_, {"cannot be written: ", std::strerror(errno)});
  }

  std::string path_;
  std::unique_ptr<std::FILE, closing> file_;
};

}  // namespace io

}  // namespace tenon
