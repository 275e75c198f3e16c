// io::event_file: numbers and histograms over the steps of a training, for TensorBoard. A file is a sequence of records
// (TFRecord): length as 8 bytes, its checksum, an Event as a protocol buffer, its checksum; numbers have their lowest
// byte first. A checksum is CRC-32C, rotated right by 15 bits, plus 0xa282ead8.
#pragma once

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/io/crc.hpp"
#include "tenon/io/file.hpp"
#include "tenon/io/utf8.hpp"
#include "tenon/tensor/range.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace tenon::inline v0_1 {

namespace detail {

// The bytes of a number, lowest first.
template <class N>
std::string little_endian(N number) {
  std::string bytes;
  for (std::size_t k = 0; k < sizeof number; ++k) bytes += static_cast<char>((number >> 8 * k) & 0xFF);
  return bytes;
}

std::string event_record(std::string_view event);

// A message of a protocol buffer (proto3), field by field. A number that is 0 is left out, as other writers do.
class protobuf_message {
 public:
  protobuf_message& integer(int field, long value);
  protobuf_message& number(int field, double value);
  // A field of a oneof, which is written even if it is 0.
  protobuf_message& chosen_number(int field, float value);
  protobuf_message& bytes(int field, std::string_view value);
  protobuf_message& message(int field, const protobuf_message& value) { return bytes(field, value.bytes_); }
  protobuf_message& numbers(int field, const std::vector<double>& values);
  const std::string& encoded() const { return bytes_; }

 private:
  void tag(int field, int wire_type) { varint(static_cast<std::uint64_t>(field << 3 | wire_type)); }
  void varint(std::uint64_t value);

  std::string bytes_;
};

// Counts of numbers in TensorFlow's buckets, whose limits are -1e20 .. -1e-12, 0, 1e-12 .. 1e20, each 1.1 times the one
// before, and the largest double. A bucket counts numbers below its limit and not below the one before.
class value_histogram {
 public:
  void add(double value);
  // HistogramProto: runs of empty buckets become one.
  protobuf_message encoded() const;

 private:
  static const std::vector<double>& limits();

  std::vector<double> counts_ = std::vector<double>(limits().size());
  double least_ = std::numeric_limits<double>::max(), most_ = std::numeric_limits<double>::lowest();
  double count_ = 0, sum_ = 0, sum_of_squares_ = 0;
};

// Seconds since 1970.
double wall_time();
inline std::string event_of_version(double time) {
  return protobuf_message{}.number(1, time).bytes(3, "brain.Event:2").encoded();
}
// value: a Summary.Value with its tag and, in `field`, its content.
std::string event_of_value(double time, long step, const protobuf_message& value);

}  // namespace detail

namespace io {

// A new file in a folder, which is created if necessary. TensorBoard shows the files of one folder as one run, and
// several runs side by side: tensorboard --logdir runs. Each call appends one record and passes it to the system.
// Throws data_error if the folder or the file cannot be written.
class event_file {
 public:
  explicit event_file(const std::string& folder);

  const std::string& path() const { return path_; }

  // One number; NaN and infinities are shown as such. Tags with the same text before a slash are shown in one group:
  // "loss/train", "loss/validation". `time`: seconds since 1970.
  void scalar(std::string_view tag, double value, long step, double time = detail::wall_time());
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
  static void check_tag(std::string_view tag);
  struct closing {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  // Differs from the names of other runs, programs and machines: TensorBoard expects each file to have one writer.
  static std::string name_in(const std::string& folder);
  void write(const std::string& event);
  [[noreturn]] void fail() const;

  std::string path_;
  std::unique_ptr<std::FILE, closing> file_;
};

}  // namespace io

}  // namespace tenon::inline v0_1

#ifndef TENON_COMPILED
#  include "tenon/io/event_file.ipp"
#endif
