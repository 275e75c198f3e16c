// Characters, in a browser: reads and writes a text one character after the other, with the parameters of a file that the page fetches. After
// each character the page reads the states of all units.
#include "characters.hpp"

#include "exported.hpp"
#include <tenon/io/safetensors.hpp>
#include <tenon/tenon.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

using namespace tenon;
using browser::character_model;

class writer {
 public:
  // Throws data_error if the file is damaged, or is of another network.
  explicit writer(const std::vector<std::byte>& bytes) {
    const io::safetensors_file file("characters.safetensors", bytes);
    theta_.for_each([&file](std::string_view name, view<float> numbers) {
      const io::named_tensor& tensor = file.at(name);
      if (tensor.size() != numbers.size())
        throw data_error("characters.safetensors: '" + std::string(name) +
                         "' has another shape than the network's");
      io::read_numbers(tensor, 0, tensor.size(), numbers.data());
    });
    if (const auto all = file.metadata().find("characters"); all != file.metadata().end())
      characters_ = all->second;
    if (const auto lines = file.metadata().find("units"); lines != file.metadata().end())
      patterns = lines->second;
    if (characters_.size() != browser::different_characters)
      throw data_error("characters.safetensors: the characters are not listed");
  }
  void begin(unsigned number) {
    random_ = backend::random_stream(number, 0);
    set_input<"h0">(live_, zeros{});
    set_input<"c0">(live_, zeros{});
    live_.reset();
    read('\n');
  }
  // Whether the character is one of those that the network knows.
  bool read(char character) {
    const std::size_t token = characters_.find(character);
    if (token == std::string::npos) return false;
    live_.step(std::array{static_cast<int>(token)});
    std::size_t unit = 0;
    for (const float cell : get_state<"states.c_n">(live_)) states[unit++] = std::tanh(cell);
    return true;
  }
  char write(double temperature) {
    const int token = sample(get<"logits">(live_)[0], random_, {.temperature = temperature});
    const char character = characters_[static_cast<std::size_t>(token)];
    read(character);
    return character;
  }
  std::string patterns{};
  std::array<float, browser::units> states{};  // tanh of each unit's cell, after the last character

 private:
  std::string characters_{};  // in the order of their tokens
  parameters<character_model> theta_{zeros{}};
  streaming<character_model> live_{theta_};
  backend::random_stream random_{1, 0};
};

std::vector<std::byte> fetched;
std::optional<writer> pen;

// The page fills the bytes of the file, and loads them.
EXPORTED(room_for) std::byte* room_for(unsigned size) {
  fetched.resize(size);
  return fetched.data();
}
EXPORTED(load) void load() { pen.emplace(fetched); }
// Lines of a pattern of the text and the unit that follows it.
EXPORTED(patterns) const char* patterns() { return pen->patterns.c_str(); }
EXPORTED(unit_count) int unit_count() { return browser::units; }
EXPORTED(begin) void begin(unsigned number) { pen->begin(number); }
EXPORTED(read_character) bool read_character(int character) {
  return pen->read(static_cast<char>(character));
}
EXPORTED(write_character) int write_character(double temperature) { return pen->write(temperature); }
EXPORTED(states) const float* states() { return pen->states.data(); }
