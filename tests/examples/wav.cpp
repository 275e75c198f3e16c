// WAV files of the amplifier example: what is written is read again, and what is damaged is refused.
#include "../../examples/amplifier/wav.hpp"

#include "support/temporary_file.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

using namespace amplifier;

namespace {

// A number as the file has it: the lowest byte first.
std::string bytes(unsigned value, int count) {
  std::string all;
  for (int k = 0; k < count; ++k) all += static_cast<char>(value >> 8 * k & 0xFF);
  return all;
}
std::string chunk(const std::string& tag, const std::string& content) {
  return tag + bytes(static_cast<unsigned>(content.size()), 4) + content;
}
std::string format(unsigned kind, unsigned channels, unsigned rate, unsigned bits) {
  return bytes(kind, 2) + bytes(channels, 2) + bytes(rate, 4) + bytes(rate * channels * bits / 8, 4) +
         bytes(channels * bits / 8, 2) + bytes(bits, 2);
}
std::string wav(const std::string& chunks) {
  return "RIFF" + bytes(static_cast<unsigned>(4 + chunks.size()), 4) + "WAVE" + chunks;
}

// What the reader says of these bytes, behind the file's name.
std::string error_of(const std::string& content) {
  const file_with file(content);
  try {
    read_wav(file.path);
  } catch (const tenon::data_error& error) {
    const std::string said = error.what();
    REQUIRE(said.starts_with(file.path + ": "));
    return said.substr(file.path.size() + 2);
  }
  return "";
}

}  // namespace

TEST_CASE("what is written is read again") {
  const temporary_folder folder;
  const std::vector<float> samples{0, 0.5f, -0.5f, 1e-30f, -1, 0.123456789f, 1.5f};
  write_wav(folder.path + "/a.wav", samples, 48000);
  const sound heard = read_wav(folder.path + "/a.wav");
  CHECK(heard.sample_rate == 48000);
  CHECK(heard.samples == samples);

  write_wav(folder.path + "/b.wav", samples, 44100, sample_format::whole_16);
  const sound rounded = read_wav(folder.path + "/b.wav");
  CHECK(rounded.sample_rate == 44100);
  REQUIRE(rounded.samples.size() == samples.size());
  for (std::size_t k = 0; k + 1 < samples.size(); ++k)
    CHECK(std::abs(rounded.samples[k] - samples[k]) <= 0.5f / 32768);
  CHECK(rounded.samples.back() == 32767.0f / 32768);  // limited
}

TEST_CASE("the bytes of a file") {
  const temporary_folder folder;
  write_wav(folder.path + "/a.wav", std::vector{0.5f, -1.0f}, 48000, sample_format::whole_16);
  CHECK(tenon::detail::read_file(folder.path + "/a.wav") ==
        wav(chunk("fmt ", format(1, 1, 48000, 16)) + chunk("data", bytes(16384, 2) + bytes(0x8000, 2))));
}

TEST_CASE("other chunks are passed over, and the extensible format is read") {
  const std::string extensible = format(0xFFFE, 1, 44100, 16) + bytes(22, 2) + bytes(16, 2) + bytes(4, 4) +
                                 bytes(1, 2) + std::string("\0\0\0\0\x10\0\x80\0\0\xAA\0\x38\x9B\x71", 14);
  const file_with file(wav(chunk("LIST", "odd") + std::string(1, '\0') + chunk("fmt ", extensible) +
                           chunk("data", bytes(0xC000, 2))));
  const sound heard = read_wav(file.path);
  CHECK(heard.sample_rate == 44100);
  CHECK(heard.samples == std::vector{-0.5f});
}

TEST_CASE("what does not fit is refused, with its place") {
  const std::string good = chunk("fmt ", format(1, 1, 48000, 16)), data = chunk("data", bytes(1, 2));
  CHECK(error_of("") == "byte 0: expected 'RIFF', got the end of the file");
  CHECK(error_of("OggS    WAVE") == "byte 0: expected 'RIFF' of a WAV file, got something else");
  CHECK(error_of("RIFF    AVI ") == "byte 8: expected 'WAVE' of a WAV file, got something else");
  CHECK(error_of(wav("")) == "byte 12: expected a chunk 'fmt ', got the end of the file");
  CHECK(error_of(wav(good)) == "byte 36: expected a chunk 'data', got the end of the file");
  CHECK(error_of(wav(data)) == "byte 12: expected a chunk 'fmt ' first, got 'data'");
  CHECK(error_of(wav(chunk("fmt ", "short") + data)) ==
        "byte 16: expected a chunk 'fmt ' of at least 16 bytes, got 5");
  CHECK(error_of(wav(good + "data" + bytes(100, 4) + bytes(1, 2))) ==
        "byte 40: expected a chunk 'data' of at most 2 bytes, got 100");
  CHECK(error_of(wav(chunk("fmt ", format(1, 2, 48000, 16)) + data)) == "byte 22: expected 1 channel, got 2");
  CHECK(error_of(wav(chunk("fmt ", format(1, 1, 0, 16)) + data)) ==
        "byte 24: expected a sample rate above 0, got 0");
  CHECK(error_of(wav(chunk("fmt ", format(1, 1, 48000, 24)) + data)) ==
        "byte 20: expected samples of 16-bit whole numbers (format 1) or 32-bit floating point (format 3), "
        "got format 1 of 24 bits");
  CHECK(error_of(wav(good + chunk("data", "odd"))) ==
        "byte 40: expected whole samples of 2 bytes, got 3 bytes");
  CHECK(error_of(wav(chunk("fmt ", format(3, 1, 48000, 32)) +
                     chunk("data", bytes(0x3F800000, 4) + bytes(0x7FC00000, 4)))) ==
        "byte 48: expected a finite sample, got one that is not");
  CHECK_THROWS_AS(read_wav("/no/such/file.wav"), tenon::data_error);
}

TEST_CASE("a file that is cut off is refused wherever that is") {
  const std::string all =
      wav(chunk("LIST", "four") + chunk("fmt ", format(3, 1, 48000, 32)) + chunk("data", bytes(0, 4)));
  for (std::size_t length = 0; length < all.size(); ++length) CHECK(error_of(all.substr(0, length)) != "");
  CHECK(error_of(all) == "");
}
