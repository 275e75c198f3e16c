// The bodies of event_file.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <chrono>
#include <cstring>

namespace tenon::inline v0_1::detail {

TENON_INLINE std::string event_record(std::string_view event) {
  const auto checksum = [](std::string_view bytes) {
    return little_endian(static_cast<std::uint32_t>(std::rotr(crc32c(bytes), 15) + 0xA282EAD8));
  };
  const std::string length = little_endian(std::uint64_t{event.size()});
  return length + checksum(length) + std::string(event) + checksum(event);
}

TENON_INLINE protobuf_message& protobuf_message::integer(int field, long value) {
  if (value != 0) {
    tag(field, 0);
    varint(static_cast<std::uint64_t>(value));
  }
  return *this;
}

TENON_INLINE protobuf_message& protobuf_message::number(int field, double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  if (bits != 0) {
    tag(field, 1);
    bytes_ += little_endian(bits);
  }
  return *this;
}

TENON_INLINE protobuf_message& protobuf_message::chosen_number(int field, float value) {
  tag(field, 5);
  bytes_ += little_endian(std::bit_cast<std::uint32_t>(value));
  return *this;
}

TENON_INLINE protobuf_message& protobuf_message::bytes(int field, std::string_view value) {
  tag(field, 2);
  varint(value.size());
  bytes_ += value;
  return *this;
}

TENON_INLINE protobuf_message& protobuf_message::numbers(int field, const std::vector<double>& values) {
  std::string packed;
  for (const double value : values) packed += little_endian(std::bit_cast<std::uint64_t>(value));
  return values.empty() ? *this : bytes(field, packed);
}

TENON_INLINE void protobuf_message::varint(std::uint64_t value) {
  for (; value > 0x7F; value >>= 7) bytes_ += static_cast<char>((value & 0x7F) | 0x80);
  bytes_ += static_cast<char>(value);
}

TENON_INLINE void value_histogram::add(double value) {
  const std::vector<double>& all = limits();
  const auto bucket = static_cast<std::size_t>(std::upper_bound(all.begin(), all.end(), value) - all.begin());
  ++counts_[std::min(bucket, all.size() - 1)];
  least_ = std::min(least_, value);
  most_ = std::max(most_, value);
  ++count_;
  sum_ += value;
  sum_of_squares_ += value * value;
}

TENON_INLINE protobuf_message value_histogram::encoded() const {
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

TENON_INLINE const std::vector<double>& value_histogram::limits() {
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

TENON_INLINE double wall_time() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

TENON_INLINE std::string event_of_value(double time, long step, const protobuf_message& value) {
  return protobuf_message{}
      .number(1, time)
      .integer(2, step)
      .message(5, protobuf_message{}.message(1, value))
      .encoded();
}

}  // namespace tenon::inline v0_1::detail

namespace tenon::inline v0_1::io {

TENON_INLINE event_file::event_file(const std::string& folder) : path_(name_in(folder)) {
  if (!system_calls::create_folders(folder))
    detail::throw_data_error(folder, {"cannot be created: ", std::strerror(errno)});
  file_.reset(std::fopen(path_.c_str(), "abx"));
  if (file_ == nullptr) fail();
  write(detail::event_of_version(detail::wall_time()));
}

TENON_INLINE void event_file::scalar(std::string_view tag, double value, long step, double time) {
  check_tag(tag);
  write(detail::event_of_value(
      time, step, detail::protobuf_message{}.bytes(1, tag).chosen_number(2, static_cast<float>(value))));
}

TENON_INLINE void event_file::check_tag(std::string_view tag) {
  if (!detail::is_utf8(tag))
    detail::throw_input_error({"event_file: the tag '", tag, "' is not UTF-8, which TensorBoard asks for"});
}

TENON_INLINE std::string event_file::name_in(const std::string& folder) {
  static std::atomic<int> files{0};
  return detail::message_of({folder, "/events.out.tfevents.", static_cast<long>(detail::wall_time()), ".",
                             system_calls::host_name(), ".", system_calls::process_number(), ".", files++});
}

TENON_INLINE void event_file::write(const std::string& event) {
  if (file_ == nullptr)
    detail::throw_input_error({"event_file: what was moved to another cannot be written to"});
  const std::string record = detail::event_record(event);
  if (std::fwrite(record.data(), 1, record.size(), file_.get()) != record.size() ||
      std::fflush(file_.get()) != 0)
    fail();
}

TENON_INLINE void event_file::fail() const {
  detail::throw_data_error(path_, {"cannot be written: ", std::strerror(errno)});
}

}  // namespace tenon::inline v0_1::io
