// Parameters as numbers in a header, for a program that reads no file.
#pragma once

#include <tenon/io/file.hpp>
#include <tenon/tenon.hpp>

#include <algorithm>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>

namespace amplifier {

// The numbers of all parameters, in the order of parameters<Network>::table, and the sample rate.
inline void write_numbers(const std::string& path, const auto& theta, int sample_rate) {
  std::string page =
      "// The parameters of a network that has learned. Written by the program `amplifier`: do not edit.\n"
      "#pragma once\n\n#include <array>\n\nnamespace amplifier {\n\n"
      "inline constexpr int learned_rate = " +
      std::to_string(sample_rate) +
      ";  // Hz, of what it has learned from\n"
      "inline constexpr std::array<float, " +
      std::to_string(theta.count()) + "> learned{";
  theta.for_each([&](std::string_view name, const auto& values) {
    page += "\n    // " + std::string(name);
    for (std::size_t k = 0; k < values.size(); ++k) {
      char number[32];
      std::snprintf(number, sizeof number, "%.8ef,",
                    static_cast<double>(values.data()[k]));  // enough digits for each float
      page += (k % 6 == 0 ? "\n    " : " ") + std::string(number);
    }
  });
  tenon::detail::write_file(path, page + "\n};\n\n}  // namespace amplifier\n");
}

template <class Network>
tenon::parameters<Network> with_numbers(std::span<const float> numbers) {
  tenon::parameters<Network> theta;
  theta.for_each([&](std::string_view, const auto& values) {
    std::copy_n(numbers.data(), values.size(), values.data());
    numbers = numbers.subspan(values.size());
  });
  return theta;
}

}  // namespace amplifier
