// Sound in WAV files of one channel, with samples of 16-bit whole numbers or 32-bit numbers (IBM and Microsoft 1991,
// "Multimedia programming interface and data specifications 1.0").
#pragma once

#include <tenon/io/file.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace amplifier {

struct sound {
  int sample_rate = 0;         // Hz
  std::vector<float> samples;  // -1 to 1
};

// The bytes of a file, read as a WAV file. What does not fit is a tenon::data_error, which names file, byte, expected
// and got.
class wav_reader {
 public:
  explicit wav_reader(const std::string& path) : path_(path), bytes_(tenon::detail::read_file(path)) {}

  sound read() {
    expect_tag(0, "RIFF");
    expect_tag(8, "WAVE");
    sound heard;
    bool has_format = false;
    for (std::size_t at = 12;;) {  // chunks: a tag, a size, as many bytes, and one more if they are odd
      if (at + 8 > bytes_.size())
        refuse(at, has_format ? "expected a chunk 'data'" : "expected a chunk 'fmt '", "the end of the file");
      const std::string_view tag = std::string_view(bytes_).substr(at, 4);
      const std::size_t size = number(at + 4, 4), begin = at + 8;
      if (size > bytes_.size() - begin)
        refuse(at + 4,
               "expected a chunk '" + std::string(tag) + "' of at most " +
                   std::to_string(bytes_.size() - begin) + " bytes",
               std::to_string(size));
      if (tag == "fmt ") {
        read_format(begin, size, heard);
        has_format = true;
      } else if (tag == "data") {
        if (!has_format) refuse(at, "expected a chunk 'fmt ' first", "'data'");
        read_samples(begin, size, heard);
        return heard;
      }
      at = begin + size + size % 2;
    }
  }

 private:
  [[noreturn]] void refuse(std::size_t byte, const std::string& expected, const std::string& got) const {
    throw tenon::data_error(path_ + ": byte " + std::to_string(byte) + ": " + expected + ", got " + got);
  }
  // A whole number of `count` bytes, the lowest first.
  std::uint32_t number(std::size_t at, std::size_t count) const {
    std::uint32_t all = 0;
    for (std::size_t k = 0; k < count; ++k)
      all |= std::uint32_t{static_cast<unsigned char>(bytes_[at + k])} << 8 * k;
    return all;
  }
  void expect_tag(std::size_t at, std::string_view tag) const {
    const std::string_view all = bytes_;
    if (all.size() < at + 4) refuse(at, "expected '" + std::string(tag) + "'", "the end of the file");
    if (all.substr(at, 4) != tag)
      refuse(at, "expected '" + std::string(tag) + "' of a WAV file", "something else");
  }
  void read_format(std::size_t at, std::size_t size, sound& heard) {
    if (size < 16) refuse(at - 4, "expected a chunk 'fmt ' of at least 16 bytes", std::to_string(size));
    std::uint32_t kind = number(at, 2);
    if (kind == 0xFFFE && size >= 26) kind = number(at + 24, 2);  // WAVE_FORMAT_EXTENSIBLE says it later
    const std::uint32_t channels = number(at + 2, 2), bits = number(at + 14, 2);
    if (channels != 1) refuse(at + 2, "expected 1 channel", std::to_string(channels));
    is_float_ = kind == 3;
    if (!(kind == 1 && bits == 16) && !(kind == 3 && bits == 32))
      refuse(at, "expected samples of 16-bit whole numbers (format 1) or 32-bit floating point (format 3)",
             "format " + std::to_string(kind) + " of " + std::to_string(bits) + " bits");
    heard.sample_rate = static_cast<int>(number(at + 4, 4));
    if (heard.sample_rate <= 0)
      refuse(at + 4, "expected a sample rate above 0", std::to_string(heard.sample_rate));
  }
  void read_samples(std::size_t at, std::size_t size, sound& heard) {
    const std::size_t width = is_float_ ? 4 : 2;
    if (size % width != 0)
      refuse(at - 4, "expected whole samples of " + std::to_string(width) + " bytes",
             std::to_string(size) + " bytes");
    heard.samples.resize(size / width);
    for (std::size_t k = 0; k < heard.samples.size(); ++k) {
      const std::uint32_t bits = number(at + width * k, width);
      const float sample = is_float_ ? std::bit_cast<float>(bits)
                                     : static_cast<float>(static_cast<std::int16_t>(bits)) / 32768;
      if (!std::isfinite(sample)) refuse(at + width * k, "expected a finite sample", "one that is not");
      heard.samples[k] = sample;
    }
  }

  std::string path_, bytes_;
  bool is_float_ = false;
};

inline sound read_wav(const std::string& path) { return wav_reader(path).read(); }

enum class sample_format { whole_16 = 1, float_32 = 3 };  // the numbers are the file format's

// Replaces the file as a whole: a program that is killed leaves the old file, or none. 16-bit samples are rounded, and
// limited to -1 .. 1.
inline void write_wav(const std::string& path, std::span<const float> samples, int sample_rate,
                      sample_format format = sample_format::float_32) {
  const bool is_float = format == sample_format::float_32;
  const std::uint32_t width = is_float ? 4 : 2, size = static_cast<std::uint32_t>(width * samples.size());
  if (samples.size() > (0xFFFFFFFFu - 36) / width)
    throw tenon::data_error(path + ": a WAV file has at most 4 GiB");
  std::string bytes;
  const auto put = [&](std::uint32_t value, int count) {
    for (int k = 0; k < count; ++k) bytes += static_cast<char>(value >> 8 * k & 0xFF);
  };
  bytes += "RIFF";
  put(36 + size, 4);
  bytes += "WAVEfmt ";
  put(16, 4);
  put(static_cast<std::uint32_t>(format), 2);
  put(1, 2);  // channel
  put(static_cast<std::uint32_t>(sample_rate), 4);
  put(static_cast<std::uint32_t>(sample_rate) * width, 4);  // bytes of a second
  put(width, 2);
  put(8 * width, 2);
  bytes += "data";
  put(size, 4);
  for (const float x : samples)
    put(is_float ? std::bit_cast<std::uint32_t>(x)
                 : static_cast<std::uint32_t>(std::lrint(std::clamp(32768 * x, -32768.0f, 32767.0f))),
        static_cast<int>(width));
  tenon::detail::write_file(path, bytes);
}

}  // namespace amplifier
