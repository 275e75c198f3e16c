// Bahdanau et al. 2015, from German to English: see program.hpp for its options.
#include "bahdanau_parts.hpp"

#include "program.hpp"

int main(int count, char** values) {
  using namespace translation;
  arguments wanted;
  std::string rule = "adam";
  std::vector<command_line::option> options = options_of(wanted);
  options.push_back({"--rule", &rule, "adam, or the paper's adadelta, which learns more slowly"});
  return command_line::program(title, count, values, options, [&] {
    if (rule == "adam") run_with_sizes<bahdanau>(wanted);
    else if (rule == "adadelta") run_with_sizes<bahdanau_with_adadelta>(wanted);
    else throw std::invalid_argument("--rule: expected adam or adadelta, got '" + rule + "'");
    return 0;
  });
}
